import Capture

/// Where a frame's time goes, and how close each stage comes to the memory's speed.
struct ProfilePlotStages {
  let stages: [ProfileReport.StageCost]
  /// The rates that memory reaches, at most two: stages are compared with the first.
  let ceilings: [Ceiling]
  /// The text that says which bytes the speeds count.
  var counted = ", read and written"

  struct Ceiling {
    let name: String
    /// The rate in 10⁹ bytes per second, read and written.
    let rate: Double
  }

  private static let barHeight = 16.0

  /// The most expensive stage, which gets the accent; waiting is excluded.
  private var dearest: Int? {
    stages.indices.filter { stages[$0].bytes > 0 }.max { stages[$0].milliseconds < stages[$1].milliseconds }
  }

  private func style(_ index: Int) -> String { index == dearest ? "bar accent" : "bar" }

  func draw(width: Double) -> ProfilePlotCanvas {
    width < 500 ? drawNarrow(width: width) : drawWide(width: width)
  }

  private func drawWide(width: Double) -> ProfilePlotCanvas {
    let pitch = 30.0
    let top = 92.0
    let bottom = top + Double(stages.count) * pitch + 4
    var canvas = ProfilePlotCanvas(width: width, height: bottom + 42)
    stack(in: &canvas, from: 0, to: width, at: 18)
    let time = ProfilePlotScale(linear: 0, longest, at: 112, 304, mostTicks: 4)
    let speed = ProfilePlotScale(linear: 0, fastest, at: 388, width - 52, mostTicks: 4)
    drawCeilings(in: &canvas, speed, above: top - 6, to: bottom)
    let times = ProfilePlotText.column(stages.map(\.milliseconds))
    for (index, stage) in stages.enumerated() {
      let y = top + Double(index) * pitch + 5
      canvas.text(ProfilePlotText.cut(stage.kind, to: 106, size: 13), 0, y + 12.5, "name")
      canvas.bar(
        time.start, y, time(stage.milliseconds) - time.start, Self.barHeight, style(index), tip: tip(stage))
      canvas.text(times[index], time(stage.milliseconds) + 6, y + 12.5, "value")
      rate(index, in: &canvas, speed, at: y)
    }
    canvas.axis(below: bottom, time, unit: "milliseconds of a frame")
    canvas.axis(below: bottom, speed, unit: "GB/s\(counted)")
    return canvas
  }

  private func drawNarrow(width: Double) -> ProfilePlotCanvas {
    let pitch = 64.0
    let top = 92.0
    let bottom = top + Double(stages.count) * pitch + 4
    var canvas = ProfilePlotCanvas(width: width, height: bottom + 42)
    stack(in: &canvas, from: 0, to: width, at: 18)
    let time = ProfilePlotScale(linear: 0, longest, at: 0, width - 70, mostTicks: 4)
    let speed = ProfilePlotScale(linear: 0, fastest, at: 0, width - 56, mostTicks: 4)
    drawCeilings(in: &canvas, speed, above: top - 6, to: bottom)
    let times = ProfilePlotText.column(stages.map(\.milliseconds))
    for (index, stage) in stages.enumerated() {
      let y = top + Double(index) * pitch + 4
      canvas.text(ProfilePlotText.cut(stage.kind, to: width - 10, size: 13), 0, y + 12, "name halo")
      canvas.bar(0, y + 18, time(stage.milliseconds) - time.start, 14, style(index), tip: tip(stage))
      canvas.text(times[index] + " ms", time(stage.milliseconds) + 6, y + 29.5, "value halo")
      rate(index, in: &canvas, speed, at: y + 34)
    }
    canvas.axis(below: bottom, speed, unit: "GB/s\(counted) (thin bars)")
    return canvas
  }

