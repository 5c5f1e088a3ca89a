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

  /// The corners of the lattice's cells around eight points, and where the points lie in them, 0…1.
  private struct Cells {
    var topLeft = SIMD8<Float>()
    var topRight = SIMD8<Float>()
    var bottomLeft = SIMD8<Float>()
    var bottomRight = SIMD8<Float>()
    let u: SIMD8<Float>
    let v: SIMD8<Float>
  }

  /// Only the first `count` points have corners; those of the others are 0. Arguments stay far below 2²².
  @inline(__always)
  private func cells(_ x: SIMD8<Float>, _ y: SIMD8<Float>, count: Int) -> Cells {
    // Added to a number, it leaves the nearest whole number in the lowest bits of the sum. A point on an edge
    // may be counted to the cell on either side: both give the same value.
    let toInteger = SIMD8<Float>(repeating: 0x1.8p23)
    let half = SIMD8<Float>(repeating: 0.5)
    let (column, row) = (x - half + toInteger, y - half + toInteger)
    let mask = SIMD8<Int32>(repeating: Self.mask)
    let left = unsafeBitCast(column, to: SIMD8<Int32>.self) & mask
    let top = unsafeBitCast(row, to: SIMD8<Int32>.self) & mask
    let one = SIMD8<Int32>(repeating: 1)
    let right = (left &+ one) & mask
    let (upper, lower) = (top &* Int32(Self.edge), ((top &+ one) & mask) &* Int32(Self.edge))
    var cells = Cells(u: x - (column - toInteger), v: y - (row - toInteger))
    lattice.withUnsafeBufferPointer { lattice in
      for lane in 0..<count {
        let (i, j) = (Int(left[lane]), Int(right[lane]))
        let (above, below) = (Int(upper[lane]), Int(lower[lane]))
        cells.topLeft[lane] = lattice[above + i]
        cells.topRight[lane] = lattice[above + j]
        cells.bottomLeft[lane] = lattice[below + i]
        cells.bottomRight[lane] = lattice[below + j]
      }
    }
    return cells
  }

  @inline(__always)
  private func values(_ x: SIMD8<Float>, _ y: SIMD8<Float>, count: Int) -> SIMD8<Float> {
    let c = cells(x, y, count: count)
    let (a, b) = (Self.fade(c.u), Self.fade(c.v))
    let top = c.topLeft + (c.topRight - c.topLeft) * a
    let bottom = c.bottomLeft + (c.bottomRight - c.bottomLeft) * a
    return top + (bottom - top) * b
  }

  /// 0…1, mean 0.5; one lattice cell a unit.
  @inline(__always)
  func value(_ x: Float, _ y: Float) -> Float {
    let (column, row) = (Self.floor(x), Self.floor(y))
    let (i, j) = (column & Self.mask, row & Self.mask)
    let right = Int((i &+ 1) & Self.mask)
    let (top, bottom) = (Int(j) * Self.edge, Int((j &+ 1) & Self.mask) * Self.edge)
    let (a, b) = (Self.fade(x - Float(column)), Self.fade(y - Float(row)))
    return lattice.withUnsafeBufferPointer {
      let above = $0[top + Int(i)] + ($0[top + right] - $0[top + Int(i)]) * a
      let below = $0[bottom + Int(i)] + ($0[bottom + right] - $0[bottom + Int(i)]) * a
      return above + (below - above) * b
    }
  }

  /// The slopes of the field along x and y at the first `count` of eight points; those of the others are 0.
  @inline(__always)
  func slopes(_ x: SIMD8<Float>, _ y: SIMD8<Float>, count: Int) -> (x: SIMD8<Float>, y: SIMD8<Float>) {
    let c = cells(x, y, count: count)
    let (a, b) = (Self.fade(c.u), Self.fade(c.v))
    let twist = c.topLeft - c.topRight - c.bottomLeft + c.bottomRight
    return (
      Self.fadeSlope(c.u) * (c.topRight - c.topLeft + twist * b),
      Self.fadeSlope(c.v) * (c.bottomLeft - c.topLeft + twist * a)
    )
  }

  /// A sum of `octaves` (at most 8) fields, each turned, of twice the frequency and half the height; 0…1, mean 0.5.
  ///
  /// All octaves are looked up at once: as complex numbers, the point of each is (1.6 + 1.2i) times the one before
  /// plus a shift, twice a rotation by 36.87°, which has rational entries.
  @inline(__always)
  func fractal(_ x: Float, _ y: Float, octaves: Int) -> Float {
    let (real, imaginary) = (Self.octaves.real, Self.octaves.imaginary)
    let field = values(
      x * real - y * imaginary + Self.octaves.shiftX, x * imaginary + y * real + Self.octaves.shiftY,
      count: octaves)
    let heights = SIMD8<Float>(0.5, 0x1p-2, 0x1p-3, 0x1p-4, 0x1p-5, 0x1p-6, 0x1p-7, 0x1p-8)
    // Fields that were not looked up are 0.
    return (field * heights).sum() / (1 - Float(sign: .plus, exponent: -octaves, significand: 1))
  }

  @inline(__always)
  private static var octaves: Octaves { Octaves() }

  /// What is the same for all points: (1.6 + 1.2i)ᵏ, and the sum of the shifts so far.
  private struct Octaves {
    let real = SIMD8<Float>(1, 1.6, 1.12, -2.816, -13.4912, -31.90784, -48.140288, -26.4175616)
    let imaginary = SIMD8<Float>(0, 1.2, 3.84, 7.488, 8.6016, -2.42688, -42.172416, -125.2442112)
    let shiftX = SIMD8<Float>(0, 17.3, 38.86, 38.652, -48.2536, -325.51952, -865.148064, -1482.8957248)
    let shiftY = SIMD8<Float>(0, 5.1, 34.02, 106.164, 221.3448, 301.34736, 96.632352, -878.4659136)
  }

  /// Arguments stay far below 2³¹. `Float.rounded` is a call into libm where the baseline is SSE2.
  @inline(__always)
  private static func floor(_ x: Float) -> Int32 {
    let truncated = Int32(x)
    return Float(truncated) > x ? truncated &- 1 : truncated
  }

  @inline(__always)
  private static func fade(_ t: Float) -> Float { t * t * t * (t * (t * 6 - 15) + 10) }

  @inline(__always)
  private static func fade(_ t: SIMD8<Float>) -> SIMD8<Float> {
    t * t * t * (t * (t * 6 - 15) + 10)
  }

  /// The derivative of `fade`.
  @inline(__always)
  private static func fadeSlope(_ t: SIMD8<Float>) -> SIMD8<Float> {
    30 * t * t * (t * (t - 2) + 1)
  }
}

/// Hermite step: 0 at `low`, 1 at `high`, level at both; `low` may be above `high`.
@inline(__always)
func smoothstep(_ low: Float, _ high: Float, _ x: Float) -> Float {
  let t = min(max((x - low) / (high - low), 0), 1)
  return t * t * (3 - 2 * t)
}

@inline(__always)
func smoothsteps(_ low: Float, _ high: Float, _ x: SIMD8<Float>) -> SIMD8<Float> {
  let scaled = (x - low) * (1 / (high - low))
  var t = SIMD8<Float>()
  // Comparing vectors compiles to calls.
  for lane in 0..<8 { t[lane] = min(max(scaled[lane], 0), 1) }
  return t * t * (3 - 2 * t)
}

@inline(__always)
func mix(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ t: Float) -> SIMD3<Float> { a + (b - a) * t }
