import ColorScience
import FilterGraph
import Filters
import FrameCore
import Libc
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

/// What photographers expect of dehazing, halation and texture.
@Suite("Surroundings")
struct SurroundingsTests {
  private func edit(
    _ picture: PixelBuffer, _ filters: [any Filter], space: ColorSpace = .sRGB
  ) throws -> PixelBuffer {
    let plan = try Plan(
      Recipe(filters: filters), input: PlanInput(size: picture.size, format: picture.format, space: space),
      output: PlanOutput(format: picture.format, space: space))
    return try CPURenderer(threads: 2).render(picture, through: plan)
  }

  private func colors(_ picture: PixelBuffer) -> [SIMD3<Double>] {
    (0..<picture.height).flatMap { y -> [SIMD3<Double>] in
      let row = picture.row(y, as: Float.self)
      return (0..<picture.width).map {
        SIMD3(Double(row[4 * $0]), Double(row[4 * $0 + 1]), Double(row[4 * $0 + 2]))
      }
    }
  }

  private static let linear = ColorSpace(
    name: "linear sRGB", primaries: ColorSpace.sRGB.primaries, transfer: [.linear])

  // MARK: Haze

  @Test("Haze of known light and transmission is found and removed")
  func knownHaze() throws {
    var scene = HazyScene(size: PixelSize(width: 480, height: 320))
    scene.furthest = 0.15
    let hazy = try scene.hazy(encoded: false)
    let plan = try Plan(
      Recipe(filters: [Dehaze(100)]),
      input: PlanInput(size: scene.size, format: .rgbaF32, space: Self.linear),
      output: PlanOutput(format: .rgbaF32, space: Self.linear))
    let ambient = try #require(ReferenceLight.grids(of: hazy, for: plan).first?.haze?.ambient)
    #expect(ambient.found == 1 && ambient.lit == 1)
    // The most distant part still shows the scene through the haze.
    let error = ambient.color - scene.ambient
    #expect(max(abs(error.max()), abs(error.min())) < 0.25, "\(ambient.color)")
    let after = try CPURenderer(threads: 2).render(hazy, through: plan)
    let clear = scene.clear
    func distance(_ picture: PixelBuffer) -> Double {
      zip(colors(picture), clear).reduce(0) { sum, pair in
        let difference = pair.0 - pair.1
        return sum + (difference * difference).sum().squareRoot()
      } / Double(clear.count)
    }
    let (before, removed) = (distance(hazy), distance(after))
    #expect(removed < 0.6 * before, "\(before) \(removed)")
    #expect(colors(after).allSatisfy { $0.min() >= -1e-4 && $0.max() < 4 })
    let more = try edit(hazy, [Dehaze(-60)], space: Self.linear)
    #expect(distance(more) > before)
  }

  @Test("Without haze, or without light, nothing changes")
  func controls() throws {
    let scene = HazyScene(size: PixelSize(width: 240, height: 160))
    let grey = [SIMD3<Double>](repeating: SIMD3(0.2, 0.2, 0.2), count: scene.size.pixelCount)
    for (name, colors) in [
      ("clear", scene.clear), ("flat", grey), ("white", grey.map { 5 * $0 }),
      ("night", scene.clear.map { 0.01 * $0 }), ("black", grey.map { 0 * $0 }),
    ] {
      for format in [PixelFormat.rgba8, .rgba16] {
        let picture = try scene.picture(colors, format)
        let (with, without) = (
          try edit(picture, [Dehaze(100), Exposure(stops: 0.01)]), try edit(picture, [Exposure(stops: 0.01)])
        )
        var worst = 0
        for y in 0..<picture.height {
          for x in 0..<4 * picture.width {
            let difference =
              format == .rgba8
              ? Int(with.row(y, as: UInt8.self)[x]) - Int(without.row(y, as: UInt8.self)[x])
              : (Int(with.row(y, as: UInt16.self)[x]) - Int(without.row(y, as: UInt16.self)[x])) / 16
            worst = max(worst, abs(difference))
          }
        }
        // The table behind a field has another axis.
        #expect(worst <= 1, "\(name), \(format): \(worst)")
      }
    }
  }

  @Test("Greys stay grey, and uniform light stays even")
  func greys() throws {
    let size = PixelSize(width: 200, height: 150)
    var scene = HazyScene(size: size)
    scene.ambient = SIMD3(0.8, 0.8, 0.8)
    let hazy = scene.clear.enumerated().map { index, color -> SIMD3<Double> in
      let t = scene.transmission(index / size.width)
      return SIMD3(repeating: t * color.x + (1 - t) * 0.8)
    }
    for filters in [[Dehaze(100)], [Dehaze(-80)], [Texture(100)], [Dehaze(60), Texture(-50), Clarity(40)]]
      as [[any Filter]]
    {
      let after = colors(try edit(scene.picture(hazy, .rgbaF32), filters))
      let worst = after.map { $0.max() - $0.min() }.max() ?? 1
      #expect(worst < 1e-4, "\(filters): \(worst)")
    }
    let even = [SIMD3<Double>](repeating: SIMD3(0.5, 0.5, 0.5), count: size.pixelCount)
    let glowing = colors(try edit(scene.picture(even, .rgbaF32), [Halation(100)]))
    #expect((glowing.map { $0.max() - $0.min() }.max() ?? 1) < 1e-4)
    #expect((glowing.map(\.x).max() ?? 1) - (glowing.map(\.x).min() ?? 0) < 1e-4)
  }

