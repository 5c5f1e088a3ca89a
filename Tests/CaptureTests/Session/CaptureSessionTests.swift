import FrameCore
import Testing

@testable import Capture

@Suite(.timeLimit(.minutes(20))) struct CaptureSessionTests {
  private static func keepAll() -> VideoDataOutput { VideoDataOutput(lateFrames: .keepAll(limit: 1000)) }

  @Test("Frames go from the source to the output, and what the source lost is told and counted")
  func framesAndLosses() async throws {
    let (input, output) = (try ScriptedInput(), Self.keepAll())
    let session = try await CaptureSession.connecting(input, output)
    #expect(session.state == .idle)
    input.send(
      .frame(0), .frame(1),
      .dropped(DroppedFrame(sequence: 2, time: Timestamp(nanoseconds: 5), reason: .corrupt), 2),
      .frame(4), .frame(7), .finished)
    let drops = output.drops
    try await session.start()
    var numbers: [UInt64] = []
    for await frame in output.frames { numbers.append(frame.sequence) }
    #expect(numbers == [0, 1, 4, 7])
    var dropped: [DroppedFrame] = []
    for await drop in drops {
      dropped.append(drop)
      if dropped.count == 4 { break }
    }
    #expect(dropped.map(\.sequence) == [2, 3, 5, 6])
    #expect(dropped.map(\.reason) == [.corrupt, .corrupt, .discontinuity, .discontinuity])
    await session.wait { $0 == .stopped }
    for statistics in [output.statistics, session.statistics.frames] {
      #expect(statistics.captured == 8)
      #expect(statistics.delivered == 4)
      #expect(statistics.droppedCorrupt == 2)
      #expect(statistics.droppedDiscontinuity == 2)
      #expect(statistics.waiting == 0)
    }
    #expect(output.isFinished)
    #expect(input.script.read { $0.closed } == 1)
  }

  @Test("The source is opened on a thread of its own with its name, once, and closed by stop()")
  func startAndStop() async throws {
    let (input, output) = (try ScriptedInput("webcam"), Self.keepAll())
    let session = try await CaptureSession.connecting(input, output)
    try await session.start()
    try await session.start()
    #expect(input.script.read { $0.openingThreads } == ["cap webcam"])
    #expect(session.format?.framesPerSecond == 0 || session.format == nil)
    await session.stop()
    #expect(session.state == .stopped)
    #expect(input.script.read { $0.closed } == 1)
    #expect(output.nextFrame(until: Timestamp.now.advanced(bySeconds: 20)) == nil)
    await session.stop()
  }

  @Test("A stopped session starts again: its outputs get frames again, in sequence")
  func restart() async throws {
    let (input, output) = (try ScriptedInput(), Self.keepAll())
    let session = try await CaptureSession.connecting(input, output)
    for round: UInt64 in 0..<3 {
      input.sendFrames(0..<2)
      try await session.start()
      #expect(output.take(2) == [2 * round, 2 * round + 1])
      await session.stop()
      #expect(output.isFinished)
    }
  }

  @Test("A session without input does not start, and says what to do")
  func noInput() async throws {
    await #expect(
      throws: SafelightError(
        .invalidValue, "The session has no input", remedy: "add one in configure { } before start()")
    ) { try await CaptureSession().start() }
  }

  @Test("A source that cannot be opened fails the start; when it can, another start succeeds")
  func startFailsThenSucceeds() async throws {
    let (input, output) = (try ScriptedInput(), Self.keepAll())
    let session = try await CaptureSession.connecting(input, output)
    input.script.update { $0.openings = [ScriptedInput.failure(.busy)] }
    await #expect(throws: ScriptedInput.failure(.busy)) { try await session.start() }
    #expect(session.state == .failed(ScriptedInput.failure(.busy)))
    input.send(.frame(0))
    try await session.start()
    #expect(output.take(1) == [0])
  }

  @Test("A session that is released before it ran frees its outputs")
  func releaseUnstarted() async throws {
    let (input, output) = (try ScriptedInput(), Self.keepAll())
    do { _ = try await CaptureSession.connecting(input, output) }
    // An output of another session would be refused. The session's queue may still hold it for a moment.
    while (try? await CaptureSession.connecting(input, output)) == nil { await Task.yield() }
  }

  @Test("A session that is released while it runs closes its source and ends its outputs")
  func release() async throws {
    let (input, output) = (try ScriptedInput(), Self.keepAll())
    do {
      let session = try await CaptureSession.connecting(input, output)
      try await session.start()
    }
    input.script.wait { $0.closed == 1 ? true : nil }
    #expect(output.nextFrame(until: Timestamp.now.advanced(bySeconds: 20)) == nil)
    // And they are free for another session.
    let other = CaptureSession()
    while (try? await other.configure { try $0.add(output) }) == nil { await Task.yield() }
  }

  @Test("Several outputs: one that nobody reads drops its own frames and delays no other")
  func severalOutputs() async throws {
    let input = try ScriptedInput()
    let (fast, unread) = (Self.keepAll(), VideoDataOutput(lateFrames: .discard(keepingNewest: 1)))
    let session = try await CaptureSession.connecting(input, fast)
    try await session.configure { try $0.add(unread) }
    try await session.start()
    for number: UInt64 in 0..<50 {
      input.send(.frame(number))
      #expect(fast.take(1) == [number])
    }
    await session.stop()
    #expect(unread.statistics.droppedLate == 49)
    #expect(unread.statistics.waiting == 1)
    #expect(fast.statistics.dropped == 0)
  }

  @Test("Several sessions at once do not know of each other, and share no output")
  func severalSessions() async throws {
    let (first, second) = (try ScriptedInput("one"), try ScriptedInput("two"))
    let (a, b) = (Self.keepAll(), Self.keepAll())
    let sessions = [
      try await CaptureSession.connecting(first, a), try await CaptureSession.connecting(second, b),
    ]
    for session in sessions { try await session.start() }
    first.sendFrames(0..<3)
    second.sendFrames(10..<13)
    #expect(a.take(3) == [0, 1, 2])
    #expect(b.take(3) == [10, 11, 12])
    await #expect(
      throws: SafelightError(
        .invalidValue, "The output belongs to another session",
        remedy: "remove it there first, or make an output for each session")
    ) { try await sessions[1].configure { try $0.add(a) } }
    try await sessions[0].configure { $0.remove(a) }
    #expect(a.isFinished)
    try await sessions[1].configure { try $0.add(a) }
    second.send(.frame(13))
    #expect(a.take(1) == [13])
    for session in sessions { await session.stop() }
  }

  @Test(
    "A preset's requests are tried in turn where the source does not support one, other failures are final")
  func presets() async throws {
    let (input, output) = (try ScriptedInput(), Self.keepAll())
    let session = try await CaptureSession.connecting(input, output)
    try await session.configure { $0.preset = .medium }
    let unsupported = ScriptedInput.failure(.unsupported)
    input.script.update { $0.openings = [unsupported, unsupported] }
    try await session.start()
    #expect(
      input.script.read { $0.requests.map { $0.size?.description } } == ["640×480", "640×360", "800×600"])
    await session.stop()
    try await session.configure { $0.preset = .hd2160 }
    input.script.update { $0.openings = [unsupported] }
    await #expect(throws: unsupported) { try await session.start() }
    #expect(input.script.read { $0.requests.last?.size } == PixelSize(width: 3840, height: 2160))
  }

  @Test("The preview of a front camera is mirrored and turned by its orientation, captured frames are not")
  func connections() async throws {
    let input = try ScriptedInput(facing: .front)
    let preview = VideoDataOutput(lateFrames: .keepAll(limit: 9), purpose: .preview)
    let data = Self.keepAll()
    let session = try await CaptureSession.connecting(input, data)
    try await session.configure { try $0.add(preview) }
    try await session.start()
    func orientations() -> [Orientation?] {
      [preview, data].map { $0.nextFrame(until: Timestamp.now.advanced(bySeconds: 20))?.orientation }
    }
    input.send(.frame(0))
    #expect(orientations() == [.upMirrored, .up])
    try await session.configure { try $0.setConnection(Connection(rotation: .degrees90), to: preview) }
    input.send(.frame(1))
    #expect(orientations() == [Orientation.right.then(.upMirrored), .up])
    #expect(input.script.read { $0.opened } == 1, "no pixel moves and nothing is opened again")
    await session.stop()
  }

  @Test("Frames of a stream that has not settled are withheld and counted apart")
  func settling() async throws {
    let (input, output) = (try ScriptedInput(), Self.keepAll())
    let session = try await CaptureSession.connecting(input, output)
    try await session.configure { $0.settling = .measured(atMost: 60) }
    func picture(_ code: UInt8) throws -> PixelBuffer {
      let buffer = try PixelBuffer(size: PixelSize(width: 40, height: 30), format: .gray8)
      for y in 0..<30 { for x in 0..<40 { buffer.row(y, as: UInt8.self)[x] = code } }
      return buffer
    }
    for (number, code) in [0, 0, 60, 120, 121, 122, 0, 255].enumerated() {
      input.send(.picture(try picture(UInt8(code)), UInt64(number)))
    }
    input.send(.finished)
    try await session.start()
    #expect(output.take(4) == [5, 6, 7])
    #expect(session.statistics.unsettled == 5)
    #expect(session.statistics.frames.captured == 3)
    #expect(output.statistics.captured == 3)
  }

  @Test("An unpaced source waits for the consumer: nothing is dropped, whatever the policy")
  func unpaced() async throws {
    for policy: LateFramePolicy in [.discard(keepingNewest: 1), .discardWhileBusy, .keepAll(limit: 2)] {
      let (input, output) = (try ScriptedInput(isPaced: false), VideoDataOutput(lateFrames: policy))
      let session = try await CaptureSession.connecting(input, output)
      input.sendFrames(0..<40)
      input.send(.finished)
      try await session.start()
      var numbers: [UInt64] = []
      for await frame in output.frames {
        numbers.append(frame.sequence)
        await Task.yield()
      }
      #expect(numbers == Array(0..<40), "\(policy)")
      #expect(output.statistics.dropped == 0)
    }
  }
}
