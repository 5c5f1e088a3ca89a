import Safelight

/// Pictures with the statistics of photos, which a JPEG decoder's time depends on: objects of all sizes that
/// hide each other, with shading, texture whose amplitude falls with frequency, and sensor noise.
///
/// The objects are a dead-leaves model: discs whose radii r have a density ∝ r⁻³, so that the picture looks
/// alike at every scale. Source: Lee, Mumford, Huang, "Occlusion models for natural images", IJCV 41, 2001.
public struct PhotoPainter: Sendable {
  /// A large picture that photos are cut from.
  private let plate: PixelBuffer
  /// −127…127, `textureSize` squared, seamlessly tileable.
  private let texture: [Int8]

  private static let textureSize = 1024
  static let plateSize = PixelSize(width: 6400, height: 6400)

  /// Paints the plate for a seed.
  public init(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    plate = try PixelBuffer(size: Self.plateSize, format: .rgba8)
    texture = Self.makeTexture(&random)
    paintLeaves(&random)
  }

  /// How a photo differs from others cut from the same plate.
  public struct Look: Sendable {
    public var size: PixelSize
    /// The contrast of fine texture and noise, in levels; determines the file size.
    public var grain: Int
    public var seed: UInt64

    public init(size: PixelSize, grain: Int, seed: UInt64) {
      (self.size, self.grain, self.seed) = (size, grain, seed)
    }
  }

  /// Returns a part of the plate, at most as large as the plate, with the light and noise of `look`: opaque
  /// RGBA8.
  public func photo(_ look: Look) throws -> PixelBuffer {
    var random = SplitMix64(seed: look.seed)
    let picture = try PixelBuffer(size: look.size, format: .rgba8)
    let (width, height) = (look.size.width, look.size.height)
    let left = Int.random(in: 0..<max(1, Self.plateSize.width - width - 1), using: &random)
    let top = Int.random(in: 0..<max(1, Self.plateSize.height - height - 1), using: &random)
    let isMirrored = Bool.random(using: &random)
    // Light and its colour: a tone curve per channel.
    let exposure = Double.random(in: 0.75...1.15, using: &random)
    let curves = (0..<3).map { _ in
      let gain = exposure * Double.random(in: 0.92...1.08, using: &random)
      return (0..<1024).map { Int32(min(255, Double($0) / 4 * gain)) }
    }
    let mask = Self.textureSize - 1
    let shifts = (0..<3).map { _ in Int.random(in: 0...mask, using: &random) }
    var noise = UInt32(truncatingIfNeeded: random.next()) | 1
    let grain = Int32(look.grain)
    texture.withUnsafeBufferPointer { texture in
      for y in 0..<height {
        let upper = plate.row(top + y, as: UInt8.self)
        let lower = plate.row(top + y + 1, as: UInt8.self)
        let out = picture.row(y, as: UInt8.self)
        let textureRow = ((y + shifts[1]) & mask) * Self.textureSize
        for x in 0..<width {
          let from = 4 * (left + (isMirrored ? width - 1 - x : x))
          // Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003.
          noise ^= noise << 13
          noise ^= noise >> 17
          noise ^= noise << 5
          let fine = Int32(texture[textureRow + ((x + shifts[0]) & mask)])
          for channel in 0..<3 {
            // As soft as edges are after a lens and a colour filter array.
            let sum =
              Int(upper[from + channel]) + Int(upper[from + 4 + channel]) + Int(lower[from + channel])
              + Int(lower[from + 4 + channel])
            let lit = curves[channel][sum]
            // Two draws per channel give noise with a triangular distribution.
            let draw =
              Int32((noise >> UInt32(4 * channel + 8)) & 15) - Int32((noise >> UInt32(4 * channel)) & 15)
            let value = lit + (fine * grain) >> 6 + (draw * grain) >> 4
            out[4 * x + channel] = UInt8(clamping: value)
          }
          out[4 * x + 3] = 255
        }
      }
    }
    return picture
  }

  // MARK: The plate

  private func paintLeaves(_ random: inout SplitMix64) {
    let (width, height) = (Self.plateSize.width, Self.plateSize.height)
    let (small, large) = (5.0, 1600.0)
    // The mean area of a disc: 2π·ln(large/small) / (small⁻² − large⁻²). Four layers leave 2 % uncovered.
    for y in 0..<height { fill(y, 0..<width, SIMD3(118, 126, 134), SIMD2(0, 0.004), 0, height / 2) }
    for _ in 0..<150_000 {
      let part = Double.random(in: 0..<1, using: &random)
      // The inverse of the distribution function of r⁻³ between both ends.
      let a = 1 / (small * small)
      let b = 1 / (large * large)
      let radius = 1 / (a + (b - a) * part).squareRoot()
      let cx = Int.random(in: 0..<width, using: &random)
      let cy = Int.random(in: 0..<height, using: &random)
      let luma = Double.random(in: 0..<1, using: &random)
      let base = 18 + 215 * luma * (0.4 + 0.6 * luma)
      let color = SIMD3<Float>(
        Float(base + Double.random(in: -28...34, using: &random)), Float(base),
        Float(base + Double.random(in: -40...22, using: &random)))
      let slope = Float(40 / max(radius, 60))
      let shade = SIMD2<Float>(
        Float.random(in: -slope...slope, using: &random), Float.random(in: -slope...slope, using: &random))
      let r = Int(radius)
      for y in max(0, cy - r)..<min(height, cy + r + 1) {
        let half = Int(Double(r * r - (y - cy) * (y - cy)).squareRoot())
        let columns = max(0, cx - half)..<min(width, cx + half + 1)
        if !columns.isEmpty { fill(y, columns, color, shade, cx, cy) }
      }
    }
  }

  private func fill(
    _ y: Int, _ columns: Range<Int>, _ color: SIMD3<Float>, _ shade: SIMD2<Float>, _ cx: Int, _ cy: Int
  ) {
    let row = plate.row(y, as: UInt8.self)
    let start = color + shade.y * Float(y - cy)
    for x in columns {
      let value = start + shade.x * Float(x - cx)
      // One by one: SIMD3(_:rounding:) takes most of a quick run.
      func code(_ value: Float) -> UInt8 { UInt8(min(max(value.rounded(.toNearestOrEven), 0), 255)) }
      (row[4 * x], row[4 * x + 1], row[4 * x + 2]) = (code(value.x), code(value.y), code(value.z))
    }
  }

  // MARK: Texture

  /// Octaves of interpolated random values, each with half the amplitude of the next coarser one: a 1/f
  /// spectrum.
  private static func makeTexture(_ random: inout SplitMix64) -> [Int8] {
    let size = textureSize
    var sum = [Float](repeating: 0, count: size * size)
    var amplitude: Float = 1
    var step = 64
    while step >= 2 {
      let cells = size / step
      let values = (0..<cells * cells).map { _ in Float.random(in: -1...1, using: &random) }
      for y in 0..<size {
        let (cy, fy) = (y / step, Float(y % step) / Float(step))
        for x in 0..<size {
          let (cx, fx) = (x / step, Float(x % step) / Float(step))
          func value(_ dx: Int, _ dy: Int) -> Float {
            values[(cy + dy) % cells * cells + (cx + dx) % cells]
          }
          let upper = value(0, 0) + (value(1, 0) - value(0, 0)) * fx
          let lower = value(0, 1) + (value(1, 1) - value(0, 1)) * fx
          sum[y * size + x] += amplitude * (upper + (lower - upper) * fy)
        }
      }
      amplitude *= 0.5
      step /= 2
    }
    return sum.map { Int8(max(-127, min(127, $0 * 90))) }
  }
}
