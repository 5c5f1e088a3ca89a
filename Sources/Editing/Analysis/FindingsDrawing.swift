import FrameAnalysis
import FrameCore
import Rendering

/// A photo with the outlines of what was found in it, and what each says.
public struct FindingsDrawing {
  /// The maximum long edge of the photo in the drawing, in pixels.
  public static let longEdge = 1600
  /// Smaller photos are enlarged to this, but at most four times, so that labels have room.
  private static let leastLongEdge = 1200
  private static let largestScale = 4.0
  /// Labels are cut to this part of the photo's width.
  private static let labelWidth = 0.45

  private let photo: PixelBuffer
  private let found: [Detection]

  /// - Throws: `SafelightError` if the photo cannot be rendered.
  public init(_ sample: PhotoSample, _ found: [Detection]) throws {
    self.found = found
    let enlarged = min(Self.leastLongEdge, Int(Double(sample.size.longEdge) * Self.largestScale))
    let edge = min(Self.longEdge, max(enlarged, sample.buffer.size.longEdge))
    photo = try sample.picture(within: PixelSize(width: edge, height: edge), enlarge: true)
  }

  /// Returns the drawing: `rgba8`, sRGB.
  public func render() throws -> PixelBuffer {
    let canvas = try Canvas(size: photo.size, tags: photo.tags, alpha: .opaque)
    canvas.fill(.ground)
    canvas.copyOverGround(photo, left: 0, top: 0)
    let pen = max(1.5, 0.0018 * Double(photo.size.longEdge))
    for thing in found { draw(thing.outline, Self.color(of: thing.kind), pen, on: canvas) }
    // Labels last: no outline runs through them.
    guard let style = LabelStyle(for: photo.size, enabled: true) else { return canvas.buffer }
    for thing in found { label(thing, style, on: canvas) }
    if found.isEmpty {
      let whole = PixelRect(x: 0, y: 0, width: photo.width, height: photo.height)
      style.draw("Nothing found", on: canvas, within: whole, corner: .bottomLeft)
    }
    return canvas.buffer
  }

  /// Colours that can be told apart with red-green colour blindness.
  static func color(of kind: Detection.Kind) -> CanvasColor {
    switch kind {
    case .code: CanvasColor(red: 0x3F, green: 0xC1, blue: 0xFF)
    case .face: CanvasColor(red: 0xFF, green: 0xA6, blue: 0x21)
    case .text: CanvasColor(red: 0xE4, green: 0xF0, blue: 0xB4)
    case .document: CanvasColor(red: 0xFF, green: 0x5D, blue: 0xC8)
    case .motion: .white
    }
  }

  private func place(_ point: NormalizedPoint) -> CanvasPoint {
    CanvasPoint(point.x * Double(photo.width), point.y * Double(photo.height))
  }

  private func draw(_ outline: [NormalizedPoint], _ color: CanvasColor, _ pen: Double, on canvas: Canvas) {
    let corners = outline.map(place)
    for (width, ink, opacity) in [(pen + 2 * max(1, pen / 2), CanvasColor.black, 0.55), (pen, color, 1.0)] {
      for (index, corner) in corners.enumerated() {
        canvas.stroke(
          from: corner, to: corners[(index + 1) % corners.count], width: width, ink, opacity: opacity)
      }
    }
    // The thing's own top left shows which way up it is.
    if let first = corners.first { canvas.strokeCircle(first, radius: 2 * pen, width: pen, color) }
  }

  /// Draws the plate above the outline, or below it where there is no room above.
  private func label(_ thing: Detection, _ style: LabelStyle, on canvas: Canvas) {
    let widest = Int(Self.labelWidth * Double(photo.width))
    let text = style.lettering.fitting(Self.caption(of: thing), width: widest)
    guard !text.isEmpty else { return }
    let corners = thing.outline.map(place)
    let (left, top) = (corners.map(\.x).min() ?? 0, corners.map(\.y).min() ?? 0)
    let bottom = corners.map(\.y).max() ?? 0
    let width = style.lettering.width(of: text) + 2 * style.paddingX
    let height = style.lettering.capHeight + 2 * style.paddingY
    let gap = style.paddingY
    func whole(_ value: Double) -> Int { Int(min(max(value, -1e6), 1e6).rounded()) }
    let above = whole(top) - gap - height
    let y = above >= 0 ? above : min(whole(bottom) + gap, photo.height - height)
    let x = min(max(whole(left), 0), max(0, photo.width - width))
    let plate = PixelRect(x: x, y: max(0, y), width: width, height: height)
    style.fillPlate(plate, on: canvas)
    canvas.draw(text, style.lettering, x: plate.x + style.paddingX, y: plate.y + style.paddingY, .white)
  }

  /// `QRCode · https://…`, `Face 0.88`, or the line of text.
  static func caption(of thing: Detection) -> String {
    // A stranger's text on one line.
    let text = thing.text.map { text in
      String(String.UnicodeScalarView(text.unicodeScalars.map { $0.controlsTerminals ? " " : $0 }))
    }
    switch thing.kind {
    case .code: return [thing.details["symbology"] ?? "Code", text ?? ""].joined(separator: " · ")
    case .text: return text ?? "Text"
    case .face, .document, .motion:
      return thing.kind.rawValue.capitalizedFirst + " " + PlainNumber.fixed(thing.confidence, 2)
    }
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
