import ColorScience
import FilterGraph
import FrameCore

/// The grids of fields in double precision, as `LightGrid` defines them: every window is summed by itself.
enum ReferenceLight {
  /// Returns one grid for each field of a plan's exact stages that needs one.
  static func grids(of picture: PixelBuffer, for plan: Plan) -> [LightGrid] {
    guard plan.hasLocalLight,
      let proxy = try? LightProxy(picture, input: plan.input, isFine: plan.hasFineLight)
    else { return [] }
    return grids(of: proxy, for: plan)
  }

  static func grids(of proxy: LightProxy, for plan: Plan) -> [LightGrid] {
    func colors(_ colors: LightProxy.Colors?) -> [SIMD3<Double>] {
      guard let colors else { return [] }
      return (0..<colors.size.pixelCount).map {
        SIMD3<Double>(SIMD3(colors.red[$0], colors.green[$0], colors.blue[$0]))
      }
    }
    var coarse = colors(proxy.coarse)
    var fine = colors(plan.hasFineLight ? proxy.fine : nil)
    let fineSize = proxy.fine?.size ?? proxy.size
    var grids: [LightGrid] = []
    let maps = plan.exactStages.compactMap { $0.gridField?.toGrid }
    let projected = plan.projected
    for stage in plan.exactStages where stage.isColor && grids.count < maps.count {
      let toPixels = maps[grids.count].inverse
      var own: LightGrid?
      if let field = stage.gridField {
        let grid = grid(for: field, coarse: coarse, size: proxy.size, fine: fine, fineSize: fineSize)
        grids.append(grid)
        own = grid
      }
      func changed(_ colors: [SIMD3<Double>], _ size: PixelSize) -> [SIMD3<Double>] {
        let (sx, sy) = (
          Double(proxy.size.width) / Double(size.width), Double(proxy.size.height) / Double(size.height)
        )
        return colors.enumerated().map { index, color in
          let (x, y) = (Double(index % size.width), Double(index / size.width))
          let place = toPixels.apply((x + 0.5) * sx - 0.5, (y + 0.5) * sy - 0.5)
          guard let shown = projected?.placeInOutput(place.x, place.y) else {
            return stage.withoutGrain.evaluate(color, at: place, in: own)
          }
          return stage.withoutGrain.evaluate(color, at: shown, stored: place, in: own)
        }
      }
      (coarse, fine) = (changed(coarse, proxy.size), changed(fine, fineSize))
    }
    return grids
  }

  private static func grid(
    for field: Field, coarse: [SIMD3<Double>], size: PixelSize, fine: [SIMD3<Double>], fineSize: PixelSize
  ) -> LightGrid {
    var grid = LightGrid(size: size, nodes: [])
    if let local = field.local { grid = Self.grid(of: coarse.map(local.brightness), size: size) }
    guard let origin = field.origin else { return grid }
    let channels = coarse.map { color -> SIMD3<Double> in
      let channels = origin.toChannels * color
      return channels.replacing(with: 0, where: channels .!= channels)
    }
    if field.haze != nil { grid.haze = haze(channels, size) }
    if field.glow != nil { grid.glow = glow(channels, size) }
    if field.needsFineGrid, let measure = (field.local ?? Field(measuringFor: field).local) {
      let e = fine.map(measure.brightness)
      if field.texture != nil { grid.detail = detail(e, fineSize) }
      grid.edges = field.guides.map { guide in
        let lines = guided(guide.shape.values.map { Double($0) / 255 }, by: e, fineSize, guide.filter)
        return NodePlanes(size: fineSize, nodes: (lines.a + lines.b).map { Float($0) })
      }
    }
    return grid
  }

  private static func haze(_ channels: [SIMD3<Double>], _ size: PixelSize) -> HazeGrid {
    let dark = least(channels.map { max($0.min(), 0) }, size)
    let planes = (0..<3).map { channel in channels.map { Float($0[channel]) } }
    let ambient = planes[0].withUnsafeBufferPointer { red in
      planes[1].withUnsafeBufferPointer { green in
        planes[2].withUnsafeBufferPointer { blue -> AmbientLight in
          guard let red = red.baseAddress, let green = green.baseAddress, let blue = blue.baseAddress else {
            return .none
          }
          var bins = [Int32](repeating: 0, count: AmbientMeasurement.levels)
          let dark = dark.map { Float($0) }
          return bins.withUnsafeMutableBufferPointer { bins in
            dark.withUnsafeBufferPointer { dark in
              guard let bins = bins.baseAddress, let first = dark.baseAddress else { return .none }
              return AmbientMeasurement.ambient(
                of: ChannelColors(red, green, blue, .identity), dark: first, count: dark.count, bins: bins)
            }
          }
        }
      }
    }
    let guide = channels.map(ambient.veilLimit)
    let lines = guided(least(guide, size), by: guide, size, HazeGrid.filter)
    return HazeGrid(nodes: lines.a.map { Float($0) } + lines.b.map { Float($0) }, ambient: ambient)
  }

