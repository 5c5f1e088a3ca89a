import ColorScience
import FilterGraph
import FrameCore
import PixelKernels
import Synchronization

/// How the light grids of a plan are made of a picture: for each field that needs one, in their order, from the colours
/// that reach it.
final class CompiledLight: Sendable {
  private enum Step: Sendable {
    /// Colours on their way to the next field.
    case color(KernelStages)
    /// A field or masks ahead of another field.
    case field(Stage, grid: Int?, toPixels: AffineMap)
    case grid(Field, KernelStages)
  }

  let sampling: ProxySampling
  /// Nil without texture and masks that follow edges.
  let fineSampling: ProxySampling?
  /// The fields that need a grid, where they run.
  let fields: [Field]
  private let steps: [Step]
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
    fineSampling = plan.hasFineLight ? ProxySampling(plan.input, isFine: true) : nil
    windows = fields.contains { $0.glow != nil } ? ScatteringWindows(sampling.size) : nil
    var steps: [Step] = []
    var run: [Stage] = []
    var grids = 0
    func endRun() {
      if !run.isEmpty { steps.append(.color(KernelStages(run))) }
      run = []
    }
    let last = stages.lastIndex(where: { $0.gridField != nil }) ?? -1
    for (index, stage) in stages.prefix(last + 1).enumerated() {
      guard stage.usesPosition else {
        run.append(stage)
        continue
      }
      endRun()
      var own: Int?
      if let field = stage.gridField {
        steps.append(.grid(field, KernelStages([.field(field.measuring)])))
        own = grids
        grids += 1
      }
      if index < last {
        steps.append(
          .field(stage.withoutGrain, grid: own, toPixels: maps[min(grids, maps.count - 1)].inverse))
      }
    }
    self.steps = steps
  }

  /// Makes the grids of a picture.
  ///
  /// - Parameter history: of live frames, whose statistics move smoothly.
  func make(_ memory: LightMemory, of picture: PixelBuffer, history: LightHistory? = nil) {
    memory.show(film: history?.film ?? 0)
    guard needsPicture else { return }
    // Frames allocate nothing, so there are no arrays of both.
    sampling.sample(picture, into: memory.coarse)
    if let fineSampling, let fine = memory.fine { fineSampling.sample(picture, into: fine) }
    history?.follow(memory.coarse)
    make(memory, history)
  }

  /// Makes the grids of the picture that a proxy stands for.
  func make(_ memory: LightMemory, of proxy: LightProxy) {
    memory.show(film: 0)
    for (samples, colors) in [(proxy.coarse, memory.coarse), (proxy.fine, memory.fine)] {
      guard let samples, let colors else { continue }
      for (plane, samples) in [
        (colors.red, samples.red), (colors.green, samples.green), (colors.blue, samples.blue),
      ] {
        plane.update(from: samples, count: colors.size.pixelCount)
      }
    }
    make(memory, nil)
  }

  private func make(_ memory: LightMemory, _ history: LightHistory?) {
    var grid = 0
    for step in steps {
      switch step {
      case .color(let stages):
        memory.coarse.run(stages)
        memory.fine?.run(stages)
      case .grid(let field, let stage):
        measure(field, stage, into: grid, memory, history)
        grid += 1
      case .field(let stage, let own, let toPixels):
        let around = own.map { memory.grid($0) }
        for colors in [memory.coarse, memory.fine] {
          guard let colors else { continue }
          run(stage, on: colors, in: around, toPixels)
        }
      }
    }
  }

  /// Makes the grid of a field from the colours that reach it.
  private func measure(
    _ field: Field, _ stage: KernelStages, into grid: Int, _ memory: LightMemory, _ history: LightHistory?
  ) {
    if field.local != nil {
      stage.withBrightness { memory.coarse.measureBrightness($0) }
      memory.filterBrightness(into: grid)
    }
    if field.needsFineGrid, let fine = memory.fine {
      stage.withBrightness { fine.measureBrightness($0) }
      if field.texture != nil { memory.filterDetail(into: grid) }
      memory.followEdges(into: grid)
    }
    guard let origin = field.origin else { return }
    let coarse = memory.coarse
    let colors = ChannelColors(coarse.red, coarse.green, coarse.blue, origin.toChannels)
    if field.haze != nil {
      memory.darken(colors)
      let measured = AmbientMeasurement.ambient(
        of: colors, dark: coarse.brightness, count: coarse.size.pixelCount, bins: memory.bins)
      let ambient = history?.smoothed(measured, field: grid) ?? measured
      memory.filterHaze(into: grid, colors, ambient, fields[grid])
    }
    if field.glow != nil, let windows { memory.scatter(into: grid, colors, windows, fields[grid]) }
  }

  /// Runs a field on the colours of nodes, for the next one.
  private func run(_ stage: Stage, on colors: NodeColors, in grid: LightGrid?, _ toPixels: AffineMap) {
    let size = colors.size
    // From these nodes to those of the coarse grid.
    let (sx, sy) = (
      Double(sampling.size.width) / Double(size.width), Double(sampling.size.height) / Double(size.height)
    )
    for index in 0..<size.pixelCount {
      let (x, y) = (Double(index % size.width), Double(index / size.width))
      let rgb = SIMD3<Double>(SIMD3(colors.red[index], colors.green[index], colors.blue[index]))
      let place = toPixels.apply((x + 0.5) * sx - 0.5, (y + 0.5) * sy - 0.5)
      let out = stage.evaluate(rgb, at: place, in: grid)
      (colors.red[index], colors.green[index], colors.blue[index]) = (
        Float(out.x), Float(out.y), Float(out.z)
      )
    }
  }
}

