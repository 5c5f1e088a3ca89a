#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Luma and colour differences as webcams send them: ITU-R BT.601, limited range, 8 bit.
enum LiveColor {
  /// Y, Cb, Cr as code values (Y 16…235, Cb and Cr 16…240), not rounded, of encoded R, G, B in 0…1.
  /// Source: ITU-R BT.601-7, 2.5.1 and 2.5.3.
  @inline(__always)
  static func codes(_ rgb: SIMD3<Float>) -> SIMD3<Float> {
    let y = 0.299 * rgb.x + 0.587 * rgb.y + 0.114 * rgb.z
    return SIMD3(16 + 219 * y, 128 + 224 * (rgb.z - y) / 1.772, 128 + 224 * (rgb.x - y) / 1.402)
  }

  /// The inverse of `codes`.
  static func rgb(_ codes: SIMD3<Float>) -> SIMD3<Float> {
    let y = (codes.x - 16) / 219
    let (cb, cr) = ((codes.y - 128) / 224, (codes.z - 128) / 224)
    return SIMD3(
      y + 1.402 * cr, y - (0.114 * 1.772 * cb + 0.299 * 1.402 * cr) / 0.587, y + 1.772 * cb)
  }
}

/// Another light on a picture in Y, Cb, Cr.
///
/// sRGB's encoding (IEC 61966-2-1) is 1.055 · L^(1/2.4) − 0.055 above its darkest codes, so a gain g on light is a
/// straight line on codes, c ↦ g^(1/2.4) · (c + 0.055) − 0.055, and three such lines are one affine map of Y, Cb, Cr.
/// The scene's haze keeps it out of the codes where this does not hold.
struct LiveLight: Sendable {
  /// Rows of the map, in 1/4096; luma and colour differences are taken from 128.
  private let y: SIMD4<Int32>
  private let cb: SIMD4<Int32>
  private let cr: SIMD4<Int32>

  /// - Parameter gain: linear gains on R, G, B.
  init(gain: SIMD3<Float>) {
    func lit(_ codes: SIMD3<Float>) -> SIMD3<Float> {
      var rgb = LiveColor.rgb(codes)
      for channel in 0..<3 { rgb[channel] = pow(gain[channel], 1 / 2.4) * (rgb[channel] + 0.055) - 0.055 }
      return LiveColor.codes(rgb)
    }
    let origin = SIMD3<Float>(repeating: 128)
    let offset = lit(origin)
    func row(_ channel: Int) -> SIMD4<Int32> {
      var row = SIMD4<Int32>()
      for input in 0..<3 {
        var step = origin
        step[input] += 64
        row[input] = Int32(((lit(step)[channel] - offset[channel]) * 64).rounded())
      }
      row[3] = Int32((offset[channel] * 4096).rounded()) + 2048
      return row
    }
    (y, cb, cr) = (row(0), row(1), row(2))
  }

  /// Applies the light to a row of 4:2:2 in place: `luma` a byte a pixel, `chroma` Cb and Cr of each two pixels.
  ///
  /// - Parameter count: pixels; even.
  func apply(luma: UnsafeMutablePointer<UInt8>, chroma: UnsafeMutablePointer<UInt8>, count: Int) {
    let (y, cb, cr) = (self.y, self.cb, self.cr)
    var x = 0
    while x < count {
      let (y0, y1) = (Int32(luma[x]) &- 128, Int32(luma[x &+ 1]) &- 128)
      let (u, v) = (Int32(chroma[x]) &- 128, Int32(chroma[x &+ 1]) &- 128)
      let both = y[1] &* u &+ y[2] &* v &+ y[3]
      let mean = (y0 &+ y1) >> 1
      luma[x] = UInt8(truncatingIfNeeded: max(16, min(235, (y[0] &* y0 &+ both) >> 12)))
      luma[x &+ 1] = UInt8(truncatingIfNeeded: max(16, min(235, (y[0] &* y1 &+ both) >> 12)))
      let blue = (cb[0] &* mean &+ cb[1] &* u &+ cb[2] &* v &+ cb[3]) >> 12
      let red = (cr[0] &* mean &+ cr[1] &* u &+ cr[2] &* v &+ cr[3]) >> 12
      chroma[x] = UInt8(truncatingIfNeeded: max(16, min(240, blue)))
      chroma[x &+ 1] = UInt8(truncatingIfNeeded: max(16, min(240, red)))
      x &+= 2
    }
  }
}
