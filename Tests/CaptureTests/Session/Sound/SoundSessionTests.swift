import FrameCore
import Testing

@testable import Capture

@Suite(.timeLimit(.minutes(20))) struct SoundSessionTests {
  private let output = AudioDataOutput()

  @Test("A session may have sound only: it starts, runs, and ends with its source")
  func soundOnly() async throws {
    let input = ScriptedAudioInput()
    input.send(.sound(480), .lost(100), .sound(380), .finished)
    let session = try await CaptureSession.started(input, output)
    #expect(runs(output.takeAll()) == "s480 overrun100 s380")
    #expect(output.isFinished)
    await session.wait { $0 == .stopped }
    #expect(session.audioState == .stopped)
    let statistics = session.audioStatistics
    #expect([statistics.captured, statistics.silentOverrun, statistics.silentDisconnected] == [860, 100, 0])
    #expect([statistics.overruns, statistics.disconnections] == [1, 0])
    #expect(input.script.read { [$0.opened, $0.closed] } == [1, 1])
    #expect(session.format == nil)
  }

  @Test("Sound and pictures run beside each other; either may be removed while the other goes on")
  func both() async throws {
    let (camera, microphone) = (try ScriptedInput(), ScriptedAudioInput())
    let frames = VideoDataOutput(lateFrames: .keepAll(limit: 1000))
    let session = try await CaptureSession.started(camera, frames)
    let output = output
    // The microphone joins a running session.
    try await session.configure {
      try $0.add(microphone)
      try $0.add(output)
    }
    #expect(session.audioFormat == ScriptedAudioInput.format)
    camera.send(.frame(0))
    microphone.send(.sound(480))
    #expect(frames.take(1) == [0])
    #expect(runs(output.take { _ in true }) == "s480")
    try await session.configure { $0.removeAudioInput() }
    #expect(output.isFinished && session.audioState == .stopped)
    #expect(microphone.script.read { $0.closed } == 1)
    camera.send(.frame(1))
    #expect(frames.take(1) == [1])
    #expect(session.state == .running)
    // And back, while the camera leaves.
    try await session.configure {
      try $0.add(microphone)
      $0.removeInput()
    }
    #expect(frames.isFinished && camera.script.read { $0.closed } == 1)
    microphone.send(.sound(480))
    #expect(runs(output.take { _ in true }) == "s480")
    await session.wait { $0 == .running }
    // The camera comes again into a session that has sound only.
    try await session.configure { try $0.add(camera) }
    camera.send(.frame(0))
    #expect(frames.take(1) == [2])
    await session.stop()
    #expect(session.state == .stopped && session.audioState == .stopped)
    #expect(
      microphone.script.read { $0.opened == $0.closed } && camera.script.read { $0.opened == $0.closed })
  }

  @Test("A microphone that fails to open leaves everything as it was, the camera's change too")
  func newMicrophoneFails() async throws {
    let (one, two) = (ScriptedAudioInput("one"), ScriptedAudioInput("two"))
    let (camera, other) = (try ScriptedInput("camera"), try ScriptedInput("other"))
    let session = try await CaptureSession.started(one, output)
    try await session.configure { try $0.add(camera) }
    one.send(.sound(480))
    #expect(runs(output.take { _ in true }) == "s480")
    for reason: CaptureFailure.Reason in [.permissionDenied, .unsupported, .disconnected, .inputOutput] {
      // What cannot be had in the present format is tried in any.
      let attempts = reason == .unsupported ? 2 : 1
      two.script.update {
        $0.openings = Array(repeating: ScriptedAudioInput.failure(reason), count: attempts)
      }
      await #expect(throws: ScriptedAudioInput.failure(reason)) {
        try await session.configure {
          $0.replaceAudioInput(with: two)
          $0.replaceInput(with: other)
        }
      }
    }
    #expect(one.script.read { [$0.opened, $0.closed] } == [1, 0])
    #expect(other.script.read { $0.opened } == 0)
    #expect(await session.configuration.audioInput === one)
    one.send(.sound(480))
    #expect(output.take { _ in true }.first?.position == 480)
    await session.stop()
  }

  @Test("A camera that fails to open closes the new microphone again, and the former one goes on")
  func newCameraFails() async throws {
    let (one, two) = (ScriptedAudioInput("one"), ScriptedAudioInput("two"))
    let camera = try ScriptedInput("camera")
    let session = try await CaptureSession.started(one, output)
    one.send(.sound(480))
    #expect(runs(output.take { _ in true }) == "s480")
    camera.script.update { $0.openings = [ScriptedInput.failure(.permissionDenied)] }
    await #expect(throws: ScriptedInput.failure(.permissionDenied)) {
      try await session.configure {
        $0.replaceAudioInput(with: two)
        try $0.add(camera)
      }
    }
    #expect(two.script.read { [$0.opened, $0.closed] } == [1, 1])
    #expect(one.script.read { [$0.opened, $0.closed] } == [1, 0])
    one.send(.sound(480))
    #expect(output.take { _ in true }.first?.position == 480)
    await session.stop()
  }

  @Test(
    "Another format of the same exclusive microphone: it is closed first, and opened as before if that fails")
  func sameMicrophone() async throws {
    let input = ScriptedAudioInput()
    input.script.update { $0.isExclusive = true }
    let session = try await CaptureSession.started(input, output)
    input.send(.sound(480))
    #expect(runs(output.take { _ in true }) == "s480")
    input.script.update { $0.openings = [ScriptedAudioInput.failure(.inputOutput)] }
    await #expect(throws: ScriptedAudioInput.failure(.inputOutput)) {
      try await session.configure { $0.audioRequest = AudioRequest(sampleRate: 96_000) }
    }
    #expect(await session.configuration.audioRequest == AudioRequest())
    // The run goes on, with silence for the time in between; the script's clock stands still meanwhile.
    input.send(.sound(480), .sound(480))
    let buffers = output.take { $0.silence == nil }
    #expect(buffers.first?.position == 480)
    await session.stop()
  }

  @Test("A microphone of the same format continues the run of sound; one of another begins a new one")
  func replacing() async throws {
    let mono = AudioFormat(sampleRate: 44_100, layout: .mono)
    let (one, two) = (ScriptedAudioInput("one"), ScriptedAudioInput("two"))
    let three = ScriptedAudioInput("three", format: mono)
    let probe = SoundProbe()
    let session = try await CaptureSession.started(one, probe)
    one.send(.sound(480))
    probe.wait { $0.samples >= 480 }
    try await session.configure { $0.replaceAudioInput(with: two) }
    #expect(two.script.read { $0.requests } == [AudioRequest(sampleRate: 48_000, channelCount: 2)])
    two.script.update { $0.number = 96_000 }
    two.send(.sound(480))
    probe.wait { $0.samples > 96_000 }
    #expect(probe.events == ["open 48000 2"])
    try await session.configure { $0.replaceAudioInput(with: three) }
    three.send(.sound(441))
    probe.wait { $0.position == 441 }
    #expect(probe.events == ["open 48000 2", "close", "open 44100 1"])
    await session.stop()
    #expect(probe.events.last == "close")
    #expect(probe.hasGaps == false)
  }

  @Test(
    "An output that takes nothing the inputs give is refused when the session starts, and when it is added")
  func unfitting() async throws {
    let (microphone, camera) = (ScriptedAudioInput(), try ScriptedInput())
    let (frames, sound) = (VideoDataOutput(), output)
    let session = CaptureSession()
    try await session.configure {
      try $0.add(microphone)
      try $0.add(frames)
    }
    let noPictures = SafelightError(
      .invalidValue, "An output takes pictures, and the session has only a source of sound",
      remedy: "add a camera or another input of pictures, or remove the output")
    await #expect(throws: noPictures) { try await session.start() }
    #expect(microphone.script.read { $0.openingsBegun } == 0)
    try await session.configure {
      $0.remove(frames)
      $0.removeAudioInput()
      try $0.add(camera)
    }
    try await session.start()
    await #expect(
      throws: SafelightError(
        .invalidValue, "An output takes sound, and the session has no source of it",
        remedy: "add a microphone or another input of sound, or remove the output")
    ) { try await session.configure { try $0.add(sound) } }
    #expect(await session.configuration.audioOutputs.isEmpty)
    await session.stop()
  }

  @Test("An output of both kinds is one output, with a connection for each")
  func outputOfBoth() async throws {
    let (microphone, camera) = (ScriptedAudioInput(), try ScriptedInput())
    let movie = MovieProbe()
    let session = CaptureSession()
    try await session.configure {
      try $0.add(camera)
      try $0.add(microphone)
      try $0.add(
        movie, connection: Connection(rotation: .degrees90),
        audioConnection: AudioConnection(channels: .left))
    }
    await #expect(throws: SafelightError.self) { try await session.configure { try $0.add(movie) } }
    let configuration = await session.configuration
    #expect(configuration.outputs.count == 1 && configuration.audioOutputs.count == 1)
    #expect(configuration.connection(to: movie) == Connection(rotation: .degrees90))
    #expect(configuration.audioConnection(to: movie) == AudioConnection(channels: .left))
    try await session.start()
    camera.send(.frame(0))
    microphone.send(.sound(480))
    movie.sound.wait { $0.samples == 480 }
    #expect(movie.sound.events == ["open 48000 1"])
    await session.stop()
    #expect(movie.sound.events == ["open 48000 1", "close"])
    #expect(movie.attachments.read { $0 } == 1)
    try await session.configure { $0.remove(movie) }
    #expect(movie.attachments.read { $0 } == 0)
  }

  @Test("A start that fails opens nothing for long, and says why in both states")
  func startFails() async throws {
    let (microphone, camera) = (ScriptedAudioInput(), try ScriptedInput())
    let session = CaptureSession()
    try await session.configure {
      try $0.add(camera)
      try $0.add(microphone)
    }
    microphone.script.update { $0.openings = [ScriptedAudioInput.failure(.busy)] }
    await #expect(throws: ScriptedAudioInput.failure(.busy)) { try await session.start() }
    #expect(session.audioState == .failed(ScriptedAudioInput.failure(.busy)))
    #expect(session.state == .failed(ScriptedAudioInput.failure(.busy)))
    #expect(camera.script.read { $0.opened == $0.closed })
    try await session.start()
    await session.stop()
  }

  @Test("A session that is released while it hears closes its microphone and ends its outputs")
  func release() async throws {
    let microphone = ScriptedAudioInput()
    do { _ = try await CaptureSession.started(microphone, output) }
    microphone.script.wait { $0.closed == 1 ? true : nil }
    #expect(output.takeAll().isEmpty)
    let other = CaptureSession()
    let output = output
    while (try? await other.configure { try $0.add(output) }) == nil { await Task.yield() }
  }
}
