/// The largest frames that keep 30, 60 … frames a second, beside the sizes that people know.
///
/// A bar is as long as the side of a square of as many pixels, so that 4K is twice as long as 1080p; the areas themselves
/// would leave nothing of the small sizes.
struct ProfilePlotCapacities {
  struct UsualSize {
    let name: String
    let width: Int
    let height: Int
    var side: Double { (Double(width) * Double(height)).squareRoot() }
  }

  static let usualSizes = [
    UsualSize(name: "720p", width: 1280, height: 720),
    UsualSize(name: "1080p", width: 1920, height: 1080),
    UsualSize(name: "1440p", width: 2560, height: 1440),
    UsualSize(name: "4K", width: 3840, height: 2160),
    UsualSize(name: "8K", width: 7680, height: 4320),
  ]

  let capacities: [ProfileReport.Capacity]

  func draw(width: Double) -> ProfilePlotCanvas {
    let isNarrow = width < 500
    let pitch = isNarrow ? 50.0 : 36
    let (left, right, top) = (isNarrow ? 0.0 : 66, width - 12, 34.0)
    let bottom = top + Double(capacities.count) * pitch + 6
    var canvas = ProfilePlotCanvas(width: width, height: bottom + 14)
    let sides = capacities.map { Self.side($0) }
    let largest = max((sides.max() ?? 0) * 1.04, Self.usualSizes[3].side * 1.04)
    let shown = Self.usualSizes.filter { $0.side <= largest }
    let x = ProfilePlotScale(linear: 0, largest, at: left, right, mostTicks: 1, rounded: false)
    for size in shown {
      canvas.line(x(size.side), top - 8, x(size.side), bottom, "grid strong")
      // Between 720p and 1440p there is no room for a third name where 8K is in sight as well.
      let isCrowded = size.name == "1440p" && x(size.side) - x(Self.usualSizes[1].side) < 42
      let isTooLeft = size.name == "720p" && x(Self.usualSizes[1].side) - x(size.side) < 42
      if !isCrowded, !isTooLeft {
        let half = ProfilePlotText.width(size.name) / 2
        canvas.text(size.name, min(x(size.side), width - half), top - 14, "tick", anchor: .middle)
      }
    }
    for (index, (capacity, side)) in zip(capacities, sides).enumerated() {
      let y = top + Double(index) * pitch + 6
      let rate = ProfilePlotText.rate(capacity.framesPerSecond) + " fps"
      let barTop = isNarrow ? y + 18 : y
      canvas.text(rate, 0, isNarrow ? y + 12 : y + 17, "name halo")
      guard side > 0, let columns = capacity.width, let rows = capacity.height else {
        canvas.text("no size tried keeps it", x(0) + (isNarrow ? 0 : 6), barTop + 16, "label halo")
        continue
      }
      let tip =
        "\(rate) up to \(columns) × \(rows)"
        + (capacity.p99Milliseconds.map { " · p99 " + ProfilePlotText.milliseconds($0) } ?? "")
      canvas.bar(x(0), barTop, x(side) - x(0), 24, "bar", tip: tip)
      let label = "\(columns) × \(rows)"
      if ProfilePlotText.width(label) + 16 < x(side) - x(0) {
        canvas.text(label, x(side) - 8, barTop + 16.5, "on-bar", anchor: .end)
      } else {
        canvas.text(label, x(side) + 6, barTop + 16.5, "value halo")
      }
    }
    return canvas
  }

  private static func side(_ capacity: ProfileReport.Capacity) -> Double {
    (max(0, Double(capacity.width ?? 0)) * max(0, Double(capacity.height ?? 0))).squareRoot()
  }
}
