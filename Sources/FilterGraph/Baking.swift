import ColorScience
import FrameCore

/// Turns a run of colour stages into a table and measures how good it is.
struct Baker {
  let evaluator: any ColorEvaluator
  /// The space of the table's output, in which its error is measured.
  let outputSpace: ColorSpace
  var cache: BakeCache?

  /// Tried in this order; the first whose proof holds is taken.
  static let shapes: [(size: Int, spacing: NodeSpacing)] = [
    (33, .uniform),
    (33, NodeSpacing(knee: 0.125, kneePosition: 0.25)),
    (49, NodeSpacing(knee: 0.125, kneePosition: 0.25)),
    (65, NodeSpacing(knee: 0.125, kneePosition: 0.3125)),
    // Has every node of a look's 33³, whose creases lie there.
    (65, .uniform),
  ]

  /// The table for a run of stages and what there is to say about it, baked or remembered.
  func table(for stages: [Stage]) -> BakeCache.Entry {
    guard let cache else { return bakeEntry(stages) }
    return cache.table(for: stages, outputSpace: outputSpace) { bakeEntry(stages) }
  }

  private func bakeEntry(_ stages: [Stage]) -> BakeCache.Entry {
    var remarks: [String] = []
    let table = bake(stages) { size, proof in
      remarks.append(
        "\(size)³ not taken: ΔE2000 max \(PlainNumber.fixed(proof.maximum, 2))"
          + (proof.maximum > BakeProof.acceptedMaximum
            ? " > \(PlainNumber.fixed(BakeProof.acceptedMaximum, 2))"
            : ", mean \(PlainNumber.fixed(proof.mean, 3)) > \(PlainNumber.fixed(BakeProof.meanBound, 2))"))
    }
    if table == nil { remarks.append("no table keeps the bound: exact stages") }
    return BakeCache.Entry(stages: stages, outputSpace: outputSpace, table: table, remarks: remarks)
  }

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
      if trial.proof.holds {
        let creases = CreaseProbes(codes: codes, size: shape.size, spacing: shape.spacing).colors
        trial.add(creases, exact: exact(stages, creases, difference))
      }
      // The adversarial colours come before the random ones, for the same reason.
      trial.add(middles.planes, exact: exact(stages, middles.planes, difference))
      trial.add(standard.planes, exact: exactStandard, randomFrom: standard.adversarialCount)
      // Then the neighbourhoods of the worst colours found, in ever smaller steps.
      for step in [0.6, 0.3, 0.15, 0.07] where trial.proof.holds {
        let neighbours = trial.neighboursOfWorst(within: step, each: 20)
        trial.add(neighbours, exact: exact(stages, neighbours, difference))
      }
      if trial.proof.holds, trial.proof.maximum > BakeProof.closeMaximum {
        searchDensely(stages, codes, shape, difference, &trial)
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

  /// Where a table is close to the bound: many more creases, and a finer climb from the worst places.
  private func searchDensely(
    _ stages: [Stage], _ codes: [Int16], _ shape: (size: Int, spacing: NodeSpacing),
    _ difference: ColorDifference, _ trial: inout TableTrial
  ) {
    let creases = CreaseProbes(
      codes: codes, size: shape.size, spacing: shape.spacing, block: 2, blocks: 2500
    ).colors
    trial.add(creases, exact: exact(stages, creases, difference))
    for step in [1, 0.5, 0.25, 0.12, 0.06] where trial.proof.holds {
      let neighbours = trial.neighboursOfWorst(within: step, each: 120)
      trial.add(neighbours, exact: exact(stages, neighbours, difference))
    }
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
