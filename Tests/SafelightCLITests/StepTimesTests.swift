import Safelight
import Testing

@testable import SafelightCLI

@Suite("What steps took")
struct StepTimesTests {
  private func times(_ steps: [(String, Double)], total: Double) -> StepTimes {
    StepTimes(steps.map { Stopwatch.Step(name: $0.0, seconds: $0.1) }, total: total)
  }

  @Test("Times are told so that they add up, whether steps ran side by side or left something over")
  func sums() {
    let side = times([("decode", 0.0612), ("render", 0.05004), ("encode", 0.04006)], total: 0.127)
    #expect(side.text == "decode 61.2 + render 50.0 + encode 40.1 − side by side 24.3 = 127.0 ms")
    let apart = times([("decode", 0.0612), ("write", 0.00001)], total: 0.07)
    #expect(apart.text == "decode 61.2 + other 8.8 = 70.0 ms")
    #expect(times([("decode", 0.001)], total: 0.001).text == "decode 1.0 = 1.0 ms")
  }

  @Test(
    "Sizes of files as people read them",
    arguments: [
      (96, "96 bytes"), (1500, "1.5 kB"), (812_345, "812 kB"), (3_210_000, "3.2 MB"),
      (2_500_000_000, "2.5 GB"),
    ])
  func bytes(count: Int, text: String) { #expect(ByteText.text(count) == text) }
}
