/// A histogram of frame times.
struct ProfilePlotHistogram {
  /// The frames counted in bins of equal width, starting at `low`.
  struct Bins: Equatable {
    let low: Double
    let width: Double
    let counts: [Int]
    /// Frames beyond the last bin, which would squeeze all others into one: counted separately.
    let beyond: Int

    var high: Double { low + width * Double(counts.count) }
  }

  let frames: ProfileReport.FrameTimes

  /// - Parameter most: the maximum number of bins.
  static func bins(of times: [Double], most: Int) -> Bins? {
    let sorted = times.filter(\.isFinite).sorted()
    guard let least = sorted.first, let greatest = sorted.last else { return nil }
    func quantile(_ part: Double) -> Double { sorted[Int(part * Double(sorted.count - 1))] }
    let median = quantile(0.5)
    // Covers the bulk and several times its tail. In small samples no frame counts as an outlier unless it is far
    // out.
    var reach = max(5 * (quantile(0.95) - median), 8 * (quantile(0.75) - median), abs(median) * 0.02)
    if sorted.count < 20 { reach = max(reach, 5 * abs(median)) }
    let limit = greatest <= median + reach * 1.5 ? greatest : median + reach
    let upper = sorted.last { $0 <= limit } ?? greatest
    // Freedman and Diaconis, "On the histogram as a density estimator" (1981): twice the interquartile range over
    // the cube root of the count.
    var cubeRoot = 1.0
    while cubeRoot * cubeRoot * cubeRoot < Double(sorted.count) { cubeRoot += 0.25 }
    let ideal = 2 * (quantile(0.75) - quantile(0.25)) / cubeRoot
    let span = max(upper - least, median == 0 ? 1 : abs(median) * 0.01)
    let parts =
      ideal > 0 ? min(Double(most - 2), max(12, (1.5 * span / ideal).rounded(.up))) : Double(most - 2)
    let width = ProfilePlotScale.step(over: span, atMost: Int(min(parts, Double(max(8, 2 * sorted.count)))))
    let low = (least / width).rounded(.down) * width
    let count = max(1, Int(min(((max(upper, median) - low) / width).rounded(.down) + 1, 500)))
    var counts = [Int](repeating: 0, count: count)
    var beyond = 0
    for time in sorted {
      // Times are whole nanoseconds, so they do fall on bin edges.
      let index = ((time - low) / width + 1e-9).rounded(.down)
      if index >= 0, index < Double(count) { counts[Int(index)] += 1 } else { beyond += 1 }
    }
    return Bins(low: low, width: width, counts: counts, beyond: beyond)
  }

  func draw(width: Double) -> ProfilePlotCanvas {
    var canvas = ProfilePlotCanvas(width: width, height: 268)
    let isNarrow = width < 500
    guard let bins = Self.bins(of: frames.milliseconds, most: isNarrow ? 28 : 56) else { return canvas }
    let beyondRoom = bins.beyond > 0 ? (isNarrow ? 62.0 : 84) : 8
    let (right, top, bottom) = (width - beyondRoom, 62.0, 218.0)
    let most = Double(max(bins.counts.max() ?? 0, bins.beyond))
    let y = ProfilePlotScale(counted: 0, most, at: bottom, top, mostTicks: 4, rounded: true)
    let left = y.margin
    let x = ProfilePlotScale(
      linear: bins.low, bins.high, at: left, right, mostTicks: isNarrow ? 4 : 8, rounded: false)
    canvas.grid(from: left, to: bins.beyond > 0 ? width - 8 : right, y, unit: "frames")

    for (index, count) in bins.counts.enumerated() where count > 0 {
      let start = bins.low + Double(index) * bins.width
      let (from, to) = (x(start), x(start + bins.width))
      let range =
        "\(ProfilePlotText.number(start, digits: 4))–\(ProfilePlotText.number(start + bins.width, digits: 4)) ms"
      canvas.bar(
        from + 0.5, y(Double(count)), max(1, to - from - 1), bottom - y(Double(count)), "bar",
        tip: "\(ProfilePlotText.count(count)) frame\(count == 1 ? "" : "s") · \(range)")
    }
    canvas.axis(below: bottom, x, unit: "milliseconds a frame")

    let beyondX = right + beyondRoom / 2 + 4
    if bins.beyond > 0 {
      canvas.bar(
        beyondX - 9, y(Double(bins.beyond)), 18, bottom - y(Double(bins.beyond)), "bar beyond",
        tip:
          "\(ProfilePlotText.count(bins.beyond)) longer, up to \(ProfilePlotText.milliseconds(frames.maximum))"
      )
      canvas.line(beyondX - 16, bottom, beyondX + 16, bottom, "axis")
      canvas.text("longer", beyondX, bottom + 17, "tick", anchor: .middle)
      let longest = "≤ " + ProfilePlotText.number(frames.maximum)
      canvas.text(
        longest, min(beyondX, width - ProfilePlotText.width(longest) / 2), bottom + 34, "unit",
        anchor: .middle)
    }
    for (row, mark) in [("p50", frames.p50, "median"), ("p99", frames.p99, "late")].enumerated() {
      let place = mark.1 > bins.high ? beyondX : x(mark.1)
      let base = 18 + Double(row) * 16
      canvas.line(place, base - 10, place, bottom, "mark \(mark.2)")
      let isLeft = place > width * 0.6
      canvas.text(
        "\(mark.0)  \(ProfilePlotText.milliseconds(mark.1))", place + (isLeft ? -5 : 5), base,
        "value halo \(mark.2)", anchor: isLeft ? .end : .start)
    }
    return canvas
  }
}
