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

/// Highlights and shadows, clarity, texture and dehazing under masks.
@Suite("Local light in groups")
struct GroupLightTests {
  private let renderer = CPURenderer(threads: 2)

  @Test(
    "is the reference's, in every format",
    arguments: EqualityCases.groupFormats)
  func equality(format: PixelFormat, alpha: AlphaMode) throws {
    try checkOnCPU(EqualityCases.litGroups(format, alpha), "\(format) \(alpha)")
  }

  @Test("is the reference's in small and narrow pictures")
  func small() throws { try checkOnCPU(EqualityCases.smallLitGroups(), "small") }

  private static let size = PixelSize(width: 420, height: 260)

  private func render(
    _ filters: [any Filter], _ source: PixelBuffer, _ renderer: (any Renderer)? = nil,
    space: ColorSpace = .sRGB, maximumSize: PixelSize? = nil, output: PixelFormat? = nil
  ) throws -> PixelBuffer {
    try (renderer ?? self.renderer).render(
      source,
      through: Plan(
        Recipe(filters: filters), input: PlanInput(size: source.size, format: source.format, space: space),
        output: PlanOutput(format: output ?? source.format, space: space, maximumSize: maximumSize)))
  }

  private static let light: [any Filter] = [
    Dehaze(70), Clarity(50), Texture(60), Tone(highlights: -70, shadows: 60),
  ]

  @Test("everywhere is what the same filters make without a group")
  func everywhere() throws {
    let scene = try HazyScene(size: Self.size).hazy(.rgbaF32)
    // Exposure and white balance come first: highlights are those of the light that they leave.
    let ahead: [any Filter] = [Exposure(stops: 0.8), Contrast(20), Saturation(20)]
    for filters in Self.light.map({ [$0] }) + [Self.light, ahead + [Self.light[3]], ahead + [Self.light[1]]] {
      let (plain, grouped) = (try render(filters, scene), try render([Group(nil, filters: filters)], scene))
      let difference = RandomPicture.largestDifference(plain, grouped)
      let unchanged = RandomPicture.largestDifference(scene, grouped)
      // A grid of brighter light is the same grid but for the floor of its logarithm.
      #expect(difference.value < 0.004, "\(filters): \(difference)")
      #expect(unchanged.value > 0.02, "\(filters): \(unchanged)")
    }
  }

  @Test("stays where its mask is, and elsewhere changes no byte")
  func outside() throws {
    let scene = try HazyScene(size: Self.size).hazy(.rgba8)
    let left = Mask.linear(from: MaskPoint(0.5, 0), to: MaskPoint(0.4, 0))
    let (plain, made) = (try render([], scene), try render([Group(left, filters: Self.light)], scene))
    let whole = try render([Group(nil, filters: Self.light)], scene)
    for y in 0..<Self.size.height {
      let (before, after, all) = (
        plain.row(y, as: UInt8.self), made.row(y, as: UInt8.self), whole.row(y, as: UInt8.self)
      )
      #expect((4 * 210..<4 * 420).allSatisfy { before[$0] == after[$0] }, "row \(y)")
      #expect((0..<4 * 168).allSatisfy { all[$0] == after[$0] }, "row \(y)")
    }
  }

  private static let groups: [any Filter] = [
    Group(.luminance(from: 0.3, to: 1), filters: [Exposure(stops: -0.7), Clarity(80)]),
    Group(EqualityCases.masks[1], opacity: 80, filters: Array(light[0...0])),
    Group(EqualityCases.masks[4], filters: Array(light[2...]) + [Saturation(-20)]),
  ]

  @Test("is found ahead of all groups, so that their order changes none of it")
  func order() throws {
    let scene = try HazyScene(size: Self.size).hazy(.rgbaF32)
    let (half, right) = (EqualityCases.masks[0], EqualityCases.masks[6])
    let gains: [any Filter] = [
      Group(half, filters: [Exposure(stops: -1.5)]), Group(nil, filters: [Tone(highlights: 60, shadows: 80)]),
      Group(right, filters: [Clarity(80), Texture(50)]),
    ]
    let first = try render(gains, scene)
    for order in [[2, 1, 0], [1, 0, 2]] {
      let other = try render(order.map { gains[$0] }, scene)
      #expect(RandomPicture.largestDifference(first, other).value < 1e-4, "\(order)")
    }
    // Haze is made darker with the light that it veils, where greys become darker as well as where it is removed.
    let haze: [any Filter] = [
      Group(nil, filters: [Exposure(stops: -1.5)]), Group(nil, filters: [Dehaze(100)]),
    ]
    let (darkened, cleared) = (try render(haze, scene), try render(haze.reversed(), scene))
    let difference = RandomPicture.largestDifference(darkened, cleared)
    #expect(difference.value < 0.01, "\(difference)")
  }

