import Testing

@testable import FrameCore

@Suite("Nearest names")
struct NearestNameTests {
  @Test(
    "Distances are the edits of optimal string alignment",
    arguments: [
      // The examples of Boytsov, “Indexing methods for approximate dictionary searching” (2011), and of
      // Levenshtein distance in textbooks.
      ("", "", 0), ("abc", "", 3), ("", "abc", 3), ("kitten", "sitting", 3), ("saturday", "sunday", 3),
      ("ab", "ba", 1), ("ca", "abc", 3), ("exposure", "exposrue", 1), ("größe", "grösse", 2),
    ])
  func distance(a: String, b: String, edits: Int) {
    #expect(NearestName.distance(a, b) == edits)
    #expect(NearestName.distance(b, a) == edits)
  }

  static let names = ["exposure", "contrast", "crop", "white-balance", "lut"]

  @Test(
    "A mistyped name finds what was meant",
    arguments: [
      ("exposrue", "exposure"), ("EXPOSURE", "exposure"), ("contarst", "contrast"), ("corp", "crop"),
      ("whitebalance", "white-balance"), ("white_balance", "white-balance"), ("luts", "lut"),
    ])
  func match(typed: String, meant: String) {
    #expect(NearestName.match(typed, among: Self.names) == meant)
  }

  @Test("A name that is like none finds none", arguments: ["xyzzy", "brightness", ""])
  func noMatch(typed: String) {
    #expect(NearestName.match(typed, among: Self.names) == nil)
  }

  @Test("Nothing is known among nothing")
  func empty() {
    #expect(NearestName.match("exposure", among: []) == nil)
    #expect(
      NearestName.error(unknown: "filter", "x", among: []).description == "Unknown filter “x”; known: .")
  }
}

@Suite("Numbers for people")
struct PlainNumberTests {
  @Test(
    "Whole numbers have no point, others their shortest decimal",
    arguments: [
      (0, "0"), (-0.0, "0"), (12, "12"), (-5, "-5"), (0.1 + 0.2, "0.30000000000000004"), (0.7, "0.7"),
      (999_999_999_999_999, "999999999999999"), (1e15, "1000000000000000"),
      (0x1p54, "1.8014398509481984e+16"), (-1e300, "-1e+300"),
      (.nan, "nan"), (.infinity, "inf"),
    ] as [(Double, String)])
  func text(number: Double, expected: String) {
    #expect(PlainNumber.text(number) == expected)
  }

  @Test(
    "Fixed decimals are rounded, and zero has no sign",
    arguments: [
      (0, 2, "0.00"), (-0.004, 2, "0.00"), (-0.006, 2, "-0.01"), (0.125, 2, "0.13"), (1.995, 1, "2.0"),
      (0.999, 2, "1.00"), (12.5, 0, "13"), (-12.4, 0, "-12"), (3.04, 2, "3.04"),
      (1e14, 1, "100000000000000.0"), (1e300, 1, "1e+300"),
      (.nan, 2, "nan"), (-.infinity, 2, "-inf"),
    ] as [(Double, Int, String)])
  func fixed(number: Double, decimals: Int, expected: String) {
    #expect(PlainNumber.fixed(number, decimals) == expected)
  }
}
