import ColorScience
import FilterGraph
import Filters
import FrameCore
import Testing

/// Colour stages, exact and baked.
extension PlanTextTests {
  @Test("Exposure alone is exact tables: the matrices to the working space and back are gone")
  func exposure() throws {
    #expect(
      try plan([Exposure(stops: 1)]).description == """
        plan  6000×4000 rgba8 sRGB  →  6000×4000 rgba8 sRGB
          1  tables  decode sRGB · gain · encode sRGB  exact per channel
          2  store   rgba8

        """)
  }

  @Test("Twelve colour filters are one table")
  func twelve() throws {
    let filters = (0..<3).flatMap { _ -> [any Filter] in
      [WhiteBalance(temperature: 6300, tint: 2), Exposure(stops: 0.1), Contrast(4), Saturation(3)]
    }
    let stages =
      "decode sRGB · matrix · power 1.028 around 0.18 · power 1.028 around 0.18 · power 1.028 around 0.18"
      + " · OKLab chroma ×1.030 · OKLab chroma ×1.030 · OKLab chroma ×1.030 · matrix · encode sRGB"
    let plan = try plan(filters)
    guard plan.stages.count == 1, case .baked(let lut) = plan.stages[0] else {
      Issue.record("not one table: \(plan)\n\(plan.log)")
      return
    }
    let (maximum, mean) = (PlainNumber.fixed(lut.error.maximum, 2), PlainNumber.fixed(lut.error.mean, 3))
    #expect(
      plan.description == """
        plan  6000×4000 rgba8 sRGB  →  6000×4000 rgba8 sRGB
          1  bake \(lut.size)³  \(stages)  ΔE2000 max \(maximum)  mean \(mean)
          2  store     rgba8

        """)
    #expect(lut.size == 33)
  }

  @Test("A LUT in the encoding of the picture is baked by itself, with its strength folded in")
  func lut() throws {
    #expect(
      try plan([halfBlue()]).description == """
        plan  6000×4000 rgba8 sRGB  →  6000×4000 rgba8 sRGB
          1  bake 33³  lut half-blue.cube 2³  ΔE2000 max 0.01  mean 0.002
          2  store     rgba8

        """)
    var half = try halfBlue()
    half.strength = 50
    #expect(
      try plan([half], format: .rgba16, output: PlanOutput(format: .rgba16)).description == """
        plan  6000×4000 rgba16 sRGB  →  6000×4000 rgba16 sRGB
          1  lut    half-blue.cube 2³  strength 50 %
          2  store  rgba16

        """)
  }

  @Test("Display P3 to sRGB is one table that ends in sRGB")
  func displayP3() throws {
    let plan = try plan([], space: .displayP3)
    guard plan.stages.count == 1, case .baked(let lut) = plan.stages[0] else {
      Issue.record("not one table: \(plan)\n\(plan.log)")
      return
    }
    #expect(0.15...0.3 ~= lut.error.maximum && 0.008...0.014 ~= lut.error.mean, "\(lut.error)")
    // The last digits are the processor's, and checked above.
    let text = plan.description.replacing(/max 0\.\d\d  mean 0\.0\d\d\n/, with: "max 0.xx  mean 0.0xx\n")
    #expect(
      text == """
        plan  6000×4000 rgba8 Display P3  →  6000×4000 rgba8 sRGB
          1  bake 33³  decode sRGB · matrix · encode sRGB  ΔE2000 max 0.xx  mean 0.0xx
          2  store     rgba8

        """)
  }

  @Test("16 bit in or out keeps exact stages, and dithers where depth falls")
  func deep() throws {
    // The matrices are sRGB ↔ Rec. 2020 of ITU-R BT.2087, to four decimals.
    let stages = """
        1  curve   decode sRGB
        2  matrix  [0.6274 0.3293 0.0433 | 0.0691 0.9195 0.0114 | 0.0164 0.0880 0.8956]
        3  curve   power 1.149 around 0.18
        4  matrix  [1.6605 -0.5876 -0.0728 | -0.1246 1.1329 -0.0083 | -0.0182 -0.1006 1.1187]
        5  curve   encode sRGB
      """
    #expect(
      try plan([Contrast(20)], format: .rgba16).description == """
        plan  6000×4000 rgba16 sRGB  →  6000×4000 rgba8 sRGB
        \(stages)
          6  store   rgba8  dithered

        """)
    #expect(
      try plan([Contrast(20)], output: PlanOutput(format: .rgba16)).description == """
        plan  6000×4000 rgba8 sRGB  →  6000×4000 rgba16 sRGB
        \(stages)
          6  store   rgba16

        """)
  }

  @Test("A table that would break the bound leaves exact stages, and the log says why")
  func rejectedTables() throws {
    let plan = try plan([Contrast(100), Saturation(100), Exposure(stops: 2)])
    let isExact = plan.stages.allSatisfy { if case .baked = $0 { false } else { true } }
    #expect(isExact)
    #expect(plan.log.contains("fuse colour: 6 → 6 stages\n  33³ not taken: ΔE2000 max "))
    #expect(plan.log.hasSuffix("\n  no table keeps the bound: exact stages"))
  }
}
