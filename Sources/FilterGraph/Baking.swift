import ColorScience
import FrameCore

/// Turns a run of colour stages into a table and measures how good it is.
struct Baker {
  let evaluator: any ColorEvaluator
  /// The space of the table's output, in which its error is measured.
  let outputSpace: ColorSpace

  /// Tried in this order; the first whose proof holds is taken.
  static let shapes: [(size: Int, spacing: NodeSpacing)] = [
    (33, .uniform),
    (33, NodeSpacing(knee: 0.125, kneePosition: 0.25)),
    (49, NodeSpacing(knee: 0.125, kneePosition: 0.25)),
    (65, NodeSpacing(knee: 0.125, kneePosition: 0.3125)),
  ]

  /// The smallest table within the bound, or nil where none is; `rejected` gets the proofs of the others.
  func bake(_ stages: [Stage], rejected: (Int, BakeProof) -> Void) -> BakedLUT? {
    let probes = ProbeColors.standard
    var exact = probes.planes
    evaluator.evaluate(stages, on: &exact)
    let difference = ColorDifference(space: outputSpace)
    let exactLab = (0..<exact.count).map { difference.lab(SIMD3<Double>(exact[$0])) }

    for shape in Self.shapes {
      let codes = nodes(of: stages, size: shape.size, spacing: shape.spacing)
      let table = TetrahedralTable(codes: codes, size: shape.size, spacing: shape.spacing)
      var proof = BakeProof(maximum: 0, mean: 0, colors: exact.count)
      // The adversarial colours come first: most unfit tables are out before the random ones are tried.
      for i in 0..<exact.count {
        let error = deltaE2000(exactLab[i], difference.lab(table.evaluate(SIMD3<Double>(probes.planes[i]))))
        proof.maximum = max(proof.maximum, error)
        if i >= probes.adversarialCount { proof.mean += error }
        if proof.maximum > 1.5 * BakeProof.maximumBound { break }
      }
      proof.mean /= Double(max(1, exact.count - probes.adversarialCount))
      if proof.holds {
        return BakedLUT(
          size: shape.size, spacing: shape.spacing, proof: proof, stages: stages,
          nodes: BakedLUT.NodeStorage(codes))
      }
      rejected(shape.size, proof)
    }
    return nil
  }

  /// The stages' values at the nodes, unclipped but for the codes' own range.
  private func nodes(of stages: [Stage], size: Int, spacing: NodeSpacing) -> [Int16] {
    let axis = (0..<size).map { Float(spacing.sample(at: Double($0) / Double(size - 1))) }
    let count = size * size * size
    var planes = ColorPlanes(
      r: [Float](repeating: 0, count: count), g: [Float](repeating: 0, count: count),
      b: [Float](repeating: 0, count: count))
    var index = 0
    for b in axis {
      for g in axis {
        for r in axis {
          (planes.r[index], planes.g[index], planes.b[index]) = (r, g, b)
          index += 1
        }
      }
    }
    evaluator.evaluate(stages, on: &planes)
    let limit = Float(2 * BakedLUT.unit)
    func code(_ value: Float) -> Int16 {
      let scaled = value * Float(BakedLUT.unit)
      return scaled.isNaN ? 0 : Int16(min(max(scaled, -limit), limit).rounded())
    }
    return [Int16](unsafeUninitializedCapacity: 4 * count) { codes, initialized in
      for i in 0..<count {
        codes[4 * i] = code(planes.r[i])
        codes[4 * i + 1] = code(planes.g[i])
        codes[4 * i + 2] = code(planes.b[i])
        codes[4 * i + 3] = 0
      }
      initialized = 4 * count
    }
  }
}

/// ΔE2000 between colours given as encoded RGB of one space, clipped as the output will be.
struct ColorDifference {
  private let space: ColorSpace
  private let toXYZ: Matrix3x3
  private let white: Chromaticity

  init(space: ColorSpace) {
    self.space = space
    toXYZ = space.toXYZ
    white = space.primaries.white
  }

  func lab(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    func linear(_ x: Double, _ channel: Int) -> Double {
      space.transfer[channel % space.transfer.count].decode(min(max(x, 0), 1))
    }
    return CIELab.fromXYZ(toXYZ * SIMD3(linear(rgb.x, 0), linear(rgb.y, 1), linear(rgb.z, 2)), white: white)
  }
}

/// The colours a baked table is tried on: adversarial ones first, then random ones.
struct ProbeColors {
  let planes: ColorPlanes
  let adversarialCount: Int

  /// The grey axis, saturated near-blacks, the surface of the cube and a dense patch around each corner; then
  /// colours spread evenly over the cube.
  static let standard: ProbeColors = {
    var random = SplitMix64(seed: 0x5afe_1167)
    func uniform(_ scale: Float = 1) -> Float { Float(random.next() >> 40) / Float(1 << 24) * scale }
    var colors: [SIMD3<Float>] = []
    for level in 0..<256 { colors.append(SIMD3(repeating: Float(level) / 255)) }
    for scale: Float in [0.02, 0.06, 0.15] {
      for _ in 0..<700 { colors.append(SIMD3(uniform(scale), uniform(scale), uniform(scale))) }
    }
    for _ in 0..<1000 {
      var color = SIMD3(uniform(), uniform(), uniform())
      color[Int(random.next() % 3)] = random.next() & 1 == 0 ? 0 : 1
      colors.append(color)
    }
    for corner in 0..<8 {
      for _ in 0..<60 {
        var color = SIMD3(uniform(0.1), uniform(0.1), uniform(0.1))
        for axis in 0..<3 where corner >> axis & 1 == 1 { color[axis] = 1 - color[axis] }
        colors.append(color)
      }
    }
    let adversarial = colors.count
    for _ in 0..<6000 { colors.append(SIMD3(uniform(), uniform(), uniform())) }
    return ProbeColors(planes: ColorPlanes(colors), adversarialCount: adversarial)
  }()
}

/// A small random generator with a fixed sequence for a seed.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct SplitMix64 {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
