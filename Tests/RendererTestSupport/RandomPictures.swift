import FilterGraph
import Filters
import FrameCore
import TestSupport

package enum RandomPicture {
  /// Noise with extremes: a quarter of all samples are at the ends of the range.
  package static func noise(
    _ size: PixelSize, _ format: PixelFormat, alpha: AlphaMode = .opaque, using random: inout SeededRandom
  ) throws -> PixelBuffer {
    let buffer = try PixelBuffer(size: size, format: format, alpha: alpha)
    for y in 0..<size.height {
      for x in 0..<size.width {
        for channel in 0..<4 {
          let extreme = random.next() % 4 == 0
          let value =
            channel == 3 && alpha == .opaque
            ? 1 : extreme ? Double(random.next() % 2) : Double.random(in: 0...1, using: &random)
          set(value, buffer, x, y, channel)
        }
      }
    }
    return buffer
  }

  /// Smooth colours, as photos mostly are.
  package static func gradient(_ size: PixelSize, _ format: PixelFormat) throws -> PixelBuffer {
    let buffer = try PixelBuffer(size: size, format: format)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (u, v) = (Double(x) / Double(max(1, size.width - 1)), Double(y) / Double(max(1, size.height - 1)))
        for (channel, value) in [u, v, 1 - (u + v) / 2, 1].enumerated() { set(value, buffer, x, y, channel) }
      }
    }
    return buffer
  }

  package static func set(_ value: Double, _ buffer: PixelBuffer, _ x: Int, _ y: Int, _ channel: Int) {
    switch buffer.format {
    case .rgba8: buffer.row(y, as: UInt8.self)[4 * x + channel] = UInt8((value * 255).rounded())
    case .rgba16: buffer.row(y, as: UInt16.self)[4 * x + channel] = UInt16((value * 65_535).rounded())
    default: buffer.row(y, as: Float.self)[4 * x + channel] = Float(value)
    }
  }

  package static func get(_ buffer: PixelBuffer, _ x: Int, _ y: Int, _ channel: Int) -> Double {
    switch buffer.format {
    case .rgba8: Double(buffer.row(y, as: UInt8.self)[4 * x + channel])
    case .rgba16: Double(buffer.row(y, as: UInt16.self)[4 * x + channel])
    default: Double(buffer.row(y, as: Float.self)[4 * x + channel])
    }
  }

  /// The largest difference of two pictures of one size and format, in codes (or in units of 1.0 for float).
  /// Colour counts by how much it covers: what is transparent has none.
  package static func largestDifference(_ a: PixelBuffer, _ b: PixelBuffer) -> (value: Double, x: Int, y: Int)
  {
    var worst = (value: 0.0, x: 0, y: 0)
    for y in 0..<a.height {
      for x in 0..<a.width {
        for channel in 0..<4 {
          let full = a.format == .rgba8 ? 255.0 : a.format == .rgba16 ? 65_535 : 1
          let coverage = channel == 3 || a.alpha == .opaque ? 1 : max(get(a, x, y, 3), get(b, x, y, 3)) / full
          let difference = abs(get(a, x, y, channel) - get(b, x, y, channel)) * coverage
          if difference > worst.value || difference.isNaN { worst = (difference, x, y) }
        }
      }
    }
    return worst
  }
}

package enum RandomRecipe {
  package static func color(using random: inout SeededRandom, count: Int) -> [any Filter] {
    (0..<count).map { _ in
      switch random.next() % 4 {
      case 0: Exposure(stops: Float.random(in: -1.5...1.5, using: &random))
      case 1:
        WhiteBalance(
          temperature: Float.random(in: 4000...9000, using: &random),
          tint: Float.random(in: -40...40, using: &random))
      case 2: Contrast(Float.random(in: -40...40, using: &random))
      default: Saturation(Float.random(in: -100...60, using: &random))
      }
    }
  }

  /// Curves, levels, changes by hue and grading.
  package static func tools(using random: inout SeededRandom, count: Int) -> [any Filter] {
    func amount(_ range: ClosedRange<Float> = -60...60) -> Float { Float.random(in: range, using: &random) }
    func points() -> [SIMD2<Double>] {
      let count = Int.random(in: 2...6, using: &random)
      return (0...count).map { index -> SIMD2<Double> in
        let x = Double(index) / Double(count)
        return SIMD2(x, min(max(x + Double.random(in: -0.5...0.5, using: &random) / Double(count), 0), 1))
      }
    }
    return (0..<count).map { _ -> any Filter in
      switch random.next() % 11 {
      case 0: return PointCurve(points())
      case 1: return PointCurve(luminance: points())
      case 2: return PointCurve(red: points(), blue: points())
      case 3:
        return Levels(
          black: amount(0...15), white: amount(80...100), gamma: amount(0.7...1.5),
          outputBlack: amount(0...10))
      case 4: return Fade(amount(1...100))
      case 5: return Vibrance(amount())
      case 6: return Hue(amount(-180...180))
      case 7:
        var hsl = HSL()
        hsl.bands.orange = HSL.Band(hue: amount(), saturation: amount(), lightness: amount())
        hsl.bands.blue = HSL.Band(hue: amount(), saturation: amount(), lightness: amount())
        return hsl
      case 8:
        var mix = BlackAndWhite(amount(30...100))
        (mix.bands.red, mix.bands.blue, mix.bands.green) = (amount(), amount(), amount())
        return mix
      case 9:
        return Grading(
          shadows: Grading.Wheel(hue: amount(0...360), saturation: amount(0...100), luminance: amount()),
          highlights: Grading.Wheel(hue: amount(0...360), saturation: amount(0...100), luminance: amount()),
          blending: amount(0...100), balance: amount())
      default:
        return CDL(
          slope: CDL.Slope(Double(amount(0.8...1.3)), 1, 0.9), offset: CDL.Offset(0, 0.02, -0.01),
          power: CDL.Power(1, Double(amount(0.8...1.2)), 1), saturation: amount(0...1.5))
      }
    }
  }

  package static func geometry(using random: inout SeededRandom) -> [any Filter] {
    var filters: [any Filter] = []
    if random.next() % 2 == 0 {
      filters.append(Rotate(Rotate.Turn.allCases.randomElement(using: &random) ?? .none))
    }
    if random.next() % 3 == 0 { filters.append(Flip(random.next() % 2 == 0 ? .horizontal : .vertical)) }
    if random.next() % 2 == 0 {
      filters.append(
        Straighten(
          Float.random(in: -45...45, using: &random), corners: random.next() % 3 == 0 ? .keep : .crop))
    }
    if random.next() % 2 == 0 {
      filters.append(
        Crop(
          .proportions(
            width: Double.random(in: 0.5...2, using: &random), height: 1,
            x: Double.random(in: 0...1, using: &random),
            y: Double.random(in: 0...1, using: &random))))
    }
    if random.next() % 2 == 0 { filters.append(Resize(longEdge: Int.random(in: 1...150, using: &random))) }
    return filters
  }
}
