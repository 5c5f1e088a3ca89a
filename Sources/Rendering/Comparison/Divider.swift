import FrameCore

/// The line between the halves of a comparison: white, with a dark hairline on either side that keeps it visible
/// on bright skies.
struct Divider {
  /// Pictures with a shorter edge have no divider: it would hide too much of them.
  static let smallestEdge = 16

  /// The width of the white line in pixels; 0 if there is none.
  let core: Int
  /// The width of each dark hairline in pixels.
  let hairline: Int

  /// About 1/540 of the shorter edge: 2 pixels on a frame 1080 pixels high.
  init(size: PixelSize) {
    let edge = min(size.width, size.height)
    core = edge < Self.smallestEdge ? 0 : max(1, (edge + 270) / 540)
    hairline = edge < LabelStyle.smallestEdge ? 0 : (core + 1) / 2
  }

  /// Pixels from the line's centre to its outer edge.
  var reach: Double { core == 0 ? 0 : Double(core) / 2 + Double(hairline) }

  /// The centre of a vertical line that divides at column `border`, aligned to pixels for its width.
  func centre(at border: Int) -> Double { Double(border) + Double(core % 2) / 2 }

  /// The columns that a vertical line covers; none at the picture's own edges.
  func columns(at border: Int, width: Int) -> Range<Int> {
    guard core > 0, border > 0, border < width else { return border..<border }
    let start = max(0, border - core / 2 - hairline)
    return start..<min(width, start + core + 2 * hairline)
  }

  /// Blends the line over one pixel whose centre is `distance` pixels from the line's centre.
  func draw(on canvas: Canvas, x: Int, y: Int, distance: Double) {
    guard core > 0 else { return }
    func coverage(_ halfWidth: Double) -> Float { Float(min(max(halfWidth + 0.5 - abs(distance), 0), 1)) }
    canvas.blend(.black, x: x, y: y, opacity: 0.35 * coverage(reach))
    canvas.blend(.white, x: x, y: y, opacity: coverage(Double(core) / 2))
  }
}

/// A line through a picture's centre that leans to the right, as the border of a wipe.
struct SlantedLine {
  private let centreX: Double
  private let centreY: Double
  /// Columns that the line crosses from the bottom row to the top row.
  private let run: Double
  private let height: Double
  private let length: Double

  init(size: PixelSize) {
    centreX = Double(size.width) / 2
    centreY = Double(size.height) / 2
    height = Double(size.height)
    // 22° from vertical, less in tall pictures so that both halves keep a share of every row.
    run = min(0.4 * height, 0.6 * Double(size.width))
    length = (run * run + height * height).squareRoot()
  }

  /// The signed distance of a position from the line, in pixels; negative on the left.
  func distance(x: Double, y: Double) -> Double {
    ((x - centreX) * height + (y - centreY) * run) / length
  }

  /// The column at which the line crosses the middle of `row`.
  func crossing(row: Int) -> Double { centreX - (Double(row) + 0.5 - centreY) * run / height }

  /// The number of columns, along a row, that lie within `distance` of the line on one side.
  func columns(for distance: Double) -> Double { distance * length / height }
}
