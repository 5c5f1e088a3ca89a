import ColorScience
import FilterGraph
import FrameCore
import PixelKernels

/// How the light grids of a plan are made of a picture: for each field that needs one, in their order, from the colours
/// that reach it.
final class CompiledLight: Sendable {
  /// What happens to each node by itself.
  private enum NodeStep: Sendable {
    case color(KernelStages)
    /// A field or masks ahead of another field, perhaps with the grid of the round before.
    case field(Stage, hasGrid: Bool, toPixels: AffineMap)
  }

  /// What can be done to a grid at the same time as others of its phase.
  private enum Part: Sendable {
    case surroundings(LightGrid.Filter, Int)
    case haze
    case glow
    /// Bands of both steps of a filter on fine nodes.
    case beginFine(FineFilter, band: Int)
    case endFine(FineFilter, band: Int)
  }

  /// What leads to the grid of one field.
  private struct Round: Sendable {
    let steps: [NodeStep]
    let field: Field
    /// Measures the brightness of nodes.
    let stage: KernelStages
    /// One after another.
    let phases: [[Part]]
  }

  /// Nodes are worked on in this many bands of rows, which threads share.
  static let bandCount = 8
  private static var bands: Range<Int> { 0..<bandCount }

  let sampling: ProxySampling
  /// Nil without texture and masks that follow edges.
  let fineSampling: ProxySampling?
  /// The fields that need a grid, where they run.
  let fields: [Field]
  private let rounds: [Round]
  /// From the picture as stored to the result, if the plan has a projection.
  private let projected: Geometry?
  private let windows: ScatteringWindows?

  /// Whether the light of the whole picture is needed, and not just the number of a frame, with which grain moves.
  var needsPicture: Bool { !fields.isEmpty }

  /// Returns nil if the plan's fields need no grid and have no grain.
  init?(_ plan: Plan) {
    let stages = plan.exactStages.filter(\.isColor)
    // The same fields as in the exact stages, perhaps ahead of a matrix.
    fields = plan.stages.compactMap(\.gridField)
    let maps = stages.compactMap { $0.gridField?.toGrid }
    guard fields.count == maps.count, !fields.isEmpty || plan.hasGrain else { return nil }
    sampling = ProxySampling(plan.input)
    projected = plan.projected
    fineSampling = plan.hasFineLight ? ProxySampling(plan.input, isFine: true) : nil
    windows = fields.contains { $0.glow != nil } ? ScatteringWindows(sampling.size) : nil
    var rounds: [Round] = []
    var steps: [NodeStep] = []
    var run: [Stage] = []
    let last = stages.lastIndex(where: { $0.gridField != nil }) ?? -1
    for (index, stage) in stages.prefix(last + 1).enumerated() {
      guard stage.usesPosition else {
        run.append(stage)
        continue
      }
      if !run.isEmpty { steps.append(.color(KernelStages(run))) }
      run = []
      if let field = stage.gridField {
        rounds.append(
          Round(
            steps: steps, field: field, stage: KernelStages([.field(field.measuring)]),
            phases: Self.phases(of: field)))
        steps = []
      }
      if index < last {
        steps.append(
          .field(
            stage.withoutGrain, hasGrid: stage.gridField != nil,
            toPixels: maps[min(rounds.count, maps.count - 1)].inverse))
      }
    }
    self.rounds = rounds
  }

  /// The parts of a field's grid; in each phase, those that take longest come first.
  private static func phases(of field: Field) -> [[Part]] {
    var filters = field.guides.indices.map(FineFilter.edges)
    if field.texture != nil { filters.insert(.detail, at: 0) }
    var phases = filters.flatMap { filter in
      [bands.map { Part.beginFine(filter, band: $0) }, bands.map { Part.endFine(filter, band: $0) }]
    }
    var coarse: [Part] = []
    if field.glow != nil { coarse.append(.glow) }
    if field.haze != nil { coarse.append(.haze) }
    if field.local != nil { coarse += [.surroundings(.wide, 0), .surroundings(.close, 1)] }
    if phases.isEmpty { return [coarse] }
    phases[0] = coarse + phases[0]
    return phases
  }

  // MARK: Making

  /// Makes the grids of a picture.
  ///
  /// - Parameters:
  ///   - history: of live frames, whose statistics move smoothly.
  ///   - pool: whose threads share the work; nil does it all on this one.
  func make(
    _ memory: LightMemory, of picture: PixelBuffer, history: LightHistory? = nil, on pool: WorkerPool? = nil
  ) {
    memory.show(film: history?.film ?? 0)
    guard needsPicture else { return }
    guard let history, fields.contains(where: { $0.haze != nil }) else {
      return makeRounds(memory, of: picture, nil, pool)
    }
    memory.work.run(.sample(self, picture), memory, on: pool)
    history.follow(memory.coarse)
    makeRounds(memory, of: nil, history, pool)
  }

  /// Makes the grids of the picture that a proxy stands for.
  func make(_ memory: LightMemory, of proxy: LightProxy, on pool: WorkerPool? = nil) {
    memory.show(film: 0)
    for (samples, colors) in [(proxy.coarse, memory.coarse), (proxy.fine, memory.fine)] {
      guard let samples, let colors else { continue }
      for (plane, samples) in [
        (colors.red, samples.red), (colors.green, samples.green), (colors.blue, samples.blue),
      ] {
        plane.update(from: samples, count: colors.size.pixelCount)
      }
    }
    makeRounds(memory, of: nil, nil, pool)
  }

