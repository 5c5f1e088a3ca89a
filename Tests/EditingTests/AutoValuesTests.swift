import LibraryTestSupport
import Libc
import Safelight
import Testing

@testable import Editing

/// Automatic values against what was done to pictures before.
@Suite("Automatic values")
struct AutoValuesTests {
  /// A picture of varied surfaces, under a filter's light.
  static func picture(seed: Int, through filters: [any Filter] = []) throws -> PixelBuffer {
    let size = PixelSize(width: 240, height: 160)
    let buffer = try PixelBuffer(size: size, format: .rgba8)
    func level(_ x: Int, _ y: Int, _ channel: Int) -> Double {
      // Different waves for each channel and picture: hues of all kinds, edges everywhere.
      let (u, v) = (Double(x / 10), Double(y / 10))
      let common = sin(u * 1.7 + Double(seed)) * cos(v * 2.3 - Double(seed)) + 0.4 * sin(u * v)
      let own = sin(u * (0.9 + 0.4 * Double(channel)) + v * 1.3 + Double(seed * (channel + 1)))
      return 0.16 * exp(1.1 * common + 0.15 * own)
    }
    for y in 0..<size.height {
      let row = buffer.row(y, as: UInt8.self)
      for x in 0..<size.width {
        for channel in 0..<3 {
          let code = 255 * ColorSpace.sRGB.transfer[0].encode(min(level(x, y, channel), 0.97))
          row[4 * x + channel] = UInt8(code.rounded())
        }
        row[4 * x + 3] = 255
      }
    }
    guard !filters.isEmpty else { return buffer }
    let renderer = CPURenderer()
    let plan = try renderer.plan(Recipe(filters: filters), input: PlanInput(size: size), output: PlanOutput())
    return try renderer.render(buffer, through: plan)
  }

  static func values(
    of buffer: PixelBuffer, _ kinds: Set<AutoValues.Kind>, joining recipe: Recipe = Recipe(),
    given: (any Filter) -> any Filter = { $0 }
  ) throws -> AutoValues {
    let proxy = AnalysisProxy()
    try proxy.update(from: buffer)
    return try AutoValues(LinearColors(proxy, of: buffer), finding: kinds, joining: recipe, given: given)
  }

  static func balance(_ values: AutoValues) -> WhiteBalance {
    values.filters.lazy.compactMap { $0 as? WhiteBalance }.first ?? WhiteBalance()
  }

  /// Degrees between a working-space colour and neutral, as linear sRGB: the field's angular error.
  static func angle(_ color: SIMD3<Double>) -> Double {
    let rgb = ColorSpace.linearRec2020.matrix(to: .linearSRGB) * color
    return acos(min(rgb.sum() / ((rgb * rgb).sum() * 3).squareRoot(), 1)) * 180 / .pi
  }

  @Test("Most of a cast that white balance itself made is taken away again")
  func casts() throws {
    let casts = [
      WhiteBalance(temperature: 4500), WhiteBalance(temperature: 5200, tint: 15),
      WhiteBalance(temperature: 9000), WhiteBalance(temperature: 8000, tint: -20),
      WhiteBalance(temperature: 6500, tint: 25),
    ]
    var (before, after) = (0.0, 0.0)
    for seed in 0..<4 {
      let plain = Self.balance(try Self.values(of: Self.picture(seed: seed), [.whiteBalance]))
      for cast in casts {
        let found = Self.balance(
          try Self.values(of: Self.picture(seed: seed, through: [cast]), [.whiteBalance]))
        // Against what is found without the cast: surfaces are not neutral on average.
        let neutral = plain.matrix.inverse * SIMD3(repeating: 1.0)
        before += Self.angle(cast.matrix * SIMD3(repeating: 1))
        after += Self.angle(found.matrix * (cast.matrix * neutral))
      }
    }
    #expect(after < 0.5 * before, "\(before / 20)° before, \(after / 20)° after")
  }

  @Test("Exposure brings a picture rendered at -2…2 EV near itself again")
  func exposures() throws {
    for seed in 0..<3 {
      var after: [Float] = []
      for stops: Float in [-2, -1, 0, 1, 2] {
        let values = try Self.values(
          of: Self.picture(seed: seed, through: [Exposure(stops: stops)]), [.exposure])
        let found = values.filters.lazy.compactMap { $0 as? Exposure }.first
        after.append(stops + (found?.stops ?? 0))
      }
      // Four stops apart before.
      #expect((after.max() ?? 9) - (after.min() ?? -9) < 2, "\(after)")
      #expect((after[..<4].max() ?? 9) - (after[..<4].min() ?? -9) < 1.2, "\(after)")
    }
  }

  @Test("Values are steps that people use, within their filters' ranges, and neutral filters are left out")
  func steps() throws {
    for seed in 0..<6 {
      let values = try Self.values(
        of: Self.picture(seed: seed, through: [Exposure(stops: -1), WhiteBalance(temperature: 7500)]),
        Set(AutoValues.Kind.allCases))
      #expect(!values.filters.isEmpty && values.reasons.count == 3)
      for filter in values.filters {
        try filter.validate()
        let parameters = type(of: filter).parameters
        #expect(!parameters.allSatisfy { $0.isNeutral(in: filter) })
        for parameter in parameters {
          guard case .number(let number) = parameter.value(in: filter) else { continue }
          let step = parameter.name == "stops" ? 100.0 : parameter.name == "temperature" ? 0.1 : 1
          #expect(abs(number * step - (number * step).rounded()) < 1e-6, "\(parameter.name) \(number)")
        }
      }
      let phases = values.filters.map { type(of: $0).phase }
      #expect(phases == phases.sorted())
    }
  }