  /// Draws the whole frame as one bar, with the stages in execution order.
  private func stack(in canvas: inout ProfilePlotCanvas, from left: Double, to right: Double, at y: Double) {
    let total = stages.reduce(0) { $0 + usable($1.milliseconds) }
    canvas.text("One frame, stage by stage", left, y - 6, "unit")
    guard total > 0 else { return }
    var x = left
    for (index, stage) in stages.enumerated() {
      let part = usable(stage.milliseconds) / total
      let width = (right - left) * part
      let shade = index == dearest ? "bar accent" : index % 2 == 0 ? "bar" : "bar second"
      canvas.bar(x, y, max(0, width - 1), 26, shade, tip: tip(stage))
      let label = "\(stage.kind) \(ProfilePlotText.percent(part))"
      let style = index == dearest ? "on-accent" : index % 2 == 0 ? "on-bar" : "on-second"
      if ProfilePlotText.width(label) < width - 10 {
        canvas.text(label, x + 6, y + 17.5, style)
      } else if ProfilePlotText.width(ProfilePlotText.percent(part)) < width - 8 {
        canvas.text(ProfilePlotText.percent(part), x + 5, y + 17.5, style)
      }
      x += width
    }
  }

  /// Draws lines at the ceilings’ speeds, labelled above: the slower one to the left of its line and the faster
  /// one to the right, so that the labels never overlap.
  private func drawCeilings(
    in canvas: inout ProfilePlotCanvas, _ speed: ProfilePlotScale, above top: Double, to bottom: Double
  ) {
    let lines = zip(ceilings, ["ceiling", "ceiling second"])
      .filter { ceiling, _ in ceiling.rate.isFinite && ceiling.rate > 0 }.sorted { $0.0.rate < $1.0.rate }
    for (index, (ceiling, style)) in lines.enumerated() {
      let x = speed(ceiling.rate)
      canvas.line(x, top - 2, x, bottom, style)
      let label = "\(ceiling.name) \(ProfilePlotText.number(ceiling.rate))"
      let width = ProfilePlotText.width(label)
      if lines.count > 1, index == 0 {
        canvas.text(label, x + 2, top - 7, "tick", anchor: .end)
      } else {
        // Beyond the picture's edge it would be clipped.
        canvas.text(label, min(x - 2, canvas.width - width), top - (lines.count > 1 ? 22 : 7), "tick")
      }
    }
  }

  /// The numbers have a column of their own: beside the bars they would overlap the lines.
  private func rate(_ index: Int, in canvas: inout ProfilePlotCanvas, _ speed: ProfilePlotScale, at y: Double)
  {
    let stage = stages[index]
    let text = stage.bytes > 0 ? ProfilePlotText.number(stage.gigabytesPerSecond) : "–"
    canvas.text(text, canvas.width, y + 12.5, "value", anchor: .end)
    guard stage.bytes > 0, stage.gigabytesPerSecond.isFinite, stage.gigabytesPerSecond > 0 else { return }
    let end = speed(stage.gigabytesPerSecond)
    canvas.bar(speed.start, y + 4, end - speed.start, 8, style(index), tip: tip(stage))
    if stage.gigabytesPerSecond > speed.high {
      // Drawn broken, because it continues beyond the axis.
      canvas.line(end - 14, y + 14, end - 8, y + 2, "break")
      canvas.line(end - 8, y + 14, end - 2, y + 2, "break")
    }
  }

  private func tip(_ stage: ProfileReport.StageCost) -> String {
    "\(stage.text) · \(ProfilePlotText.milliseconds(stage.milliseconds)) · "
      + "\(ProfilePlotText.number(stage.nanosecondsPerPixel)) ns a pixel"
      + (stage.bytes > 0 && stage.ofRoofline > 0
        ? " · \(ProfilePlotText.percent(stage.ofRoofline)) of \(ceilings.first?.name ?? "memcpy")" : "")
  }

  private var longest: Double { stages.map { usable($0.milliseconds) }.max() ?? 0 }

  /// A stage that works in caches can be many times as fast as memory; its bar is broken, so that the others
  /// remain visible.
  private var fastest: Double {
    let ceiling = ceilings.map { usable($0.rate) }.max() ?? 0
    let stages = stages.map { usable($0.gigabytesPerSecond) }.sorted()
    guard ceiling > 0, let fastest = stages.last else { return stages.last ?? ceiling }
    return max(ceiling, min(fastest, 1.8 * ceiling))
  }

  private func usable(_ value: Double) -> Double { value.isFinite ? max(0, value) : 0 }
}
