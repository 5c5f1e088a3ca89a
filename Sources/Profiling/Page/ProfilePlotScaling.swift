/// Frames per second by number of threads, compared with the ideal for as many threads.
struct ProfilePlotScaling {
  /// The points by number of threads, ascending.
  let points: [ProfileReport.ThreadPoint]

  func draw(width: Double) -> ProfilePlotCanvas {
    var canvas = ProfilePlotCanvas(width: width, height: 268)
    let isNarrow = width < 500
    let (right, top, bottom) = (width - (isNarrow ? 20 : 90), 34.0, 218.0)
    guard let first = points.first, let last = points.last, first.threads > 0 else { return canvas }
    let each = first.framesPerSecond / Double(first.threads)
    let most = Double(max(last.threads, 2))
    let high = max(each * most, points.map(\.framesPerSecond).max() ?? 0)
    let y = ProfilePlotScale(linear: 0, high, at: bottom, top, mostTicks: 5)
    let left = y.margin
    let x = ProfilePlotScale(counted: 0, most, at: left, right, mostTicks: isNarrow ? 6 : 10)
    canvas.grid(from: left, to: right, y, unit: "frames a second")
    canvas.line(x(0), y(0), x(most), y(each * most), "ideal")
    canvas.text("ideal", x(most) - 6, y(each * most) - 7, "tick halo", anchor: .end)
    canvas.path(points.map { (x(Double($0.threads)), y($0.framesPerSecond)) }, "curve")
    // As many labels as fit side by side, always including the last.
    var free = Double.infinity
    for point in points.reversed() {
      let place = (x: x(Double(point.threads)), y: y(point.framesPerSecond))
      let tip =
        "\(point.threads) thread\(point.threads == 1 ? "" : "s") · \(ProfilePlotText.number(point.framesPerSecond)) fps"
        + " · \(ProfilePlotText.milliseconds(point.milliseconds)) · \(ProfilePlotText.percent(point.efficiency)) of ideal"
      canvas.dot(place.x, place.y, 4, "point accent", tip: tip)
      let label = ProfilePlotText.number(point.framesPerSecond)
      let width = ProfilePlotText.width(label)
      if place.x + width / 2 < free {
        let isLow = place.y + 24 > bottom
        canvas.text(label, place.x, place.y + (isLow ? -10 : 20), "value halo", anchor: .middle)
        free = place.x - width / 2 - 6
      }
    }
    canvas.axis(below: bottom, x, unit: "threads")
    return canvas
  }
}
