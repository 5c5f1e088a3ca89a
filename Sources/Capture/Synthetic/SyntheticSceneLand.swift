/// A tabulated curve along the horizon, costly to compute and needed for every pixel.
struct Profile: Sendable {
  private let start: Float
  private let perUnit: Float
  private let values: [Float]

  /// Tabulates `curve` over −`reach`…`reach`, two values per pixel.
  init(reach: Float, pixel: Float, curve: (Float) -> Float) {
    let count = min(max(Int(4 * reach / pixel), 16), 1 << 18)
    start = -reach
    perUnit = Float(count) / (2 * reach)
    values = (0...count + 1).map { curve(-reach + Float($0) * 2 * reach / Float(count)) }
  }

  /// The value at `s`, linearly interpolated, constant beyond the ends.
  @inline(__always)
  subscript(_ s: Float) -> Float {
    values.withUnsafeBufferPointer {
      let position = min(max((s - start) * perUnit, 0), Float($0.count - 2))
      let index = Int(position)
      return $0[index] + ($0[index + 1] - $0[index]) * (position - Float(index))
    }
  }
}

/// A mountain range: its crest, and its colour, which fades with distance.
struct MountainRange: Sendable {
  let crest: Profile
  /// The colour at the crest, before the haze at its foot.
  let tone: SIMD3<Float>
  /// The colour of the haze at the foot.
  private let haze: SIMD3<Float>
  private let relief: Float

  @inline(__always)
  func light(_ s: Float, _ e: Float, noise: SceneNoise) -> SIMD3<Float> {
    let top = crest[s]
    let folds = noise.fractal(s * 34 + relief, e * 52 - s * 20, octaves: 3) - 0.5
    let foot = smoothstep(0.075, 0, e) * 0.72 + 0.10 * (1 - smoothstep(0, 0.05, top - e))
    return mix(tone * (1 + folds * relief), haze, foot)
  }

  /// Returns three ranges, farthest first. Each falls to the sea towards the sun, leaving the horizon open there.
  static func all(noise: SceneNoise, reach: Float, pixel: Float) -> [MountainRange] {
    func range(
      row: Float, frequency: Float, height: Float, from low: Float, to high: Float, tone: SIMD3<Float>,
      haze: SIMD3<Float>, relief: Float
    ) -> MountainRange {
      let crest = Profile(reach: reach, pixel: pixel) { s in
        // Folding the noise at its middle turns smooth slopes into ridges.
        let broad = noise.fractal(s * frequency + row, row, octaves: 7)
        let ridge = 1 - abs(2 * noise.fractal(s * frequency * 2.1 + row, row + 9.5, octaves: 5) - 1)
        let envelope = smoothstep(low, high, s)
        return (height * (0.35 + 0.75 * broad + 0.30 * (ridge - 0.7)) * envelope) - 0.012 * (1 - envelope)
      }
      return MountainRange(crest: crest, tone: tone, haze: haze, relief: relief)
    }
    return [
      range(
        row: 11.3, frequency: 2.2, height: 0.185, from: -0.12, to: 0.42, tone: SIMD3(0.29, 0.285, 0.335),
        haze: SIMD3(0.53, 0.44, 0.39), relief: 0.10),
      range(
        row: 47.9, frequency: 3.1, height: 0.125, from: 0.06, to: 0.58, tone: SIMD3(0.165, 0.172, 0.215),
        haze: SIMD3(0.42, 0.36, 0.345), relief: 0.22),
      range(
        row: 83.1, frequency: 3.6, height: 0.105, from: -0.40, to: -0.85, tone: SIMD3(0.125, 0.125, 0.155),
        haze: SIMD3(0.25, 0.215, 0.225), relief: 0.28),
    ]
  }
}

/// The rocks on the right, with the lighthouse on them.
enum Headland {
  /// The left end of the rocks.
  static let start: Float = 0.24
  /// The greatest elevation.
  static let top: Float = 0.30
  /// The elevation where rock meets water; negative, since the rocks are nearer than the horizon.
  static let waterline: Float = -0.020

  /// Returns the elevation of the rocks' outline.
  static func profile(noise: SceneNoise, reach: Float, pixel: Float) -> Profile {
    Profile(reach: reach, pixel: pixel) { s in
      let rise = smoothstep(start + 0.02, 0.46, s)
      let rough = noise.fractal(s * 17, 61.5, octaves: 6) - 0.5
      return waterline - 0.012 + 0.082 * rise * (1 - 0.25 * smoothstep(0.52, 0.8, s)) + 0.045 * rough
        * (0.35 + rise)
    }
  }

