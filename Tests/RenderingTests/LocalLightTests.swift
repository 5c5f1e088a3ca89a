import Capture
import ColorScience
import FilterGraph
import Filters
import FrameCore
import Libc
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

/// What photographers expect of local tone: regions change, edges get no halos, and the detail in regions stays. The
/// scenes and the bounds are those of published comparisons of such filters: steps of 1, 2 and 4 EV with fine texture.
@Suite("Local light")
struct LocalLightTests {
  /// A picture of greys in linear float, by EV from middle grey at each place.
  private func picture(_ size: PixelSize, _ stops: (Int, Int) -> Double) throws -> PixelBuffer {
    let picture = try PixelBuffer(size: size, format: .rgbaF32)
    for y in 0..<size.height {
      let row = picture.row(y, as: Float.self)
      for x in 0..<size.width {
        for channel in 0..<3 { row[4 * x + channel] = Float(0.18 * exp2(stops(x, y))) }
        row[4 * x + 3] = 1
      }
    }
    return picture
  }

  /// What an edit adds to each pixel of the middle row, in EV.
  private func change(_ picture: PixelBuffer, _ filters: [any Filter]) throws -> [Double] {
    let linear = ColorSpace.linearRec2020
    let plan = try Plan(
      Recipe(filters: filters),
      input: PlanInput(size: picture.size, format: .rgbaF32, space: linear),
      output: PlanOutput(format: .rgbaF32, space: linear))
    let edited = try CPURenderer(threads: 2).render(picture, through: plan)
    let y = picture.height / 2
    let (before, after) = (picture.row(y, as: Float.self), edited.row(y, as: Float.self))
    return (0..<picture.width).map { log2(Double(after[4 * $0]) / Double(before[4 * $0])) }
  }

  static let size = PixelSize(width: 2048, height: 600)

  /// The mean over a whole number of waves of the texture.
  private func smoothed(_ values: [Double], _ width: Int = 42) -> [Double] {
    (0..<values.count).map { x in
      let window = max(0, x - width / 2)..<min(values.count, x + width / 2)
      return values[window].reduce(0, +) / Double(window.count)
    }
  }

  /// An edge between dark and bright, blurred as by a lens, under a texture of ±0.12 EV with waves of 14 pixels.
  private func edge(_ step: Double, from bright: Double) throws -> PixelBuffer {
    let size = Self.size
    return try picture(size) { x, _ in
      let side = 0.5 * (1 + erf((Double(x) - Double(size.width) / 2) / 2))
      return bright - step * (1 - side) + 0.12 * sin(2 * .pi * Double(x) / 14)
    }
  }

  @Test("Shadows and highlights of ±100 leave no halo above 0.1 EV", arguments: [1.0, 2, 4])
  func regionHalos(step: Double) throws {
    for (tone, bright) in [
      (Tone(shadows: 100), -0.5), (Tone(shadows: -100), -0.5), (Tone(highlights: -100), 1.6),
      (Tone(highlights: 100), 1.6),
    ] {
      let scene = try edge(step, from: bright)
      let change = smoothed(try change(scene, [tone]))
      let middle = Self.size.width / 2
      // Far from the edge each side has the change of its own light; near it, it should have the same.
      let (dark, light) = (change[300], change[Self.size.width - 300])
      let near = (30..<320).map { max(abs(change[middle - $0] - dark), abs(change[middle + $0] - light)) }
      #expect(near.max() ?? 1 <= 0.1, "\(tone) at \(step) EV: \(near.max() ?? 1)")
    }
  }

  @Test("Full clarity leaves no halo above 0.05 EV, and strengthens texture", arguments: [1.0, 2, 4])
  func clarityHalos(step: Double) throws {
    let change = smoothed(try change(edge(step, from: 0), [Clarity(100)]))
    let middle = Self.size.width / 2
    let near = (30..<320).map { max(abs(change[middle - $0]), abs(change[middle + $0])) }
    #expect(near.max() ?? 1 <= 0.05, "\(step) EV: \(near.max() ?? 1)")
  }

