import Libc
import Safelight

/// How often each lightness and each code of red, green and blue occurs in a picture.
struct StudioHistogram {
  /// By OKLab L, 0…1, in 256 steps, as the page counts it; then by codes.
  private(set) var lightness = [Int](repeating: 0, count: 256)
  private(set) var red = [Int](repeating: 0, count: 256)
  private(set) var green = [Int](repeating: 0, count: 256)
  private(set) var blue = [Int](repeating: 0, count: 256)
  /// The part of the pixels that are black, and of those with a channel at its upper end.
  private(set) var clippedLow = 0.0
  private(set) var clippedHigh = 0.0

  /// Every second pixel of every second row is counted.
  private static let step = 2

  /// - Parameters:
  ///   - picture: `rgba8`.
  ///   - screen: whose colour space it is in.
  init(_ picture: PixelBuffer, _ screen: StudioScreen) {
    let table = LightnessSteps.of(screen)
    var (low, high, count) = (0, 0, 0)
    for y in stride(from: 0, to: picture.height, by: Self.step) {
      let row = picture.planes[0].row(y).assumingMemoryBound(to: UInt8.self)
      for x in stride(from: 0, to: picture.width, by: Self.step) {
        let (r, g, b) = (Int(row[4 * x]), Int(row[4 * x + 1]), Int(row[4 * x + 2]))
        red[r] += 1
        green[g] += 1
        blue[b] += 1
        lightness[table.step(r, g, b)] += 1
        if max(r, g, b) == 0 { low += 1 }
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

/// Lightness of 8-bit colours by tables, since a cube root for each of a million pixels would be late.
private struct LightnessSteps {
  /// What each code of a channel adds to L, M and S, in 1/65536.
  private let cones: [SIMD4<Int32>]
  /// The cube root of each of these, times 256.
  private static let roots = (0...65_536).map { Float(256 * cbrt(Double($0) / 65_536)) }
  private static let weights = SIMD3<Float>(OKLab.labFromLMS.rows[0])

  private init(_ space: ColorSpace) {
    let toLMS = OKLab.lmsFromXYZ * space.toXYZ
    cones = (0..<3).flatMap { channel in
      (0..<256).map { code in
        var light = SIMD3<Double>()
        light[channel] = space.transfer[channel].decode(Double(code) / 255)
        let lms = SIMD3<Int32>((65_536 * (toLMS * light)).rounded(.toNearestOrEven))
        return SIMD4(lms, 0)
      }
    }
  }

  private static let sRGB = LightnessSteps(.sRGB)
  private static let displayP3 = LightnessSteps(.displayP3)

  static func of(_ screen: StudioScreen) -> LightnessSteps {
    switch screen {
    case .sRGB: sRGB
    case .displayP3: displayP3
    }
  }

  /// The step of OKLab L of a colour, 0…255.
  func step(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    let sum = cones[red] &+ cones[256 + green] &+ cones[512 + blue]
    let lms = sum.clamped(lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 65_536))
    let roots = SIMD3(Self.roots[Int(lms.x)], Self.roots[Int(lms.y)], Self.roots[Int(lms.z)])
    return min(255, max(0, Int((Self.weights * roots).sum())))
  }
}
