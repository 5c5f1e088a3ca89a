import ColorScience
import FilterGraph
import FrameCore
import PixelKernels

/// The grids of one picture, and the memory that makes them; reused for the next picture.
package final class LightMemory: @unchecked Sendable {
  let coarse: NodeColors
  /// Nil without texture.
  let fine: NodeColors?
  /// In the kernels' form, one for each field that needs a grid.
  let kernels: UnsafeMutablePointer<sl_light_grid>
  let layouts: [FieldGridLayout]
  private let fields: [Field]
  /// The first float of each grid.
  private let starts: [Int]
  private let memory, scratch: UnsafeMutablePointer<Float>
  private let count: Int
  /// Counts of levels, for what is measured.
  let bins: UnsafeMutablePointer<Int32>
  /// What was measured for each grid with haze.
  private(set) var ambient: [AmbientLight]

  /// Where the first grid begins. Ahead of it is the piece of film that a frame shows.
  package static let firstGrid = 1

  /// The piece of film, then the numbers of all grids, one after another.
  package var nodes: UnsafeBufferPointer<Float> { UnsafeBufferPointer(start: memory, count: count) }

  init(_ light: CompiledLight) {
    // Grain alone needs no colours.
    coarse = NodeColors(light.needsPicture ? light.sampling.size : PixelSize(width: 1, height: 1))
    fine = light.fineSampling.map { NodeColors($0.size) }
    fields = light.fields
    layouts = fields.map(FieldGridLayout.init)
    ambient = layouts.map { _ in .none }
    var (starts, total) = ([Int](), Self.firstGrid)
    for layout in layouts {
      starts.append(total)
      total += layout.count
    }
    (self.starts, count) = (starts, total)
    memory = .allocate(capacity: total)
    memory.initialize(repeating: 0, count: total)
    let floats = [coarse.size, fine?.size ?? coarse.size].map { size in
      let (width, height) = (Int32(size.width), Int32(size.height))
      return max(sl_light_scratch(width, height), sl_light_grid_scratch(width, height)) + 2 * size.pixelCount
    }
    let needed = max(floats[0], floats[1])
    scratch = .allocate(capacity: needed)
    scratch.initialize(repeating: 0, count: needed)
    bins = .allocate(capacity: AmbientMeasurement.levels)
    bins.initialize(repeating: 0, count: AmbientMeasurement.levels)
    // Grain needs the first one even if no field needs a grid.
    let kernelCount = max(1, layouts.count)
    kernels = .allocate(capacity: kernelCount)
    kernels.initialize(repeating: sl_light_grid(), count: kernelCount)
    for (index, field) in light.fields.enumerated() {
      kernels[index] = kernel(index, field)
    }
  }

  deinit {
    memory.deallocate()
    scratch.deallocate()
    bins.deallocate()
    kernels.deallocate()
  }

  private func kernel(_ index: Int, _ field: Field) -> sl_light_grid {
    let layout = layouts[index]
    func part(_ offset: Int?) -> UnsafePointer<Float>? { offset.map { UnsafePointer(at(index, $0)) } }
    var kernel = sl_light_grid()
    (kernel.width, kernel.height) = (Int32(layout.coarse.width), Int32(layout.coarse.height))
    kernel.map = KernelStages.six((field.toGrid ?? .identity).floats)
    (kernel.nodes, kernel.haze) = (part(layout.local), part(layout.haze))
    (kernel.glow, kernel.detail, kernel.edges) = (part(layout.glow), part(layout.detail), part(layout.edges))
    (kernel.detail_width, kernel.detail_height) = (Int32(layout.fine.width), Int32(layout.fine.height))
    kernel.detail_map = KernelStages.six((field.origin?.map(to: layout.fine) ?? .identity).floats)
    return kernel
  }

  /// Sets the piece of film whose grain is seen: `GrainTiles.film(ofFrame:)`.
  func show(film: Int) {
    memory[0] = Float(film)
    let shift = SIMD4<Int32>(truncatingIfNeeded: GrainTiles.shift(film: film))
    for index in 0..<max(1, layouts.count) {
      kernels[index].film = (shift.x, shift.y, shift.z, shift.w)
    }
  }

  private func at(_ index: Int, _ offset: Int) -> UnsafeMutablePointer<Float> {
    memory + starts[index] + offset
  }

  // MARK: Parts

  /// Makes the lines of local tone of the brightness of nodes.
  func filterBrightness(into index: Int) {
    guard let offset = layouts[index].local else { return }
    let size = coarse.size
    var filters = (
      LightGrid.Filter.wide.kernel(on: size), LightGrid.Filter.close.kernel(on: size)
    )
    withUnsafePointer(to: &filters) {
      $0.withMemoryRebound(to: sl_guided_filter.self, capacity: 2) {
        sl_make_light_grid(
          coarse.brightness, Int32(size.width), Int32(size.height), $0, scratch, at(index, offset))
      }
    }
  }

  /// Makes the lines of haze of colours in channels.
  func filterHaze(into index: Int, _ colors: ChannelColors, _ ambient: AmbientLight, _ field: Field) {
    guard let offset = layouts[index].haze, let place = layouts[index].ambient, let origin = field.origin
    else { return }
    self.ambient[index] = ambient
    let size = coarse.size
    let inverse = SIMD3<Float>(ambient.inverse)
    // The brightness is no longer needed, and the first plane of the scratch neither.
    let (guide, dark) = (coarse.brightness, scratch)
    let rest = scratch + 2 * size.pixelCount
    for node in 0..<size.pixelCount {
      guide[node] = min(max((colors[node] * inverse).min(), 0), 1)
    }
    sl_least_light(
      guide, dark, Int32(size.width), Int32(size.height), Int32(HazeGrid.patch.nodes(on: size)), rest)
    sl_guided_light(
      guide, dark, Int32(size.width), Int32(size.height), HazeGrid.filter.kernel(on: size), rest,
      at(index, offset))
    let here = SIMD3<Float>(origin.toChannels.inverse * ambient.color)
    let (lit, found) = (Float(ambient.lit), Float(ambient.found))
    (kernels[index].inverse_ambient, kernels[index].ambient) = (
      (inverse.x, inverse.y, inverse.z), (here.x, here.y, here.z)
    )
    kernels[index].haze_parts = (lit, found)
    let numbers = at(index, place)
    for channel in 0..<3 {
      (numbers[channel], numbers[3 + channel]) = (inverse[channel], here[channel])
    }
    (numbers[6], numbers[7]) = (lit, found)
  }

  /// Makes the light that scatters of colours in channels.
  func scatter(into index: Int, _ colors: ChannelColors, _ windows: ScatteringWindows, _ field: Field) {
    guard let offset = layouts[index].glow, let origin = field.origin else { return }
    let (size, count, planes) = (coarse.size, coarse.size.pixelCount, at(index, offset))
    for node in 0..<count {
      let color = Scattering.scattered(colors[node])
      for channel in 0..<3 { planes[channel * count + node] = color[channel] }
    }
    for channel in 0..<3 {
      windows.withWindows(channel) {
        let plane = planes + channel * count
        sl_scatter_light(plane, plane, Int32(size.width), Int32(size.height), $0, $1, scratch)
      }
    }
    let matrix = origin.toChannels.inverse
    let red = SIMD3<Float>(matrix * SIMD3(1, 0, 0))
    let green = SIMD3<Float>(matrix * SIMD3(0, 1, 0))
    let blue = SIMD3<Float>(matrix * SIMD3(0, 0, 1))
    for node in 0..<count {
      let here =
        planes[node] * red + planes[count + node] * green + planes[2 * count + node] * blue
      (planes[node], planes[count + node], planes[2 * count + node]) = (here.x, here.y, here.z)
    }
  }

  /// Makes the detail of the brightness of fine nodes.
  func filterDetail(into index: Int) {
    guard let fine, let offset = layouts[index].detail else { return }
    let (size, count) = (fine.size, fine.size.pixelCount)
    let lines = scratch + (sl_light_scratch(Int32(size.width), Int32(size.height)))
    sl_guided_light(
      fine.brightness, fine.brightness, Int32(size.width), Int32(size.height),
      FineTexture.filter.kernel(on: size), scratch, lines)
    sl_light_detail(
      fine.brightness, lines, lines + count, Float(FineTexture.limit), Float(FineTexture.dark.lowerBound),
      Float(FineTexture.dark.upperBound), at(index, offset), count)
  }

  /// Makes the lines of masks that follow edges of the brightness of fine nodes.
  func followEdges(into index: Int) {
    guard let fine, let offset = layouts[index].edges else { return }
    let (size, count) = (fine.size, fine.size.pixelCount)
    let drawn = scratch + sl_light_scratch(Int32(size.width), Int32(size.height))
    for (place, guide) in fields[index].guides.enumerated() {
      for node in 0..<count { drawn[node] = Float(guide.shape.nodes[node]) * (1 / 255) }
      sl_guided_light(
        fine.brightness, drawn, Int32(size.width), Int32(size.height), guide.filter.kernel(on: size), scratch,
        at(index, offset + 2 * count * place))
    }
  }

  /// Writes the dark channel of colours in channels, the least of patches, to the brightness of nodes.
  func darken(_ colors: ChannelColors) {
    let size = coarse.size
    for node in 0..<size.pixelCount { coarse.brightness[node] = max(colors[node].min(), 0) }
    sl_least_light(
      coarse.brightness, coarse.brightness, Int32(size.width), Int32(size.height),
      Int32(HazeGrid.patch.nodes(on: size)), scratch)
  }

  /// A grid as a value.
  func grid(_ index: Int) -> LightGrid {
    let layout = layouts[index]
    func floats(_ offset: Int?, _ count: Int, number: Int = 0) -> [Float] {
      offset.map { Array(UnsafeBufferPointer(start: at(index, $0 + number * count), count: count)) } ?? []
    }
    let count = layout.coarse.pixelCount
    var grid = LightGrid(size: layout.coarse, nodes: floats(layout.local, 4 * count))
    if layout.haze != nil {
      grid.haze = HazeGrid(nodes: floats(layout.haze, 2 * count), ambient: ambient[index])
    }
    if let glow = layout.glow, let origin = fields[index].origin {
      // As a value it is in channels, wherever the field is.
      let planes = at(index, glow)
      let colors = ChannelColors(planes, planes + count, planes + 2 * count, origin.toChannels)
      grid.glow = (0..<3).flatMap { channel in (0..<count).map { colors[$0][channel] } }
    }
    if layout.detail != nil {
      grid.detail = NodePlanes(size: layout.fine, nodes: floats(layout.detail, layout.fine.pixelCount))
    }
    let fine = layout.fine.pixelCount
    grid.edges = fields[index].guides.indices.map {
      NodePlanes(size: layout.fine, nodes: floats(layout.edges, 2 * fine, number: $0))
    }
    return grid
  }
}