extension Field {
  /// A field whose local tone measures brightness as this one does, in the working space.
  fileprivate var measuring: Field { local == nil ? Field(measuringFor: self) : self }
}

extension ProxySampling {
  fileprivate func sample(_ picture: PixelBuffer, into colors: NodeColors) {
    sample(picture, rows: 0..<size.height, colors.red, colors.green, colors.blue)
  }
}

extension NodeColors {
  fileprivate func run(_ stages: KernelStages) {
    stages.run(red, green, blue, count: size.pixelCount)
  }

  fileprivate func measureBrightness(_ measure: UnsafePointer<sl_brightness>) {
    sl_light_brightness(measure, red, green, blue, brightness, size.pixelCount)
  }
}

/// Finds the light around the pixels of pictures, for renderers of other modules.
package final class LightMaker: Sendable {
  private let compiled: CompiledLight
  /// The grids of the one picture that is rendered; nil if each picture has its own.
  private let fixed: LightMemory?
  /// Of the live run whose frames are rendered.
  private let history: LightHistory?
  /// That of earlier pictures, reused once nobody else holds it.
  private let made = Mutex<[LightMemory]>([])

  /// Whether the light of the whole picture is needed.
  package var needsPicture: Bool { compiled.needsPicture }

  /// Returns nil if the plan's fields need no grid and have no grain.
  package convenience init?(_ plan: Plan) {
    guard let compiled = CompiledLight(plan) else { return nil }
    self.init(compiled, fixed: nil, history: nil)
  }

  private init(_ compiled: CompiledLight, fixed: LightMemory?, history: LightHistory?) {
    (self.compiled, self.fixed, self.history) = (compiled, fixed, history)
  }

  package func lit(by proxy: LightProxy) -> LightMaker {
    let memory = LightMemory(compiled)
    compiled.make(memory, of: proxy)
    return LightMaker(compiled, fixed: memory, history: nil)
  }

  package func following(_ history: LightHistory) -> LightMaker {
    LightMaker(compiled, fixed: nil, history: history)
  }

  package func grids(of picture: PixelBuffer) -> LightMemory {
    if let fixed { return fixed }
    let memory = made.withLock { made in
      for index in made.indices where isKnownUniquelyReferenced(&made[index]) { return made[index] }
      made.append(LightMemory(compiled))
      return made[made.count - 1]
    }
    compiled.make(memory, of: picture, history: history)
    return memory
  }
}
