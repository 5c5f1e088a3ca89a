/// The colours on which a baked table is tried: adversarial ones first, then random ones.
struct ProbeColors {
  let planes: ColorPlanes
  let adversarialCount: Int

  struct Random {
    private var generator = SplitMix64(seed: 0x5afe_1167)
    mutating func uniform(_ scale: Float = 1) -> Float {
      Float(generator.next() >> 40) / Float(1 << 24) * scale
    }
    mutating func color(_ scale: Float = 1) -> SIMD3<Float> {
      SIMD3(uniform(scale), uniform(scale), uniform(scale))
    }
    mutating func below(_ count: UInt64) -> Int { Int(generator.next() % count) }
  }

  /// The grey axis, saturated near-blacks, the surface of the cube and its vicinity, and a dense patch around each
  /// corner; then colours spread evenly over the cube.
  static let standard: ProbeColors = {
    var random = Random()
    var colors = (0..<256).map { SIMD3(repeating: Float($0) / 255) }
    for scale: Float in [0.02, 0.06, 0.15] {
      for _ in 0..<400 { colors.append(random.color(scale)) }
    }
    for _ in 0..<2000 {
      var color = random.color()
      color[random.below(3)] = Float(random.below(2))
      colors.append(color)
    }
    // Saturated: one channel close to 0, often another close to 0 or 1.
    for _ in 0..<2400 {
      var color = random.color()
      let axis = random.below(3)
      color[axis] = random.uniform(0.04)
      switch random.below(3) {
      case 0: color[(axis + 1) % 3] = 1 - random.uniform(0.25)
      case 1: color[(axis + 1) % 3] = random.uniform(0.25)
      default: break
      }
      colors.append(color)
    }
    for corner in 0..<8 {
      for _ in 0..<60 {
        var color = random.color(0.1)
        for axis in 0..<3 where corner >> axis & 1 == 1 { color[axis] = 1 - color[axis] }
        colors.append(color)
      }
    }
    let adversarial = colors.count
    for _ in 0..<3000 { colors.append(random.color()) }
    return ProbeColors(planes: ColorPlanes(colors), adversarialCount: adversarial)
  }()

  /// A third of the adversarial colours, of every kind.
  static let few = ColorPlanes(
    stride(from: 0, to: standard.adversarialCount, by: 3).map { standard.planes[$0] })
}
