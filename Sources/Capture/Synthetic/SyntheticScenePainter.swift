import Libc

/// The light reaching the camera from each direction of a `SyntheticScene`.
///
/// Directions are in picture heights, measured from where the horizon crosses the centre of the picture: `s` along
/// the horizon to the right, `t` downwards; an elevation `e` is −t. Light is linear, with Rec. 709 primaries; 1 is
/// white paper in this light.
struct ScenePainter: Sendable {
  let noise: SceneNoise
  /// The distance that the waves of each octave and the clouds have moved, in lattice cells.
  private var waveDrift = SIMD8<Float>()
  private var cloudDrift = SIMD2<Float>()
  /// The size of a pixel in units of `s` and `t`: the blur width of edges.
  let pixel: Float
  /// The crests of mountain ranges, farthest first.
  let ranges: [MountainRange]
  let boat: Sailboat
  let pier: Pier
  private let encoding: [Float]
  let shore: Profile

  private static let waveOctaves = 7

  /// For each octave of the waves: cells per unit across and along the view, slope heights, and positions in the
  /// field.
  private enum Waves {
    @inline(__always)
    static var across: SIMD8<Float> { 0.70 * powers }
    @inline(__always)
    static var along: SIMD8<Float> { 1.25 * powers }
    /// 1.93ᵏ.
    @inline(__always)
    private static var powers: SIMD8<Float> {
      SIMD8(1, 1.93, 3.7249, 7.189057, 13.87488, 26.778518, 51.68254, 0)
    }
    /// 0.075 · 0.77ᵏ.
    @inline(__always)
    static var heights: SIMD8<Float> {
      SIMD8(0.075, 0.05775, 0.0444675, 0.034239975, 0.026364781, 0.020300881, 0.015631678, 0)
    }
    @inline(__always)
    static var offsets: SIMD8<Float> { SIMD8(0, 23.7, 47.4, 71.1, 94.8, 118.5, 142.2, 0) }
  }
  static let sun: (s: Float, e: Float) = (-0.17, 0.105)

  /// - Parameter reach: the range of `s` on either side for which curves are tabulated; nil for the picture's own
  ///   width at any roll.
  init(_ scene: SyntheticScene, reach: Double? = nil) {
    noise = SceneNoise(seed: scene.seed)
    pixel = 1 / Float(scene.size.height)
    let reach = reach.map { Float($0) } ?? 0.75 * (Float(scene.size.width) * pixel + 1)
    ranges = MountainRange.all(noise: noise, reach: reach, pixel: pixel)
    shore = Headland.profile(noise: noise, reach: reach, pixel: pixel)
    boat = Sailboat(time: scene.time)
    pier = Pier()
    encoding = Self.encodingTable()
    move(to: scene.time)
  }

  /// Moves the waves and the clouds to `time`; the boat stays, and no table is recomputed.
  mutating func move(to time: Double) {
    for octave in 0..<Self.waveOctaves {
      // The lattice repeats, so only the remainder matters; Double keeps waves moving smoothly even after days.
      let drift = time * 0.55 * pow(1.45, Double(octave))
      waveDrift[octave] = Float(drift.remainder(dividingBy: SceneNoise.period))
    }
    cloudDrift = SIMD2(Float(time * 0.012), Float(time * 0.004))
  }

  // MARK: Encoding

  private static let encodingSteps = 2048

  /// Returns a table of sRGB's encoding (IEC 61966-2-1) over the square root of light, where it is nearly linear
  /// between entries.
  private static func encodingTable() -> [Float] {
    (0...encodingSteps + 1).map { step in
      let root = Double(step) / Double(encodingSteps)
      let linear = root * root
      return Float(linear <= 0.003_130_8 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055)
    }
  }

