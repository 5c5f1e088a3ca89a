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
    let difference = ColorDifference(space: outputSpace)
    let standard = ProbeColors.standard
    let exactStandard = exact(stages, standard.planes, difference)
    // Where a table failed the next one is tried first: an unfit one then costs little more than its nodes.
    var hardest = ColorPlanes([])
    for (shape, middles) in zip(Self.shapes, ProbeColors.middlesOfShapes) {
      let codes = nodes(of: stages, size: shape.size, spacing: shape.spacing)
      var trial = TableTrial(
        table: TetrahedralTable(codes: codes, size: shape.size, spacing: shape.spacing),
        difference: difference)
      trial.add(hardest, exact: exact(stages, hardest, difference))
      // The adversarial colours come before the random ones, for the same reason.
      trial.add(middles.planes, exact: exact(stages, middles.planes, difference))
      trial.add(standard.planes, exact: exactStandard, randomFrom: standard.adversarialCount)
      // Then the neighbourhoods of the worst colours found, in ever smaller steps.
      for step in [0.5, 0.2] where trial.proof.holds {
        let neighbours = trial.neighboursOfWorst(within: step)
        trial.add(neighbours, exact: exact(stages, neighbours, difference))
      }
      if trial.proof.holds {
        return BakedLUT(
          size: shape.size, spacing: shape.spacing, proof: trial.proof, stages: stages,
          nodes: BakedLUT.NodeStorage(codes))
      }
      rejected(shape.size, trial.proof)
      hardest = trial.worstColors
    }
    return nil
  }

  /// What the exact stages make of colours, in CIE L*a*b*.
  private func exact(_ stages: [Stage], _ colors: ColorPlanes, _ difference: ColorDifference) -> [SIMD3<
    Double
  >] {
    var exact = colors
    evaluator.evaluate(stages, on: &exact)
    return (0..<exact.count).map { difference.lab(SIMD3<Double>(exact[$0])) }
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

/// A table on trial: its errors so far, and where they are worst.
private struct TableTrial {
  let table: TetrahedralTable
  let difference: ColorDifference
  private(set) var proof = BakeProof(maximum: 0, mean: 0, colors: 0)
  private var worst: [(error: Double, color: SIMD3<Double>)] = []

  init(table: TetrahedralTable, difference: ColorDifference) {
    self.table = table
    self.difference = difference
  }

  /// The colours with the largest errors so far, the worst first.
  var worstColors: ColorPlanes { ColorPlanes(worst.map { SIMD3<Float>($0.color) }) }

  /// Compares the table with `exact`, until it is unfit. The mean is taken over the colours from
  /// `randomFrom` on, where there are such.
  mutating func add(_ colors: ColorPlanes, exact: [SIMD3<Double>], randomFrom: Int = .max) {
    var sum = 0.0
    for i in 0..<colors.count where proof.maximum <= BakeProof.maximumBound {
      let color = SIMD3<Double>(colors[i])
      let error = deltaE2000(exact[i], difference.lab(table.evaluate(color)))
      proof.maximum = max(proof.maximum, error)
      if i >= randomFrom { sum += error }
      remember(error, color)
    }
    if randomFrom < colors.count { proof.mean = sum / Double(colors.count - randomFrom) }
    proof.colors += colors.count
  }

  /// Keeps the worst few, the worst first.
  private mutating func remember(_ error: Double, _ color: SIMD3<Double>) {
    let capacity = 12
    guard worst.count < capacity || error > worst[capacity - 1].error else { return }
    worst.insert((error, color), at: worst.firstIndex { $0.error < error } ?? worst.endIndex)
    if worst.count > capacity { worst.removeLast() }
  }

  /// Random colours around the worst, at most `step` cells away on each axis.
  func neighboursOfWorst(within step: Double) -> ColorPlanes {
    var random = SplitMix64(seed: 0x5afe_1167)
    let cell = step / Double(table.size - 1)
    return ColorPlanes(
      worst.flatMap { _, color in
        (0..<40).map { _ -> SIMD3<Float> in
          var neighbour = SIMD3<Float>.zero
          for axis in 0..<3 {
            let shift = Double(random.next() >> 11) / Double(1 << 52) - 1
            let position = table.spacing.position(of: color[axis]) + shift * cell
            neighbour[axis] = Float(table.spacing.sample(at: min(max(position, 0), 1)))
          }
          return neighbour
        }
      })
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
    for _ in 0..<5000 { colors.append(random.color()) }
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
