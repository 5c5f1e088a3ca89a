/// Smooth pseudo-random fields from one seed: a tiled lattice of hashed values with quintic interpolation.
///
/// Quintic fade: Ken Perlin, "Improving Noise", 2002; its second derivative is continuous, so that lit waves show
/// no lattice. The hash is the finalizer of MurmurHash3 (Austin Appleby, public domain).
struct SceneNoise: Sendable {
  /// Lattice points per edge; a power of two, so that wrapping is a mask.
  private static let edgeBits: Int32 = 7
  private static let edge = 1 << Int(edgeBits)
  /// The distance along either axis after which the field repeats.
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

  /// Returns a value in 0 ..< 1.
  private static func uniform(_ bits: UInt32) -> Float { Float(bits >> 8) * 0x1p-24 }

  /// Returns triangular noise within ±1 code for each channel: with it, the mean of many 8-bit pixels equals the
  /// intended value, and the size of the error does not depend on the value.
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

  /// Returns a value in 0…1 with mean 0.5; a lattice cell has unit size.
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

  /// Returns the slopes of `value` along x and y at eight points, or at the first four. Arguments must be below
  /// 2²².
  @inline(__always)
  func slopes(
    _ x: SIMD8<Float>, _ y: SIMD8<Float>, onlyFour: Bool
  ) -> (x: SIMD8<Float>, y: SIMD8<Float>) {
    // Adding this to a number leaves the nearest integer in the lowest bits of the sum. A point on an edge may be
    // assigned to either cell: both give the same slope.
    let toInteger = SIMD8<Float>(repeating: 0x1.8p23)
    let half = SIMD8<Float>(repeating: 0.5)
    let (column, row) = (x - half + toInteger, y - half + toInteger)
    let (mask, one) = (SIMD8<Int32>(repeating: Self.mask), SIMD8<Int32>(repeating: 1))
    let left = unsafeBitCast(column, to: SIMD8<Int32>.self) & mask
    let top = unsafeBitCast(row, to: SIMD8<Int32>.self) & mask
    let right = (left &+ one) & mask
    let (upper, lower) = (top &<< Self.edgeBits, ((top &+ one) & mask) &<< Self.edgeBits)
    let topLeft = samples(upper | left, onlyFour)
    let across = samples(upper | right, onlyFour) - topLeft
    let down = samples(lower | left, onlyFour) - topLeft
    let twist = samples(lower | right, onlyFour) - topLeft - across - down
    let (u, v) = (x - (column - toInteger), y - (row - toInteger))
    return (
      Self.fadeSlope(u) * (across + twist * Self.fade(v)), Self.fadeSlope(v) * (down + twist * Self.fade(u))
    )
  }

  /// Written out lane by lane, since a loop over lanes goes through memory.
  @inline(__always)
  private func samples(_ place: SIMD8<Int32>, _ onlyFour: Bool) -> SIMD8<Float> {
    lattice.withUnsafeBufferPointer { lattice in
      let low = SIMD4(
        lattice[Int(place[0])], lattice[Int(place[1])], lattice[Int(place[2])], lattice[Int(place[3])])
      guard !onlyFour else { return SIMD8(lowHalf: low, highHalf: SIMD4()) }
      return SIMD8(
        lowHalf: low,
        highHalf: SIMD4(
          lattice[Int(place[4])], lattice[Int(place[5])], lattice[Int(place[6])], lattice[Int(place[7])]))
    }
  }

  /// Returns the sum of `octaves` fields, each rotated, with twice the frequency and half the height of the last;
  /// 0…1, mean 0.5.
  @inline(__always)
  func fractal(_ x: Float, _ y: Float, octaves: Int) -> Float {
    var (x, y) = (x, y)
    var (sum, height, total): (Float, Float, Float) = (0, 0.5, 0)
    for _ in 0..<octaves {
      sum += height * value(x, y)
      total += height
      height *= 0.5
      // Twice a rotation by 36.87°, which has rational entries.
      (x, y) = (1.6 * x - 1.2 * y + 17.3, 1.2 * x + 1.6 * y + 5.1)
    }
    return sum / total
  }

  /// Arguments must be far below 2³¹. `Float.rounded` calls libm if the baseline is SSE2.
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

  /// Returns the derivative of `fade`.
  @inline(__always)
  private static func fadeSlope(_ t: SIMD8<Float>) -> SIMD8<Float> {
    30 * t * t * (t * (t - 2) + 1)
  }
}

/// Hermite step: 0 at `low`, 1 at `high`, with zero slope at both; `low` may be above `high`.
@inline(__always)
func smoothstep(_ low: Float, _ high: Float, _ x: Float) -> Float {
  let t = min(max((x - low) / (high - low), 0), 1)
  return t * t * (3 - 2 * t)
}

/// Replaces `sum()`, which goes through memory.
@inline(__always)
func total(_ x: SIMD8<Float>) -> Float {
  let four = x.lowHalf + x.highHalf
  let two = four.lowHalf + four.highHalf
  return two.x + two.y
}

@inline(__always)
func smoothsteps(_ low: Float, _ high: Float, _ x: SIMD8<Float>) -> SIMD8<Float> {
  let scaled = (x - low) * (1 / (high - low))
  // Comparing vectors compiles to calls, and a loop over lanes goes through memory.
  @inline(__always)
  func clipped(_ lane: Int) -> Float { min(max(scaled[lane], 0), 1) }
  let t = SIMD8(
    clipped(0), clipped(1), clipped(2), clipped(3), clipped(4), clipped(5), clipped(6), clipped(7))
  return t * t * (3 - 2 * t)
}

@inline(__always)
func mix(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ t: Float) -> SIMD3<Float> { a + (b - a) * t }
