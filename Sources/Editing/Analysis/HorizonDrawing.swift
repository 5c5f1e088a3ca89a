import FilterGraph
import FrameAnalysis
import FrameCore
import Rendering
import Libc

/// A photo with the evidence for its horizon: straight edges, vanishing points, the boundary, and the level found.
public struct HorizonDrawing {
  /// The maximum long edge of the photo in the drawing, in pixels.
  public static let longEdge = 1600
  /// Smaller photos are enlarged to this, but at most four times; otherwise lines a pixel apart would merge.
  private static let leastLongEdge = 1200
  private static let largestScale = 4.0

  private let photo: PixelBuffer
  private let found: PhotoHorizon

  /// - Throws: `SafelightError` if the photo cannot be rendered.
  public init(_ sample: PhotoSample, _ found: PhotoHorizon) throws {
    self.found = found
    let enlarged = min(Self.leastLongEdge, Int(Double(sample.size.longEdge) * Self.largestScale))
    let edge = min(Self.longEdge, max(enlarged, sample.buffer.size.longEdge))
    photo = try sample.picture(within: PixelSize(width: edge, height: edge), enlarge: true)
  }

  /// Returns the drawing: `rgba8`, sRGB. Vanishing points slightly outside the photo get a margin; if the photo is
  /// too small for caption and legend, they get a strip below it.
  public func render() throws -> PixelBuffer {
    let frame = DrawingFrame(photo.size, points: found.evidence.vanishingPoints.compactMap(\.position))
    let legend = HorizonLegend(
      caption: Self.caption(found.horizon), entries: entries, photo: photo.size, width: frame.canvas.width)
    let size = PixelSize(
      width: max(frame.canvas.width, legend.stripSize.width),
      height: frame.canvas.height + legend.stripSize.height)
    let canvas = try Canvas(size: size, tags: photo.tags, alpha: .opaque)
    canvas.fill(.ground)
    canvas.copyOverGround(photo, left: frame.left, top: frame.top)
    let pen = frame.pen
    for role in [HorizonEvidence.Role.other, .level, .upright] {
      for line in found.evidence.lines where line.role == role {
        draw(line, Ink(role), width: pen, frame, on: canvas)
      }
    }
    if let boundary = found.evidence.boundary {
      draw(boundary, .boundary, width: 1.5 * pen, frame, on: canvas)
    }
    for point in found.evidence.vanishingPoints {
      guard let position = point.position.map(frame.position), frame.holds(position) else { continue }
      drawVanishingPoint(at: position, Ink(point.role), pen: pen, on: canvas)
    }
    drawLevel(frame, on: canvas)
    legend.draw(on: canvas, photo: frame.photoArea, stripTop: frame.canvas.height)
    return canvas.buffer
  }

  private func draw(
    _ line: HorizonEvidence.Line, _ ink: Ink, width: Double, _ frame: DrawingFrame, on canvas: Canvas
  ) {
    let (from, to) = (frame.position(line.from), frame.position(line.to))
    canvas.stroke(from: from, to: to, width: width + 2 * frame.outline, .black, opacity: 0.55 * ink.opacity)
    canvas.stroke(from: from, to: to, width: width, ink.color, opacity: ink.opacity)
  }

  private func drawVanishingPoint(at centre: CanvasPoint, _ ink: Ink, pen: Double, on canvas: Canvas) {
    let radius = 5 * pen
    for (color, width) in [(CanvasColor.black, pen + 2), (ink.color, pen)] {
      canvas.strokeCircle(centre, radius: radius, width: width, color)
      for arm in [CanvasPoint(1, 0), CanvasPoint(0, 1)] {
        canvas.stroke(from: centre - 1.5 * radius * arm, to: centre + 1.5 * radius * arm, width: width, color)
      }
    }
  }

  /// Draws the level through the centre of the photo: solid if certain, dashed if not.
  private func drawLevel(_ frame: DrawingFrame, on canvas: Canvas) {
    guard let degrees = found.horizon.degrees else { return }
    // Degrees are positive if the horizon rises to the right, but rows count downwards.
    let angle = -degrees * .pi / 180
    let along = CanvasPoint(cos(angle), sin(angle))
    let reach = frame.reach(along)
    let width = 1.6 * frame.pen
    let dash = found.horizon.isConfident ? 2 * reach : 12 * frame.pen
    for (color, extra) in [(CanvasColor.black, 2 * frame.outline), (Ink.found.color, 0)] {
      var start = -reach
      while start < reach {
        let end = min(start + dash, reach)
        canvas.stroke(
          from: frame.middle + start * along, to: frame.middle + end * along, width: width + extra, color,
          opacity: extra > 0 ? 0.65 : 1)
        start += 2 * dash
      }
    }
  }

