import FrameCore

/// Pictures of one size in a grid, each with a caption below: the effect of every preset at a glance.
///
/// The ground is a dark grey; the number of columns is chosen to bring the sheet close to 3:2.
public struct ContactSheet: Sendable {
  /// One picture and its caption.
  public struct Cell: Sendable {
    public var picture: PixelBuffer
    /// Shortened with an ellipsis if it is wider than the picture. Latin letters, figures and common marks; lower
    /// case is set in small capitals.
    public var caption: String

    public init(_ picture: PixelBuffer, caption: String) {
      self.picture = picture
      self.caption = caption
    }
  }

  public var cells: [Cell]
  /// Shown above the grid, flush left; takes no space if `nil`.
  public var title: String?

  public init(_ cells: [Cell], title: String? = nil) {
    self.cells = cells
    self.title = title
  }

  /// Returns the `rgba8` sheet with the tags of the pictures.
  ///
  /// - Throws: `SafelightError` if there are no pictures, if they differ in size or colour tags or are not RGBA,
  ///   or if the sheet would be too large.
  public func render() throws -> PixelBuffer {
    let first = try checkedFirst()
    let measures = Measures(picture: first.size, count: cells.count, hasTitle: title != nil)
    let canvas = try Canvas(size: measures.sheet, tags: first.tags, alpha: .opaque)
    canvas.fill(.ground)
    if let title {
      let width = measures.sheet.width - 2 * measures.margin
      canvas.draw(
        measures.titleLettering.fitting(title, width: width), measures.titleLettering, x: measures.margin,
        y: measures.margin, CanvasColor(gray: 0xEE))
    }
    for (index, cell) in cells.enumerated() {
      let place = measures.place(of: index)
      canvas.copyOverGround(cell.picture, left: place.x, top: place.y)
      let caption = measures.captionLettering.fitting(cell.caption, width: place.width)
      canvas.draw(
        caption, measures.captionLettering, x: place.x, y: place.maxY + measures.captionGap,
        CanvasColor(gray: 0xC4))
    }
    return canvas.buffer
  }

  private func checkedFirst() throws -> PixelBuffer {
    guard let first = cells.first?.picture else {
      throw SafelightError(.invalidValue, "A contact sheet needs at least one picture")
    }
    for cell in cells {
      guard cell.picture.format.isRGBA else {
        throw SafelightError(
          .unsupported,
          "A contact sheet takes RGBA pictures, and \"\(cell.caption)\" is "
            + cell.picture.format.rawValue, remedy: "render the pictures to rgba8 first")
      }
      guard cell.picture.size == first.size else {
        throw SafelightError(
          .invalidValue,
          "The pictures of a contact sheet have one size, but \"\(cell.caption)\" is \(cell.picture.size) and "
            + "the first is \(first.size)", remedy: "resize them to one size first")
      }
      guard cell.picture.tags == first.tags else {
        throw SafelightError(
          .invalidValue,
          "The pictures of a contact sheet have one colour space, but \"\(cell.caption)\" differs from the first",
          remedy: "render all of them to one colour space first")
      }
    }
    return first
  }
}

extension ContactSheet {
  /// The layout of a sheet, in pixels.
  struct Measures {
    /// The aspect ratio that the number of columns aims at.
    static let aspect = 1.5

    let picture: PixelSize
    let columns: Int
    let rows: Int
    let margin: Int
    let gutter: Int
    /// Space between a caption and the next row: wider than the gutter, so that a caption belongs to the picture
    /// above.
    let rowGutter: Int
    let captionGap: Int
    let captionLettering: Lettering
    let titleLettering: Lettering
    /// The height of the title with the space below it; 0 without a title.
    let titleHeight: Int

    init(picture: PixelSize, count: Int, hasTitle: Bool) {
      self.picture = picture
      let edge = Double(min(picture.width, picture.height))
      captionLettering = Lettering(capHeight: Int((0.05 * edge).rounded()), tracking: 0.04)
      let cap = captionLettering.capHeight
      titleLettering = Lettering(capHeight: cap * 7 / 4, tracking: 0.02)
      gutter = max(2 * cap, Int((0.09 * edge).rounded()))
      rowGutter = gutter + cap
      margin = 2 * gutter
      captionGap = cap
      titleHeight = hasTitle ? titleLettering.capHeight + gutter + cap : 0
      // Tries every number of columns: there are few, and rounding defeats a closed form.
      var best = (columns: 1, error: Double.infinity)
      for columns in 1...count {
        let rows = (count + columns - 1) / columns
        let width = Self.extent(columns, of: picture.width, gutter: gutter, margin: margin)
        let height =
          Self.extent(rows, of: picture.height + 2 * cap, gutter: rowGutter, margin: margin) + titleHeight
        // Twice too wide is as bad as twice too tall; empty cells in the last row count too.
        let ratio = Double(width) / Double(height) / Self.aspect
        let empty = Double(columns * rows - count) / Double(columns * rows)
        // A last row less than half full looks forgotten.
        let last = count - columns * (rows - 1)
        let error = max(ratio, 1 / ratio) - 1 + empty + (2 * last < columns ? 0.3 : 0)
        if error < best.error { best = (columns, error) }
      }
      columns = best.columns
      rows = (count + columns - 1) / columns
    }

    private static func extent(_ count: Int, of size: Int, gutter: Int, margin: Int) -> Int {
      count * size + (count - 1) * gutter + 2 * margin
    }

    private var cellHeight: Int { picture.height + captionGap + captionLettering.capHeight }

    var sheet: PixelSize {
      PixelSize(
        width: Self.extent(columns, of: picture.width, gutter: gutter, margin: margin),
        height: Self.extent(rows, of: cellHeight, gutter: rowGutter, margin: margin) + titleHeight)
    }

    /// The rectangle of the picture at `index`, counted row by row.
    func place(of index: Int) -> PixelRect {
      let (row, column) = index.quotientAndRemainder(dividingBy: columns)
      return PixelRect(
        x: margin + column * (picture.width + gutter),
        y: margin + titleHeight + row * (cellHeight + rowGutter),
        width: picture.width, height: picture.height)
    }
  }
}
