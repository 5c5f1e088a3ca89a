import FrameCore

/// A before/after picture: the original and the edited rendering of one photo, in one `rgba8` picture.
///
/// Both pictures are `rgba8`, `rgba16` or `rgbaF32` (not necessarily the same) with equal colour tags and
/// display-encoded samples. Samples deeper than 8 bits are rounded to the nearest code; otherwise pixels change
/// only under labels and the divider.
public struct Comparison: Sendable {
  /// How the two pictures are combined.
  public enum Layout: Sendable, Hashable {
    /// One picture: the original left of a position, the edited one right of it, with a thin line between. The
    /// position is a fraction of the width, 0…1: at 0 all is edited, at 1 all is original.
    case split(at: Double)
    /// Both whole, pixel for pixel: side by side, or the original on top if they are much wider than tall.
    case sideBySide
    /// One picture divided by a slanted line through its centre: the original left, the edited right.
    case wipe
    /// |edited − original| on black, times a gain. Without a gain, the largest power of two at which at most one
    /// pixel in a thousand exceeds full brightness.
    case difference(gain: Double? = nil)
  }

  public var original: PixelBuffer
  public var edited: PixelBuffer
  public var layout: Layout
  /// Whether the pictures are labelled, and a difference shows its scale. Pictures under 120 pixels never are: the
  /// letters would hide what is compared.
  public var labels: Bool

  public init(_ original: PixelBuffer, _ edited: PixelBuffer, layout: Layout, labels: Bool = true) {
    self.original = original
    self.edited = edited
    self.layout = layout
    self.labels = labels
  }

  /// Returns the `rgba8` picture with the tags of the sources.
  ///
  /// - Throws: `SafelightError` if the pictures differ in colour tags or are not display-encoded RGBA, if a layout
  ///   that overlays them gets two sizes, if a position or gain is out of range, or if the result would be too
  ///   large.
  public func render() throws -> PixelBuffer {
    try checkSamples()
    switch layout {
    case .split(let position):
      guard (0...1).contains(position) else {
        throw SafelightError(
          .invalidValue, "The split position \(position) is outside 0…1",
          remedy: "0 shows only the edited picture, 0.5 divides in the middle, 1 shows only the original")
      }
      try checkEqualSizes(for: "split")
      return try renderSplit(at: position)
    case .sideBySide:
      return try renderSideBySide()
    case .wipe:
      try checkEqualSizes(for: "wipe")
      return try renderWipe()
    case .difference(let gain):
      if let gain, !(gain > 0 && gain.isFinite) {
        throw SafelightError(
          .invalidValue, "The gain of a difference must be above 0, not \(gain)",
          remedy: "give a number such as 8, or none to have it chosen")
      }
      try checkEqualSizes(for: "difference")
      return try renderDifference(gain: gain)
    }
  }

  /// The size of a layout that overlays the sources.
  var size: PixelSize { original.size }

  /// Straight if either source is: its fourth channel must then be kept.
  var alpha: AlphaMode { original.alpha == .opaque && edited.alpha == .opaque ? .opaque : .straight }
}

// MARK: - Checks

extension Comparison {
  private func checkSamples() throws {
    for picture in [original, edited] {
      guard picture.format.isRGBA else {
        throw SafelightError(
          .unsupported, "A comparison takes RGBA pictures, not \(picture.format.rawValue)",
          remedy: "render both pictures to rgba8 first")
      }
      guard picture.tags.transfer != .linear else {
        throw SafelightError(
          .unsupported, "A comparison takes display-encoded pictures, not linear light",
          remedy: "render both pictures to an output space such as sRGB first")
      }
    }
    guard original.tags == edited.tags else {
      throw SafelightError(
        .invalidValue,
        "The original is \(Self.describe(original.tags)) and the edited picture is \(Self.describe(edited.tags))",
        remedy: "render both to one colour space before comparing them")
    }
  }

  private func checkEqualSizes(for layout: String) throws {
    guard original.size == edited.size else {
      throw SafelightError(
        .invalidValue,
        "The original is \(original.size) and the edited picture is \(edited.size), and the \(layout) layout "
          + "needs equal sizes",
        remedy: "compare them side by side (layout \"side\"), or give the original the same geometry")
    }
  }

  private static func describe(_ tags: ColorTags) -> String {
    if let profile = tags.iccProfile { return "tagged with an ICC profile of \(profile.bytes.count) bytes" }
    return "\(tags.primaries)/\(tags.transfer)"
  }
}

// MARK: - Layouts