  private static func glow(_ channels: [SIMD3<Double>], _ size: PixelSize) -> [Float] {
    let scattered = channels.map { Scattering.scattered(SIMD3<Float>($0)) }
    return (0..<3).flatMap { channel -> [Float] in
      let plane = scattered.map { Double($0[channel]) }
      let blurred = Scattering.windows(channel: channel, on: size).map { weights in
        alongBoth(plane, size) { values, place in
          let window = max(0, place - weights.count + 1)...min(values.count - 1, place + weights.count - 1)
          let sum = window.reduce(0) { $0 + weights[abs($1 - place)] }
          return window.reduce(0) { $0 + weights[abs($1 - place)] * values[$1] } / sum
        }
      }
      return zip(blurred[0], blurred[1]).map { Float(($0 + $1) / 2) }
    }
  }

  private static func detail(_ e: [Double], _ size: PixelSize) -> NodePlanes {
    let lines = guided(e, by: e, size, FineTexture.filter)
    return NodePlanes(
      size: size,
      nodes: e.indices.map { Float(FineTexture.detail(e[$0], base: lines.a[$0] * e[$0] + lines.b[$0])) })
  }

  private static func guided(
    _ input: [Double], by guide: [Double], _ size: PixelSize, _ filter: LightGrid.Filter
  ) -> (a: [Double], b: [Double]) {
    let radius = filter.nodes(on: size)
    func mean(_ values: [Double]) -> [Double] { Self.mean(values, size: size, radius: radius) }
    let (means, inputs) = (mean(guide), mean(input))
    let (squares, products) = (mean(guide.map { $0 * $0 }), mean(zip(guide, input).map { $0 * $1 }))
    let a = guide.indices.map {
      (products[$0] - means[$0] * inputs[$0])
        / (max(squares[$0] - means[$0] * means[$0], 0) + filter.epsilon)
    }
    return (mean(a), mean(guide.indices.map { inputs[$0] - a[$0] * means[$0] }))
  }

  /// The least of the patch around each node.
  private static func least(_ values: [Double], _ size: PixelSize) -> [Double] {
    let radius = HazeGrid.patch.nodes(on: size)
    return alongBoth(values, size) { values, place in
      values[max(0, place - radius)...min(values.count - 1, place + radius)].min() ?? 0
    }
  }

  /// Both guided filters of a picture of brightness.
  static func grid(of e: [Double], size: PixelSize) -> LightGrid {
    let planes = [LightGrid.Filter.wide, .close].flatMap { filter -> [[Double]] in
      let radius = filter.nodes(on: size)
      func mean(_ values: [Double]) -> [Double] { Self.mean(values, size: size, radius: radius) }
      let (means, squares) = (mean(e), mean(e.map { $0 * $0 }))
      let lines = zip(means, squares).map { mean, square -> (a: Double, b: Double) in
        let variance = max(square - mean * mean, 0)
        let a = variance / (variance + filter.epsilon)
        return (a, (1 - a) * mean)
      }
      return [mean(lines.map(\.a)), mean(lines.map(\.b))]
    }
    return LightGrid(size: size, nodes: planes.flatMap { $0.map { Float($0) } })
  }

  /// The mean of the window around each node.
  private static func mean(_ values: [Double], size: PixelSize, radius: Int) -> [Double] {
    alongBoth(values, size) { values, place in
      let window = max(0, place - radius)...min(values.count - 1, place + radius)
      return window.reduce(0) { $0 + values[$1] } / Double(window.count)
    }
  }

  /// Replaces each value by a function of its row, then by the same of its column.
  private static func alongBoth(
    _ values: [Double], _ size: PixelSize, _ function: (ArraySlice<Double>, Int) -> Double
  ) -> [Double] {
    func alongRows(_ values: [Double], width: Int, height: Int) -> [Double] {
      (0..<height).flatMap { y -> [Double] in
        let row = ArraySlice(Array(values[y * width..<(y + 1) * width]))
        return (0..<width).map { function(row, $0) }
      }
    }
    func turned(_ values: [Double], width: Int, height: Int) -> [Double] {
      (0..<width * height).map { values[$0 % height * width + $0 / height] }
    }
    let (width, height) = (size.width, size.height)
    let rows = turned(alongRows(values, width: width, height: height), width: width, height: height)
    return turned(alongRows(rows, width: height, height: width), width: height, height: width)
  }
}
