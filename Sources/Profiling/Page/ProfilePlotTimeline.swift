/// The time of each frame, in order.
struct ProfilePlotTimeline {
  /// Consecutive frames that share a column of the plot.
  struct Column: Equatable {
    /// The indices of the frames, from 0.
    let frames: Range<Int>
    let least: Double
    let median: Double
    let greatest: Double
  }

  let frames: ProfileReport.FrameTimes

  /// Covers every frame: a column keeps the shortest and the longest of its frames, while means or every n-th
  /// frame would hide the outliers that matter.
  static func columns(of times: [Double], atMost count: Int) -> [Column] {
    let columns = min(count, times.count)
    return (0..<columns).compactMap { index in
      let range = times.count * index / columns..<times.count * (index + 1) / columns
      let sorted = times[range].filter(\.isFinite).sorted()
      guard let least = sorted.first, let greatest = sorted.last else { return nil }
      return Column(frames: range, least: least, median: sorted[(sorted.count - 1) / 2], greatest: greatest)
    }
  }

  func draw(width: Double) -> ProfilePlotCanvas {
    var canvas = ProfilePlotCanvas(width: width, height: 268)
    let times = frames.milliseconds
    let marks = [("p50", frames.p50, "median"), ("p99", frames.p99, "late")]
    let isNarrow = width < 500
    let (right, top, bottom) = (width - (isNarrow ? 58 : 74), 34.0, 218.0)
    let y = vertical(at: bottom, top)
    let left = y.margin
    let columns = Self.columns(of: times, atMost: Int(right - left) / 2)
    guard !columns.isEmpty else { return canvas }
    let last = Double(max(1, times.count - 1))
    let x = ProfilePlotScale(
      counted: 1, last + 1, at: left, right, mostTicks: isNarrow ? 4 : 7)
    canvas.grid(from: left, to: right, y, unit: y.isLogarithmic ? "ms, logarithmic" : "ms")

    let isEach = columns.count == times.count
    let places = columns.map { x(Double($0.frames.lowerBound + $0.frames.upperBound - 1) / 2 + 1) }
    // A median of two or three frames would be one of them, so this many are drawn individually.
    if times.count <= 4 * columns.count {
      canvas.path(
        times.enumerated().filter(\.element.isFinite).map { (x(Double($0.offset + 1)), y($0.element)) },
        "trace")
      if isEach, columns.count <= (isNarrow ? 40 : 80) {
        for (place, column) in zip(places, columns) { canvas.dot(place, y(column.median), 2.5, "point") }
      }
    } else {
      let upper = zip(places, columns).map { ($0, y($1.greatest) - 0.5) }
      let lower = zip(places, columns).map { ($0, y($1.least) + 0.5) }
      canvas.path(upper + lower.reversed(), "envelope", isClosed: true)
      canvas.path(zip(places, columns).map { ($0, y($1.median)) }, "trace")
    }
    draw(marks, in: &canvas, y, from: left, to: right)
    canvas.axis(below: bottom, x, unit: "frame")
    let step = (right - left) / Double(columns.count)
    for (index, column) in columns.enumerated() {
      canvas.bar(
        left + Double(index) * step, top, step, bottom - top, "touch", tip: tip(column))
    }
    return canvas
  }

  private func tip(_ column: Column) -> String {
    let first = ProfilePlotText.count(column.frames.lowerBound + 1)
    guard column.frames.count > 1 else {
      return "frame \(first) · \(ProfilePlotText.milliseconds(column.median))"
    }
    return "frames \(first)–\(ProfilePlotText.count(column.frames.upperBound)) · "
      + "\(ProfilePlotText.number(column.least))–\(ProfilePlotText.milliseconds(column.greatest))"
  }

  /// Returns a scale fitted to the times, but not so closely that minimal jitter looks like a storm; logarithmic
  /// if a few frames take many times as long as the others.
  private func vertical(at bottom: Double, _ top: Double) -> ProfilePlotScale {
    let times = frames.milliseconds.filter(\.isFinite)
    let least = times.min() ?? 0
    let greatest = times.max() ?? 0
    if least > 0, greatest > 6 * frames.p50, frames.p50 > 0 {
      return ProfilePlotScale(
        logarithmic: min(least * 0.8, frames.p50 * 0.5), greatest * 1.15, at: bottom, top, mostTicks: 8)
    }
    var low = min(least, frames.p50 * 0.9)
    let high = max(greatest, frames.p50 * 1.1)
    if low < 0.4 * high { low = min(0, least) }
    return ProfilePlotScale(linear: low, high, at: bottom, top, mostTicks: 5)
  }

  /// Draws lines across the plot, labelled at its right; the labels are kept apart even if the lines are not.
  private func draw(
    _ marks: [(name: String, value: Double, style: String)], in canvas: inout ProfilePlotCanvas,
    _ y: ProfilePlotScale, from left: Double, to right: Double
  ) {
    var bases = marks.map { y($0.value) + 4 }
    if let first = bases.first, let last = bases.last, first - last < 30 {
      let middle = (first + last) / 2
      bases = [middle + 15, middle - 15]
    }
    // Keeps clear of the axis below.
    let depth = max(0, (bases.max() ?? 0) + 8 - y.start)
    bases = bases.map { $0 - depth }
    for (mark, base) in zip(marks, bases) {
      canvas.line(left, y(mark.value), right, y(mark.value), "mark \(mark.style)")
      canvas.text(mark.name, right + 6, base - 6, "value \(mark.style)")
      canvas.text(ProfilePlotText.number(mark.value), right + 6, base + 8, "value \(mark.style)")
    }
  }
}