  /// Encodes linear light, clipped to 0…1, as sRGB code values in 0…1.
  @inline(__always)
  func encode(_ light: SIMD3<Float>) -> SIMD3<Float> {
    let root = light.clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1)).squareRoot()
    let position = root * Float(Self.encodingSteps)
    return encoding.withUnsafeBufferPointer { table in
      var code = SIMD3<Float>()
      for channel in 0..<3 {
        let i = Int(position[channel])
        code[channel] = table[i] + (table[i + 1] - table[i]) * (position[channel] - Float(i))
      }
      return code
    }
  }

  // MARK: The whole scene

  func radiance(along s: Float, below t: Float) -> SIMD3<Float> {
    // The sea's edge is as sharp as pixels allow: within half a pixel of it, both sky and sea are painted.
    let sea = min(max(t / pixel + 0.5, 0), 1)
    var light = SIMD3<Float>()
    if sea < 1 { light += (1 - sea) * air(s, max(-t, 0)) }
    if sea > 0 { light += sea * water(s, max(t, pixel * 0.25)) }
    light = paintHeadland(over: light, s, -t)
    light = boat.paint(over: light, s, -t, pixel: pixel)
    light = pier.paint(over: light, s, t, pixel: pixel, noise: noise)
    return shoulder(light + Self.veil)
  }

  /// The moving part of the scene, without the foreground: the sky with its clouds, and the sea.
  func backdrop(along s: Float, below t: Float) -> SIMD3<Float> {
    guard t <= 0 else { return water(s, max(t, pixel * 0.25)) }
    return clouds(over: sky(s, -t), s, -t, sunDistance(s, -t))
  }

  /// The static objects and the boat in front of `light`: the sun, the land, the boat and the pier. Affine in
  /// `light`, with the same factor for all three channels.
  func foreground(over light: SIMD3<Float>, _ s: Float, _ t: Float) -> SIMD3<Float> {
    let e = -t
    var light = light
    if e > 0 {
      let disk = smoothstep(0.0185 + pixel, 0.0165 - pixel, sunDistance(s, e))
      if disk > 0 { light = mix(light, Self.sunDiskLight, disk) }
      for range in ranges {
        let cover = min(max((range.crest[s] - e) / pixel + 0.5, 0), 1)
        guard cover > 0 else { continue }
        light = mix(light, range.light(s, e, noise: noise), cover)
      }
    }
    light = paintHeadland(over: light, s, e)
    light = boat.paint(over: light, s, e, pixel: pixel)
    return pier.paint(over: light, s, t, pixel: pixel, noise: noise)
  }

  /// Applies the camera's response to `light`: haze, and compressed highlights.
  func exposed(_ light: SIMD3<Float>) -> SIMD3<Float> { shoulder(light + Self.veil) }

  /// Haze over everything, which makes the picture slightly flat, as from a phone against the light.
  private static let veil = SIMD3<Float>(0.010, 0.011, 0.013)

  /// Linear up to 0.7, then compressed towards 1.15: the sun's surroundings keep their colour, and the sun itself
  /// clips to white in any light with gains near 1, as in a camera.
  @inline(__always)
  private func shoulder(_ light: SIMD3<Float>) -> SIMD3<Float> {
    guard light.max() > 0.7 else { return light }
    var bent = light
    for channel in 0..<3 where light[channel] > 0.7 {
      bent[channel] = 1.15 - 0.45 * exp(-(light[channel] - 0.7) / 0.45)
    }
    return bent
  }

  /// Sky, sun, clouds and mountains.
  private func air(_ s: Float, _ e: Float) -> SIMD3<Float> {
    var light = sky(s, e)
    var crest: Float = 0
    for range in ranges { crest = max(crest, range.crest[s]) }
    // Clouds are the most costly part of the sky, and invisible behind mountains.
    if e > crest - pixel {
      let distance = sunDistance(s, e)
      light = clouds(over: light, s, e, distance)
      light += sunDisk(distance)
    }
    for range in ranges {
      let cover = min(max((range.crest[s] - e) / pixel + 0.5, 0), 1)
      guard cover > 0 else { continue }
      light = mix(light, range.light(s, e, noise: noise), cover)
    }
    return light
  }

  private func paintHeadland(over light: SIMD3<Float>, _ s: Float, _ e: Float) -> SIMD3<Float> {
    guard s > Headland.start, e < Headland.top, e > Headland.waterline - 0.02 else { return light }
    return Headland.paint(over: light, s, e, height: shore[s], pixel: pixel, noise: noise)
  }

  // MARK: Sky

  @inline(__always)
  private func sunDistance(_ s: Float, _ e: Float) -> Float {
    let (x, y) = (s - Self.sun.s, e - Self.sun.e)
    return (x * x + y * y).squareRoot()
  }

  /// The clear sky: three colours by elevation, plus scattering around the sun.
  private func sky(_ s: Float, _ e: Float) -> SIMD3<Float> {
    let horizon = SIMD3<Float>(0.66, 0.49, 0.38)
    let middle = SIMD3<Float>(0.40, 0.43, 0.50)
    let zenith = SIMD3<Float>(0.105, 0.185, 0.33)
    var light = mix(horizon, middle, 1 - exp(-e * 6.5))
    light = mix(light, zenith, smoothstep(0.06, 0.80, e))
    let distance = sunDistance(s * 0.9, e)
    light += SIMD3(0.52, 0.25, 0.085) * exp(-distance * 4.2)
    light += SIMD3(0.75, 0.50, 0.26) * exp(-distance * 17)
    return light
  }

  private static let sunDiskLight = SIMD3<Float>(2.6, 2.2, 1.5)

  private func sunDisk(_ distance: Float) -> SIMD3<Float> {
    guard distance < 0.06 else { return SIMD3() }
    return Self.sunDiskLight * smoothstep(0.0185 + pixel, 0.0165 - pixel, distance)
  }

  /// A broken cloud layer at one height, in perspective, lit from the sun's side.
  private func clouds(over light: SIMD3<Float>, _ s: Float, _ e: Float, _ distance: Float) -> SIMD3<Float> {
    // Near the horizon, the layer is indistinguishable from haze.
    let clear = smoothstep(0.015, 0.16, e)
    guard clear > 0 else { return light }
    let depth = 1 / (e + 0.16)
    let (x, y) = (s * depth * 1.15 + cloudDrift.x, depth * 1.9 + cloudDrift.y)
    let bend = noise.value(x * 0.7 + 3, y * 0.7 + 41) - 0.5
    let field = noise.fractal(x + bend * 0.8, y - bend * 0.5, octaves: 5)
    let density = smoothstep(0.445, 0.72, field) * clear
    guard density > 0.002 else { return light }
    let (towardX, towardY) = (Self.sun.s - s, Self.sun.e - e)
    let step = 0.10 / (distance + 0.12)
    let shade = noise.fractal(
      x + bend * 0.8 + towardX * step, y - bend * 0.5 - towardY * step * 2, octaves: 3)
    let lit = smoothstep(-0.06, 0.14, field - shade)
    let warmth = exp(-distance * 2.4)
    let bright = mix(SIMD3(0.62, 0.52, 0.50), SIMD3(1.10, 0.74, 0.48), warmth)
    let dark = mix(SIMD3(0.235, 0.255, 0.32), SIMD3(0.46, 0.34, 0.32), warmth)
    let body = mix(dark, bright, lit * (1 - 0.45 * density))
    return mix(light, body, density * 0.86)
  }

  // MARK: Sea

  /// Water at `t` below the horizon, as a mirror of slopes. Near waves are drawn; those finer than a pixel only
  /// widen the reflection.
  private func water(_ s: Float, _ t: Float) -> SIMD3<Float> {
    // The camera is one unit above a flat sea.
    let depth = 1 / t
    let footprint = depth * depth * pixel
    let (x, z) = (s * depth, depth)
    // Octaves become finer in order, so the visible ones come first.
    let unseen = smoothsteps(0.25, 0.9, footprint * Waves.along)
    let seen = (1 - unseen) * Waves.heights
    var slope = SIMD2<Float>()
    if footprint * Waves.along[0] < 0.9 {
      let across = x * Waves.across + z * 0.31 * Waves.across + Waves.offsets
      let along = z * Waves.along + waveDrift
      // Written twice to avoid branches inside.
      let slopes =
        footprint * Waves.along[4] < 0.9
        ? noise.slopes(across, along, onlyFour: false) : noise.slopes(across, along, onlyFour: true)
      slope = SIMD2(total(slopes.x * seen), total(slopes.y * seen))
    }
    let lost = total(unseen * Waves.heights)
    let roughness = 0.03 + 0.35 * lost
    // Slopes at a grazing angle: the sides facing the camera are visible and hide the far sides.
    let rise = t * 0.85 + 1.5 * slope.y + roughness
    // A smooth maximum of `rise` and 0: no facet reflects what is below the horizon.
    let e = 0.5 * (rise + (rise * rise + 0.003).squareRoot())
    let sr = s + 0.55 * slope.x
    var mirrored = sky(sr, e)
    for range in ranges {
      let cover = smoothstep(0.035 + roughness * 0.5, -0.01, e - range.crest[sr] * 1.1)
      mirrored = mix(mirrored, range.tone, cover * 0.8)
    }
    mirrored = paintHeadlandMirrored(over: mirrored, s + 0.22 * slope.x, t + 0.20 * slope.y)
    let facing = min(max(t * 0.75 + 1.1 * slope.y + 0.07, 0.02), 1)
    let away = 1 - facing
    let fresnel = 0.02 + 0.98 * away * away * away * away * away
    let body = mix(SIMD3(0.040, 0.075, 0.095), SIMD3(0.020, 0.048, 0.058), smoothstep(0, 0.4, t))
    // Distant waves hide each other's bright sides, so the sea is darker than the sky above it.
    let far = 0.68 + 0.18 * smoothstep(0, 0.14, t)
    return body * 0.9 + mirrored * fresnel * far + glitter(sr, e, roughness, t)
  }

  /// Sun glitter: facets that happen to reflect the sun towards the camera.
  private func glitter(_ s: Float, _ e: Float, _ roughness: Float, _ t: Float) -> SIMD3<Float> {
    let width = 0.030 + 0.35 * roughness + 0.05 * t
    let x = (s - Self.sun.s) / width
    let y = (e - Self.sun.e) / (0.035 + 0.35 * roughness)
    let falloff = x * x + y * y
    guard falloff < 18 else { return SIMD3() }
    return SIMD3(1.25, 0.84, 0.48) * (exp(-falloff * 0.5) * (0.14 + 0.42 * smoothstep(0, 0.07, t)))
  }

  private func paintHeadlandMirrored(over light: SIMD3<Float>, _ s: Float, _ t: Float) -> SIMD3<Float> {
    let e = t + 2 * Headland.waterline
    guard s > Headland.start, e < Headland.top, e > Headland.waterline else { return light }
    let mirrored = Headland.paint(over: light, s, e, height: shore[s], pixel: 0.008, noise: noise)
    return mix(light, mirrored, 0.9)
  }
}
