/// A profile as one self-contained HTML page: plots, tables and the plan.
///
/// Nothing is loaded from elsewhere, and everything is readable without scripts; the only script shows values
/// under the pointer. Light and dark follow the reader's system. All text of the report is escaped.
public struct ProfilePage: Sendable {
  public let report: ProfileReport

  public init(_ report: ProfileReport) { self.report = report }

  public var html: String {
    let title = ProfilePlotText.escaped("\(report.subject.name) – Safelight profile")
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" \
      content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
      <title>\(title)</title>
      <style>
      \(ProfilePageStyle.css)</style>
      </head>
      <body>
      <main>
      \(header)\(notes)<div class="sections">
      \(sections.joined())</div>
      \(footer)</main>
      <div id="tip" hidden></div>
      <script>
      \(ProfilePageStyle.script)</script>
      </body>
      </html>

      """
  }

  private var sections: [String] {
    [
      histogram, timeline, stages, device, scaling, filters, Self.together([capacities, bake]), plan, passes,
      roofline, machine,
    ].compactMap(\.self)
  }

  /// Stacks short sections beside a tall one.
  private static func together(_ sections: [String?]) -> String? {
    let sections = sections.compactMap(\.self)
    return sections.isEmpty ? nil : "<div class=\"stacked\">\n\(sections.joined())</div>\n"
  }

  // MARK: Head and foot

  private var header: String {
    let subject = report.subject
    let chain =
      subject.filters.isEmpty
      ? "no filters"
      : subject.filters.map { "<bdi>\(ProfilePlotText.escaped($0))</bdi>" }.joined(separator: " <i>→</i> ")
    let sizes =
      "\(subject.inputWidth) × \(subject.inputHeight) \(subject.input) → "
      + "\(subject.outputWidth) × \(subject.outputHeight) \(subject.outputFormat)"
    let worker = report.device?.name ?? "\(subject.threads) thread\(subject.threads == 1 ? "" : "s")"
    let sampling = subject.interpolation == "bilinear" ? " · bilinear" : ""
    let figures = Self.figures(report).map { figure in
      "<div><dt>\(figure.name)</dt><dd>\(figure.value)<small>\(figure.unit)</small></dd></div>\n"
    }
    return """
      <header>
      <p class="kicker">Safelight profile</p>
      <h1><bdi>\(ProfilePlotText.escaped(subject.name))</bdi></h1>
      <p class="chain">\(chain)</p>
      <p class="sizes">\(ProfilePlotText.escaped("\(sizes) · \(subject.backend) · \(worker)\(sampling)"))</p>
      <dl class="figures">
      \(figures.joined())</dl>
      </header>

      """
  }

  struct Figure: Equatable {
    let name: String
    let value: String
    let unit: String
  }

  /// Returns the key figures of the profile.
  static func figures(_ report: ProfileReport) -> [Figure] {
    let frames = report.frames
    let count = frames.milliseconds.count
    guard count > 0 else { return [] }
    var figures = [
      Figure(name: "median frame", value: ProfilePlotText.number(frames.p50), unit: "ms"),
      Figure(name: "frame rate", value: ProfilePlotText.number(frames.framesPerSecond), unit: "fps"),
      Figure(
        name: count < 100 ? "longest of \(count)" : "99th percentile",
        value: ProfilePlotText.number(count < 100 ? frames.maximum : frames.p99), unit: "ms"),
    ]
    if let device = report.device {
      if let resident = device.residentMilliseconds {
        figures.append(
          Figure(name: "without transfers", value: ProfilePlotText.number(resident), unit: "ms"))
      }
      if let part = device.residentOfCopy, part.isFinite {
        figures.append(
          Figure(
            name: "kernels, of copies’ speed",
            value: ProfilePlotText.number(part * 100, digits: 2), unit: "%"))
      }
      return figures
    }
    let speed = report.roofline.frameCopyMilliseconds / frames.p50
    if speed.isFinite, speed > 0 {
      figures.append(
        Figure(
          name: "of memcpy’s speed", value: ProfilePlotText.number(speed * 100, digits: 2), unit: "%"))
    }
    return figures
  }

  private var notes: String {
    guard !report.notes.isEmpty else { return "" }
    let items = report.notes.map { "<li>\(ProfilePlotText.escaped($0))</li>\n" }.joined()
    return "<aside aria-label=\"Notes\"><ul>\n\(items)</ul></aside>\n"
  }

  private var footer: String {
    """
    <footer>Times are wall-clock, measured in one run on one machine; only ratios carry over to another. \
    Made by Safelight \(ProfilePlotText.escaped(report.machine.release)), \
    \(ProfilePlotText.escaped(report.machine.date)).</footer>

    """
  }
}