  @Test("A haze-covered ramp stays a ramp", arguments: [-100, -40, 30, 100] as [Float])
  func monotone(amount: Float) throws {
    let scene = HazyScene(size: PixelSize(width: 1024, height: 128))
    // Across, a ramp; down, its haze from black to full.
    let ramp = (0..<scene.size.pixelCount).map { index -> SIMD3<Double> in
      SIMD3(repeating: Double(index % 1024) / 1023)
    }
    let source = try scene.picture(ramp, .rgbaF32, encoded: false)
    for filters in [[Dehaze(amount)], [Texture(amount)], [Halation(abs(amount))]] as [[any Filter]] {
      let after = colors(try edit(source, filters))
      let row = after[(64 * 1024)..<(65 * 1024)].map(\.y)
      let falls = zip(row, row.dropFirst()).map { $0 - $1 }.max() ?? 1
      #expect(falls < 1e-5, "\(filters): \(falls)")
    }
  }

  @Test(
    "Numbers that are no light spread nowhere",
    arguments: [
      PixelSize(width: 90, height: 60), PixelSize(width: 1, height: 1), PixelSize(width: 700, height: 3),
    ])
  func extremes(size: PixelSize) throws {
    let scene = HazyScene(size: size)
    let source = try scene.hazy()
    source.row(0, as: Float.self)[0] = .nan
    if size.width > 20 {
      for (x, value) in [(5, Float.infinity), (9, -.infinity), (13, 3e38), (17, -3e38), (19, -0.5)] {
        source.row(size.height / 2, as: Float.self)[4 * x] = value
      }
    }
    for filters in [
      [Dehaze(100)], [Dehaze(-100)], [Texture(100)], [Halation(100)],
      [Dehaze(100), Texture(100), Clarity(100), Halation(100)],
    ] as [[any Filter]] {
      let after = colors(try edit(source, filters))
      let lost = after.indices.filter { !($0 == 0 || after[$0].x.isFinite) }.count
      #expect(lost <= 5, "\(filters): \(lost)")
    }
  }

  // MARK: Halation

  @Test("Light scatters round and smoothly, red the furthest")
  func scattering() throws {
    let size = PixelSize(width: 1200, height: 800)
    let scene = HazyScene(size: size)
    let (x, y) = (603, 398)
    let spot = (0..<size.pixelCount).map { index -> SIMD3<Double> in
      let (dx, dy) = (Double(index % size.width - x), Double(index / size.width - y))
      return SIMD3(repeating: (dx * dx + dy * dy).squareRoot() < 8 ? 1 : 0)
    }
    let after = colors(
      try edit(scene.picture(spot, .rgbaF32, encoded: false), [Halation(100)], space: Self.linear))
    func light(_ dx: Int, _ dy: Int) -> SIMD3<Double> { after[(y + dy) * size.width + x + dx] }
    // As far along the axes as along the diagonal: no cross.
    for distance in [14, 21, 28, 35] {
      let diagonal = Int((Double(distance) / 2.0.squareRoot()).rounded())
      let (along, across) = (light(distance, 0), light(diagonal, diagonal))
      #expect(abs(along.x - across.x) < 0.12 * along.x + 1e-4, "\(distance): \(along) \(across)")
      #expect(along.x > along.y || distance < 25)
      #expect(distance < 28 || (along.x > along.y && along.y > along.z), "\(distance): \(along)")
    }
    // Nodes are 4.7 pixels apart; a bend at each of them would show in the second differences.
    let row = (10..<120).map { light($0, 0).x }
    let bends = zip(zip(row, row.dropFirst()), row.dropFirst(2)).map { $0.1 - 2 * $0.0.1 + $0.0.0 }
    let jumps = zip(bends, bends.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(jumps < 0.01 * (row.max() ?? 0), "\(jumps) of \(row.max() ?? 0)")
    #expect(light(300, 0).max() < 1e-4)
  }

  // MARK: Texture

  private func change(_ stops: (Int) -> Double, _ amount: Float) throws -> [Double] {
    let size = PixelSize(width: 2048, height: 120)
    let picture = try HazyScene(size: size).picture(
      (0..<size.pixelCount).map { SIMD3(repeating: 0.18 * exp2(stops($0 % 2048))) }, .rgbaF32, encoded: false)
    let after = colors(try edit(picture, [Texture(amount)], space: Self.linear))
    return (0..<2048).map { log2(after[60 * 2048 + $0].y / 0.18) - stops($0) }
  }

  @Test("Detail of one size is strengthened or softened; larger, darker and harder changes are not")
  func texture() throws {
    func gain(_ wave: Double, _ amount: Float, at level: Double = -1) throws -> Double {
      let own = { (x: Int) in 0.12 * sin(2 * .pi * Double(x) / wave) }
      let change = try change({ level + own($0) }, amount)
      // The part of the change that goes with the wave.
      let range = 200..<1800
      let product = range.reduce(0) { $0 + change[$1] * own($1) }
      return 1 + product / range.reduce(0) { $0 + own($1) * own($1) }
    }
    let (strong, soft) = (try gain(9, 100), try gain(9, -100))
    #expect(strong > 1.4 && strong < 2.2, "\(strong)")
    #expect(soft > 0.1 && soft < 0.7, "\(soft)")
    #expect(abs(try gain(150, 100) - 1) < 0.1)
    #expect(abs(try gain(9, 100, at: -8) - 1) < 0.05)
    for step in [1.0, 2, 4] {
      let edge = try change({ -step * 0.5 * (1 - erf((Double($0) - 1024) / 2)) }, 100)
      let halo = (12..<200).map { max(abs(edge[1024 - $0]), abs(edge[1024 + $0])) }.max() ?? 1
      #expect(halo <= 0.05, "\(step) EV: \(halo)")
    }
  }
}
