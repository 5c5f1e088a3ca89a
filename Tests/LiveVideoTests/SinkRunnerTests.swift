import LibraryTestSupport
import Safelight
import Synchronization
import Testing

@testable import LiveVideo

/// A sink that a test lets through picture by picture.
private final class GatedSink: FrameSink {
  struct Broken: Error {}
  struct State {
    var written: [UInt64] = []
    var permits = 0
    var events: [String] = []
    var failsAt: UInt64?
    var leavesAt: UInt64?
    var opens = true
  }
  let name = "gated"
  let monitor = Monitor(State())

  func open(_ format: SinkFormat) throws {
    try monitor.update {
      $0.events.append("open \(format.size)")
      if !$0.opens { throw Broken() }
    }
  }

  func write(_ frame: RenderedFrame) throws {
    try monitor.wait { state -> Void? in
      guard state.permits > 0 else { return nil }
      state.permits -= 1
      if state.failsAt == frame.sequence { throw Broken() }
      if state.leavesAt == frame.sequence { throw SinkClosed() }
      return ()
    }
    // Only an update wakes whoever waits for it.
    monitor.update { $0.written.append(frame.sequence) }
  }

  func close() { monitor.update { $0.events.append("close") } }

  func permit(_ count: Int) { monitor.update { $0.permits += count } }
  func waitUntilWritten(_ count: Int) { monitor.wait { $0.written.count >= count ? () : nil } }
}

/// Keeps the sequence numbers of what it is given, for a video of one rate.
private final class ConstantSink: ConstantRateSink {
  let name = "constant"
  let written = Mutex<[UInt64]>([])
  func open(_ format: SinkFormat) throws {}
  func write(_ frame: RenderedFrame) throws { written.withLock { $0.append(frame.sequence) } }
  func close() {}
}

@Suite("A sink on its thread")
struct SinkRunnerTests {
  private static let format = SinkFormat(size: PixelSize(width: 4, height: 2), framesPerSecond: 30)

  private func frame(_ sequence: UInt64) throws -> RenderedFrame {
    RenderedFrame(
      picture: try PixelBuffer(size: Self.format.size, format: .rgba8), time: Timestamp(nanoseconds: 0),
      sequence: sequence)
  }

  @Test("writes the newest picture when it is ready, and counts those that it replaced")
  func newest() throws {
    let sink = GatedSink()
    let runner = try SinkRunner(sink, policy: .newest, format: Self.format)
    runner.offer(try frame(0))
    sink.permit(1)
    sink.waitUntilWritten(1)
    // One may be taken and held at the gate; of those after it only the last survives.
    for sequence in 1...9 { runner.offer(try frame(UInt64(sequence))) }
    sink.permit(10)
    runner.close()
    let written = sink.monitor.update { $0.written }
    #expect(written.first == 0 && written.last == 9 && written == written.sorted() && written.count <= 3)
    let statistics = runner.statistics
    #expect(statistics.offered == 10 && statistics.written == written.count && statistics.waiting == 0)
    #expect(statistics.dropped == 10 - written.count && !statistics.isOpen && runner.failure == nil)
    #expect(sink.monitor.update { $0.events } == ["open 4×2", "close"])
  }

  @Test("holds the producer up where every picture counts")
  func every() throws {
    let sink = GatedSink()
    let runner = try SinkRunner(sink, policy: .every, format: Self.format)
    sink.permit(1000)
    for sequence in 0..<200 { runner.offer(try frame(UInt64(sequence))) }
    runner.close()
    #expect(sink.monitor.update { $0.written } == Array(0..<200))
    #expect(runner.statistics.dropped == 0)
  }

  @Test("that writes a video of one rate repeats and leaves out pictures to keep their time, and counts both")
  func constantRate() throws {
    let sink = ConstantSink()
    let runner = try SinkRunner(
      sink, policy: .every, format: SinkFormat(size: Self.format.size, framesPerSecond: 10))
    for (sequence, milliseconds) in [0, 100, 400, 420, 440, 700].enumerated() {
      var frame = try frame(UInt64(sequence))
      frame.time = Timestamp(nanoseconds: Int64(milliseconds) * 1_000_000)
      frame.duration = 0.3
      runner.offer(frame)
    }
    runner.close()
    #expect(sink.written.withLock { $0 } == [0, 1, 1, 1, 2, 3, 4, 5, 5, 5])
    let statistics = runner.statistics
    #expect(statistics.offered == 6 && statistics.written == 5 && statistics.skipped == 1)
    #expect(statistics.repeated == 5 && statistics.dropped == 0 && statistics.waiting == 0)
  }

  @Test("that writes a video of one rate tells of the first gap that it leaves out, and of that once")
  func gap() throws {
    let sink = ConstantSink()
    let runner = try SinkRunner(
      sink, policy: .every, format: SinkFormat(size: Self.format.size, framesPerSecond: 10))
    for (sequence, seconds) in [0, 3600, 7200].enumerated() {
      var frame = try frame(UInt64(sequence))
      frame.time = Timestamp(nanoseconds: Int64(seconds) * 1_000_000_000)
      runner.offer(frame)
    }
    runner.close()
    #expect(sink.written.withLock { $0 } == [0, 1, 2])
    #expect(
      runner.takeNotes() == [
        "constant leaves out 3600 s in which no other picture comes, since it repeats a picture for at "
          + "most 60 s; sound may be out of step from there on"
      ])
    #expect(runner.takeNotes().isEmpty && runner.statistics.repeated == 0)
  }

  @Test("ends quietly where its reader goes, and with the error where it fails", arguments: [true, false])
  func ends(quietly: Bool) throws {
    let sink = GatedSink()
    sink.monitor.update {
      $0.permits = 100
      if quietly { $0.leavesAt = 2 } else { $0.failsAt = 2 }
    }
    let runner = try SinkRunner(sink, policy: .every, format: Self.format)
    for sequence in 0..<10 { runner.offer(try frame(UInt64(sequence))) }
    runner.close()
    #expect(sink.monitor.update { $0.written } == [0, 1])
    #expect(sink.monitor.update { $0.events } == ["open 4×2", "close"])
    #expect((runner.failure is GatedSink.Broken) == !quietly)
    let statistics = runner.statistics
    #expect(statistics.written == 2 && statistics.waiting == 0 && !statistics.isOpen)
  }

  @Test("that cannot be opened says why, and is closed")
  func failsToOpen() throws {
    let sink = GatedSink()
    sink.monitor.update { $0.opens = false }
    let runner = try SinkRunner(sink, policy: .newest, format: Self.format)
    runner.close()
    #expect(runner.failure is GatedSink.Broken)
    #expect(sink.monitor.update { $0.events } == ["open 4×2", "close"])
  }
}
