import Libc

/// A sailing boat moving slowly across, with its reflection.
struct Sailboat: Sendable {
  private let s: Float
  private let waterline: Float = -0.030
  private let heel: Float

  /// The boat sails from left to right and returns after five minutes.
  init(time: Double) {
    let turn = time / 300 + 0.2
    s = Float(-0.62 + 1.1 * (turn - turn.rounded(.down)))
    heel = Float(0.06 + 0.02 * sin(time * 0.9))
  }

  /// Whether the boat or its reflection may be at this point.
  func spans(_ s: Float, _ e: Float) -> Bool {
    let y = e - waterline
    return abs(s - self.s) < 0.06 && y < 0.095 && y > -0.10
  }

  func paint(over light: SIMD3<Float>, _ s: Float, _ e: Float, pixel: Float) -> SIMD3<Float> {
    let x = s - self.s
    guard abs(x) < 0.06 else { return light }
    let y = e - waterline
    if y >= 0 { return shape(over: light, x, y, pixel: pixel) }
    guard y > -0.10 else { return light }
    // The reflection breaks up with depth.
    let ripple = sin(y * 900 + x * 70 + heel * 40) * 0.0035 * smoothstep(0, -0.05, y)
    let mirrored = shape(over: light, x + ripple, -y * 1.05, pixel: max(pixel, 0.004))
    return mix(light, mirrored, 0.55 * smoothstep(-0.10, 0, y))
  }

  private func shape(over light: SIMD3<Float>, _ x: Float, _ y: Float, pixel: Float) -> SIMD3<Float> {
    guard y < 0.095 else { return light }
    var light = light
    let leaning = x - y * heel
    func cover(_ distances: Float...) -> Float {
      min(max((distances.min() ?? 0) / pixel + 0.5, 0), 1)
    }
    // Distances to the edges of each shape, positive inside.
    let hull = cover(y, 0.0085 - y, x + 0.024 + y * 0.25, 0.027 + y * 0.55 - x)
    light = mix(light, SIMD3(0.055, 0.055, 0.068), hull)
    let mast = cover(y - 0.008, 0.088 - y, 0.0006 - abs(leaning))
    light = mix(light, SIMD3(0.10, 0.085, 0.075), mast)
    let belly = 0.004 * sin(min(max((y - 0.013) / 0.07, 0), 1) * .pi)
    let main = cover(y - 0.013, -0.001 - leaning, leaning + belly + 0.023 * (1 - (y - 0.013) / 0.072))
    light = mix(light, mix(SIMD3(0.70, 0.56, 0.45), SIMD3(0.86, 0.72, 0.58), y * 11), main)
    let jib = cover(y - 0.011, leaning - 0.0015, 0.021 * (1 - (y - 0.011) / 0.060) + belly * 0.5 - leaning)
    return mix(light, SIMD3(0.60, 0.50, 0.43), jib)
  }
}

/// A wooden pier leading from the camera into the sea.
///
/// Lengths are in units of the camera's height above the water. The deck's plane lies `below` the camera, so a
/// point on it at distance z appears at t = below / z.
struct Pier: Sendable {
  private static let below: Float = 0.58
  /// The positions of the deck's edges, left and right of the camera.
  private static let edges: (left: Float, right: Float) = (-0.40, 0.17)
  private static let end: Float = 6.2
  /// The point on the horizon to which the pier leads.
  private static let vanishing: Float = 0.10
  private static let plank: Float = 0.125
  private static let postHeight: Float = 0.20
  private static let postRadius: Float = 0.032

  private struct Post {
    let s: Float
    let radius: Float
    /// From the top to the deck's plane; anything lower is hidden by the deck or drawn before it.
    let top: Float
    let deck: Float
    let water: Float
  }

  /// Posts, the nearest last.
  private let posts: [Post]

  init() {
    posts = [6.1, 4.9, 3.7, 2.7, 1.8].flatMap { z -> [Post] in
      [Self.edges.left - Self.postRadius, Self.edges.right + Self.postRadius].map { x in
        Post(
          s: Self.vanishing + x / z, radius: Self.postRadius / z, top: (Self.below - Self.postHeight) / z,
          deck: Self.below / z, water: 1 / z)
      }
    }
  }

  /// Whether the pier may be at this point: it extends no farther out than the tops of its posts at this depth.
  @inline(__always)
  func spans(_ s: Float, _ t: Float, pixel: Float) -> Bool {
    let x = s - Self.vanishing
    return t > 0.04 && x > -1.4 * t - 2 * pixel && x < 0.7 * t + 2 * pixel
  }

