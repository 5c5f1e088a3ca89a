import Testing

@testable import FilterGraph

@Suite("Errors of baked tables")
struct BakeErrorTests {
  @Test(
    "A table holds while both its largest error and its mean one keep their bounds",
    arguments: [
      (0, 0, true), (0.9, 0.02, true), (0.96, 0.049, true), (1.01, 0.02, false), (1.5, 0.02, false),
      (0.9, 0.051, false), (0.5, 1, false), (.infinity, 0.02, false), (.nan, 0.02, false),
      (0.5, .nan, false),
    ] as [(Double, Double, Bool)])
  func bounds(maximum: Double, mean: Double, holds: Bool) {
    #expect(BakeError(maximum: maximum, mean: mean, colors: 1000).isWithinBounds == holds)
  }

  @Test("What is accepted leaves room below the bound that is promised, but little")
  func room() {
    #expect((0.95..<1).contains(BakeError.acceptedMaximum / BakeError.maximumBound))
  }
}
