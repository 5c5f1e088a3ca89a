import Capture
import ColorScience
import FilterGraph
import Filters
import FrameCore
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

/// The fast renderer against the reference, on random recipes, formats and sizes.
@Suite("CPU and reference renderers agree")
struct RendererEqualityTests {
  /// Renders as the CPU does.
  private func check(_ example: EqualityCase, _ name: String, renderer: CPURenderer = CPURenderer()) throws {
    let difference = try example.difference(of: renderer)
    #expect(difference.value <= example.bound, "\(name): \(difference), \(example)")
  }

  @Test("Exact colour stages differ by at most one code of 8 bits", arguments: 0..<40)
  func exactColor(seed: Int) throws { try check(EqualityCases.exactColor(seed: seed), "seed \(seed)") }

  @Test("Curves, changes by hue and grading agree, in every format and in groups", arguments: 0..<60)
  func tools(seed: Int) throws { try check(EqualityCases.tools(seed: seed), "seed \(seed)") }

  @Test("Log footage and tables that are chains agree, in every format", arguments: 0..<24)
  func logTables(seed: Int) throws { try check(EqualityCases.logTables(seed: seed), "seed \(seed)") }

  @Test("Chains that act on each channel alone are exact tables", arguments: 0..<12)
  func channelTables(seed: Int) throws {
    let example = try EqualityCases.channelTables(seed: seed)
    #expect(try example.difference(of: CPURenderer()).value == 0, "seed \(seed), \(example)")
  }

  @Test(
    "Plans of two tables agree, from pixels as stored, turned, with alpha and from cameras",
    arguments: [(PixelFormat.rgba8, AlphaMode.opaque), (.rgba8, .straight), (.yuyv422, .opaque)])
  func tablePairs(format: PixelFormat, alpha: AlphaMode) throws {
    for example in try EqualityCases.tablePairs(format, alpha) {
      let tables = example.plan.stages.filter { if case .baked = $0 { true } else { false } }
      try #require(tables.count == 2, "\(example)")
      try check(example, "\(format)", renderer: CPURenderer(threads: 2))
    }
  }

  @Test(
    "Fields agree, ahead of tables and of exact stages",
    arguments: [
      (PixelFormat.rgba8, AlphaMode.opaque), (.rgba8, .straight), (.rgba16, .opaque), (.rgbaF32, .opaque),
      (.yuyv422, .opaque), (.nv12, .opaque),
    ])
  func fields(format: PixelFormat, alpha: AlphaMode) throws {
    for example in try EqualityCases.fields(format, alpha) {
      try check(example, "\(format)", renderer: CPURenderer(threads: 2))
    }
  }

  @Test("Haze that is found", arguments: [PixelFormat.rgba8, .rgba16, .rgbaF32])
  func haze(format: PixelFormat) throws {
    for example in try EqualityCases.haze(format) {
      try check(example, "\(format)", renderer: CPURenderer(threads: 2))
    }
  }

  @Test("Geometry with exact colour differs by at most two codes of 8 bits", arguments: 0..<60)
  func geometry(seed: Int) throws { try check(EqualityCases.geometry(seed: seed), "seed \(seed)") }

  @Test("Two passes mean the same at every orientation", arguments: Orientation.allCases)
  func twoPasses(orientation: Orientation) throws {
    for example in try EqualityCases.twoPasses(orientation) {
      #expect(example.plan.description.contains("two passes"))
      try check(example, "\(orientation)")
    }
  }

  @Test("Two passes are near the direct kernel on a photo", arguments: [1, 5, 10, 15] as [Float])
  func twoPassesAndDirect(degrees: Float) throws {
    let scene = SyntheticScene(
      size: PixelSize(width: 480, height: 320), horizonDegrees: 2, showsPatches: true)
    let source = try scene.render()
    func plan(_ alpha: AlphaMode) throws -> (Plan, order: SamplingOrder?) {
      let plan = try Plan(
        Recipe(filters: [Straighten(degrees)]), input: PlanInput(size: source.size, alpha: alpha),
        output: PlanOutput())
      return (plan, plan.geometry?.order)
    }
    // Samples with alpha are resampled directly.
    let (twoPasses, direct) = (try plan(.opaque), try plan(.straight))
    try #require(twoPasses.order == .rowsFirst && direct.order == .direct)
    let fast = try CPURenderer(threads: 2).render(source, through: twoPasses.0)
    let exact = try ReferenceRenderer().render(
      source.retagged(source.tags, alpha: .straight), through: direct.0)
    try #require(fast.size == exact.size)
    var counts = [Int](repeating: 0, count: 256)
    for y in 0..<fast.height {
      let (a, b) = (fast.row(y, as: UInt8.self), exact.row(y, as: UInt8.self))
      for i in a.indices where i % 4 < 3 { counts[abs(Int(a[i]) - Int(b[i]))] += 1 }
    }
    let samples = counts.reduce(0, +)
    let mean = Double(zip(0..., counts).reduce(0) { $0 + $1.0 * $1.1 }) / Double(samples)
    var (level, above) = (255, 0)
    while level > 0, above + counts[level] <= samples / 1000 {
      above += counts[level]
      level -= 1
    }
    // SamplingOrder states these numbers.
    #expect(mean <= 0.15 && level <= 3, "\(degrees)°: mean \(mean), 99.9 % within \(level), \(counts)")
  }

  @Test(
    "Bilinear pictures agree at every depth, directly and in two passes",
    arguments: [PixelFormat.rgba8, .rgba16, .rgbaF32], [AlphaMode.opaque, .straight])
  func bilinear(format: PixelFormat, alpha: AlphaMode) throws {
    for example in try EqualityCases.bilinear(format, alpha) { try check(example, "\(format)") }
  }

  @Test("16 bit and float keep their depth", arguments: 0..<24)
  func deep(seed: Int) throws { try check(EqualityCases.deep(seed: seed), "seed \(seed)") }

  @Test("Float pictures with alpha, downsampled and turned, agree", arguments: 0..<12)
  func floatAlpha(seed: Int) throws { try check(EqualityCases.floatAlpha(seed: seed), "seed \(seed)") }

  @Test("Curves of profiles go on above 1, and NaN stays NaN")
  func beyondOne() throws {
    let example = try EqualityCases.beyondOne()
    let fast = try CPURenderer().render(example.source, through: example.plan)
    let exact = try example.expected()
    for x in 0..<fast.width {
      for channel in 0..<3 {
        let (a, b) = (RandomPicture.get(fast, x, 0, channel), RandomPicture.get(exact, x, 0, channel))
        #expect(a.isNaN && b.isNaN || abs(a - b) <= 2e-4 * max(1, b), "pixel \(x): \(a), not \(b)")
      }
    }
  }
}
