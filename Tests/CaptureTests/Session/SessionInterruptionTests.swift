import FrameCore
import Testing

@testable import Capture

@Suite(.timeLimit(.minutes(20))) struct SessionInterruptionTests {
  private let output = VideoDataOutput(lateFrames: .keepAll(limit: 1000))

  /// The reasons of the interruptions and "running" between them, in order.
  private func story(_ states: [CaptureState]) -> [String] {
    states.map { state in
      switch state {
      case .interrupted(let failure): failure.reason.rawValue
      case .failed(let failure): "failed: \(failure.reason.rawValue)"
      default: "\(state)"
      }
    }
  }

  @Test("Unplugged and plugged in again: the session says so, waits, and runs again by itself")
  func replug() async throws {
    let input = try ScriptedInput()
    input.send(.frame(5))
    let session = try await CaptureSession.started(input, output)
    #expect(output.take(1) == [5])
    await session.wait { $0 == .running }
    let states = session.states
    input.script.update { $0.isPresent = false }
    input.send(.failure(ScriptedInput.failure(.disconnected)))
    #expect(story(await states.collect { $0.reason == .disconnected }) == ["running", "disconnected"])
    // The state is told first, so that nobody waits for a device that closes slowly.
    let isClosed = input.script.wait(until: Timestamp.now.advanced(bySeconds: 30)) {
      $0.closed == 1 ? true : nil
    }
    #expect(isClosed == true, "an unplugged device is closed while it is waited for")
    let again = session.states
    input.send(.frame(0))
    input.script.update { $0.isPresent = true }
    #expect(output.take(1) == [6], "the sequence goes on where the former stream ended")
    #expect(story(await again.collect { $0 == .running }) == ["disconnected", "running"])
    #expect(session.statistics.interruptions == 1)
    #expect(session.statistics.frames.dropped == 0, "frames that were never captured are no drops")
    await session.stop()
  }

  @Test("An I/O error, then busy, then free: each reason is told, and frames come again")
  func errorThenBusyThenFree() async throws {
    let input = try ScriptedInput()
    input.send(.frame(0))
    let session = try await CaptureSession.started(input, output)
    await session.wait { $0 == .running }
    let states = session.states
    input.script.update { $0.openings = [ScriptedInput.failure(.busy)] }
    input.send(.failure(ScriptedInput.failure(.inputOutput)))
    #expect(story(await states.collect { $0.reason == .busy }).last == "busy")
    input.send(.frame(0))
    await session.wait { $0 == .running }
    #expect(output.take(2) == [0, 1])
    #expect(session.statistics.interruptions == 1)
    await session.stop()
  }

  @Test("A source that goes silent is stalled after five intervals, opened again, and runs")
  func stall() async throws {
    let input = try ScriptedInput(framesPerSecond: 200)
    input.sendFrames(0..<2)
    let session = try await CaptureSession.started(input, output)
    #expect(output.take(2) == [0, 1])
    await session.wait { $0.reason == .stalled }
    input.script.wait { $0.opened >= 2 ? true : nil }
    input.send(.frame(0))
    #expect(output.take(1) == [2])
    await session.stop()
  }

  @Test("Corrupt frames are counted and interrupt nothing")
  func corruptFrames() async throws {
    let input = try ScriptedInput()
    let session = try await CaptureSession.started(input, output)
    let lost = { (number: UInt64) in
      ScriptedInput.Event.dropped(
        DroppedFrame(sequence: number, time: Timestamp(nanoseconds: 1), reason: .corrupt), 1)
    }
    input.send(.frame(0), lost(1), .frame(2), lost(3), lost(4), .frame(5))
    #expect(output.take(3) == [0, 2, 5])
    #expect(session.state == .running)
    #expect(output.statistics.droppedCorrupt == 3)
    #expect(session.statistics.interruptions == 0)
    await session.stop()
  }

  @Test("A source that never comes back fails the session and ends its outputs")
  func neverReturns() async throws {
    let input = try ScriptedInput()
    input.send(.frame(0))
    let session = try await CaptureSession.started(input, output)
    await session.wait { $0 == .running }
    let states = session.states
    input.script.update { $0.isPresent = nil }
    input.send(.failure(ScriptedInput.failure(.inputOutput)))
    #expect(story(await states.collect { $0.isFinal }).last == "failed: inputOutput")
    #expect(output.take(2) == [0])
    #expect(output.isFinished)
    // Everything is released, and the session can be started again.
    input.script.update { $0.isPresent = true }
    try await session.start()
    input.send(.frame(0))
    #expect(output.take(1) == [1])
    await session.stop()
  }

  @Test("A file that is cut off ends the session with its last frame, and interrupts nothing")
  func truncated() async throws {
    let input = try ScriptedInput()
    input.send(.frame(0))
    let session = try await CaptureSession.started(input, output)
    await session.wait { $0 == .running }
    let states = session.states
    input.send(.frame(1), .failure(ScriptedInput.failure(.truncated)))
    #expect(story(await states.collect { $0.isFinal }) == ["running", "failed: truncated"])
    #expect(output.take(3) == [0, 1])
    #expect(output.isFinished && session.statistics.interruptions == 0)
    await session.stop()
    #expect(session.state == .failed(ScriptedInput.failure(.truncated)))
  }

  @Test("A source that is not there yet is waited for where that is asked")
  func waitingForSource() async throws {
    let input = try ScriptedInput()
    let session = CaptureSession()
    let output = output
    try await session.configure {
      try $0.add(input)
      try $0.add(output)
    }
    input.script.update {
      $0.openings = [ScriptedInput.failure(.disconnected)]
      $0.isPresent = false
    }
    let states = session.states
    try await session.start(waitingForSource: true)
    await session.wait { $0.reason == .disconnected }
    input.send(.frame(0))
    input.script.update { $0.isPresent = true }
    #expect(
      story(await states.collect { $0 == .running }) == ["idle", "starting", "disconnected", "running"])
    #expect(output.take(1) == [0])
    #expect(session.statistics.interruptions == 1)
    await session.stop()
  }

  @Test("A session can be stopped while it waits for its source")
  func stopWhileInterrupted() async throws {
    let input = try ScriptedInput()
    input.send(.frame(0))
    let session = try await CaptureSession.started(input, output)
    input.script.update { $0.isPresent = false }
    input.send(.failure(ScriptedInput.failure(.disconnected)))
    await session.wait { $0.reason == .disconnected }
    await session.stop()
    #expect(session.state == .stopped)
    #expect(input.script.read { $0.opened == $0.closed })
  }
}