  /// - Parameter picture: nil if its colours are there already.
  private func makeRounds(
    _ memory: LightMemory, of picture: PixelBuffer?, _ history: LightHistory?, _ pool: WorkerPool?
  ) {
    for (index, round) in rounds.enumerated() {
      let hasGrid = round.steps.contains { if case .field(_, hasGrid: true, _) = $0 { true } else { false } }
      let grid = hasGrid ? memory.grid(index - 1) : nil
      memory.work.run(.nodes(self, round: index, index == 0 ? picture : nil, grid), memory, on: pool)
      for phase in round.phases.indices {
        memory.work.run(
          .parts(self, round: index, phase: phase, round.phases[phase].count, history), memory,
          on: pool)
      }
    }
  }

  /// Samples one band of nodes.
  func sample(_ band: Int, of picture: PixelBuffer, _ memory: LightMemory) {
    sampling.sample(picture, memory.coarse, band)
    if let fineSampling, let fine = memory.fine { fineSampling.sample(picture, fine, band) }
  }

  /// Takes one band of nodes to the field of a round, and measures their brightness.
  ///
  /// - Parameter grid: that of the round before, if a step needs it.
  func runNodes(_ band: Int, round index: Int, _ memory: LightMemory, _ grid: LightGrid?) {
    let round = rounds[index]
    run(round, band, on: memory.coarse, grid, measures: round.field.local != nil)
    if let fine = memory.fine { run(round, band, on: fine, grid, measures: round.field.needsFineGrid) }
  }

  private func run(
    _ round: Round, _ band: Int, on colors: NodeColors, _ grid: LightGrid?, measures: Bool
  ) {
    let nodes = colors.nodes(ofBand: band)
    for step in round.steps {
      switch step {
      case .color(let stages):
        stages.run(
          colors.red + nodes.lowerBound, colors.green + nodes.lowerBound, colors.blue + nodes.lowerBound,
          count: nodes.count)
      case .field(let stage, let hasGrid, let toPixels):
        run(stage, on: colors, nodes, in: hasGrid ? grid : nil, toPixels)
      }
    }
    if measures { round.stage.withBrightness { colors.measureBrightness($0, nodes) } }
  }

  /// Makes one part of the grid of a round.
  func makePart(_ number: Int, round grid: Int, phase: Int, _ memory: LightMemory, _ history: LightHistory?) {
    let field = rounds[grid].field
    switch rounds[grid].phases[phase][number] {
    case .surroundings(let filter, let place): memory.filterBrightness(filter, place, into: grid)
    case .beginFine(let filter, let band):
      guard let rows = memory.fine?.rows(ofBand: band) else { return }
      memory.beginFine(filter, into: grid, rows: rows, band: band)
    case .endFine(let filter, let band):
      guard let rows = memory.fine?.rows(ofBand: band) else { return }
      memory.endFine(filter, into: grid, rows: rows, band: band)
    case .haze:
      guard let colors = channels(field, memory) else { return }
      let measured = memory.measureAmbient(colors)
      memory.filterHaze(
        into: grid, colors, history?.smoothed(measured, field: grid) ?? measured, fields[grid])
    case .glow:
      guard let windows, let colors = channels(field, memory) else { return }
      memory.scatter(into: grid, colors, windows, fields[grid])
    }
  }

  private func channels(_ field: Field, _ memory: LightMemory) -> ChannelColors? {
    let colors = memory.coarse
    return field.origin.map { ChannelColors(colors.red, colors.green, colors.blue, $0.toChannels) }
  }

  /// Runs a field on the colours of nodes, for the next one.
  private func run(
    _ stage: Stage, on colors: NodeColors, _ nodes: Range<Int>, in grid: LightGrid?, _ toPixels: AffineMap
  ) {
    let size = colors.size
    // From these nodes to those of the coarse grid.
    let (sx, sy) = (
      Double(sampling.size.width) / Double(size.width), Double(sampling.size.height) / Double(size.height)
    )
    for index in nodes {
      let (x, y) = (Double(index % size.width), Double(index / size.width))
      let rgb = SIMD3<Double>(SIMD3(colors.red[index], colors.green[index], colors.blue[index]))
      let place = toPixels.apply((x + 0.5) * sx - 0.5, (y + 0.5) * sy - 0.5)
      let out =
        if let shown = projected?.placeInOutput(place.x, place.y) {
          stage.evaluate(rgb, at: shown, stored: place, in: grid)
        } else {
          stage.evaluate(rgb, at: place, in: grid)
        }
      (colors.red[index], colors.green[index], colors.blue[index]) = (
        Float(out.x), Float(out.y), Float(out.z)
      )
    }
  }
}

/// A filter on fine nodes: that of texture, or that of one mask that follows edges.
enum FineFilter: Sendable {
  case detail
  case edges(Int)
}

extension Field {
  /// A field whose local tone measures brightness as this one does, in the working space.
  fileprivate var measuring: Field { local == nil ? Field(measuringFor: self) : self }
}

extension ProxySampling {
  fileprivate func sample(_ picture: PixelBuffer, _ colors: NodeColors, _ band: Int) {
    sample(picture, rows: colors.rows(ofBand: band), colors.red, colors.green, colors.blue)
  }
}

extension NodeColors {
  fileprivate func rows(ofBand band: Int) -> Range<Int> {
    size.height * band / CompiledLight.bandCount..<size.height * (band + 1) / CompiledLight.bandCount
  }

  fileprivate func nodes(ofBand band: Int) -> Range<Int> {
    let rows = rows(ofBand: band)
    return rows.lowerBound * size.width..<rows.upperBound * size.width
  }

  fileprivate func measureBrightness(_ measure: UnsafePointer<sl_brightness>, _ nodes: Range<Int>) {
    let first = nodes.lowerBound
    sl_light_brightness(measure, red + first, green + first, blue + first, brightness + first, nodes.count)
  }
}