extension Comparison {
  private func renderSplit(at position: Double) throws -> PixelBuffer {
    let canvas = try Canvas(size: size, tags: original.tags, alpha: alpha)
    let border = Int((position * Double(size.width)).rounded())
    for y in 0..<size.height {
      canvas.copyRow(y, of: original, columns: 0..<border)
      canvas.copyRow(y, of: edited, columns: border..<size.width)
    }
    let divider = Divider(size: size)
    let columns = divider.columns(at: border, width: size.width)
    for y in 0..<size.height {
      for x in columns {
        let distance = Double(x) + 0.5 - divider.centre(at: border)
        divider.draw(on: canvas, x: x, y: y, distance: distance)
      }
    }
    if let style = LabelStyle(for: size, enabled: labels) {
      let left = PixelRect(
        x: 0, y: 0, width: columns.isEmpty ? border : columns.lowerBound, height: size.height)
      let start = columns.isEmpty ? border : columns.upperBound
      let right = PixelRect(x: start, y: 0, width: size.width - start, height: size.height)
      style.draw("ORIGINAL", on: canvas, within: left, corner: .bottomLeft)
      style.draw("EDITED", on: canvas, within: right, corner: .bottomRight)
    }
    return canvas.buffer
  }

  private func renderWipe() throws -> PixelBuffer {
    let canvas = try Canvas(size: size, tags: original.tags, alpha: alpha)
    let line = SlantedLine(size: size)
    let divider = Divider(size: size)
    for y in 0..<size.height {
      let crossing = line.crossing(row: y)
      let border = min(max(Int(crossing.rounded()), 0), size.width)
      canvas.copyRow(y, of: original, columns: 0..<border)
      canvas.copyRow(y, of: edited, columns: border..<size.width)
      let reach = line.columns(for: divider.reach + 1)
      let low = max(0, Int((crossing - reach).rounded(.down)))
      let high = min(size.width, Int((crossing + reach).rounded(.up)))
      for x in low..<max(low, high) {
        divider.draw(on: canvas, x: x, y: y, distance: line.distance(x: Double(x) + 0.5, y: Double(y) + 0.5))
      }
    }
    if let style = LabelStyle(for: size, enabled: labels) {
      // The corners where the slanted line leaves the most room.
      let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
      let clearance = divider.reach + Double(style.margin) / 2
      if let plate = style.plate("ORIGINAL", within: whole, corner: .topLeft),
        line.distance(x: Double(plate.maxX), y: Double(plate.maxY)) < -clearance
      {
        style.draw("ORIGINAL", on: canvas, within: whole, corner: .topLeft)
      }
      if let plate = style.plate("EDITED", within: whole, corner: .bottomRight),
        line.distance(x: Double(plate.x), y: Double(plate.y)) > clearance
      {
        style.draw("EDITED", on: canvas, within: whole, corner: .bottomRight)
      }
    }
    return canvas.buffer
  }

  /// Pictures with a larger ratio of width to height are stacked: two 2:1 panoramas side by side would make a 4:1
  /// ribbon.
  static let widestBeside = 1.8

  private func renderSideBySide() throws -> PixelBuffer {
    let places = SideBySide(original.size, edited.size)
    let canvas = try Canvas(size: places.whole, tags: original.tags, alpha: alpha)
    canvas.fill(.ground)
    canvas.copy(original, left: places.first.x, top: places.first.y)
    canvas.copy(edited, left: places.second.x, top: places.second.y)
    let smaller = original.size.pixelCount < edited.size.pixelCount ? original.size : edited.size
    if let style = LabelStyle(for: smaller, enabled: labels) {
      style.draw("ORIGINAL", on: canvas, within: places.first, corner: .bottomLeft)
      style.draw("EDITED", on: canvas, within: places.second, corner: .bottomLeft)
    }
    return canvas.buffer
  }

  /// Returns the size of the picture that a layout makes of two.
  public static func size(of original: PixelSize, _ edited: PixelSize, layout: Layout) -> PixelSize {
    if case .sideBySide = layout { SideBySide(original, edited).whole } else { edited }
  }

  /// The positions of two pictures side by side, or one above the other.
  private struct SideBySide {
    let first: PixelRect
    let second: PixelRect
    let whole: PixelSize

    init(_ a: PixelSize, _ b: PixelSize) {
      let widest = max(a.width, b.width)
      let tallest = max(a.height, b.height)
      let gap = max(2, min(widest, tallest) / 120)
      if Double(widest) > Comparison.widestBeside * Double(tallest) {
        first = PixelRect(x: (widest - a.width) / 2, y: 0, width: a.width, height: a.height)
        second = PixelRect(x: (widest - b.width) / 2, y: a.height + gap, width: b.width, height: b.height)
        whole = PixelSize(width: widest, height: a.height + gap + b.height)
      } else {
        first = PixelRect(x: 0, y: (tallest - a.height) / 2, width: a.width, height: a.height)
        second = PixelRect(x: a.width + gap, y: (tallest - b.height) / 2, width: b.width, height: b.height)
        whole = PixelSize(width: a.width + gap + b.width, height: tallest)
      }
    }
  }
}
