import ColorScience
import FilterGraph
import Filters
import FrameCore
import Libc
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

/// Masks that move to the edges of the picture.
@Suite("Masks that follow edges")
struct GuidedMaskTests {
  private let renderer = CPURenderer(threads: 2)

  @Test(
    "are the reference's, in every format",
    arguments: EqualityCases.groupFormats)
  func equality(format: PixelFormat, alpha: AlphaMode) throws {
    try checkOnCPU(EqualityCases.guided(format, alpha), "\(format) \(alpha)")
  }

  @Test("are the reference's in small and narrow pictures")
  func small() throws { try checkOnCPU(EqualityCases.smallGuided(), "small") }

  private static let size = PixelSize(width: 2048, height: 300)

  /// Greys in linear float, dark at the left of an edge in the middle that is as sharp as a lens makes it.
  private func edge(_ stops: Double) throws -> PixelBuffer {
    let picture = try PixelBuffer(size: Self.size, format: .rgbaF32)
    for y in 0..<Self.size.height {
      let row = picture.row(y, as: Float.self)
      for x in 0..<Self.size.width {
        let side = 0.5 * (1 + erf((Double(x) - Double(Self.size.width) / 2) / 2))
        for channel in 0..<3 { row[4 * x + channel] = Float(0.09 * exp2(stops * side)) }
        row[4 * x + 3] = 1
      }
    }
    return picture
  }

  private func render(
    _ filters: [any Filter], _ source: PixelBuffer, _ renderer: (any Renderer)? = nil,
    maximumSize: PixelSize? = nil
  ) throws -> PixelBuffer {
    let space = source.format == .rgbaF32 ? ColorSpace.linearRec2020 : .sRGB
    return try (renderer ?? self.renderer).render(
      source,
      through: Plan(
        Recipe(filters: filters), input: PlanInput(size: source.size, format: source.format, space: space),
        output: PlanOutput(format: source.format, space: space, maximumSize: maximumSize)))
  }

  /// The mask along the middle row, found from what a gain of half a stop makes where it is.
  private func values(_ mask: Mask, on picture: PixelBuffer) throws -> [Double] {
    let made = try render([Group(mask, filters: [Exposure(stops: 1)])], picture)
    let y = picture.height / 2
    let (before, after) = (picture.row(y, as: Float.self), made.row(y, as: Float.self))
    return (0..<picture.width).map { Double(after[4 * $0] / before[4 * $0]) - 1 }
  }

  /// All that is right of a place, which is as far left of the picture's edge as asked for.
  private func drawn(_ offset: Double) -> Mask {
    let x = 0.5 - offset
    return .polygon([MaskPoint(x, -1), MaskPoint(2, -1), MaskPoint(2, 2), MaskPoint(x, 2)])
  }

  @Test("move to an edge that is nearer than their radius", arguments: [1.0, 2, 4], [-0.006, 0.006])
  func follows(stops: Double, offset: Double) throws {
    let scene = try edge(stops)
    let (rough, followed) = (
      try values(drawn(offset), on: scene),
      try values(.feather(drawn(offset), radius: 0.02, edges: true), on: scene)
    )
    let middle = Self.size.width / 2
    // How much of a mask is on the wrong side of the edge, in pixels.
    func wrong(_ mask: [Double]) -> Double {
      mask[..<middle].reduce(0, +) + mask[middle...].reduce(0) { $0 + 1 - $1 }
    }
    #expect(wrong(rough) > 11, "\(wrong(rough))")
    #expect(wrong(followed) < 0.25 * wrong(rough), "\(wrong(followed)) of \(wrong(rough))")
    // It changes where the picture does: by most within four pixels of the edge.
    let step = followed[middle + 4] - followed[middle - 4]
    #expect(step > 0.9, "\(step)")
    // Further away than the window twice, nothing moves.
    #expect(followed[..<(middle - 180)].allSatisfy { $0 < 1e-3 })
    #expect(followed[(middle + 180)...].allSatisfy { $0 > 1 - 1e-3 })
  }

