import FrameCore
import Testing

@testable import Capture

@Suite(.timeLimit(.minutes(20))) struct CameraSwitchingTests {
  private let output = VideoDataOutput(lateFrames: .keepAll(limit: 1000))

  @Test("Frames come from the new camera, in sequence, and the former one is closed")
  func switching() async throws {
    let (first, second) = (try ScriptedInput("one"), try ScriptedInput("two"))
    let session = try await CaptureSession.started(first, output)
    first.sendFrames(0..<2)
    #expect(output.take(2) == [0, 1])
    second.send(.frame(70))
    try await session.configure { $0.replaceInput(with: second) }
    #expect(first.script.read { $0.closed } == 1)
    #expect(output.take(1) == [2])
    #expect(await session.configuration.input === second)
    await session.wait { $0 == .running }
    await session.stop()
  }

  @Test("A new camera that fails to open leaves the former one streaming, never closed")
  func newCameraFails() async throws {
    let (first, second) = (try ScriptedInput("one"), try ScriptedInput("two"))
    let session = try await CaptureSession.started(first, output)
    first.send(.frame(0))
    #expect(output.take(1) == [0])
    await session.wait { $0 == .running }
    for reason: CaptureFailure.Reason in [.permissionDenied, .unsupported, .inputOutput, .disconnected] {
      second.script.update { $0.openings = [ScriptedInput.failure(reason)] }
      await #expect(throws: ScriptedInput.failure(reason)) {
        try await session.configure {
          $0.replaceInput(with: second)
          $0.settling = .automatic
        }
      }
    }
    #expect(session.state == .running)
    first.send(.frame(1))
    #expect(output.take(1) == [1])
    #expect(first.script.read { [$0.opened, $0.closed] } == [1, 0])
    #expect(await session.configuration.input === first)
    #expect(await session.configuration.settling == .off)
    await session.stop()
  }

  @Test(
    "A busy camera may be busy with us: the former one makes way, and is opened again where that is no help")
  func busyFallback() async throws {
    let (first, second) = (try ScriptedInput("one"), try ScriptedInput("two"))
    let session = try await CaptureSession.started(first, output)
    first.send(.frame(0))
    #expect(output.take(1) == [0])
    second.script.update { $0.openings = [ScriptedInput.failure(.busy), ScriptedInput.failure(.busy)] }
    await #expect(throws: ScriptedInput.failure(.busy)) {
      try await session.configure { $0.replaceInput(with: second) }
    }
    #expect(first.script.read { [$0.opened, $0.closed] } == [2, 1])
    first.send(.frame(0))
    #expect(output.take(1) == [1])
    second.script.update { $0.openings = [ScriptedInput.failure(.busy)] }
    try await session.configure { $0.replaceInput(with: second) }
    second.send(.frame(0))
    #expect(output.take(1) == [2])
    await session.stop()
  }

  @Test(
    "Another format of the same exclusive device: it is closed first, and opened as before where that fails")
  func sameDevice() async throws {
    let camera = try ScriptedInput("one")
    camera.script.update { $0.isExclusive = true }
    let session = try await CaptureSession.started(camera, output)
    let small = StreamRequest(size: PixelSize(width: 320, height: 240))
    try await session.configure { $0.request = small }
    #expect(camera.script.read { $0.requests } == [StreamRequest(), small])
    camera.script.update { $0.openings = [ScriptedInput.failure(.unsupported)] }
    let huge = StreamRequest(size: PixelSize(width: 32_000, height: 24_000))
    await #expect(throws: ScriptedInput.failure(.unsupported)) {
      try await session.configure { $0.request = huge }
    }
    #expect(camera.script.read { $0.requests } == [StreamRequest(), small, huge, small])
    #expect(await session.configuration.request == small)
    camera.send(.frame(0))
    #expect(output.take(1) == [0])
    await session.stop()
  }

  @Test(
    "Where the former camera cannot be opened again either, the session is interrupted and goes on trying")
  func bothFail() async throws {
    let camera = try ScriptedInput("one")
    camera.script.update { $0.isExclusive = true }
    let session = try await CaptureSession.started(camera, output)
    camera.script.update {
      $0.isPresent = false
      $0.openings = [ScriptedInput.failure(.unsupported), ScriptedInput.failure(.disconnected)]
    }
    await #expect(throws: ScriptedInput.failure(.unsupported)) {
      try await session.configure { $0.preset = .hd720 }
    }
    await session.wait { $0.reason == .disconnected }
    camera.script.update { $0.isPresent = true }
    camera.send(.frame(0))
    #expect(output.take(1) == [0])
    await session.stop()
  }

  @Test("An edit that throws changes nothing, not even what it changed before it threw")
  func throwingEdit() async throws {
    let (first, second) = (try ScriptedInput("one"), try ScriptedInput("two"))
    let other = VideoDataOutput()
    let session = try await CaptureSession.started(first, output)
    await #expect(
      throws: SafelightError(
        .invalidValue, "The session already has an input: two",
        remedy: "use replaceInput(with:), or another session for one")
    ) {
      try await session.configure {
        $0.replaceInput(with: second)
        try $0.add(other)
        $0.preset = .low
        try $0.add(first)
      }
    }
    let configuration = await session.configuration
    #expect(configuration.input === first)
    #expect(configuration.outputs.count == 1)
    #expect(configuration.preset == .inputPriority)
    #expect(second.script.read { $0.opened } == 0)
    first.send(.frame(0))
    #expect(output.take(1) == [0])
    // The output that was not added is free.
    try await CaptureSession().configure { try $0.add(other) }
    await session.stop()
  }

  @Test("An output is in a session once, and only what is in it has a connection")
  func outputsOnce() throws {
    var configuration = SessionConfiguration()
    try configuration.add(output)
    #expect(throws: SafelightError.self) { try configuration.add(output) }
    #expect(configuration.connection(to: output) == Connection())
    configuration.remove(output)
    #expect(configuration.connection(to: output) == nil)
    #expect(
      throws: SafelightError(
        .invalidValue, "The output is not in the session", remedy: "add it, with its connection")
    ) { try configuration.setConnection(Connection(mirroring: .on), to: output) }
  }

  @Test("Removing the input of a running session stops it")
  func removeInput() async throws {
    let camera = try ScriptedInput("one")
    let session = try await CaptureSession.started(camera, output)
    try await session.configure { $0.removeInput() }
    #expect(session.state == .stopped)
    #expect(output.isFinished)
    #expect(camera.script.read { $0.closed } == 1)
  }
}