  func paint(
    over light: SIMD3<Float>, _ s: Float, _ t: Float, pixel: Float, noise: SceneNoise
  ) -> SIMD3<Float> {
    guard spans(s, t, pixel: pixel) else { return light }
    var light = light
    for post in posts {
      light = paint(post, to: post.water, over: light, s, t, pixel: pixel, noise: noise)
    }
    light = paintDeck(over: light, s, t, pixel: pixel, noise: noise)
    for post in posts {
      light = paint(post, to: post.deck, over: light, s, t, pixel: pixel, noise: noise)
    }
    return light
  }

  @inline(__always)
  private func paint(
    _ post: Post, to bottom: Float, over light: SIMD3<Float>, _ s: Float, _ t: Float, pixel: Float,
    noise: SceneNoise
  ) -> SIMD3<Float> {
    let x = s - post.s
    // Most points are outside most posts; avoid divisions for those.
    guard abs(x) < post.radius + pixel, t > post.top - post.radius, t < bottom + pixel else { return light }
    // The rounded top, seen from above.
    let across = x / post.radius
    let bulge = post.radius * 0.35 * max(1 - across * across, 0).squareRoot()
    let cover =
      min(max((post.radius - abs(x)) / pixel + 0.5, 0), 1)
      * min(max((t - post.top + bulge) / pixel + 0.5, 0), 1)
      * min(max((bottom - t) / pixel + 0.5, 0), 1)
    guard cover > 0 else { return light }
    let grain = noise.fractal(across * 2.2 + post.s * 91, t / post.radius * 0.22, octaves: 3)
    let rim = smoothstep(-0.25, -0.95, across)
    var wood = SIMD3<Float>(0.105, 0.092, 0.085) * (0.55 + 0.9 * grain)
    wood += SIMD3(0.46, 0.30, 0.17) * (rim * 0.55)
    let cap = min(max((post.top + bulge - t) / pixel + 0.5, 0), 1)
    return mix(light, mix(wood, SIMD3(0.27, 0.235, 0.21) * (0.7 + 0.6 * grain), cap), cover)
  }

  private func paintDeck(
    over light: SIMD3<Float>, _ s: Float, _ t: Float, pixel: Float, noise: SceneNoise
  ) -> SIMD3<Float> {
    let z = Self.below / t
    guard z < Self.end * 1.05 else { return light }
    let x = (s - Self.vanishing) * z
    // The size of a pixel on the deck, across and along it.
    let (across, along) = (z * pixel, z * z * pixel / Self.below)
    let place = z / Self.plank
    let number = place.rounded(.down)
    // Each plank has a slightly different length.
    let ragged = 0.012 * (noise.value(number * 3.7, 55) - 0.5)
    let cover =
      min(max((x - Self.edges.left - ragged) / across + 0.5, 0), 1)
      * min(max((Self.edges.right + ragged - x) / across + 0.5, 0), 1)
      * min(max((Self.end - z) / along + 0.5, 0), 1)
    guard cover > 0 else { return light }

    let detail = smoothstep(0.6, 0.1, along / Self.plank)
    let tint = noise.value(number * 7.3, 19) - 0.5
    let grain = noise.fractal(x * 8 + number * 13, place * 9, octaves: 5) - 0.5
    let wet = smoothstep(0.48, 0.66, noise.fractal(x * 2.2 + 31, z * 1.6, octaves: 3))
    let position = (place - number) * Self.plank
    let gap = smoothstep(0.007 + along * 0.6, 0.002, min(position, Self.plank - position)) * detail
    var wood = SIMD3<Float>(0.165, 0.145, 0.130) * (1 + detail * (0.5 * tint + 1.0 * grain))
    wood *= SIMD3(1 + 0.08 * tint, 1, 1 - 0.08 * tint)
    // Reflection of the low sky on wet wood, stronger with distance.
    let grazing = exp(-t * 4.5)
    let sheen = exp(-abs(s - ScenePainter.sun.s) * 2.2)
    wood =
      wood * (1 - 0.35 * wet) + SIMD3(0.42, 0.31, 0.23)
      * (grazing * (0.25 + 0.5 * wet) * (0.35 + 0.65 * sheen))
    wood = mix(wood, SIMD3(0.012, 0.014, 0.016), gap * 0.9)
    return mix(light, wood, cover)
  }
}
