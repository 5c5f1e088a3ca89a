import FilterGraph
import FrameCore

/// An SVG picture, built mark by mark. Colours and fonts come from the page's style, by class.
///
/// Coordinates are in CSS pixels at the plot's natural width, from the top left.
struct ProfilePlotCanvas {
  enum Anchor: String { case start, middle, end }

  let width: Double
  var height: Double
  private var body = ""

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// Returns the SVG element.
  ///
  /// - Parameters:
  ///   - label: the `id` of the heading that names the plot.
  ///   - description: the text for readers who cannot see the plot.
  func svg(class name: String, labelledBy label: String, description: String) -> String {
    """
    <svg class="\(name)" viewBox="0 0 \(Self.text(width)) \(Self.text(height))" role="img" aria-labelledby="\(label)">\
    <desc>\(ProfilePlotText.escaped(description))</desc>
    \(body)</svg>

    """
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) {
    body +=
      "<path class=\"\(style)\" d=\"M\(Self.text(x1)) \(Self.text(y1))L\(Self.text(x2)) \(Self.text(y2))\"/>\n"
  }

  /// - Parameter tip: the text that the page shows for it under the pointer.
  mutating func bar(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String, tip: String? = nil
  ) {
    let size = "width=\"\(Self.text(max(0, width)))\" height=\"\(Self.text(max(0, height)))\""
    body +=
      "<rect class=\"\(style)\" x=\"\(Self.text(x))\" y=\"\(Self.text(y))\" \(size)\(Self.attribute(tip))/>\n"
  }

  mutating func dot(_ x: Double, _ y: Double, _ radius: Double, _ style: String, tip: String? = nil) {
    body +=
      "<circle class=\"\(style)\" cx=\"\(Self.text(x))\" cy=\"\(Self.text(y))\" r=\"\(Self.text(radius))\""
      + "\(Self.attribute(tip))/>\n"
  }

  mutating func path(_ points: [(x: Double, y: Double)], _ style: String, isClosed: Bool = false) {
    guard let first = points.first else { return }
    var d = "M\(Self.text(first.x)) \(Self.text(first.y))"
    for point in points.dropFirst() { d += "L\(Self.text(point.x)) \(Self.text(point.y))" }
    body += "<path class=\"\(style)\" d=\"\(d)\(isClosed ? "Z" : "")\"/>\n"
  }

  /// - Parameter y: the position of the baseline.
  mutating func text(
    _ text: String, _ x: Double, _ y: Double, _ style: String = "label", anchor: Anchor = .start
  ) {
    let end = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
    body +=
      "<text class=\"\(style)\" x=\"\(Self.text(x))\" y=\"\(Self.text(y))\"\(end)>"
      + "\(ProfilePlotText.escaped(text))</text>\n"
  }

  /// Draws a horizontal axis: a line, ticks below it, their labels and, at its end, the unit.
  mutating func axis(below y: Double, _ scale: ProfilePlotScale, unit: String) {
    line(scale.start, y, scale.end, y, "axis")
    for tick in scale.ticks {
      line(scale(tick), y, scale(tick), y + 4, "axis")
      text(scale.label(tick), scale(tick), y + 17, "tick", anchor: .middle)
    }
    text(unit, (scale.start + scale.end) / 2, y + 34, "unit", anchor: .middle)
  }

  /// Draws a vertical axis: a fine line across the plot at each tick, its label to the left, the unit above.
  mutating func grid(from left: Double, to right: Double, _ scale: ProfilePlotScale, unit: String) {
    for tick in scale.ticks {
      line(left, scale(tick), right, scale(tick), "grid")
      text(scale.label(tick), left - 7, scale(tick) + 4, "tick", anchor: .end)
    }
    text(unit, 0, min(scale.start, scale.end) - 12, "unit")
  }

  private static func attribute(_ tip: String?) -> String {
    tip.map { " data-tip=\"\(ProfilePlotText.escaped($0))\"" } ?? ""
  }

  /// Returns a coordinate in tenths of a pixel, finer than a screen shows.
  private static func text(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    let tenths = (min(max(value, -1e6), 1e6) * 10).rounded() / 10
    return PlainNumber.text(tenths)
  }
}

/// One plot in two sizes: the labels of the wide one would be illegible if it were scaled to a phone's width.
struct ProfilePlot {
  /// The identifier, unique on the page.
  let id: String
  /// The text for readers who cannot see the plot.
  let description: String
  let draw: (_ width: Double) -> ProfilePlotCanvas

  static let wide = 640.0
  static let narrow = 336.0

  var html: String {
    [(Self.wide, "wide"), (Self.narrow, "narrow")].map { width, name in
      draw(width).svg(class: "plot \(name)", labelledBy: "\(id)-title", description: description)
    }.joined()
  }
}
