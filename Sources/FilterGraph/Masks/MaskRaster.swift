import FrameCore
import Libc

/// Coverage of strokes, polygons and gradients at the nodes of a grid over the picture, while it is made.
///
/// Node (0, 0) stands for the square from 0, 0 to 1, 1 in nodes.
struct MaskRaster {
  let size: PixelSize
  /// 0…1 by rows.
  var values: [Float]

  /// An empty one, on the grid of shapes.
  init(for picture: PixelSize) { self.init(size: MaskShape.size(for: picture), value: 0) }

  init(size: PixelSize, value: Float) {
    self.size = size
    values = [Float](repeating: value, count: size.pixelCount)
  }

  /// Draws a mask without ranges of colours.
  ///
  /// - Parameter picture: its size, to whose proportions circles and the lines of gradients are true.
  init(_ mask: Mask, for picture: PixelSize) {
    self.init(for: picture)
    switch mask {
    case .polygon(let points): fill(points)
    case .brush(let strokes): draw(strokes)
    case .linear, .radial:
      let toPixels = AffineMap.scale(
        Double(picture.width) / Double(size.width), Double(picture.height) / Double(size.height))
      let step = MaskCanvas(size: picture, toPicture: toPixels).step(mask)
      let program = MaskProgram([step])
      for y in 0..<size.height {
        for x in 0..<size.width {
          values[y * size.width + x] = Float(program.value(of: step, at: (Double(x) + 0.5, Double(y) + 0.5)))
        }
      }
    case .add(let masks):
      invert()
      for mask in masks { multiply(by: MaskRaster(mask, for: picture), inverted: true) }
      invert()
    case .intersect(let masks):
      invert()
      for mask in masks { multiply(by: MaskRaster(mask, for: picture), inverted: false) }
    case .subtract(let mask, let others):
      self = MaskRaster(mask, for: picture)
      for mask in others { multiply(by: MaskRaster(mask, for: picture), inverted: true) }
    case .invert(let mask):
      self = MaskRaster(mask, for: picture)
      invert()
    case .feather(let mask, let radius, edges: false):
      self = MaskRaster(mask, for: picture)
      blur(radius: radius * Double(max(size.width, size.height)))
    // They have no raster; `Mask.validate` refuses them here.
    case .luminance, .color, .feather: break
    }
  }

  private mutating func invert() {
    for index in values.indices { values[index] = 1 - values[index] }
  }

  private mutating func multiply(by other: MaskRaster, inverted: Bool) {
    for index in values.indices {
      values[index] *= inverted ? 1 - other.values[index] : other.values[index]
    }
  }

  /// Blurs like a Gaussian whose σ is half the radius: by three means in a row along each axis. Beyond the edges, the
  /// nearest node counts.
  ///
  /// Source: Kovesi, "Fast almost-Gaussian filtering", DICTA 2010, for the widths of the means.
  mutating func blur(radius: Double) {
    let sigma = radius / 2
    guard sigma > 0 else { return }
    let ideal = (4 * sigma * sigma + 1).squareRoot()
    let lower = (Int(ideal) - 1) | 1
    let low = Double(lower)
    let lowers = ((12 * sigma * sigma - 3 * low * low - 12 * low - 9) / (-4 * low - 4)).rounded()
    for pass in 0..<3 {
      let reach = (Double(pass) < lowers ? lower : lower + 2) / 2
      averageRows(reach)
      averageColumns(reach)
    }
  }

  private mutating func averageRows(_ reach: Int) {
    guard reach > 0 else { return }
    let width = size.width
    let share = 1 / Float(2 * reach + 1)
    var row = [Float](repeating: 0, count: width)
    for y in 0..<size.height {
      let start = y * width
      for x in 0..<width { row[x] = values[start + x] }
      func at(_ x: Int) -> Float { row[min(max(x, 0), width - 1)] }
      var sum = (-reach...reach).reduce(Float(0)) { $0 + at($1) }
      for x in 0..<width {
        values[start + x] = sum * share
        sum += at(x + reach + 1) - at(x - reach)
      }
    }
  }

  private mutating func averageColumns(_ reach: Int) {
    guard reach > 0 else { return }
    let (width, height) = (size.width, size.height)
    let share = 1 / Float(2 * reach + 1)
    let old = values
    func start(_ y: Int) -> Int { min(max(y, 0), height - 1) * width }
    var sums = [Float](repeating: 0, count: width)
    for y in -reach...reach {
      for x in 0..<width { sums[x] += old[start(y) + x] }
    }
    for y in 0..<height {
      let (next, last) = (start(y + reach + 1), start(y - reach))
      for x in 0..<width {
        values[y * width + x] = sums[x] * share
        sums[x] += old[next + x] - old[last + x]
      }
    }
  }
}
