/// The largest frames that keep 30, 60 … frames per second, compared with familiar sizes.
///
/// The length of a bar is the side of a square with as many pixels, so that 4K is twice as long as 1080p; with the
/// areas themselves, small sizes would vanish.
struct ProfilePlotCapacities {
  /// The lines, in order of importance of their names: a name that would touch an earlier one is omitted.
  private static let lines = ["1080p", "4K", "8K", "1440p", "720p", "5K", "480p"].compactMap { name in
    UsualSize.named(name).map { (name: name, side: Double($0.pixelCount).squareRoot()) }
  }

  let capacities: [ProfileReport.Capacity]

  func draw(width: Double) -> ProfilePlotCanvas {
    let isNarrow = width < 500
    let pitch = isNarrow ? 50.0 : 36
    let (left, right, top) = (isNarrow ? 0.0 : 66, width - 12, 34.0)
    let bottom = top + Double(capacities.count) * pitch + 6
    var canvas = ProfilePlotCanvas(width: width, height: bottom + 14)
    let sides = capacities.map { Self.side($0) }
    let largest = max((sides.max() ?? 0) * 1.04, Self.least * 1.04)
    let shown = Self.lines.filter { $0.side <= largest }
    let x = ProfilePlotScale(linear: 0, largest, at: left, right, mostTicks: 1, rounded: false)
    var named: [Double] = []
    for size in shown {
      canvas.line(x(size.side), top - 8, x(size.side), bottom, "grid strong")
      if named.allSatisfy({ abs($0 - x(size.side)) >= 42 }) {
        named.append(x(size.side))
        let half = ProfilePlotText.width(size.name) / 2
        canvas.text(size.name, min(x(size.side), width - half), top - 14, "tick", anchor: .middle)
      }
    }
    for (index, (capacity, side)) in zip(capacities, sides).enumerated() {
      let y = top + Double(index) * pitch + 6
      let rate = ProfilePlotText.rate(capacity.framesPerSecond) + " fps"
      let barTop = isNarrow ? y + 18 : y
      canvas.text(rate, 0, isNarrow ? y + 12 : y + 17, "name halo")
      guard side > 0, let label = capacity.sizeText else {
        canvas.text("no size tried keeps it", x(0) + (isNarrow ? 0 : 6), barTop + 16, "label halo")
        continue
      }
      let tip =
        "\(rate) \(capacity.isLowerBound ? "" : "up to ")\(label)"
        + (capacity.p99Milliseconds.map { " · \(capacity.timeName) " + ProfilePlotText.milliseconds($0) }
          ?? "")
      canvas.bar(x(0), barTop, x(side) - x(0), 24, "bar", tip: tip)
      if ProfilePlotText.width(label) + 16 < x(side) - x(0) {
        canvas.text(label, x(side) - 8, barTop + 16.5, "on-bar", anchor: .end)
      } else {
        canvas.text(label, x(side) + 6, barTop + 16.5, "value halo")
      }
    }
    return canvas
  }

  /// The axis reaches at least to 4K.
  private static let least = lines.first { $0.name == "4K" }?.side ?? 0

  private static func side(_ capacity: ProfileReport.Capacity) -> Double {
    (max(0, Double(capacity.width ?? 0)) * max(0, Double(capacity.height ?? 0))).squareRoot()
  }
}
