import FrameCore
import Synchronization
import Testing

@testable import Capture

@Suite(.timeLimit(.minutes(20))) struct FrameAnalyzerTests {
  private static func frame(_ sequence: UInt64) throws -> Frame {
    Frame(
      buffer: try PixelBuffer(size: PixelSize(width: 2, height: 2), format: .gray8),
      time: Timestamp(nanoseconds: Int64(sequence)), sequence: sequence)
  }

  @Test("Within the budget all analyses run; those that it leaves no time for come first on the next frame")
  func schedule() {
    var schedule = AnalysisSchedule(count: 3, budget: 10)
    func frame(costs: [Int64]) -> ([Int], skipped: [Int], Bool) {
      var ran: [Int] = []
      while let index = schedule.next() {
        ran.append(index)
        schedule.ran(for: costs[index])
      }
      let (skipped, isOverrun) = schedule.endFrame()
      return (ran, skipped, isOverrun)
    }
    #expect(frame(costs: [3, 3, 4]) == ([0, 1, 2], [], false))
    #expect(frame(costs: [4, 6, 50]) == ([0, 1], [2], false))
    #expect(frame(costs: [4, 6, 50]) == ([2], [0, 1], true))
    #expect(frame(costs: [4, 5, 50]) == ([0, 1, 2], [], true))
    #expect(frame(costs: [90, 90, 90]) == ([0], [1, 2], true))
    #expect(frame(costs: [90, 90, 90]) == ([1], [2, 0], true))
    #expect(frame(costs: [90, 90, 90]) == ([2], [0, 1], true))
  }

  @Test(
    "Each analysis runs at its own rate, by the times of the frames; the budget is for those that are due")
  func rates() {
    var schedule = AnalysisSchedule(intervals: [0, 0.1, 0.25], budget: 10)
    // Frames at 20 a second; the jitter of a camera's times must not lose a look.
    func frame(_ number: Int, cost: Int64 = 1) -> String {
      let jitter = Int64(number % 3 - 1) * 100_000
      guard schedule.beginFrame(at: Timestamp(nanoseconds: Int64(number) * 50_000_000 + jitter)) else {
        return "–"
      }
      var ran = ""
      while let index = schedule.next() {
        ran += "\(index)"
        schedule.ran(for: cost)
      }
      _ = schedule.endFrame()
      return ran
    }
    let ran = (0..<41).map { frame($0).sorted().map(String.init).joined() }
    #expect(ran.allSatisfy { $0.contains("0") })
    #expect(
      (19...22).contains(ran.count { $0.contains("1") }) && (8...9).contains(ran.count { $0.contains("2") }))
    // Time that goes back, as in a file that begins again, makes all due.
    #expect(frame(0) == "012")
    // What the budget leaves over stays due and comes first.
    _ = (1..<20).map { frame($0) }
    #expect(frame(40, cost: 6) == "01" && frame(41, cost: 6).hasPrefix("2"))
    var slow = AnalysisSchedule(intervals: [1], budget: 10)
    let isDue = [0, 500, 999, 1000, 1500, 2001].map { (milliseconds: Int64) in
      let isDue = slow.beginFrame(at: Timestamp(nanoseconds: milliseconds * 1_000_000))
      while slow.next() != nil { slow.ran(for: 1) }
      _ = slow.endFrame()
      return isDue
    }
    #expect(isDue == [true, false, false, true, false, true])
  }

  @Test("Results carry the frame's number and the values by name; what throws is told and counted")
  func results() async throws {
    struct Broken: Error {}
    let analyzer = try FrameAnalyzer(
      analyses: [
        LiveMeasurement("number") { Int($0.sequence) },
        LiveMeasurement("broken") { _ -> Int in throw Broken() },
      ], budget: 100)
    let results = analyzer.results
    try analyzer.start()
    try analyzer.start()
    analyzer.output.accept(try Self.frame(7))
    var iterator = results.makeAsyncIterator()
    let report = await iterator.next()
    #expect(report?.sequence == 7)
    #expect(report?.values == ["number": 7])
    #expect(report?.failures["broken"]?.description == "The analysis broken failed: Broken().")
    #expect(analyzer.latest?.sequence == 7)
    analyzer.stop()
    #expect(await iterator.next() == nil)
    let statistics = analyzer.statistics
    #expect(statistics.frames == 1)
    #expect(statistics.overruns == 0)
    #expect(statistics.analyses["number"]?.runs == 1)
    #expect(statistics.analyses["broken"]?.failures == 1)
  }

  @Test("A slow analysis drops frames of its own output; the other output gets all")
  func slowAnalysis() async throws {
    let input = try ScriptedInput()
    let picture = VideoDataOutput(lateFrames: .discard(keepingNewest: 1))
    let gate = Monitor(0)
    let analyzer = try FrameAnalyzer(
      analyses: [
        LiveMeasurement("slow") { frame in
          gate.wait { $0 > 0 ? true : nil }
          return frame.sequence
        }
      ], budget: 1e-9)
    let session = CaptureSession()
    try await session.configure {
      try $0.add(input)
      try $0.add(picture)
      try $0.add(analyzer.output)
    }
    try analyzer.start()
    try await session.start()
    for number: UInt64 in 0..<30 {
      input.send(.frame(number))
      #expect(picture.take(1) == [number])
    }
    gate.update { $0 = 1 }
    input.send(.finished)
    await session.wait { $0.isFinal }
    for await _ in analyzer.results {}
    #expect(picture.statistics.dropped == 0)
    let statistics = analyzer.output.statistics
    #expect(statistics.droppedLate >= 27, "one was analyzed, one waited, and one more may have been taken")
    #expect(statistics.captured == 30)
    #expect(statistics.delivered == analyzer.statistics.frames)
    #expect(analyzer.statistics.overruns == analyzer.statistics.frames)
    #expect(analyzer.latest?.sequence == 29)
    analyzer.stop()
  }

  @Test("An analyzer that is released ends its thread")
  func release() async throws {
    let output = VideoDataOutput()
    weak var released: FrameAnalyzer<Int>?
    do {
      let analyzer = try FrameAnalyzer(
        output: output, analyses: [LiveMeasurement("one") { _ in 1 }], budget: 1)
      released = analyzer
      try analyzer.start()
      output.accept(try Self.frame(0))
      for await _ in analyzer.results { break }
    }
    while released != nil { await Task.yield() }
  }

  @Test("An analyzer without analyses, with two of one name, or without a budget is refused")
  func refusals() {
    func message(_ names: [String], budget: Double) -> String? {
      do {
        _ = try FrameAnalyzer(analyses: names.map { LiveMeasurement($0) { _ in 0 } }, budget: budget)
        return nil
      } catch { return "\(error)" }
    }
    #expect(message([], budget: 1) == "The analyzer has no analysis; give it at least one.")
    #expect(
      message(["a", "b", "a"], budget: 1) == "Two analyses are called a; give each a name of its own.")
    #expect(
      message(["a"], budget: 0)
        == "The analyzer's budget is 0.0 s; give it seconds above 0, such as 0.008.")
    #expect(message(["a"], budget: .nan) != nil)
    #expect(message(["a"], budget: 0.01) == nil)
  }
}
