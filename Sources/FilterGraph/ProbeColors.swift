/// The colours a baked table is tried on: adversarial ones first, then random ones.
struct ProbeColors {
  let planes: ColorPlanes
  let adversarialCount: Int

  private struct Random {
    var generator = SplitMix64(seed: 0x5afe_1167)
    mutating func uniform(_ scale: Float = 1) -> Float {
      Float(generator.next() >> 40) / Float(1 << 24) * scale
    }
    mutating func color(_ scale: Float = 1) -> SIMD3<Float> {
      SIMD3(uniform(scale), uniform(scale), uniform(scale))
    }
    mutating func below(_ count: UInt64) -> Int { Int(generator.next() % count) }
  }

  /// The grey axis, saturated near-blacks, the surface of the cube and a dense patch around each corner; then
  /// colours spread evenly over the cube.
  static let standard: ProbeColors = {
    var random = Random()
    var colors = (0..<256).map { SIMD3(repeating: Float($0) / 255) }
    for scale: Float in [0.02, 0.06, 0.15] {
      for _ in 0..<400 { colors.append(random.color(scale)) }
    }
    for _ in 0..<700 {
      var color = random.color()
      color[random.below(3)] = Float(random.below(2))
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

  /// For each of `Baker.shapes`, colours in the middle between its nodes, where interpolation is worst: all in
  /// the three cells an axis next to black, saturated dark ones, and random ones on the surface of the cube.
  static let middlesOfShapes: [ProbeColors] = Baker.shapes.map { shape in
    let halves = 2 * (shape.size - 1)
    func sample(_ half: Int) -> Float { Float(shape.spacing.sample(at: Double(half) / Double(halves))) }
    var colors: [SIMD3<Float>] = []
    for b in 0...6 {
      for g in 0...6 {
        for r in 0...6 where (r | g | b) & 1 == 1 {
          colors.append(SIMD3(sample(r), sample(g), sample(b)))
        }
      }
    }
    // One channel up to a quarter of the axis, the others in the first cell or two.
    for main in stride(from: 7, through: halves / 4, by: max(1, halves / 64)) {
      for axis in 0..<3 {
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1), (0, 3), (3, 0), (1, 3), (3, 1), (2, 1), (1, 2)] {
          var color = SIMD3<Float>(repeating: sample(main))
          color[(axis + 1) % 3] = sample(a)
          color[(axis + 2) % 3] = sample(b)
          colors.append(color)
        }
      }
    }
    var random = Random()
    for _ in 0..<600 {
      func axis() -> Float { sample(random.below(UInt64(halves + 1))) }
      var color = SIMD3(axis(), axis(), axis())
      color[random.below(3)] = Float(random.below(2))
      colors.append(color)
    }
    return ProbeColors(planes: ColorPlanes(colors), adversarialCount: colors.count)
  }
}
