import ColorScience
import Filters
import FrameCore
import RendererTestSupport
import TestSupport
import Testing
import Libc

@testable import FilterGraph
@testable import Rendering

@Suite("Sharpening")
struct SharpeningTests {
  private let renderer = CPURenderer(threads: 2)

  @Test(
    "agrees with the reference, behind tables, fields and exact stages",
    arguments: [
      (PixelFormat.rgba8, AlphaMode.opaque), (.rgba8, .straight), (.rgba16, .opaque), (.rgba16, .straight),
      (.rgbaF32, .opaque), (.rgbaF32, .straight), (.yuyv422, .opaque), (.nv12, .opaque), (.gray8, .opaque),
    ])
  func equality(format: PixelFormat, alpha: AlphaMode) throws {
    try checkOnCPU(EqualityCases.sharpening(format, alpha), "\(format) \(alpha)")
  }

  @Test("agrees with the reference in small and narrow pictures")
  func small() throws { try checkOnCPU(EqualityCases.smallSharpening(), "small") }

  @Test("keeps NaN and what is infinite to its own pixel")
  func extremes() throws {
    let example = try EqualityCases.extremeSharpening()
    let (made, expected) = (
      try renderer.render(example.source, through: example.plan), try example.expected()
    )
    var strange = 0
    for y in 0..<made.height {
      for x in 0..<made.width {
        for channel in 0..<4 {
          let (a, b) = (RandomPicture.get(made, x, y, channel), RandomPicture.get(expected, x, y, channel))
          if !b.isFinite || abs(b) > 4 { strange += 1 }
          #expect(a == b || a.isNaN && b.isNaN || abs(a - b) <= example.bound * max(1, abs(b)), "\(x), \(y)")
        }
      }
    }
    #expect(strange == 6)
  }