  /// The kinds of evidence drawn, each with its ink.
  private var entries: [HorizonLegend.Entry] {
    var entries: [HorizonLegend.Entry] = []
    func add(_ name: String, _ ink: Ink) {
      entries.append(HorizonLegend.Entry(name: name, color: ink.color, opacity: ink.opacity))
    }
    if found.horizon.degrees != nil { add("Horizon", .found) }
    for (role, name) in [(HorizonEvidence.Role.upright, "Upright"), (.level, "Level"), (.other, "Other")] {
      let isDrawn = found.evidence.lines.contains { $0.role == role }
      if isDrawn { add(name, Ink(role)) }
    }
    if found.evidence.boundary != nil { add("Boundary", .boundary) }
    return entries
  }

  /// `-2.3° · 0.91`
  static func caption(_ horizon: Horizon) -> String {
    guard let degrees = horizon.degrees else { return "No horizon found" }
    let value = "\(PlainNumber.fixed(degrees, 1))° · \(PlainNumber.fixed(horizon.confidence, 2))"
    return horizon.isConfident ? value : value + " · not sure"
  }
}

/// The colour and style of a kind of evidence.
private struct Ink {
  var color: CanvasColor
  var opacity = 1.0

  static let found = Ink(color: CanvasColor(red: 0xFF, green: 0xFF, blue: 0xFF))
  static let boundary = Ink(color: CanvasColor(red: 0xFF, green: 0x5D, blue: 0xC8))

  init(color: CanvasColor, opacity: Double = 1) {
    self.color = color
    self.opacity = opacity
  }

  /// Orange and blue can also be distinguished with red-green colour blindness.
  init(_ role: HorizonEvidence.Role) {
    switch role {
    case .upright: self.init(color: CanvasColor(red: 0xFF, green: 0xA6, blue: 0x21))
    case .level: self.init(color: CanvasColor(red: 0x3F, green: 0xC1, blue: 0xFF))
    case .other: self.init(color: CanvasColor(red: 0xE4, green: 0xF0, blue: 0xB4), opacity: 0.6)
    }
  }
}

/// The position of the photo on the canvas, and the mapping of evidence to it.
private struct DrawingFrame {
  /// Vanishing points are drawn up to this far outside the photo, in long edges.
  private static let margin = 0.25

  let photo: PixelSize
  let left: Int
  let top: Int
  let canvas: PixelSize
  /// Line width in pixels.
  let pen: Double

  /// The width of a line's dark outline on each side, in pixels.
  var outline: Double { max(0.8, 0.5 * pen) }

  init(_ photo: PixelSize, points: [SIMD2<Double>]) {
    self.photo = photo
    pen = max(1.3, 0.0016 * Double(photo.longEdge))
    let unit = Double(photo.longEdge)
    let size = SIMD2(Double(photo.width), Double(photo.height))
    // Space around a mark.
    let room = 12 * pen
    var (before, after) = (SIMD2<Double>(), SIMD2<Double>())
    for point in points {
      let place = point * unit
      let (outBefore, outAfter) = (-place, place - size)
      let isNear = max(outBefore.max(), outAfter.max()) <= Self.margin * unit
      guard isNear else { continue }
      for axis in 0..<2 {
        if outBefore[axis] > 0 { before[axis] = max(before[axis], outBefore[axis] + room) }
        if outAfter[axis] > 0 { after[axis] = max(after[axis], outAfter[axis] + room) }
      }
    }
    left = Int(before.x.rounded(.up))
    top = Int(before.y.rounded(.up))
    canvas = PixelSize(
      width: left + photo.width + Int(after.x.rounded(.up)),
      height: top + photo.height + Int(after.y.rounded(.up)))
  }

  var photoArea: PixelRect { PixelRect(x: left, y: top, width: photo.width, height: photo.height) }

  var middle: CanvasPoint {
    CanvasPoint(Double(left) + Double(photo.width) / 2, Double(top) + Double(photo.height) / 2)
  }

  /// Maps a point in long edges of the photo to the canvas.
  func position(_ point: SIMD2<Double>) -> CanvasPoint {
    point * Double(photo.longEdge) + CanvasPoint(Double(left), Double(top))
  }

  func holds(_ point: CanvasPoint) -> Bool {
    point.x >= 0 && point.y >= 0 && point.x <= Double(canvas.width) && point.y <= Double(canvas.height)
  }

  /// Returns how far a line through the centre stays within the photo.
  func reach(_ along: CanvasPoint) -> Double {
    let half = CanvasPoint(Double(photo.width) / 2, Double(photo.height) / 2)
    let horizontal = along.x != 0 ? half.x / abs(along.x) : .infinity
    let vertical = along.y != 0 ? half.y / abs(along.y) : .infinity
    return min(horizontal, vertical)
  }
}
