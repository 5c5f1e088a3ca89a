import Libc
import Safelight

/// How often each lightness and each code of red, green and blue occurs in a picture.
struct StudioHistogram {
  /// By L*, 0…100, in 256 steps; then by codes.
  private(set) var lightness = [Int](repeating: 0, count: 256)
  private(set) var red = [Int](repeating: 0, count: 256)
  private(set) var green = [Int](repeating: 0, count: 256)
  private(set) var blue = [Int](repeating: 0, count: 256)
  /// The part of the pixels with a channel at its end.
  private(set) var clippedLow = 0.0
  private(set) var clippedHigh = 0.0

  /// Every second pixel of every second row is counted.
  private static let step = 2
  /// The light of each sRGB code, in 1/65535 of its part of luminance.
  private static let light: (red: [Int32], green: [Int32], blue: [Int32]) = {
    func table(_ weight: Double) -> [Int32] {
      (0..<256).map { Int32((weight * 65_535 * TransferFunction.sRGB.decode(Double($0) / 255)).rounded()) }
    }
    // ITU-R BT.709.
    return (table(0.2126), table(0.7152), table(0.0722))
  }()
  /// The step of L* of each luminance, in 1/4095.
  private static let steps: [UInt8] = (0...4096).map { index in
    let y = Double(index) / 4096
    // CIE 15:2004.
    let lightness = y > 216.0 / 24_389 ? 116 * cbrt(y) - 16 : y * 24_389 / 27
    return UInt8(min(255, max(0, (lightness * 2.55).rounded())))
  }

  /// - Parameter picture: `rgba8` in sRGB.
  init(_ picture: PixelBuffer) {
    var (low, high, count) = (0, 0, 0)
    for y in stride(from: 0, to: picture.height, by: Self.step) {
      let row = picture.planes[0].row(y).assumingMemoryBound(to: UInt8.self)
      for x in stride(from: 0, to: picture.width, by: Self.step) {
        let (r, g, b) = (Int(row[4 * x]), Int(row[4 * x + 1]), Int(row[4 * x + 2]))
        red[r] += 1
        green[g] += 1
        blue[b] += 1
        let light = Self.light.red[r] + Self.light.green[g] + Self.light.blue[b]
        lightness[Int(Self.steps[min(4096, Int(light) >> 4)])] += 1
        if min(r, g, b) == 0 { low += 1 }
        if max(r, g, b) == 255 { high += 1 }
        count += 1
      }
    }
    guard count > 0 else { return }
    (clippedLow, clippedHigh) = (Double(low) / Double(count), Double(high) / Double(count))
  }

  var json: JSONValue {
    func list(_ counts: [Int]) -> JSONValue { .array(counts.map { .number($0) }) }
    func part(_ value: Double) -> JSONValue { .number((value * 1e5).rounded() / 1e5) }
    return .object([
      "lightness": list(lightness), "red": list(red), "green": list(green), "blue": list(blue),
      "clippedLow": part(clippedLow), "clippedHigh": part(clippedHigh),
    ])
  }
}
