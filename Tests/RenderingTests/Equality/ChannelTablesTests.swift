import ColorScience
import FilterGraph
import FrameCore
import Testing

@testable import Rendering

/// Tables of 65,536 codes are filled by kernels, whose rounding is checked only near the edges of levels.
@Suite("Tables per channel")
struct ChannelTablesTests {
  /// Chains that end inside and outside of 0…1, and steep ones near black.
  static let chains: [[Stage]] = [
    [.curve(.decode([.sRGB])), .matrix(.diagonal(SIMD3(repeating: 16))), .curve(.encode([.sRGB]))],
    [
      .curve(.decode([.sRGB])), .matrix(.diagonal(SIMD3(16, 4, 0.25))),
      .curve(.power(exponent: 1.4, pivot: 0.18)), .curve(.encode([.sRGB])),
    ],
    [
      .curve(.decode([.bt709])), .matrix(.diagonal(SIMD3(0.5, 2, 1))),
      .curve(.power(exponent: 0.7, pivot: 0.18)), .curve(.encode([.gamma(2.2)])),
    ],
  ]
  static let codes = 65_536

  static func exact(_ stages: [Stage], _ code: Int) -> SIMD3<Double> {
    stages.reduce(SIMD3(repeating: Double(code) / Double(codes - 1))) { $1.evaluate($0) }
  }

  @Test("All 65,536 codes become what double precision makes of them", arguments: chains)
  func codes(stages: [Stage]) {
    let tables = ChannelTables(stages, input: .rgba16)
    let entries = tables.entries.assumingMemoryBound(to: UInt8.self)
    var wrong: [(code: Int, channel: Int)] = []
    for code in 0..<Self.codes {
      let exact = Self.exact(stages, code) * 255
      for channel in 0..<3 {
        let level = UInt8(min(max(exact[channel], 0), 255).rounded())
        if entries[channel * Self.codes + code] != level { wrong.append((code, channel)) }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count) are others, the first \(wrong.first ?? (0, 0))")
  }

  @Test("Kernels are off by less than the margin within which tables do not trust them", arguments: chains)
  func margin(stages: [Stage]) {
    var planes = [[Float]](
      repeating: (0..<Self.codes).map { Float($0) * (1 / Float(Self.codes - 1)) }, count: 3)
    var (r, g, b) = (planes[0], planes[1], planes[2])
    KernelStages(stages).run(&r, &g, &b, count: Self.codes)
    planes = [r, g, b]
    var worst = (error: 0.0, code: 0, channel: 0)
    for code in 0..<Self.codes {
      let exact = Self.exact(stages, code)
      // Beyond white there is no level to be mistaken about.
      for channel in 0..<3 where -0.01...1.01 ~= exact[channel] {
        let error = abs(Double(planes[channel][code]) - exact[channel]) * 255
        if !(error <= worst.error) { worst = (error, code, channel) }
      }
    }
    // ChannelTables' margin, in levels.
    #expect(worst.error < 0.0128, "\(worst)")
  }
}