  /// A smooth picture with fine texture.
  private func texture(_ size: PixelSize, _ format: PixelFormat = .rgba8) throws -> PixelBuffer {
    let buffer = try PixelBuffer(size: size, format: format)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let wave = sin(Double(x) * 0.9) * cos(Double(y) * 1.1) * 0.08
        let light = 0.25 + 0.5 * Double(x) / Double(size.width) + wave
        for (channel, part) in [1, 0.9, 0.7].enumerated() {
          RandomPicture.set(light * part, buffer, x, y, channel)
        }
        RandomPicture.set(1, buffer, x, y, 3)
      }
    }
    return buffer
  }

  private func plan(
    _ filters: [any Filter], _ source: PixelBuffer, output: PlanOutput = PlanOutput()
  ) throws -> Plan {
    try renderer.plan(Recipe(filters: filters), input: PlanInput(source), output: output)
  }

  @Test("changes nothing at neutral, byte for byte", arguments: [PixelFormat.rgba8, .rgba16, .rgbaF32])
  func neutral(format: PixelFormat) throws {
    let source = try texture(PixelSize(width: 97, height: 40), format)
    let sharpened = try plan(
      [Sharpen(0, radius: 3, detail: 90, masking: 10)], source, output: PlanOutput(format: format))
    #expect(sharpened.stages.isEmpty && sharpened.segments.count == 1)
    let made = try renderer.render(source, through: sharpened)
    #expect(RandomPicture.largestDifference(made, source).value == 0)
  }

  @Test("leaves flat pictures as they are", arguments: [PixelFormat.rgba8, .rgba16])
  func flat(format: PixelFormat) throws {
    for code in stride(from: 0, through: 255, by: 15) {
      let source = try PixelBuffer(size: PixelSize(width: 300, height: 70), format: format)
      for y in 0..<70 {
        for x in 0..<300 {
          for channel in 0..<4 {
            RandomPicture.set(channel == 3 ? 1 : Double(code) / 255, source, x, y, channel)
          }
        }
      }
      let sharpen = Sharpen(150, radius: 2, detail: 100, output: .print)
      let made = try renderer.render(
        source, through: plan([sharpen], source, output: PlanOutput(format: format)))
      #expect(RandomPicture.largestDifference(made, source).value == 0, "\(code)")
    }
  }

  @Test("moves a pixel further with every step of the amount")
  func monotone() throws {
    let source = try texture(PixelSize(width: 120, height: 80), .rgbaF32)
    let output = PlanOutput(format: .rgbaF32)
    let pictures = try [0, 10, 25, 50, 100, 150].map { amount in
      try renderer.render(source, through: plan([Sharpen(Float(amount))], source, output: output))
    }
    var moved = 0
    for y in 0..<80 {
      for x in 0..<120 {
        let values = pictures.map { RandomPicture.get($0, x, y, 1) }
        let steps = zip(values, values.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 >= -1e-6 } || steps.allSatisfy { $0 <= 1e-6 }, "\(x), \(y): \(values)")
        if steps.allSatisfy({ abs($0) > 1e-4 }) { moved += 1 }
      }
    }
    #expect(moved > 1000)
  }

  @Test("keeps hue: all channels move alike")
  func channels() throws {
    let source = try texture(PixelSize(width: 60, height: 40), .rgbaF32)
    let made = try renderer.render(
      source, through: plan([Sharpen(100)], source, output: PlanOutput(format: .rgbaF32)))
    for y in 0..<40 {
      for x in 0..<60 {
        let moves = (0..<3).map { RandomPicture.get(made, x, y, $0) - RandomPicture.get(source, x, y, $0) }
        #expect(abs(moves[0] - moves[1]) < 1e-6 && abs(moves[2] - moves[1]) < 1e-6)
      }
    }
  }

  @Test("of a crop is a crop of the sharpened, away from its borders")
  func crop() throws {
    let source = try texture(PixelSize(width: 400, height: 200))
    let filters: [any Filter] = [Saturation(20), Sharpen(120, radius: 2, detail: 70)]
    let whole = try renderer.render(source, through: plan(filters, source))
    let cropped = try plan([Crop(.rectangle(x: 57, y: 31, width: 240, height: 131))] + filters, source)
    let part = try renderer.render(source, through: cropped)
    let halo = try #require(cropped.sharpening?.halo)
    for y in halo..<131 - halo {
      for i in 4 * halo..<4 * (240 - halo) {
        #expect(part.row(y, as: UInt8.self)[i] == whole.row(y + 31, as: UInt8.self)[i + 4 * 57])
      }
    }
  }

  @Test("in bands is the same as at once", arguments: [1, 7, 64, 100], [0, 1, 2])
  func bands(rows: Int, geometry: Int) throws {
    let source = try texture(PixelSize(width: 320, height: 230))
    let turn: [any Filter] = [[], [Straighten(2)], [Resize(longEdge: 100)]][geometry]
    let plan = try plan(turn + [Exposure(stops: 0.3), Sharpen(90, radius: 2.2)], source)
    let whole = try renderer.render(source, through: plan)
    let picture = try renderer.prepare(plan).picture(of: source)
    for top in stride(from: 0, to: whole.height, by: rows) {
      let band = top..<min(top + rows, whole.height)
      let output = try PixelBuffer(size: PixelSize(width: whole.width, height: band.count), format: .rgba8)
      try picture.render(rows: band, into: output)
      for y in band {
        #expect(Array(output.row(y - top, as: UInt8.self)) == Array(whole.row(y, as: UInt8.self)))
      }
    }
  }

  @Test(
    "to luma and colour differences is that to RGBA, converted",
    arguments: [PixelFormat.i420, .nv12, .yuyv422, .gray8])
  func planes(format: PixelFormat) throws {
    let size = PixelSize(width: 523, height: 131)
    let source = try texture(size)
    for siting in [ColorTags.ChromaSiting.left, .center, .topLeft] {
      let tags = YCbCrEncoding(matrix: .bt709, range: .limited, siting: siting).tags(.sRGB)
      let filters: [any Filter] = [Exposure(stops: 0.2), Sharpen(130, radius: 2)]
      let plan = try plan(filters, source, output: PlanOutput(format: format, videoTags: tags))
      let made = try renderer.render(source, through: plan)
      let expected = try ReferenceRenderer(.optimized).render(source, through: plan)
      for plane in format.planes.indices {
        for y in 0..<made.planes[plane].rows {
          let (a, b) = (made.row(y, of: plane, as: UInt8.self), expected.row(y, of: plane, as: UInt8.self))
          #expect(zip(a, b).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(siting), plane \(plane), row \(y)")
        }
      }
    }
  }

  @Test("of tables is as near to exact colours as the tables are", arguments: [false, true])
  func tables(isNoisy: Bool) throws {
    let source = try texture(PixelSize(width: 200, height: 120))
    if isNoisy {
      var random = SeededRandom(seed: 30)
      for y in 0..<120 {
        let row = source.row(y, as: UInt8.self)
        for i in row.indices where i % 4 < 3 {
          row[i] = UInt8(clamping: Int(row[i]) + Int.random(in: -16...16, using: &random))
        }
      }
    }
    let colors = try EqualityCases.lookBehindColor() + [Sharpen(150, radius: 1, detail: 100)]
    let plan = try plan(colors, source)
    try #require(plan.stages.contains { if case .baked = $0 { true } else { false } })
    let tables = try renderer.render(source, through: plan)
    let exact = try ReferenceRenderer(.exact).render(source, through: plan)
    var worst = 0.0
    func color(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> SIMD3<Double> {
      SIMD3((0..<3).map { RandomPicture.get(buffer, x, y, $0) / 255 })
    }
    let difference = ColorDifference(space: .sRGB)
    for y in 0..<120 {
      for x in 0..<200 { worst = max(worst, difference(color(tables, x, y), color(exact, x, y))) }
    }
    // The bound of tables, and a level of rounding each.
    #expect(worst <= BakeError.maximumBound + 0.6, "\(worst)")
  }

  @Test("looks the same in a preview and in a full-size picture made smaller")
  func preview() throws {
    let source = try texture(PixelSize(width: 600, height: 400))
    let filters: [any Filter] = [Sharpen(100, radius: 3, detail: 50)]
    let small = try renderer.render(
      source, through: plan(filters, source, output: PlanOutput(size: PixelSize(width: 300, height: 200))))
    let large = try renderer.render(source, through: plan(filters, source))
    let shrunk = try renderer.render(large, through: plan([Resize(longEdge: 300)], large))
    let plain = try renderer.render(source, through: plan([Resize(longEdge: 300)], source))
    func energy(_ picture: PixelBuffer) -> Double {
      var sum = 0.0
      for y in 10..<190 {
        for x in 10..<290 {
          sum += abs(RandomPicture.get(picture, x, y, 1) - RandomPicture.get(picture, x + 1, y, 1))
        }
      }
      return sum
    }
    // What sharpening adds to the contrast of neighbours.
    let (gained, expected) = (energy(small) / energy(plain), energy(shrunk) / energy(plain))
    #expect(
      expected > 1.05 && abs(gained - expected) < 0.25 * (expected - 1) + 0.02, "\(gained), not \(expected)")
  }
}
