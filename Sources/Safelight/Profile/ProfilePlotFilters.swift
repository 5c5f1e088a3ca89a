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
    for (index, filter) in filters.enumerated() {
      let y = top + Double(index) * pitch + 6
      let barTop = isNarrow ? y + 17 : y
      let name = ProfilePlotText.cut(filter.text, to: isNarrow ? width - 8 : 142)
      canvas.text(name, 0, isNarrow ? y + 11 : y + 19, "name halo")
      bar(filter.aloneMilliseconds, "bar", "alone", filter, in: &canvas, x, at: barTop)
      bar(filter.inPlanMilliseconds, "bar accent", "in the plan", filter, in: &canvas, x, at: barTop + 15)
    }
    canvas.axis(below: bottom, x, unit: "milliseconds of a frame")
    return canvas
  }

  private func bar(
    _ value: Double, _ style: String, _ name: String, _ filter: ProfileReport.FilterCost,
    in canvas: inout ProfilePlotCanvas, _ x: ProfilePlotScale, at y: Double
  ) {
    let (zero, end) = (x(0), x(value))
    canvas.bar(
      min(zero, end), y, max(1, abs(end - zero)), 12, style,
      tip: "\(filter.text) · \(name) \(ProfilePlotText.milliseconds(value))")
    canvas.text(ProfilePlotText.number(value, digits: 2), max(zero, end) + 6, y + 10.5, "value small halo")
  }

  private func legend(in canvas: inout ProfilePlotCanvas, at left: Double) {
    canvas.bar(left, 6, 10, 10, "bar")
    canvas.text("alone", left + 16, 15.5, "label")
    canvas.bar(left + 70, 6, 10, 10, "bar accent")
    canvas.text("in this plan", left + 86, 15.5, "label")
  }
}
