/// Smooth pseudo-random fields from one seed: a lattice of hashed values, tiled, with quintic interpolation.
///
/// Quintic fade: Ken Perlin, "Improving Noise", 2002; its second derivative is continuous, so lit waves show no
/// lattice. The hash is the finalizer of MurmurHash3 (Austin Appleby, public domain).
struct SceneNoise: Sendable {
  /// Lattice points an edge; a power of two, so that wrapping is a mask.
  private static let edge = 128
  /// After how many units along either axis the field repeats.
  static let period = Double(edge)
  private static let mask = Int32(edge - 1)
  private let lattice: [Float]
  private let seed: UInt32

  init(seed: UInt32) {
    self.seed = seed
    lattice = (0..<UInt32(Self.edge * Self.edge)).map { Self.uniform(Self.hash($0 ^ Self.hash(seed))) }
  }

  static func hash(_ value: UInt32) -> UInt32 {
    var h = value &+ 0x9E37_79B9
    h = (h ^ (h >> 16)) &* 0x85EB_CA6B
    h = (h ^ (h >> 13)) &* 0xC2B2_AE35
    return h ^ (h >> 16)
  }

  /// 0 ..< 1.
  private static func uniform(_ bits: UInt32) -> Float { Float(bits >> 8) * 0x1p-24 }

  /// Noise of triangular density within ±1 code for each channel: with it, the mean of many 8-bit pixels is the
  /// value that was meant, and the error's size does not depend on the value.
  @inline(__always)
  func dither(_ x: Int, _ y: Int) -> SIMD3<Float> {
    var bits = Self.hash(UInt32(truncatingIfNeeded: x) &+ UInt32(truncatingIfNeeded: y) &* 65_537 ^ seed)
    var noise = SIMD3<Float>()
    for channel in 0..<3 {
      noise[channel] = Float(bits & 0xFFFF) * 0x1p-16 - Float(bits >> 16) * 0x1p-16
      bits = bits &* 0x9E37_79B9 &+ 0x7F4A_7C15
      bits ^= bits >> 15
    }
    return noise
  }

  /// Arguments stay far below 2³¹. `Float.rounded` is a call into libm where the baseline is SSE2.
  @inline(__always)
  private func floor(_ x: Float) -> Int32 {
    let truncated = Int32(x)
    return Float(truncated) > x ? truncated &- 1 : truncated
  }

  @inline(__always)
  private func corners(_ x: Float, _ y: Float) -> (SIMD4<Float>, Float, Float) {
    let (column, row) = (floor(x), floor(y))
    let i = column & Self.mask
    let j = row & Self.mask
    let right = Int((i &+ 1) & Self.mask)
    let (top, bottom) = (Int(j) << 7, Int((j &+ 1) & Self.mask) << 7)
    return lattice.withUnsafeBufferPointer {
      (
        SIMD4($0[top + Int(i)], $0[top + right], $0[bottom + Int(i)], $0[bottom + right]), x - Float(column),
        y - Float(row)
      )
    }
  }

  /// 0…1, mean 0.5; one lattice cell a unit.
  @inline(__always)
  func value(_ x: Float, _ y: Float) -> Float {
    let (c, u, v) = corners(x, y)
    let (a, b) = (fade(u), fade(v))
    let top = c.x + (c.y - c.x) * a
    let bottom = c.z + (c.w - c.z) * a
    return top + (bottom - top) * b
  }

  /// The slope of `value` along x and y.
  @inline(__always)
  func slope(_ x: Float, _ y: Float) -> SIMD2<Float> {
    let (c, u, v) = corners(x, y)
    let (a, b) = (fade(u), fade(v))
    let da = 30 * u * u * (u * (u - 2) + 1)
    let db = 30 * v * v * (v * (v - 2) + 1)
    let twist = c.x - c.y - c.z + c.w
    return SIMD2(da * (c.y - c.x + twist * b), db * (c.z - c.x + twist * a))
  }

  /// A sum of `octaves` fields, each turned, of twice the frequency and half the height; 0…1, mean 0.5.
  @inline(__always)
  func fractal(_ x: Float, _ y: Float, octaves: Int) -> Float {
    var (x, y) = (x, y)
    var (sum, height, total): (Float, Float, Float) = (0, 0.5, 0)
    for _ in 0..<octaves {
      sum += height * value(x, y)
      total += height
      height *= 0.5
      // 2 · a rotation by 36.87°, which has rational entries.
      (x, y) = (1.6 * x - 1.2 * y + 17.3, 1.2 * x + 1.6 * y + 5.1)
    }
    return sum / total
  }

  @inline(__always)
  private func fade(_ t: Float) -> Float { t * t * t * (t * (t * 6 - 15) + 10) }
}

/// Hermite step: 0 at `low`, 1 at `high`, level at both; `low` may be above `high`.
@inline(__always)
func smoothstep(_ low: Float, _ high: Float, _ x: Float) -> Float {
  let t = min(max((x - low) / (high - low), 0), 1)
  return t * t * (3 - 2 * t)
}

@inline(__always)
func mix(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ t: Float) -> SIMD3<Float> { a + (b - a) * t }
