import ColorScience
import FilterGraph
import FrameCore
import PixelKernels

/// The grids of one picture, and the memory that makes them; reused for the next picture.
package final class LightMemory: @unchecked Sendable {
  let coarse: NodeColors
  /// Nil without texture and masks that follow edges.
  let fine: NodeColors?
  /// In the kernels' form, one for each field that needs a grid.
  let kernels: UnsafeMutablePointer<sl_light_grid>
  let layouts: [FieldGridLayout]
  private let fields: [Field]
  /// The first float of each grid.
  private let starts: [Int]
  private let memory: UnsafeMutablePointer<Float>
  private let count: Int
  /// Of each part that is made at the same time as others.
  private let scratch: LightScratch
  let work = LightWork()
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
    scratch = LightScratch(coarse.size, fine: fine?.size, light.fields)
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
    kernels.deallocate()
  }

  private func kernel(_ index: Int, _ field: Field) -> sl_light_grid {
    let layout = layouts[index]
    func part(_ offset: Int?) -> UnsafePointer<Float>? { offset.map { UnsafePointer(at(index, $0)) } }
    var kernel = sl_light_grid()
    (kernel.width, kernel.height) = (Int32(layout.coarse.width), Int32(layout.coarse.height))
    kernel.map = (field.toGrid ?? .identity).six
    (kernel.nodes, kernel.haze) = (part(layout.local), part(layout.haze))
    (kernel.glow, kernel.detail, kernel.edges) = (part(layout.glow), part(layout.detail), part(layout.edges))
    (kernel.detail_width, kernel.detail_height) = (Int32(layout.fine.width), Int32(layout.fine.height))
    kernel.detail_map = (field.origin?.map(to: layout.fine) ?? .identity).six
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

  /// Makes the lines of one filter of local tone, the first or the second, of the brightness of nodes.
  func filterBrightness(_ filter: LightGrid.Filter, _ number: Int, into index: Int) {
    guard let offset = layouts[index].local else { return }
    let e = coarse.brightness
    scratch.surroundings[number].filter(
      e, guidedBy: e, coarse.size, filter, to: at(index, offset + 2 * number * coarse.size.pixelCount))
  }

  /// Makes the lines of haze of colours in channels.
  func filterHaze(into index: Int, _ colors: ChannelColors, _ ambient: AmbientLight, _ field: Field) {
    guard let offset = layouts[index].haze, let place = layouts[index].ambient, let origin = field.origin
    else { return }
    self.ambient[index] = ambient
    let size = coarse.size
    let inverse = SIMD3<Float>(ambient.inverse)
    let (guide, dark) = (scratch.haze.guide, scratch.haze.dark)
    for node in 0..<size.pixelCount {
      guide[node] = min(max((colors[node] * inverse).min(), 0), 1)
    }
    sl_least_light(
      guide, dark, Int32(size.width), Int32(size.height), Int32(HazeGrid.patch.nodes(on: size)),
      scratch.haze.windows)
    scratch.haze.lines.filter(dark, guidedBy: guide, size, HazeGrid.filter, to: at(index, offset))
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
        sl_scatter_light(plane, plane, Int32(size.width), Int32(size.height), $0, $1, scratch.glow)
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

  /// Makes some rows of the first step of a guided filter on fine nodes.
  func beginFine(_ filter: FineFilter, into index: Int, rows: Range<Int>, band: Int) {
    guard let fine else { return }
    let (size, guide) = (fine.size, fine.brightness)
    switch filter {
    case .detail: scratch.fine.begin(guide, guidedBy: guide, size, FineTexture.filter, rows: rows, band: band)
    case .edges(let place):
      let filter = fields[index].guides[place].filter
      scratch.fine.begin(
        scratch.drawn[index][place], guidedBy: guide, size, filter, rows: rows, band: band)
    }
  }

  /// Makes some rows of the second step, and of the detail that is found with it.
  func endFine(_ filter: FineFilter, into index: Int, rows: Range<Int>, band: Int) {
    guard let fine else { return }
    let (size, count) = (fine.size, fine.size.pixelCount)
    switch filter {
    case .detail:
      guard let offset = layouts[index].detail else { return }
      let lines = scratch.means
      scratch.fine.end(size, FineTexture.filter, rows: rows, band: band, to: lines)
      let first = rows.lowerBound * size.width
      sl_light_detail(
        fine.brightness + first, lines + first, lines + count + first, Float(FineTexture.limit),
        Float(FineTexture.dark.lowerBound), Float(FineTexture.dark.upperBound), at(index, offset) + first,
        rows.count * size.width)
    case .edges(let place):
      guard let offset = layouts[index].edges else { return }
      scratch.fine.end(
        size, fields[index].guides[place].filter, rows: rows, band: band,
        to: at(index, offset + 2 * count * place))
    }
  }

  /// Measures the ambient light of colours in channels, by their dark channel: the least of patches.
  func measureAmbient(_ colors: ChannelColors) -> AmbientLight {
    let (size, dark) = (coarse.size, scratch.haze.dark)
    for node in 0..<size.pixelCount { dark[node] = max(colors[node].min(), 0) }
    sl_least_light(
      dark, dark, Int32(size.width), Int32(size.height), Int32(HazeGrid.patch.nodes(on: size)),
      scratch.haze.windows)
    return AmbientMeasurement.ambient(of: colors, dark: dark, count: size.pixelCount, bins: scratch.bins)
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
