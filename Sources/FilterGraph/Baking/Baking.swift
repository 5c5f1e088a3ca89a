import ColorScience
import FrameCore

/// Bakes a run of colour stages into one table or two and measures their accuracy.
struct Baker {
  let evaluator: any ColorEvaluator
  /// The space of the table's output, in which its error is measured.
  let outputSpace: ColorSpace
  var cache: BakeCache?

  /// Returns the tables for a run of stages and remarks about them, baked or cached.
  func tables(for stages: [Stage]) -> BakeCache.Entry {
    guard let cache else { return bakeEntry(stages) }
    return cache.tables(for: stages, outputSpace: outputSpace) { bakeEntry(stages) }
  }

  private func bakeEntry(_ stages: [Stage]) -> BakeCache.Entry {
    var remarks: [String] = []
    let tables = bake(stages) { form, error in
      remarks.append(
        "\(form) not taken: ΔE2000 max \(PlainNumber.fixed(error.maximum, 2))"
          + (error.maximum > BakeError.acceptedMaximum
            ? " > \(PlainNumber.fixed(BakeError.acceptedMaximum, 2))"
            : ", mean \(PlainNumber.fixed(error.mean, 3)) > \(PlainNumber.fixed(BakeError.meanBound, 2))"))
    }
    if tables.isEmpty { remarks.append("no table keeps the bound: exact stages") }
    return BakeCache.Entry(stages: stages, outputSpace: outputSpace, tables: tables, remarks: remarks)
  }

  /// Returns the first tables within the bound, or none; `rejected` receives the errors of the others.
  func bake(_ stages: [Stage], rejected: (TableForm, BakeError) -> Void) -> [BakedLUT] {
    let exact = ExactColors(stages, evaluator: evaluator, outputSpace: outputSpace)
    // The colours at which one table failed are tried first on the next.
    var hardest = ColorPlanes([])
    for form in TableForm.candidates(for: stages) {
      let trial = trial(of: form, exact, hardest: hardest)
      guard let tables = trial.tables, trial.error.isWithinBounds else {
        rejected(form, trial.error)
        hardest = trial.worstColors
        continue
      }
      let parts = form.parts(of: stages)
      return parts.indices.map {
        BakedLUT(tables[$0], error: trial.error, stages: parts[$0], feedsTable: $0 + 1 < parts.count)
      }
    }
    return []
  }

  /// Tries one form of tables; the result has no tables if screening found it unfit.
  func trial(of form: TableForm, _ exact: ExactColors, hardest: ColorPlanes) -> TableTrial {
    let parts = form.parts(of: exact.list)
    let head = parts.count == 1 ? exact.stages : evaluator.function(of: parts[0])
    let tail = parts.dropFirst().map { tail -> TetrahedralTable in
      let shape = TableShape(form.tailSize, .uniform)
      return TetrahedralTable(
        codes: evaluator.function(of: tail).nodes(along: shape.axis), size: shape.size, spacing: shape.spacing
      ).extended(by: TableForm.slopeOutside(of: tail))
    }
    var trial = TableTrial(form.shape, tail: Array(tail), exact: exact)
    screen(head, hardest, &trial)
    guard trial.error.isWithinBounds else { return trial }
    if let thin = refinedTrial(of: head, trial, hardest) { return thin }
    trial.install(head.nodes(along: form.shape.axis))
    prove(&trial, hardest)
    if trial.error.isWithinBounds { trial.confirm() }
    return trial
  }