  @Test("Only what is asked for is found")
  func kinds() throws {
    let picture = try Self.picture(
      seed: 1, through: [Exposure(stops: -1.5), WhiteBalance(temperature: 8500)])
    #expect(try Self.values(of: picture, []).filters.isEmpty)
    let exposure = try Self.values(of: picture, [.exposure])
    #expect(exposure.filters.map { type(of: $0).id } == ["exposure"] && exposure.reasons.keys.count == 1)
    let balance = try Self.values(of: picture, [.whiteBalance])
    #expect(balance.filters.map { type(of: $0).id } == ["white-balance"])
    let tone = try Self.values(of: picture, [.tone])
    #expect(
      tone.filters.allSatisfy { ["tone", "contrast"].contains(type(of: $0).id) } && !tone.filters.isEmpty)
  }

  /// The numbers of the filters found, by their flags; tone in its own steps, light as mired.
  private func numbers(_ values: AutoValues) -> [String: Double] {
    var numbers: [String: Double] = [:]
    for type in [Exposure.self, WhiteBalance.self, Tone.self, Contrast.self] as [any Filter.Type] {
      let filter = values.filters.first { Swift.type(of: $0) == type } ?? type.init()
      for parameter in type.parameters {
        guard case .number(let number) = parameter.value(in: filter), let flag = parameter.flag else {
          continue
        }
        numbers[flag] = flag == "temperature" ? 1e6 / number : number
      }
    }
    return numbers
  }

  @Test("A photo gives the same values at full size and at half of it, stored as JPEG or PNG")
  func sizes() throws {
    let scratch = try Scratch()
    let picture = try Self.picture(seed: 4, through: [WhiteBalance(temperature: 5000), Exposure(stops: -1)])
    let renderer = CPURenderer()
    func sample(_ longEdge: Int, _ name: String) throws -> PhotoSample {
      let plan = try renderer.plan(
        Recipe(filters: [Resize(longEdge: longEdge)]), input: PlanInput(size: picture.size),
        output: PlanOutput())
      let resized = try renderer.render(picture, through: plan)
      let writer = try PhotoWriter(to: scratch(name), size: resized.size, quality: 92, tags: resized.tags)
      try writer.write(resized)
      try writer.finish()
      return try PhotoSample(contentsOf: scratch(name))
    }
    // Decoding at a reduced size is what is tested: of the larger, not of the smaller.
    let edge = PhotoSample.longEdge
    for format in ["jpg", "png"] {
      let samples = try [2 * edge, edge].map { try sample($0, "\($0).\(format)") }
      #expect(samples.map(\.size.longEdge) == [2 * edge, edge])
      #expect(samples.map(\.buffer.size.longEdge) == [edge, edge])
      let found = try samples.map { numbers(try AutoValues($0, finding: Set(AutoValues.Kind.allCases))) }
      for (flag, number) in found[0] {
        // EV; mired; steps of a hundred.
        let tolerance = flag == "exposure" ? 0.05 : flag == "temperature" ? 3 : 2.0
        #expect(abs(number - (found[1][flag] ?? .nan)) <= tolerance, "\(format) \(flag): \(found)")
      }
      #expect(found[0]["exposure"] ?? 0 > 0.3 && found[0].count == 8, "\(found)")
    }
  }

  @Test("The dark end goes to where 8 bits end, or to half of its light, through lifted shadows and contrast")
  func darkEnd() throws {
    for darkest in [0.0024, 0.0026, 0.0028] {
      // Greys, many of them bright: shadows are lifted by less than the added contrast takes back.
      let picture = try PixelBuffer(size: PixelSize(width: 240, height: 8), format: .rgba16)
      for y in 0..<8 {
        for x in 0..<240 {
          let level = darkest * pow(0.9 / darkest, (Double(x) / 239).squareRoot())
          let code = UInt16(65_535 * ColorSpace.sRGB.transfer[0].encode(level))
          for channel in 0..<4 {
            picture.row(y, as: UInt16.self)[4 * x + channel] = channel < 3 ? code : 65_535
          }
        }
      }
      let proxy = AnalysisProxy()
      try proxy.update(from: picture)
      let colors = try LinearColors(proxy, of: picture)
      let light = LightDistribution(colors)
      let tone = AutoTone(light)
      try #require(tone.shadows > 5 && tone.blacks < -1 && tone.blacks > -29, "\(tone)")
      func grey(_ blacks: Double) -> Double {
        let e = light.luminance(atPercentile: 0.005)
        let regions = LocalLight.regions(
          at: e, highlights: tone.highlights / 100, shadows: tone.shadows / 100)
        let level = 0.18 * exp2(e + regions)
        let curve = ToneCurve(whites: tone.whites / 100, blacks: blacks / 100)
        return 0.18 * pow(curve.evaluate(SIMD3(repeating: level)).x / 0.18, exp2(tone.contrast / 100))
      }
      let end = grey(tone.blacks)
      #expect(abs(end / max(0.0025, grey(0) / 2) - 1) < 0.001, "\(darkest): \(end)")
    }
  }

  @Test("Pictures of one colour are left as they are")
  func flat() throws {
    for color in [[0, 0, 0], [255, 255, 255], [128, 128, 128], [20, 160, 60]] as [[UInt8]] {
      let values = try Self.values(of: makePlain(color + [255]), Set(AutoValues.Kind.allCases))
      #expect(values.filters.isEmpty, "\(values.filters)")
      #expect(values.reasons[.exposure] == "uniform brightness")
    }
  }
}