  @Test("fade over their radius where the picture has no edge")
  func fades() throws {
    let scene = try edge(0)
    let mask = try values(.feather(drawn(0), radius: 0.02, edges: true), on: scene)
    let middle = Self.size.width / 2
    // The mean of a mean of what was drawn, over windows of 2 · 41 + 1 nodes of two pixels each, and its middle half.
    let window = 2.0 * 83
    for offset in [-170, -80, -41, -20, 0, 20, 41, 80, 170] {
      let part = max(0, 1 - abs(Double(offset)) / window)
      let side = offset < 0 ? part * part / 2 : 1 - part * part / 2
      let w = min(max(2 * side - 0.5, 0), 1)
      let expected = w * w * (3 - 2 * w)
      #expect(
        abs(mask[middle + offset] - expected) < 0.03, "\(offset): \(mask[middle + offset]), \(expected)")
    }
    // The radius of 41 pixels is where most of it has faded.
    #expect(mask[middle - 41] < 0.03 && mask[middle + 41] > 0.97)
    #expect(zip(mask, mask.dropFirst()).allSatisfy { $1 - $0 > -1e-4 })
  }

  @Test("stay 0…1 and spread no number that is none")
  func extremes() throws {
    let scene = try edge(3)
    for (x, value) in [(900, Float.nan), (1000, .infinity), (1020, -.infinity), (1024, 1e30), (1030, -2)] {
      for channel in 0..<3 { scene.row(150, as: Float.self)[4 * x + channel] = value }
    }
    let group = Group(.feather(drawn(0.006), radius: 0.02, edges: true), filters: [Exposure(stops: 1)])
    let made = try render([group], scene)
    for y in 0..<Self.size.height {
      let (before, after) = (scene.row(y, as: Float.self), made.row(y, as: Float.self))
      for x in 0..<Self.size.width where before[4 * x].isFinite && before[4 * x] > 0 {
        let gain = after[4 * x] / before[4 * x]
        #expect(gain >= 1 && gain <= 2, "\(x), \(y): \(gain)")
      }
    }
  }

  private static let photo = PixelSize(width: 420, height: 260)
  private static let groups: [any Filter] = [
    Group(.feather(EqualityCases.masks[1], radius: 0.03, edges: true), filters: [Exposure(stops: -1)]),
    Group(
      .intersect([.feather(EqualityCases.masks[4], radius: 0.02, edges: true), .luminance(from: 0.3, to: 1)]),
      opacity: 80, filters: [Saturation(40), Clarity(40)]),
  ]

  @Test("have the same edges in a crop, in bands and with a proxy")
  func parts() throws {
    let scene = try HazyScene(size: Self.photo).hazy(.rgba8)
    let whole = try render(Self.groups, scene)
    let part = try render([Crop(.rectangle(x: 101, y: 33, width: 290, height: 207))] + Self.groups, scene)
    for y in 0..<207 {
      let (a, b) = (whole.row(y + 33, as: UInt8.self), part.row(y, as: UInt8.self))
      #expect((0..<4 * 290).allSatisfy { a[$0 + 404] == b[$0] }, "row \(y)")
    }
    let input = PlanInput(size: Self.photo)
    let plan = try Plan(Recipe(filters: Self.groups), input: input, output: PlanOutput())
    #expect(plan.hasLocalLight && plan.hasFineLight)
    let prepared = renderer.prepare(plan)
    let bands = try #require(prepared.bands).prepare(scene)
    for start in stride(from: 0, to: Self.photo.height, by: 41) {
      let rows = start..<min(start + 41, Self.photo.height)
      let band = try PixelBuffer(
        size: PixelSize(width: Self.photo.width, height: rows.count), format: .rgba8)
      try bands.render(rows: rows, into: band)
      for y in rows {
        let (a, b) = (whole.row(y, as: UInt8.self), band.row(y - start, as: UInt8.self))
        #expect((0..<4 * Self.photo.width).allSatisfy { a[$0] == b[$0] }, "row \(y)")
      }
    }
    let lit = try plan.makeOutput()
    try prepared.lit(by: LightProxy(scene, input: input, isFine: true)).render(scene, into: lit)
    #expect(RandomPicture.largestDifference(whole, lit).value == 0)
    let coarse = try LightProxy(scene, input: input)
    #expect(throws: SafelightError.self) { _ = try prepared.lit(by: coarse) }
  }

  @Test("are each live frame's own")
  func live() throws {
    var other = HazyScene(size: Self.photo)
    other.ambient = SIMD3(0.3, 0.2, 0.1)
    let frames = try [HazyScene(size: Self.photo).hazy(.rgba8), other.hazy(.rgba8)]
    let plan = try Plan(
      Recipe(filters: Self.groups), input: PlanInput(size: Self.photo), output: PlanOutput())
    let prepared = renderer.prepare(plan)
    let history = LightHistory()
    let following = prepared.following(history)
    for (index, frame) in (frames + frames).enumerated() {
      history.advance(to: Timestamp(nanoseconds: Int64(index) * 33_333_333))
      let (live, alone) = (try plan.makeOutput(), try plan.makeOutput())
      try following.render(frame, into: live)
      try prepared.render(frame, into: alone)
      #expect(RandomPicture.largestDifference(live, alone).value == 0, "frame \(index)")
    }
  }

  @Test("are the fast grid's")
  func grids() throws {
    let scene = try HazyScene(size: Self.photo).hazy(.rgba8)
    let plan = try Plan(
      Recipe(filters: Self.groups), input: PlanInput(size: Self.photo), output: PlanOutput(), optimized: false
    )
    let reference = try #require(ReferenceLight.grids(of: scene, for: plan).first)
    let compiled = try #require(CompiledLight(plan))
    let memory = LightMemory(compiled)
    for _ in 0..<2 { compiled.make(memory, of: scene) }
    let fast = memory.grid(0)
    try #require(reference.edges.count == 2 && fast.edges.count == 2)
    for (fast, exact) in zip(fast.edges, reference.edges) {
      let worst = zip(fast.nodes, exact.nodes).map { abs($0 - $1) }.max() ?? 1
      #expect(fast.size == exact.size && worst < 2e-3, "\(worst)")
    }
  }
}
