/// What each filter costs by itself and within the plan.
struct ProfilePlotFilters {
  let filters: [ProfileReport.FilterCost]

  func draw(width: Double) -> ProfilePlotCanvas {
    let isNarrow = width < 500
    let pitch = isNarrow ? 58.0 : 42
    let top = 30.0
    let bottom = top + Double(filters.count) * pitch + 4
    var canvas = ProfilePlotCanvas(width: width, height: bottom + 42)
    let values = filters.flatMap { [$0.aloneMilliseconds, $0.inPlanMilliseconds] }.filter(\.isFinite)
    let low = min(0, values.min() ?? 0)
    let x = ProfilePlotScale(
      linear: low, max(values.max() ?? 0, 0), at: isNarrow ? 0 : 150, width - 62, mostTicks: isNarrow ? 4 : 6)
    legend(in: &canvas, at: isNarrow ? 0 : x.start)
    for tick in x.ticks { canvas.line(x(tick), top, x(tick), bottom, "grid") }
    canvas.line(x(0), top, x(0), bottom, "axis")
    // One column, so that the pairs have the same decimals.
    let texts = ProfilePlotText.column(filters.flatMap { [$0.aloneMilliseconds, $0.inPlanMilliseconds] })
    for (index, filter) in filters.enumerated() {
      let y = top + Double(index) * pitch + 6
      let barTop = isNarrow ? y + 17 : y
      let name = ProfilePlotText.cut(filter.text, to: isNarrow ? width - 8 : 142, size: 13)
      canvas.text(name, 0, isNarrow ? y + 11 : y + 19, "name halo")
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