  private func least(_ picture: PixelBuffer) throws -> Float {
    try #require(
      (0..<picture.height).flatMap { y -> [Float] in
        let row = picture.row(y, as: Float.self)
        return row.indices.filter { $0 % 4 != 3 }.map { row[$0] }
      }.min())
  }

  @Test("takes no more haze from a colour than it has")
  func keepsLight() throws {
    let linear = ColorSpace(
      name: "linear sRGB", primaries: ColorSpace.sRGB.primaries, transfer: [.linear])
    var scene = HazyScene(size: Self.size)
    scene.furthest = 0.2
    let hazy = try scene.hazy(encoded: false)
    // Groups ahead that leave less of a channel than the veil has.
    for ahead in [Exposure(stops: -4), WhiteBalance(temperature: 2500, tint: 60), Saturation(-100)]
      as [any Filter]
    {
      let filters: [any Filter] = [Group(nil, filters: [ahead]), Group(nil, filters: [Dehaze(100)])]
      for made in [
        try render(filters, hazy, space: linear),
        try render(filters, hazy, ReferenceRenderer(), space: linear),
      ] {
        // Where they leave negative light, it is multiplied by at most 1 / 0.3.
        let before = try least(render([filters[0]], hazy, space: linear))
        let after = try least(made)
        #expect(after > 3.4 * min(before, 0) - 1e-3, "\(ahead): \(after), \(before)")
      }
    }
  }

  /// In floats: in 8 bits, the rounding of places would show where a colour is halfway between two codes, and nothing
  /// else below half a code.
  @Test("of a crop is that of the whole picture", arguments: [PixelFormat.rgba8, .rgba16, .rgbaF32])
  func crops(format: PixelFormat) throws {
    let scene = try HazyScene(size: Self.size).hazy(format)
    let crop = Crop(.rectangle(x: 101, y: 33, width: 290, height: 207))
    for renderer in [self.renderer as any Renderer, ReferenceRenderer()] {
      let (whole, part) = try (
        render(Self.groups, scene, renderer, output: .rgbaF32),
        render([crop] + Self.groups, scene, renderer, output: .rgbaF32)
      )
      var worst = 0.0
      for y in 0..<207 {
        for x in 0..<290 {
          for channel in 0..<3 {
            let (a, b) = (
              RandomPicture.get(part, x, y, channel), RandomPicture.get(whole, x + 101, y + 33, channel)
            )
            worst = max(worst, abs(a - b))
          }
        }
      }
      #expect(worst <= 5e-6, "\(renderer.name): \(worst)")
    }
  }

  @Test("of rows that are rendered by themselves, in bands, is that of the whole picture")
  func bands() throws {
    let scene = try HazyScene(size: Self.size).hazy(.rgba8)
    let whole = try render(Self.groups, scene)
    let plan = try Plan(
      Recipe(filters: Self.groups), input: PlanInput(size: Self.size), output: PlanOutput())
    let prepared = try #require(renderer.prepare(plan).bands).prepare(scene)
    for start in stride(from: 0, to: Self.size.height, by: 37) {
      let rows = start..<min(start + 37, Self.size.height)
      let band = try PixelBuffer(
        size: PixelSize(width: Self.size.width, height: rows.count), format: .rgba8)
      try prepared.render(rows: rows, into: band)
      for y in rows {
        let (a, b) = (whole.row(y, as: UInt8.self), band.row(y - start, as: UInt8.self))
        #expect((0..<4 * Self.size.width).allSatisfy { a[$0] == b[$0] }, "row \(y)")
      }
    }
  }

  @Test("is found of a proxy as of the photo, whose rows may be missing")
  func proxies() throws {
    let scene = try HazyScene(size: Self.size).hazy(.rgba8)
    let input = PlanInput(size: Self.size)
    let plan = try Plan(Recipe(filters: Self.groups), input: input, output: PlanOutput())
    #expect(plan.hasLocalLight && plan.hasFineLight)
    let proxy = try LightProxy(scene, input: input, isFine: true)
    for renderer in [self.renderer as any Renderer, ReferenceRenderer()] {
      let (whole, again) = (try renderer.render(scene, through: plan), try plan.makeOutput())
      try renderer.prepare(plan).lit(by: proxy).render(scene, into: again)
      #expect(RandomPicture.largestDifference(whole, again).value == 0)
      let coarse = try LightProxy(scene, input: input)
      #expect(throws: SafelightError.self) { _ = try renderer.prepare(plan).lit(by: coarse) }
    }
    #expect(plan.notes(on: proxy).isEmpty)
    let clear = try LightProxy(
      HazyScene(size: Self.size).picture(HazyScene(size: Self.size).clear, .rgba8), input: input, isFine: true
    )
    #expect(plan.notes(on: clear) == ["No haze was found, so dehazing leaves the picture as it is"])
  }

  @Test("of a preview is that of the export")
  func previews() throws {
    let source = try SyntheticScene(
      size: PixelSize(width: 2400, height: 1600), horizonDegrees: 2, showsPatches: true
    ).render()
    let box = PixelSize(width: 600, height: 400)
    // The mean difference in EV between a small rendering and a large one made small.
    func difference(_ filters: [any Filter]) throws -> Double {
      let small = try render(filters, source, maximumSize: box)
      let shrunk = try render([], render(filters, source), maximumSize: box)
      return meanStops(small, shrunk)
    }
    let alone = try difference([Exposure(stops: 0.3)])
    for group in Self.groups {
      let own = try difference([group])
      #expect(own <= alone + 0.005, "\(group): \(own), \(alone) without")
    }
  }

  @Test("of live frames moves smoothly, and nothing of a scene is left after a cut")
  func live() throws {
    var second = HazyScene(size: Self.size)
    (second.ambient, second.furthest) = (SIMD3(0.25, 0.2, 0.15), 0.3)
    let (a, b) = (try HazyScene(size: Self.size).hazy(.rgba8), try second.hazy(.rgba8))
    let plan = try Plan(
      Recipe(filters: Self.groups), input: PlanInput(size: Self.size), output: PlanOutput())
    let prepared = renderer.prepare(plan)
    let history = LightHistory()
    let following = prepared.following(history)
    for (index, frame) in [a, a, b, b].enumerated() {
      history.advance(to: Timestamp(nanoseconds: Int64(index) * 33_333_333))
      let (live, alone) = (try plan.makeOutput(), try plan.makeOutput())
      try following.render(frame, into: live)
      try prepared.render(frame, into: alone)
      #expect(RandomPicture.largestDifference(live, alone).value <= 1, "frame \(index)")
    }
    #expect(history.cuts == 2)
    // What moves within a scene is followed, not taken at once.
    let compiled = try #require(CompiledLight(plan))
    let memory = LightMemory(compiled)
    var brighter = HazyScene(size: Self.size)
    brighter.ambient = SIMD3(0.9, 0.9, 0.9)
    var colors: [SIMD3<Double>] = []
    let pan = LightHistory()
    for (index, frame) in [a, try brighter.hazy(.rgba8)].enumerated() {
      pan.advance(to: Timestamp(nanoseconds: Int64(index) * 33_333_333))
      compiled.make(memory, of: frame, history: pan)
      colors.append(memory.ambient[0].color)
    }
    #expect(pan.cuts == 1)
    let step = colors[1] - colors[0]
    #expect(step.max() > 0 && step.max() < 0.02, "\(step)")
  }

  @Test("is the fast grid's, which all groups share")
  func grids() throws {
    let scene = try HazyScene(size: Self.size).hazy(.rgba8)
    let plan = try Plan(
      Recipe(filters: [Clarity(40)] + Self.groups), input: PlanInput(size: Self.size), output: PlanOutput(),
      optimized: false)
    let reference = ReferenceLight.grids(of: scene, for: plan)
    let compiled = try #require(CompiledLight(plan))
    let memory = LightMemory(compiled)
    compiled.make(memory, of: scene)
    try #require(reference.count == 2 && compiled.fields.count == 2)
    for (index, grid) in reference.enumerated() {
      let fast = memory.grid(index)
      for (name, fast, grid) in [
        ("local", fast.nodes, grid.nodes), ("haze", fast.haze?.nodes ?? [], grid.haze?.nodes ?? []),
        ("detail", fast.detail?.nodes ?? [], grid.detail?.nodes ?? []),
      ] as [(String, [Float], [Float])] {
        #expect(fast.count == grid.count && (index == 0 || !grid.isEmpty))
        let worst = zip(fast, grid).map { abs($0 - $1) }.max() ?? 0
        #expect(worst < 2e-3, "\(name) of grid \(index): \(worst)")
      }
    }
  }
}
