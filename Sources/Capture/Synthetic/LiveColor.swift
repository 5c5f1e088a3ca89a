import Libc

/// Luma and chroma as sent by webcams: ITU-R BT.601, limited range, 8 bits.
enum LiveColor {
  /// Returns Y, Cb, Cr code values (Y 16…235, Cb and Cr 16…240), unrounded, for encoded R, G, B in 0…1.
  /// Source: ITU-R BT.601-7, 2.5.1 and 2.5.3.
  @inline(__always)
  static func codes(_ rgb: SIMD3<Float>) -> SIMD3<Float> {
    let y = 0.299 * rgb.x + 0.587 * rgb.y + 0.114 * rgb.z
    return SIMD3(16 + 219 * y, 128 + 224 * (rgb.z - y) / 1.772, 128 + 224 * (rgb.x - y) / 1.402)
  }

  /// Returns the inverse of `codes`.
  static func rgb(_ codes: SIMD3<Float>) -> SIMD3<Float> {
    let y = (codes.x - 16) / 219
    let (cb, cr) = ((codes.y - 128) / 224, (codes.z - 128) / 224)
    return SIMD3(
      y + 1.402 * cr, y - (0.114 * 1.772 * cb + 0.299 * 1.402 * cr) / 0.587, y + 1.772 * cb)
  }
}

/// Changes the light on a picture in Y, Cb, Cr.
///
/// sRGB's encoding (IEC 61966-2-1) is 1.055 · L^(1/2.4) − 0.055 above its darkest codes, so a gain g on light is
/// linear on codes, c ↦ g^(1/2.4) · (c + 0.055) − 0.055, and three such functions form one affine map of Y, Cb,
/// Cr. The scene's haze keeps it out of the codes where this does not hold.
struct LiveLight: Sendable {
  private typealias Lanes = SIMD8<Int16>

  /// Rows of the map minus the identity, in units of 1/256, which keeps sums of products within 16 bits; luma and
  /// chroma are relative to 128. The last entry is the offset, including the half for rounding.
  private let y: SIMD4<Int16>
  private let cb: SIMD4<Int16>
  private let cr: SIMD4<Int16>

  /// Gains that the arithmetic can represent.
  static let gains: ClosedRange<Float> = 0.5...2

  /// - Parameter gain: linear gains on R, G, B, each within `gains`.
  init(gain: SIMD3<Float>) {
    func lit(_ codes: SIMD3<Float>) -> SIMD3<Float> {
      var rgb = LiveColor.rgb(codes)
      for channel in 0..<3 { rgb[channel] = pow(gain[channel], 1 / 2.4) * (rgb[channel] + 0.055) - 0.055 }
      return LiveColor.codes(rgb)
    }
    let origin = SIMD3<Float>(repeating: 128)
    let offset = lit(origin)
    func row(_ channel: Int) -> SIMD4<Int16> {
      var row = SIMD4<Int16>()
      for input in 0..<3 {
        var step = origin
        step[input] += 64
        let slope = (lit(step)[channel] - offset[channel]) / 64 - (input == channel ? 1 : 0)
        row[input] = Int16((slope * 256).rounded())
      }
      row[3] = Int16(((offset[channel] - 128) * 256 + 128).rounded())
      return row
    }
    (y, cb, cr) = (row(0), row(1), row(2))
  }

  /// Applies the light in place to a 4:2:2 row: `luma` has one byte per pixel, `chroma` Cb and Cr for every two
  /// pixels.
  ///
  /// - Parameter count: the number of pixels, even. Up to seven more may be changed.
  func apply(luma: UnsafeMutablePointer<UInt8>, chroma: UnsafeMutablePointer<UInt8>, count: Int) {
    // Luma lanes are pixels; chroma lanes alternate Cb and Cr, and so do their weights.
    func lanes(_ even: Int16, _ odd: Int16) -> Lanes { Lanes(even, odd, even, odd, even, odd, even, odd) }
    let (yy, yu, yv, y1) = (lanes(y[0], y[0]), lanes(y[1], y[1]), lanes(y[2], y[2]), lanes(y[3], y[3]))
    let (own, other) = (lanes(cb[1], cr[2]), lanes(cb[2], cr[1]))
    let (bright, c1) = (lanes(cb[0], cr[0]), lanes(cb[3], cr[3]))
    let low = SIMD4<UInt32>(repeating: 0xFFFF)
    var x = 0
    while x < count {
      let brightness = Self.load(luma + x)
      let color = Self.load(chroma + x)
      let pairs = unsafeBitCast(color, to: SIMD4<UInt32>.self)
      let u = unsafeBitCast((pairs & low) | (pairs &<< 16), to: Lanes.self)
      let v = unsafeBitCast((pairs &>> 16) | (pairs & ~low), to: Lanes.self)
      let swapped = unsafeBitCast((pairs &>> 16) | (pairs &<< 16), to: Lanes.self)
      let neighbors = unsafeBitCast(brightness, to: SIMD4<UInt32>.self)
      let mean = (brightness &+ unsafeBitCast((neighbors &>> 16) | (neighbors &<< 16), to: Lanes.self)) &>> 1
      let lumaChange = (brightness &* yy &+ u &* yu &+ v &* yv &+ y1) &>> 8
      let colorChange = (color &* own &+ swapped &* other &+ mean &* bright &+ c1) &>> 8
      Self.store(brightness &+ lumaChange, upTo: 235, luma + x)
      Self.store(color &+ colorChange, upTo: 240, chroma + x)
      x &+= 8
    }
  }

  /// Loads samples relative to 128.
  @inline(__always)
  private static func load(_ row: UnsafePointer<UInt8>) -> Lanes {
    Lanes(truncatingIfNeeded: UnsafeRawPointer(row).loadUnaligned(as: SIMD8<UInt8>.self)) &- 128
  }

  @inline(__always)
  private static func store(_ value: Lanes, upTo ceiling: Int16, _ row: UnsafeMutablePointer<UInt8>) {
    // Minimum and maximum use the sign of a difference: comparing vectors compiles to a loop over lanes.
    let over = value &+ (128 &- ceiling)
    let limited = Lanes(repeating: ceiling) &+ (over & (over &>> 15))
    let above = limited &- 16
    let code = limited &- (above & (above &>> 15))
    UnsafeMutableRawPointer(row).storeBytes(
      of: SIMD8<UInt8>(truncatingIfNeeded: code), as: SIMD8<UInt8>.self)
  }
}
