import FrameCore
import Rendering

/// The caption and legend of a drawing: on plates over the photo or, if it is too small for them, on a strip below
/// it.
struct HorizonLegend {
  struct Entry {
    let name: String
    let color: CanvasColor
    let opacity: Double
  }

  /// The minimum size of the strip; 0×0 if there is none.
  let stripSize: PixelSize

  private let caption: String
  private let entries: [Entry]
  /// Nil if there is a strip.
  private let plates: LabelStyle?
  /// The positions of the caption and the entries on the strip.
  private let places: [(x: Int, y: Int)]

  private static let small = Lettering(capHeight: 9, tracking: 0.06)
  /// Pixels between the strip's edges and its contents, and between its lines.
  private static let margin = 11

  /// - Parameters:
  ///   - photo: the size of the photo in the drawing.
  ///   - width: the width of the drawing in pixels.
  init(caption: String, entries: [Entry], photo: PixelSize, width: Int) {
    self.caption = caption
    self.entries = entries
    let area = PixelRect(x: 0, y: 0, width: photo.width, height: photo.height)
    plates = LabelStyle(for: photo, enabled: true).flatMap { style in
      let hasRoom =
        style.plate(caption, within: area, corner: .topLeft) != nil
        && style.plate(
          contentWidth: Self.width(of: entries, style.lettering), within: area, corner: .bottomLeft) != nil
      return hasRoom ? style : nil
    }
    guard plates == nil else {
      stripSize = PixelSize(width: 0, height: 0)
      places = []
      return
    }
    // Break lines as in text.
    let widths = [Self.small.width(of: caption)] + entries.map { Self.width(of: $0, Self.small) }
    let whole = max(width, (widths.max() ?? 0) + 2 * Self.margin)
    var places: [(x: Int, y: Int)] = []
    var (x, y) = (Self.margin, Self.margin)
    for width in widths {
      if x > Self.margin, x + width > whole - Self.margin {
        x = Self.margin
        y += Self.small.capHeight + Self.margin
      }
      places.append((x, y))
      x += width + Self.gap(Self.small)
    }
    self.places = places
    stripSize = PixelSize(width: whole, height: y + Self.small.capHeight + Self.margin)
  }

  /// Draws over `photo`, or on a strip that begins at row `stripTop`.
  func draw(on canvas: Canvas, photo: PixelRect, stripTop: Int) {
    guard let style = plates else { return drawStrip(on: canvas, top: stripTop) }
    style.draw(caption, on: canvas, within: photo, corner: .topLeft)
    let width = Self.width(of: entries, style.lettering)
    guard !entries.isEmpty,
      let plate = style.plate(contentWidth: width, within: photo, corner: .bottomLeft)
    else { return }
    style.fillPlate(plate, on: canvas)
    var x = plate.x + style.paddingX
    for entry in entries {
      Self.draw(entry, style.lettering, x: x, y: plate.y + style.paddingY, on: canvas)
      x += Self.width(of: entry, style.lettering) + Self.gap(style.lettering)
    }
  }

  private func drawStrip(on canvas: Canvas, top: Int) {
    // Lines ending at the photo's edge overhang slightly.
    canvas.fillRounded(
      PixelRect(x: 0, y: top, width: stripSize.width, height: stripSize.height), radius: 0, .ground,
      opacity: 1)
    guard let first = places.first else { return }
    canvas.draw(caption, Self.small, x: first.x, y: top + first.y, .white)
    for (entry, place) in zip(entries, places.dropFirst()) {
      Self.draw(entry, Self.small, x: place.x, y: top + place.y, on: canvas)
    }
  }

  // MARK: Entries: a line of the colour, and its name

  private static func gap(_ lettering: Lettering) -> Int { lettering.capHeight * 4 / 3 }

  private static func swatch(_ lettering: Lettering) -> Int { 2 * lettering.capHeight }

  private static func nameOffset(_ lettering: Lettering) -> Int {
    swatch(lettering) + lettering.capHeight * 2 / 3
  }

  private static func width(of entry: Entry, _ lettering: Lettering) -> Int {
    nameOffset(lettering) + lettering.width(of: entry.name)
  }

  private static func width(of entries: [Entry], _ lettering: Lettering) -> Int {
    entries.reduce(0) { $0 + width(of: $1, lettering) } + gap(lettering) * max(entries.count - 1, 0)
  }

  private static func draw(_ entry: Entry, _ lettering: Lettering, x: Int, y: Int, on canvas: Canvas) {
    let middle = Double(y) + Double(lettering.capHeight) / 2
    canvas.stroke(
      from: CanvasPoint(Double(x) + 1, middle),
      to: CanvasPoint(Double(x + swatch(lettering)) - 1, middle),
      width: Double(lettering.capHeight) / 4, entry.color, opacity: max(entry.opacity, 0.7))
    canvas.draw(entry.name, lettering, x: x + nameOffset(lettering), y: y, .white)
  }
}