  /// Tries a table of which only every other node is computed; nil if the others are not what the stages make of them.
  private func refinedTrial(
    of head: any StageFunction, _ screened: TableTrial, _ hardest: ColorPlanes
  ) -> TableTrial? {
    guard let grid = ThinGrid.ofShapes[screened.shape] else { return nil }
    let codes = head.nodes(along: grid.axis)
    let shape = ThinGrid.shape(of: screened.shape)
    var between = TableTrial(screened.shape, tail: screened.tail, exact: screened.exact)
    between.install(evaluator.refined(codes, by: grid))
    // Midway between two computed nodes, where the computed ones bend most, and next to black.
    let bends = evaluator.bends(
      of: TetrahedralTable(codes: codes, size: shape.size, spacing: shape.spacing), block: 2, count: 600)
    between.add(TableBend.edgeMiddles(bends, size: shape.size, spacing: shape.spacing))
    if let middles = GridMiddles.ofThinShapes[shape] { between.add(middles.blends.colors) }
    guard between.error.maximum <= ThinGrid.acceptedMaximum else { return nil }
    var trial = screened
    trial.install(between)
    prove(&trial, hardest)
    guard trial.error.isWithinBounds else { return nil }
    trial.confirm()
    return trial.error.isWithinBounds ? trial : nil
  }

  /// Tries a table before it exists, where it is likely to fail, on the few nodes involved: rejecting an unfit one
  /// costs a tenth of its nodes.
  private func screen(_ head: any ColorFunction, _ hardest: ColorPlanes, _ trial: inout TableTrial) {
    guard let middles = GridMiddles.ofShapes[trial.shape] else { return }
    trial.screen(NodeBlends(hardest, on: trial.shape), head)
    trial.screen(middles.blends, head)
    func climb(_ steps: [Double], each count: Int) {
      for step in steps where trial.error.isWithinBounds {
        trial.screen(NodeBlends(trial.neighboursOfWorst(within: step, each: count), on: trial.shape), head)
      }
    }
    climb([0.6, 0.25], each: 8)
    // Larger tables cost more to bake, so closer screening pays off.
    let isLarge = trial.shape.size > 33
    if isLarge { trial.screen(NodeBlends(ProbeColors.few, on: trial.shape), head) }
    if isLarge || trial.error.maximum > BakeError.closeMaximum { climb([0.6, 0.3, 0.15, 0.07], each: 16) }
  }

  /// Adversarial colours come before random ones, so that an unfit table is soon rejected.
  private func prove(_ trial: inout TableTrial, _ hardest: ColorPlanes) {
    trial.restart()
    trial.add(hardest)
    trial.addBends(block: 4, count: 800)
    if trial.isPair {
      // The bends of the first table do not show where the second one bends.
      trial.addBendsOfWhole(TableShape(33, .uniform), count: 800)
    }
    if let middles = GridMiddles.ofShapes[trial.shape] { trial.add(middles.blends.colors) }
    let standard = ProbeColors.standard
    trial.add(standard.planes, exact: trial.exact.labsOfStandard, randomFrom: standard.adversarialCount)
    // Then the neighbourhoods of the worst colours found, in ever smaller steps.
    for step in [0.6, 0.3, 0.15, 0.07] {
      trial.add(trial.neighboursOfWorst(within: step, each: 20))
    }
    guard trial.error.maximum > BakeError.closeMaximum else { return }
    // Close to the bound: many more creases, and a finer climb from the worst places.
    trial.addBends(block: trial.shape.size > 49 ? 3 : 2, count: 2500)
    for step in [1, 0.5, 0.25, 0.12, 0.06] {
      trial.add(trial.neighboursOfWorst(within: step, each: 80))
    }
  }
}

/// The results of the exact stages for colours.
final class ExactColors {
  let list: [Stage]
  let stages: any StageFunction
  let lab: any ColorFunction
  let evaluator: any ColorEvaluator
  let difference: ColorDifference

  init(_ list: [Stage], evaluator: any ColorEvaluator, outputSpace: ColorSpace) {
    self.list = list
    self.evaluator = evaluator
    stages = evaluator.function(of: list)
    lab = evaluator.labFunction(of: outputSpace)
    difference = ColorDifference(space: outputSpace)
  }

  /// The results for the standard probes, on which every table is tried.
  private(set) lazy var labsOfStandard = labs(of: ProbeColors.standard.planes)

  /// Returns the results in CIE L*a*b*.
  func labs(of colors: ColorPlanes) -> ColorPlanes {
    var labs = colors
    stages.apply(to: &labs)
    lab.apply(to: &labs)
    return labs
  }
}
