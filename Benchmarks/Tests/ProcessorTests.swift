import BenchmarkSupport
import Testing

@testable import RivalEvaluation

@Suite("Processors") struct ProcessorTests {
  private static func info(family: Int, model: Int) -> String {
    """
    processor\t: 0
    vendor_id\t: AuthenticAMD
    cpu family\t: \(family)
    model\t\t: \(model)
    model name\t: AMD EPYC
    stepping\t: 1

    processor\t: 1
    vendor_id\t: AuthenticAMD
    model name\t: another
    """
  }

  @Test("A processor is named by vendor, family and model, since its name says too little")
  func identity() {
    let processor = Processor(cpuinfo: Self.info(family: 25, model: 17))
    #expect(processor.identifier == "amd-family-25-model-17")
    #expect("\(processor)" == "AMD EPYC (AuthenticAMD family 25 model 17)")
    #expect(
      Processor(cpuinfo: "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd0c\n").identifier
        == "arm-family-8-model-0xd0c")
    #expect(Processor(cpuinfo: "").identifier == "unknown-family-unknown-model-unknown")
  }

  @Test("Pages are those of the model, else of the family, and never of another model")
  func pages() {
    let known = ["amd-family-26", "amd-family-25-model-17"]
    func page(_ family: Int, _ model: Int) -> String? {
      Processor(cpuinfo: Self.info(family: family, model: model)).identifier(among: known)
    }
    #expect(page(25, 17) == "amd-family-25-model-17")
    #expect(page(25, 1) == nil)
    #expect(page(26, 2) == "amd-family-26")
  }

  @Test("Figures are read from the bars of a page")
  func figures() {
    let figures = PageFigures(
      """
      # Title

      ## Bars

      1 met, 0 missed.

      |            | against | measured |     bar |     |
      | ---------- | ------- | -------: | ------: | --- |
      | a table    | memcpy  |   2.79 × |   ≤ 3 × | met |
      | on a GPU   |         |        - |  ≤ 8 ms | not measured |

      ## Another

      | a table | memcpy | 5 × | ≤ 3 × | met |
      """)
    #expect(figures["a table"] == "2.79 ×")
    #expect(figures["on a GPU"] == nil)
    #expect(figures["nothing"] == nil)
  }

  @Test("All processors of the bars have a page, and all pages' bars can be read")
  func kept() throws {
    let thresholds = try Thresholds(contentsOf: "thresholds.json".inBenchmarks)
    for processor in thresholds.processors {
      let text = try #require(textFile("Results/\(processor).md".inBenchmarks), "\(processor)")
      let figures = PageFigures(text)
      #expect(thresholds.bars.contains { figures[$0.name] != nil }, "\(processor)")
    }
  }

  @Test("The yardstick of the clock waits as many cycles as it says")
  func cycles() {
    // Each step depends on the one before, so the result for a seed shows that none was left out.
    var x: UInt64 = 1
    for _ in 0..<10 {
      x ^= x << 13
      x ^= x >> 7
      x ^= x << 17
    }
    #expect(ClockCycles.wait(60, from: 1) == x)
  }
}

extension String {
  /// The path of a file in the benchmarks package.
  fileprivate var inBenchmarks: String {
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/") + "/"
      + self
  }
}
