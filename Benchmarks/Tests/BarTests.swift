import FoundationEssentials
import Safelight
import Testing

@testable import RivalEvaluation

@Suite("Bars") struct BarTests {
  private static func measurement(_ id: String, _ samples: [Double]) -> Measurement {
    var measurement = Measurement(
      .rival(id, id, needs: .nothing, tolerance: nil) { _ in ValueRunner { [] } })
    measurement.samples = samples
    return measurement
  }

  private static func bar(_ text: String) throws -> Bar {
    try JSONDecoder().decode(
      Bar.self, from: Data(#"{"name": "n", "work": "w", "ours": "ours", \#(text)}"#.utf8))
  }

  private static func verdict(_ text: String, _ measurements: [Measurement], processor: String? = "a")
    throws -> String
  {
    let judgement = try bar(text).judge(
      measurements, instructions: [.avx2], processor: processor)
    return switch judgement.verdict {
    case .met: "met"
    case .knownMiss: "known"
    case .lost: "lost"
    case .notJudged: "not judged"
    case .skipped: "skipped"
    }
  }

  @Test("Bars compare medians, not the least or the mean")
  func medians() throws {
    let ours = Self.measurement("ours", [1, 10, 11])
    let rival = Self.measurement("rival", [1, 19, 100])
    let judgement = try Self.bar(#""against": ["rival"], "sense": "atLeast", "bar": 2"#)
      .judge([ours, rival], instructions: [], processor: nil)
    #expect(judgement.value == 1.9)
  }

  @Test("Bars are against the best rival")
  func best() throws {
    let measurements = [("ours", 1.0), ("a", 5), ("b", 3)].map { Self.measurement($0.0, [$0.1]) }
    let text = #""against": ["a", "b"], "sense": "atLeast", "bar": "#
    #expect(try Self.verdict(text + "3", measurements) == "met")
    #expect(try Self.verdict(text + "4", measurements) == "lost")
    #expect(try Self.verdict(text + #"4, "floor": 2.5"#, measurements) == "known")
    #expect(try Self.verdict(text + #"4, "floor": 3.5"#, measurements) == "lost")
  }

  @Test("Bars are lost where a rival did other work, and skipped where it is not here")
  func missing() throws {
    let ours = Self.measurement("ours", [1])
    let text = #""against": ["rival"], "sense": "atLeast", "bar": 2"#
    var rival = Self.measurement("rival", [])
    rival.state = .unequal("")
    #expect(try Self.verdict(text, [ours, rival]) == "lost")
    rival.state = .skipped("")
    #expect(try Self.verdict(text, [ours, rival]) == "skipped")
    #expect(try Self.verdict(text + #", "needs": "avx512""#, [ours]) == "skipped")
  }

  @Test("Bars in milliseconds are for known processors, plain numbers for all")
  func machines() throws {
    let ours = [Self.measurement("ours", [0.005])]
    let text = #""against": [], "sense": "atMost", "bar": 4, "unit": "#
    #expect(try Self.verdict(text + #""ms""#, ours) == "lost")
    #expect(try Self.verdict(text + #""ms""#, ours, processor: nil) == "not judged")
    #expect(try Self.verdict(text + #""""#, ours, processor: nil) == "met")
  }

  @Test("A processor's own floor takes the place of the general one")
  func floors() throws {
    let measurements = [("ours", 1.0), ("a", 3)].map { Self.measurement($0.0, [$0.1]) }
    let text = #""against": ["a"], "sense": "atLeast", "bar": 4, "floor": 3.5, "floors": {"slow": 2.5}"#
    #expect(try Self.verdict(text, measurements, processor: "slow") == "known")
    #expect(try Self.verdict(text, measurements, processor: "a") == "lost")
    #expect(try Self.verdict(text, measurements, processor: nil) == "lost")
  }

  @Test("Bars with an unknown key are refused")
  func unknownKey() {
    #expect(throws: SafelightError.self) {
      try Self.bar(#""against": [], "sense": "atMost", "bar": 4, "unit": "ms", "flor": 5"#)
    }
  }

  @Test(
    "Bars that could never be judged are refused",
    arguments: [
      #""against": [], "sense": "atMost", "bar": 4"#,
      #""against": ["ours"], "sense": "atMost", "bar": 4, "unit": "ms""#,
      #""against": ["ours"], "sense": "atMost", "bar": 4, "needs": "avx1024""#,
      #""against": ["nobody"], "sense": "atMost", "bar": 4"#,
      #""against": ["ours"], "sense": "atMost", "bar": 4, "floors": {"b": 5}"#,
    ])
  func unjudged(text: String) throws {
    let bars = Thresholds(processors: ["a"], bars: [try Self.bar(text)])
    let work = Work(
      id: "w", title: "", contenders: [.ours { _ in ValueRunner { [] } }])
    #expect(throws: SafelightError.self) { try bars.check(against: [work]) }
  }
}