/// The windows of `Scattering` on a grid.
final class ScatteringWindows: @unchecked Sendable {
  private let weights: [[Float]]

  init(_ size: PixelSize) {
    weights = (0..<3).flatMap { channel in
      Scattering.windows(channel: channel, on: size).map { $0.map { Float($0) } }
    }
  }

  func withWindows(
    _ channel: Int,
    _ body: (UnsafePointer<UnsafePointer<Float>?>, UnsafePointer<Int32>) -> Void
  ) {
    let (narrow, wide) = (weights[2 * channel], weights[2 * channel + 1])
    narrow.withUnsafeBufferPointer { narrow in
      wide.withUnsafeBufferPointer { wide in
        var windows = (narrow.baseAddress, wide.baseAddress)
        var reaches = (Int32(narrow.count - 1), Int32(wide.count - 1))
        withUnsafePointer(to: &windows) { windows in
          withUnsafePointer(to: &reaches) { reaches in
            windows.withMemoryRebound(to: UnsafePointer<Float>?.self, capacity: 2) { windows in
              reaches.withMemoryRebound(to: Int32.self, capacity: 2) { body(windows, $0) }
            }
          }
        }
      }
    }
  }
}

extension LightGrid.Filter {
  func kernel(on size: PixelSize) -> sl_guided_filter {
    sl_guided_filter(radius: Int32(nodes(on: size)), epsilon: Float(epsilon))
  }
}
