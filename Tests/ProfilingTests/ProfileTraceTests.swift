import LibraryTestSupport
import Safelight
import Foundation
import TestSupport
import Testing

@testable import Profiling

@Suite("Traces of profiles")
struct ProfileTraceTests {
  private typealias Event = ProfileTrace.Event

  /// What Foundation's reader finds in the trace's JSON.
  private func read(_ trace: ProfileTrace) throws -> [[String: Any]] {
    var bytes: [UInt8] = []
    trace.writeJSON { bytes += $0 }
    let root = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect(root["displayTimeUnit"] as? String == "ms")
    return try #require(root["traceEvents"] as? [[String: Any]])
  }

  private func events(_ phase: String, in found: [[String: Any]]) -> [[String: Any]] {
    found.filter { $0["ph"] as? String == phase }
  }

  @Test("An event has its name, category, thread, time and arguments, in microseconds")
  func event() throws {
    let trace = ProfileTrace(
      threads: [ProfileTrace.Thread(id: 7, name: "worker 1")],
      events: [
        Event(
          "geometry", category: "tile", thread: 7, start: 1_234_567, duration: 2_050,
          arguments: [
            .init("row", .integer(64)), .init("share", .number(0.25)), .init("plan", .text("turn 2.4°")),
          ])
      ])
    let found = try read(trace)
    let event = try #require(events("X", in: found).first)
    #expect(event["name"] as? String == "geometry" && event["cat"] as? String == "tile")
    #expect(event["pid"] as? Int == 1 && event["tid"] as? Int == 2)
    #expect(event["ts"] as? Double == 1234.567 && event["dur"] as? Double == 2.05)
    let arguments = try #require(event["args"] as? [String: Any])
    #expect(arguments["row"] as? Int == 64 && arguments["share"] as? Double == 0.25)
    #expect(arguments["plan"] as? String == "turn 2.4°")

    func metadata(_ name: String) -> [String: Any]? {
      events("M", in: found).first { $0["name"] as? String == name }?["args"] as? [String: Any]
    }
    #expect(metadata("process_name")?["name"] as? String == "safelight")
    #expect(metadata("thread_name")?["name"] as? String == "worker 1")
    #expect(metadata("thread_sort_index")?["sort_index"] as? Int == 2)
  }

  @Test(
    "Names with quotes, control characters and line ends, and numbers that are none, leave the JSON whole")
  func hostile() throws {
    let name = "\"</script>\\\n\u{0}\u{1F}\u{2028}𝄞 é"
    var trace = ProfileTrace(process: name, threads: [ProfileTrace.Thread(id: 1, name: name)])
    trace.events = [
      Event(
        name, category: name, thread: 1, start: .max, duration: .max,
        arguments: [
          .init(name, .text(name)), .init("nan", .number(.nan)), .init("inf", .number(-.infinity)),
          .init("large", .number(1e300)), .init("twice", .integer(1)), .init("twice", .integer(2)),
        ]),
      Event("", category: "", thread: 1, start: .min, duration: .min),
    ]
    let found = try read(trace)
    let event = try #require(events("X", in: found).last)
    #expect(event["name"] as? String == name)
    let arguments = try #require(event["args"] as? [String: Any])
    #expect(arguments[name] as? String == name)
    #expect(arguments["nan"] as? String == "nan" && arguments["inf"] as? String == "-inf")
    #expect(arguments["twice"] as? Int == 1)
  }

  @Test("A trace without events is a trace")
  func empty() throws {
    #expect(try read(ProfileTrace()).count == 1)
  }

  @Test("In every row of the viewer events nest or follow each other, whatever overlaps")
  func nesting() throws {
    var random = SeededRandom(seed: 4)
    var trace = ProfileTrace(threads: [.init(id: 0, name: "queue"), .init(id: 1, name: "worker")])
    trace.events = (0..<600).map { number in
      Event(
        "\(number)", category: "c", thread: Int.random(in: 0...2, using: &random),
        start: Int.random(in: 0...4000, using: &random), duration: Int.random(in: 0...60, using: &random))
    }
    let found = try read(trace)
    let written = events("X", in: found)
    #expect(Set(written.compactMap { $0["name"] as? String }).count == 600)
    var open: [Int: [Double]] = [:]
    for event in written {
      let row = try #require(event["tid"] as? Int)
      let start = try #require(event["ts"] as? Double)
      let end = start + (try #require(event["dur"] as? Double))
      // A nanosecond of rounding in the sum is not an overlap.
      open[row, default: []].removeAll { $0 <= start + 1e-6 }
      for outer in open[row] ?? [] { #expect(end <= outer + 1e-6, "row \(row) at \(start)") }
      open[row]?.append(end)
    }
    // Each row has a name and a place of its own.
    let names = events("M", in: found).filter { $0["name"] as? String == "thread_name" }
    #expect(Set(names.compactMap { $0["tid"] as? Int }).isSuperset(of: open.keys))
    #expect(Set(names.compactMap { $0["tid"] as? Int }).count == names.count)
    let texts = names.compactMap { ($0["args"] as? [String: Any])?["name"] as? String }
    #expect(texts.starts(with: ["queue", "queue (2)"]) && texts.contains("thread 2"), "\(texts)")
    let numbers = names.compactMap { $0["tid"] as? Int }
    // The rows of a thread stand together, and none has the number of the process.
    #expect(numbers == numbers.sorted() && !numbers.contains(1))
  }

  @Test("Calls within calls stay in one row, the outer one first")
  func calls() {
    let events = [
      Event("inner", category: "c", thread: 0, start: 10, duration: 5),
      Event("outer", category: "c", thread: 0, start: 10, duration: 20),
      Event("next", category: "c", thread: 0, start: 30, duration: 1),
      Event("across", category: "c", thread: 0, start: 25, duration: 10),
    ]
    let places = ProfileTraceLanes.places(of: Array(events.indices), in: events)
    #expect(places.map(\.index) == [1, 0, 3, 2])
    #expect(places.map(\.lane) == [0, 0, 1, 0])
  }

  @Test("A long trace goes into its file in pieces, and the file holds all of it")
  func pieces() throws {
    var trace = ProfileTrace(threads: [.init(id: 1, name: "worker")])
    trace.events = (0..<4000).map {
      Event("tile", category: "tile", thread: 1, start: $0 * 1000, duration: 900)
    }
    var largest = 0
    var count = 0
    trace.writeJSON { piece in
      largest = max(largest, piece.count)
      count += 1
    }
    #expect(count > 3 && largest < 80_000)

    let scratch = try Scratch()
    try trace.write(to: scratch("trace.json"))
    let root = try JSONSerialization.jsonObject(with: Data(try scratch.read("trace.json"))) as? [String: Any]
    let events = try #require(root?["traceEvents"] as? [[String: Any]])
    #expect(events.count { $0["ph"] as? String == "X" } == 4000)
    #expect(try scratch.names == ["trace.json"])
  }
}
