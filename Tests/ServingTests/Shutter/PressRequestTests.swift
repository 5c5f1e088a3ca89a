import Safelight
import TestSupport
import Testing

@testable import Serving

@Suite("The query of a press")
struct PressRequestTests {
  /// 100 s after the machine started.
  private let now = Timestamp(nanoseconds: 100_000_000_000)

  private func milliseconds(_ query: String) throws -> Double {
    Double(try PressRequest(query: query).moment(now: now).nanoseconds) / 1e6
  }

  @Test(
    "tells the moment, by its age or on the machine's clock",
    arguments: [
      ("", 100_000), ("age=0", 100_000), ("age=12.5", 99_987.5), ("age=2000", 98_000),
      ("at=99900.25", 99_900.25),
      ("wait=0&at=98000", 98_000),
      // A little ahead, as after a comparison of clocks over a network.
      ("at=100900", 100_000),
    ])
  func moments(query: String, expected: Double) throws { #expect(try milliseconds(query) == expected) }

  @Test("tells whether the answer waits for the photo")
  func waiting() throws {
    #expect(try PressRequest(query: "").waits && PressRequest(query: "wait=1").waits)
    #expect(try !PressRequest(query: "wait=0").waits)
  }

  @Test(
    "is refused if it is too old, ahead, doubled or not understood",
    arguments: [
      "age=2000.1", "at=97999", "at=101001", "age=1&at=99000", "age=1&age=1", "age=", "age", "age=-1",
      "age=1e3",
      "age=nan", "age=inf", "age=0x10", "age=1.2.3", "age=%31", "wait=2", "wait", "when=now", "age=1&&size=3",
      "at=99999999999999999999999999",
    ])
  func refusals(query: String) { #expect(throws: SafelightError.self) { try milliseconds(query) } }

  @Test("is never a moment outside two seconds, whatever it says")
  func noise() {
    var random = SeededRandom(seed: 7)
    let pieces = ["age=", "at=", "wait=", "&", "=", "0", "1", "9", ".", "99990", "-", "e", "%", "é", "\0"]
    var understood = 0
    for _ in 0..<20_000 {
      let query = (0..<Int.random(in: 0...6, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      guard let time = try? milliseconds(query) else { continue }
      understood += 1
      #expect((98_000...100_000).contains(time), "\(query)")
    }
    #expect(understood > 500)
  }
}