  static func paint(
    over light: SIMD3<Float>, _ s: Float, _ e: Float, height: Float, pixel: Float, noise: SceneNoise
  ) -> SIMD3<Float> {
    let tower = Lighthouse.paint(over: light, s, e, pixel: pixel)
    let cover =
      min(max((height - e) / pixel + 0.5, 0), 1)
      * min(max((e - waterline - 0.004 * (noise.value(s * 90, 7) - 0.5)) / pixel + 0.5, 0), 1)
    return cover > 0 ? mix(tower, rock(s, e, below: height - e, noise: noise), cover) : tower
  }

  /// Returns the light of rock lit by the sky from above and the low sun from the left; wet and dark at the foot.
  private static func rock(_ s: Float, _ e: Float, below depth: Float, noise: SceneNoise) -> SIMD3<Float> {
    // Strata dipping to the right, broken up by finer rubble.
    let (x, y) = (s * 95 + e * 40, e * 150 - s * 34)
    let here = noise.fractal(x, y, octaves: 5)
    let left = noise.fractal(x - 0.5, y + 0.4, octaves: 5)
    let rubble = noise.fractal(s * 420, e * 520, octaves: 2) - 0.5
    let facing = min(max(0.42 + 2.6 * (here - left) + 0.35 * rubble, 0), 1)
    let grass = smoothstep(0.020, 0.003, depth) * smoothstep(0.30, 0.62, here)
    var stone = mix(SIMD3(0.045, 0.044, 0.050), SIMD3(0.22, 0.165, 0.13), facing)
    stone = mix(stone, SIMD3(0.115, 0.115, 0.055), grass * 0.7)
    return stone * (0.45 + 0.55 * smoothstep(waterline, waterline + 0.016, e))
  }
}

/// A white tower with red bands.
enum Lighthouse {
  private static let center: Float = 0.485
  private static let foot: Float = 0.020
  private static let head: Float = 0.198

  /// Whether the tower may be at this position along the horizon.
  static func spans(_ s: Float) -> Bool { abs(s - center) < 0.06 }

  static func paint(over light: SIMD3<Float>, _ s: Float, _ e: Float, pixel: Float) -> SIMD3<Float> {
    guard spans(s), e > foot - 0.01, e < Headland.top else { return light }
    var light = light
    // Each part has a range of elevations, half-widths at its ends, and a colour; later parts cover earlier ones.
    let up = min(max((e - foot) / (head - foot), 0), 1)
    let band = up * 5
    let red =
      smoothstep(0.98, 1.02, band) - smoothstep(1.98, 2.02, band) + smoothstep(2.98, 3.02, band)
      - smoothstep(3.98, 4.02, band)
    let paintwork = mix(SIMD3(0.66, 0.63, 0.60), SIMD3(0.40, 0.055, 0.045), red)
    part(&light, s, e, foot - 0.01, head, 0.0205, 0.0130, paintwork, pixel)
    part(&light, s, e, head, head + 0.005, 0.0185, 0.0185, SIMD3(0.12, 0.11, 0.11), pixel)
    part(&light, s, e, head + 0.005, head + 0.026, 0.0090, 0.0090, SIMD3(0.98, 0.80, 0.50), pixel)
    for bar: Float in [-0.0088, -0.0030, 0.0030, 0.0088] {
      part(
        &light, s - bar, e, head + 0.005, head + 0.026, 0.0008, 0.0008, SIMD3(0.07, 0.065, 0.065), pixel)
    }
    part(&light, s, e, head + 0.026, head + 0.041, 0.0125, 0.0020, SIMD3(0.30, 0.05, 0.04), pixel)
    part(&light, s, e, head + 0.041, head + 0.052, 0.0008, 0.0005, SIMD3(0.10, 0.09, 0.09), pixel)
    return light
  }

  /// Paints a section of a round tower, lit by the sun from the left and the sky from the right.
  private static func part(
    _ light: inout SIMD3<Float>, _ s: Float, _ e: Float, _ low: Float, _ high: Float, _ wide: Float,
    _ narrow: Float, _ color: SIMD3<Float>, _ pixel: Float
  ) {
    guard e > low - pixel, e < high + pixel else { return }
    let half = wide + (narrow - wide) * min(max((e - low) / (high - low), 0), 1)
    let x = s - center
    let cover =
      min(max((half - abs(x)) / pixel + 0.5, 0), 1) * min(max((e - low) / pixel + 0.5, 0), 1)
      * min(max((high - e) / pixel + 0.5, 0), 1)
    guard cover > 0 else { return }
    let across = min(max(x / half, -1), 1)
    let sunlit = smoothstep(0.55, -0.95, across)
    let shade = mix(SIMD3(0.30, 0.33, 0.39), SIMD3(1.12, 0.93, 0.76), sunlit)
    light = mix(light, color * shade, cover)
  }
}
