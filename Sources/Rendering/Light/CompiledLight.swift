import FilterGraph
import FrameCore
import PixelKernels
import Synchronization

/// How the light grids of a plan are made of a picture: for each field with local tone, in their order, from the colours
/// that reach it.
final class CompiledLight: Sendable {
  private enum Step: Sendable {
    /// Colours on their way to the next field.
    case color(KernelStages)
    /// A field or masks ahead of another field.
    case field(Stage, grid: Int?, toPixels: AffineMap)
    case grid(LocalLight, KernelStages)
  }

  let sampling: ProxySampling
  /// From pixels of the output to nodes, for each grid.
  let maps: [AffineMap]
  private let steps: [Step]

  /// Returns nil if the plan has no local tone.
  init?(_ plan: Plan) {
    let stages = plan.exactStages.filter(\.isColor)
    maps = stages.compactMap { $0.localLight?.toGrid }
    guard !maps.isEmpty, let last = stages.lastIndex(where: { $0.localLight != nil }) else { return nil }
    sampling = ProxySampling(plan.input)
    var steps: [Step] = []
    var run: [Stage] = []
    var grids = 0
    func endRun() {
      if !run.isEmpty { steps.append(.color(KernelStages(run))) }
      run = []
    }
    for (index, stage) in stages[...last].enumerated() {
      guard stage.usesPosition else {
        run.append(stage)
        continue
      }
      endRun()
      var own: Int?
      if let local = stage.localLight {
        steps.append(.grid(local, KernelStages([stage])))
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
  func make(_ memory: LightMemory, of picture: PixelBuffer) {
    sampling.sample(picture, rows: 0..<sampling.size.height, memory.red, memory.green, memory.blue)
    make(memory)
  }

  /// Makes the grids of the picture that a proxy stands for.
  func make(_ memory: LightMemory, of proxy: LightProxy) {
    for (plane, samples) in [
      (memory.red, proxy.red), (memory.green, proxy.green), (memory.blue, proxy.blue),
    ] {
      plane.update(from: samples, count: memory.count)
    }
    make(memory)
  }

  private func make(_ memory: LightMemory) {
    var grid = 0
    for step in steps {
      switch step {
      case .color(let stages): stages.run(memory.red, memory.green, memory.blue, count: memory.count)
      case .grid(_, let stage):
        stage.withBrightness {
          sl_light_brightness($0, memory.red, memory.green, memory.blue, memory.brightness, memory.count)
        }
        memory.filter(into: grid)
        grid += 1
      case .field(let stage, let own, let toPixels):
        let around = own.map { memory.grid($0) }
        for index in 0..<memory.count {
          let (x, y) = (index % sampling.size.width, index / sampling.size.width)
          let rgb = SIMD3<Double>(
            SIMD3(memory.red[index], memory.green[index], memory.blue[index]))
          let out = stage.evaluate(rgb, at: toPixels.apply(Double(x), Double(y)), in: around)
          (memory.red[index], memory.green[index], memory.blue[index]) = (
            Float(out.x), Float(out.y), Float(out.z)
          )
        }
      }
    }
  }
}

/// The grids of one picture, and the memory that makes them; reused for the next picture.
package final class LightMemory: @unchecked Sendable {
  let size: PixelSize
  let count: Int
  let red, green, blue, brightness: UnsafeMutablePointer<Float>
  /// In the kernels' form, one for each field with local tone.
  let kernels: UnsafeMutablePointer<sl_light_grid>
  private let grids: Int
  private let memory, scratch: UnsafeMutablePointer<Float>

  /// The nodes of all grids, one after another.
  package var nodes: UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(start: memory, count: 4 * count * grids)
  }

  init(_ light: CompiledLight) {
    size = light.sampling.size
    count = size.pixelCount
    grids = light.maps.count
    func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    (red, green, blue, brightness) = (floats(count), floats(count), floats(count), floats(count))
    memory = floats(4 * count * grids)
    scratch = floats(sl_light_grid_scratch(Int32(size.width), Int32(size.height)))
    kernels = .allocate(capacity: grids)
    for (index, map) in light.maps.enumerated() {
      (kernels + index).initialize(
        to: sl_light_grid(
          nodes: memory + 4 * count * index, width: Int32(size.width), height: Int32(size.height),
          map: KernelStages.six(map.floats)))
    }
  }

  deinit {
    for plane in [red, green, blue, brightness, memory, scratch] { plane.deallocate() }
    kernels.deallocate()
  }

  /// Makes a grid of the brightness.
  fileprivate func filter(into grid: Int) {
    func kernel(_ filter: LightGrid.Filter) -> sl_guided_filter {
      sl_guided_filter(radius: Int32(filter.nodes(on: size)), epsilon: Float(filter.epsilon))
    }
    var filters = (kernel(.wide), kernel(.close))
    withUnsafePointer(to: &filters) {
      $0.withMemoryRebound(to: sl_guided_filter.self, capacity: 2) {
        sl_make_light_grid(
          brightness, Int32(size.width), Int32(size.height), $0, scratch, memory + 4 * count * grid)
      }
    }
  }

  /// A grid as a value.
  func grid(_ index: Int) -> LightGrid {
    LightGrid(
      size: size,
      nodes: Array(UnsafeBufferPointer(start: memory + 4 * count * index, count: 4 * count)))
  }
}

/// Finds the light around the pixels of pictures, for renderers of other modules.
package final class LightMaker: Sendable {
  private let compiled: CompiledLight
  /// The grids of the one picture that is rendered; nil if each picture has its own.
  private let fixed: LightMemory?
  /// That of earlier pictures, reused once nobody else holds it.
  private let made = Mutex<[LightMemory]>([])

  /// Returns nil if the plan has no local tone.
  package convenience init?(_ plan: Plan) {
    guard let compiled = CompiledLight(plan) else { return nil }
    self.init(compiled, fixed: nil)
  }

  private init(_ compiled: CompiledLight, fixed: LightMemory?) {
    (self.compiled, self.fixed) = (compiled, fixed)
  }

  package func lit(by proxy: LightProxy) -> LightMaker {
    let memory = LightMemory(compiled)
    compiled.make(memory, of: proxy)
    return LightMaker(compiled, fixed: memory)
  }

  package func grids(of picture: PixelBuffer) -> LightMemory {
    if let fixed { return fixed }
    let memory = made.withLock { made in
      for index in made.indices where isKnownUniquelyReferenced(&made[index]) { return made[index] }
      made.append(LightMemory(compiled))
      return made[made.count - 1]
    }
    compiled.make(memory, of: picture)
    return memory
  }
}
