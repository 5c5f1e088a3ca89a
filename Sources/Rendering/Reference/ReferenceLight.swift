import FilterGraph
import FrameCore

/// The grids of local tone in double precision, as `LightGrid` defines them: every window is summed by itself.
enum ReferenceLight {
  /// Returns one grid for each field with local tone of a plan's exact stages.
  static func grids(of picture: PixelBuffer, for plan: Plan) -> [LightGrid] {
    guard plan.hasLocalLight, let proxy = try? LightProxy(picture, input: plan.input) else { return [] }
    return grids(of: proxy, for: plan)
  }

  static func grids(of proxy: LightProxy, for plan: Plan) -> [LightGrid] {
    var colors = (0..<proxy.size.pixelCount).map {
      SIMD3<Double>(SIMD3(proxy.red[$0], proxy.green[$0], proxy.blue[$0]))
    }
    var grids: [LightGrid] = []
    let maps = plan.exactStages.compactMap { $0.localLight?.toGrid }
    for stage in plan.exactStages where stage.isColor && grids.count < maps.count {
      let toPixels = maps[grids.count].inverse
      var own: LightGrid?
      if let local = stage.localLight {
        let grid = grid(of: colors.map(local.brightness), size: proxy.size)
        grids.append(grid)
        own = grid
      }
      colors = colors.enumerated().map { index, color in
        let (x, y) = (Double(index % proxy.size.width), Double(index / proxy.size.width))
        return stage.withoutGrain.evaluate(color, at: toPixels.apply(x, y), in: own)
      }
    }
    return grids
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
    func alongRows(_ values: [Double], width: Int, height: Int) -> [Double] {
      (0..<width * height).map { index in
        let (x, y) = (index % width, index / width)
        let window = max(0, x - radius)...min(width - 1, x + radius)
        return window.reduce(0) { $0 + values[y * width + $1] } / Double(window.count)
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
