/// The cost of each filter alone and within the plan.
struct ProfilePlotFilters {
  let filters: [ProfileReport.FilterCost]

  private static let nameSize = 13.0
  private static let lineHeight = 16.0
  /// The height of both bars.
  private static let barsHeight = 27.0

  func draw(width: Double) -> ProfilePlotCanvas {
    let isNarrow = width < 500
    // Names have a column of their own, as wide as they need and the bars can spare, or are placed above the bars.
    let longest = filters.map { ProfilePlotText.width($0.text, size: Self.nameSize) }.max() ?? 0
    let column = isNarrow ? width - 8 : min(max(longest, 142), 0.4 * width)
    let names = filters.map { ProfilePlotText.lines($0.text, to: column, size: Self.nameSize) }
    let heights = names.map { lines in
      let text = Self.lineHeight * Double(lines.count)
      return isNarrow ? text + Self.barsHeight + 15 : max(text, Self.barsHeight) + 15
    }
    let top = 30.0
    let bottom = top + heights.reduce(0, +) + 4
    var canvas = ProfilePlotCanvas(width: width, height: bottom + 42)
    let values = filters.flatMap { [$0.aloneMilliseconds, $0.inPlanMilliseconds] }.filter(\.isFinite)
    let low = min(0, values.min() ?? 0)
    let x = ProfilePlotScale(
      linear: low, max(values.max() ?? 0, 0), at: isNarrow ? 0 : column + 8, width - 62,
      mostTicks: isNarrow ? 4 : 6)
    legend(in: &canvas, at: isNarrow ? 0 : x.start)
    for tick in x.ticks { canvas.line(x(tick), top, x(tick), bottom, "grid") }
    canvas.line(x(0), top, x(0), bottom, "axis")
    // Formatted as one column, so that the pairs have the same decimals.
    let texts = ProfilePlotText.column(filters.flatMap { [$0.aloneMilliseconds, $0.inPlanMilliseconds] })
    var place = top
    for (index, filter) in filters.enumerated() {
      let y = place + 6
      place += heights[index]
      let textHeight = Self.lineHeight * Double(names[index].count)
      let barTop = isNarrow ? y + textHeight + 1 : y + max(0, (textHeight - Self.barsHeight) / 2)
      let textTop = isNarrow ? y : y + max(0, (Self.barsHeight - textHeight) / 2)
      for (number, line) in names[index].enumerated() {
        canvas.text(line, 0, textTop + Self.lineHeight * Double(number) + 11.5, "name halo")
      }
      let (alone, inPlan) = (texts[2 * index], texts[2 * index + 1])
      let tip = "\(filter.text) · alone \(alone) ms · in this plan \(inPlan) ms"
      bar(filter.aloneMilliseconds, alone, "bar", tip, in: &canvas, x, at: barTop)
      bar(filter.inPlanMilliseconds, inPlan, "bar accent", tip, in: &canvas, x, at: barTop + 15)
    }
    canvas.axis(below: bottom, x, unit: "milliseconds of a frame")
    return canvas
  }

  private func bar(
    _ value: Double, _ label: String, _ style: String, _ tip: String, in canvas: inout ProfilePlotCanvas,
    _ x: ProfilePlotScale, at y: Double
  ) {
    let (zero, end) = (x(0), x(value))
    canvas.bar(min(zero, end), y, max(1, abs(end - zero)), 12, style, tip: tip)
    canvas.text(label, max(zero, end) + 6, y + 10.5, "value small halo")
  }

  private func legend(in canvas: inout ProfilePlotCanvas, at left: Double) {
    canvas.bar(left, 6, 10, 10, "bar")
    canvas.text("alone", left + 16, 15.5, "label")
    canvas.bar(left + 70, 6, 10, 10, "bar accent")
    canvas.text("in this plan", left + 86, 15.5, "label")
  }
}