  private func deviation(_ values: ArraySlice<Double>) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
  }

  @Test("Lifted shadows keep at least 0.9 of their texture, which a curve would flatten")
  func texture() throws {
    let scene = try picture(Self.size) { x, _ in -1.5 + 0.12 * sin(2 * .pi * Double(x) / 14) }
    let own = (0..<Self.size.width).map { 0.12 * sin(2 * .pi * Double($0) / 14) }
    let change = try change(scene, [Tone(shadows: 100)])
    let kept = deviation(zip(own, change).map { $0 + $1 }[400..<1600]) / deviation(own[400..<1600])
    #expect(kept >= 0.9, "\(kept)")
    #expect(change[1000] > 0.5)
    let clear = try self.change(scene, [Clarity(100)])
    let gain = deviation(zip(own, clear).map { $0 + $1 }[400..<1600]) / deviation(own[400..<1600])
    #expect(gain > 1.5 && gain < 1.85, "\(gain)")
  }

  @Test("No amount reverses a gradient", arguments: [-100, 100] as [Float], [-100, 100] as [Float])
  func monotone(regions: Float, clarity: Float) throws {
    let scene = try picture(PixelSize(width: 4096, height: 64)) { x, _ in -10 + 14 * Double(x) / 4096 }
    let change = try change(scene, [Tone(highlights: regions, shadows: -regions), Clarity(clarity)])
    let out = change.enumerated().map { -10 + 14 * Double($0) / 4096 + $1 }
    let falls = zip(out, out.dropFirst()).map { $0 - $1 }.max() ?? 1
    #expect(falls < 1e-5, "\(falls)")
  }

  @Test("The fast grid is the reference's", arguments: [(256, 171), (33, 256), (1, 1), (2, 5), (7, 3)])
  func grids(width: Int, height: Int) throws {
    var random = SeededRandom(seed: 19)
    let size = PixelSize(width: width, height: height)
    let source = try RandomPicture.noise(size, .rgba8, using: &random)
    let plan = try Plan(
      Recipe(filters: [
        Dehaze(60), Clarity(50), Texture(40), Tone(shadows: 30), Halation(70), Vignette(amount: -20),
        Tone(highlights: -50),
      ]),
      input: PlanInput(size: size), output: PlanOutput(), optimized: false)
    let reference = ReferenceLight.grids(of: source, for: plan)
    try #require(reference.count == 2)
    let compiled = try #require(CompiledLight(plan))
    let memory = LightMemory(compiled)
    // The second time with the memory of the first.
    for _ in 0..<2 { compiled.make(memory, of: source) }
    for (index, grid) in reference.enumerated() {
      let fast = memory.grid(index)
      #expect(fast.size == grid.size && fast.detail?.size == grid.detail?.size)
      for (name, fast, grid, bound) in [
        ("local", fast.nodes, grid.nodes, 2e-3), ("glow", fast.glow, grid.glow, 1e-4),
        ("haze", fast.haze?.nodes ?? [], grid.haze?.nodes ?? [], 2e-3),
        ("detail", fast.detail?.nodes ?? [], grid.detail?.nodes ?? [], 2e-3),
      ] as [(String, [Float], [Float], Float)] {
        #expect(fast.count == grid.count)
        let worst = zip(fast, grid).map { abs($0 - $1) }.max() ?? 0
        #expect(worst < bound, "\(name) of grid \(index): \(worst)")
      }
    }
  }

  private static let look: [any Filter] = [
    Dehaze(-30), Clarity(60), Texture(50), Halation(40), Tone(highlights: -60, shadows: 70),
    Vignette(amount: -30), Exposure(stops: 0.3),
    Saturation(15),
  ]

  @Test("Cropping before and after an edit is the same", arguments: [PixelFormat.rgba8, .rgba16])
  func crops(format: PixelFormat) throws {
    let source = try SyntheticScene.photo(PixelSize(width: 700, height: 460), format)
    let renderer = CPURenderer(threads: 2)
    func render(_ filters: [any Filter]) throws -> PixelBuffer {
      try renderer.render(
        source,
        through: Plan(
          Recipe(filters: filters), input: PlanInput(size: source.size, format: format),
          output: PlanOutput(format: format)))
    }
    let look = Self.look.filter { !($0 is Vignette) }
    let whole = try render(look)
    let part = try render([Crop(.rectangle(x: 123, y: 77, width: 300, height: 201))] + look)
    var (worst, changed) = (0, 0)
    for y in 0..<201 {
      for x in 0..<4 * 300 {
        let place = 4 * 123 + x
        let difference =
          format == .rgba8
          ? Int(part.row(y, as: UInt8.self)[x]) - Int(whole.row(77 + y, as: UInt8.self)[place])
          : Int(part.row(y, as: UInt16.self)[x]) - Int(whole.row(77 + y, as: UInt16.self)[place])
        worst = max(worst, abs(difference))
        changed += difference == 0 ? 0 : 1
      }
    }
    // Places are rounded to single precision, which 16 bits show in a last digit, and 8 bits in the few samples that
    // are close to a half.
    #expect(worst <= (format == .rgba8 ? 1 : 2), "\(worst)")
    #expect(format != .rgba8 || changed <= 24, "\(changed) of \(4 * 300 * 201) samples")
  }

  @Test("A proxy gives a photo without all of its rows the same light")
  func proxies() throws {
    let size = PixelSize(width: 900, height: 700)
    let source = try SyntheticScene.photo(size, .rgba8)
    let input = PlanInput(size: size)
    let plan = try Plan(Recipe(filters: Self.look), input: input, output: PlanOutput())
    let proxy = try LightProxy(source, input: input, isFine: true)
    let coarse = try LightProxy(source, input: input)
    for renderer in [CPURenderer(threads: 2) as any Renderer, ReferenceRenderer()] {
      let whole = try renderer.render(source, through: plan)
      // The light is the proxy's even if the picture is another one, whose rows are missing.
      let lit = try renderer.prepare(plan).lit(by: proxy)
      let again = try plan.makeOutput()
      try lit.render(source, into: again)
      for y in 0..<size.height {
        let (a, b) = (whole.row(y, as: UInt8.self), again.row(y, as: UInt8.self))
        #expect((0..<4 * size.width).allSatisfy { a[$0] == b[$0] }, "row \(y)")
      }
      #expect(throws: SafelightError.self) { _ = try renderer.prepare(plan).lit(by: coarse) }
      #expect(throws: SafelightError.self) {
        _ = try renderer.prepare(plan).lit(
          by: LightProxy(source, input: PlanInput(size: PixelSize(width: 90, height: 900))))
      }
    }
  }

  @Test("A preview has the light of the export")
  func previews() throws {
    let size = PixelSize(width: 2400, height: 1600)
    let source = try SyntheticScene.photo(size, .rgba8)
    let renderer = CPURenderer(threads: 2)
    func render(_ filters: [any Filter], box: PixelSize?) throws -> PixelBuffer {
      try renderer.render(
        source,
        through: Plan(
          Recipe(filters: filters), input: PlanInput(size: size), output: PlanOutput(maximumSize: box)))
    }
    // The mean difference in EV between a small rendering and a large one made small.
    func difference(_ filters: [any Filter]) throws -> Double {
      let box = PixelSize(width: 600, height: 400)
      let small = try render(filters, box: box)
      let large = try render(filters, box: nil)
      let shrunk = try renderer.render(
        large, through: Plan(Recipe(), input: PlanInput(size: size), output: PlanOutput(maximumSize: box)))
      return meanStops(small, shrunk)
    }
    let alone = try difference([Exposure(stops: 0.3)])
    let local = try difference([Exposure(stops: 0.3), Clarity(60), Tone(highlights: -60, shadows: 70)])
    #expect(local <= alone + 0.005, "\(local) \(alone)")
    for filters in [[Dehaze(60)], [Dehaze(-60)], [Texture(80)], [Halation(80)]] as [[any Filter]] {
      let own = try difference([Exposure(stops: 0.3)] + filters)
      #expect(own <= alone + 0.005, "\(filters): \(own) \(alone)")
    }
  }

  @Test("Neutral amounts are absent from the plan")
  func neutral() throws {
    let plan = try Plan(
      Recipe(filters: [Clarity(0), Tone(), Vignette(amount: 0), Dehaze(0), Texture(0), Halation(0)]),
      input: PlanInput(size: Self.size),
      output: PlanOutput(), optimized: false)
    #expect(plan.stages.isEmpty && !plan.hasLocalLight)
  }

  @Test("Hue and grey stay, whatever the light around")
  func hue() throws {
    var random = SeededRandom(seed: 3)
    let size = PixelSize(width: 200, height: 150)
    let source = try RandomPicture.noise(size, .rgbaF32, using: &random)
    let plan = try Plan(
      Recipe(filters: [Clarity(100), Tone(highlights: -100, shadows: 100)]),
      input: PlanInput(size: size, format: .rgbaF32, space: .linearRec2020),
      output: PlanOutput(format: .rgbaF32, space: .linearRec2020))
    let edited = try CPURenderer(threads: 1).render(source, through: plan)
    for y in 0..<150 {
      let (a, b) = (source.row(y, as: Float.self), edited.row(y, as: Float.self))
      for x in 0..<200 {
        let before = SIMD3(a[4 * x], a[4 * x + 1], a[4 * x + 2])
        let after = SIMD3(b[4 * x], b[4 * x + 1], b[4 * x + 2])
        guard before.min() > 0.01, before.max() < 2 else { continue }
        let gains = after / before
        #expect(gains.max() - gains.min() < 1e-4 * gains.max())
      }
    }
  }
}

extension SyntheticScene {
  /// A scene with an edge, a horizon and texture.
  fileprivate static func photo(_ size: PixelSize, _ format: PixelFormat) throws -> PixelBuffer {
    let scene = try SyntheticScene(size: size, horizonDegrees: 2, showsPatches: true).render()
    guard format != .rgba8 else { return scene }
    let plan = try Plan(
      Recipe(), input: PlanInput(size: size), output: PlanOutput(format: format), optimized: false)
    return try CPURenderer(threads: 2).render(scene, through: plan)
  }
}
