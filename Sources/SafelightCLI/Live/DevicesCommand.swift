import ArgumentParser
import Safelight

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Lists cameras and virtual cameras, what they can do and which programs use them.",
    discussion: """
      GPUs are listed by --gpu list.

      Examples:
        safelight devices
        safelight devices --json
        safelight --gpu list
      """)

  @Flag(help: "Print the list as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  func run() throws {
    let reports = CaptureDevice.discover().map(CaptureDeviceReport.init)
    if json { return try Output.json(reports) }
    guard !reports.isEmpty else {
      return Output.line("No camera is connected. “safelight live --source synthetic” needs none.")
    }
    Output.line(reports.map(\.text).joined(separator: "\n\n"))
  }
}

extension CaptureDeviceReport {
  /// A few lines for people.
  fileprivate var text: String {
    var lines = ["\(name)  \(path)", "  id        \(id)"]
    if !driver.isEmpty { lines.append("  driver    \(driver), \(bus)") }
    if kinds == [.output] { lines.append("  takes pictures, for “--to virtual:\(path)”") }
    if !holders.isEmpty { lines.append("  in use    by \(holders.joined(separator: ", "))") }
    if let problem { lines.append("  problem   \(problem)") }
    for format in formats {
      let label = (format.format ?? format.fourCC).padded(to: 8, left: true)
      let note = format.format == nil ? "  (\(format.name))" : ""
      lines.append("  \(label)  " + format.sizes.map(\.text).joined(separator: " · ") + note)
    }
    if !controls.isEmpty {
      lines.append("  controls")
      let width = controls.map(\.key.count).max() ?? 0
      lines += controls.map { "    \($0.key.padded(to: width, left: true))  \($0.text)" }
    }
    return lines.joined(separator: "\n")
  }
}

extension CaptureDeviceReport.Size {
  /// `1280×720 30, 15`
  fileprivate var text: String {
    let extent = smallest.flatMap { low in largest.map { "\(low)…\($0)" } } ?? "\(width)×\(height)"
    return ([extent] + [framesPerSecond.map { PlainNumber.text($0) }.joined(separator: ", ")])
      .filter { !$0.isEmpty }.joined(separator: " at ")
  }
}

extension CaptureDeviceReport.Control {
  /// `4600 (2800…6500 by 10, default 4600)`, and why it cannot be set.
  fileprivate var text: String {
    var text = value.map { "\($0)" } ?? "–"
    if let menu, let value, let name = menu["\(value)"] { text += " \(name)" }
    switch kind {
    case .button: text = "button"
    case .boolean: text += " (0 or 1, default \(defaultValue))"
    default:
      text += " (\(minimum)…\(maximum)" + (step > 1 ? " by \(step)" : "") + ", default \(defaultValue))"
    }
    if isInactive { text += "  inactive: set automatically" }
    if isReadOnly { text += "  read-only" }
    return text
  }
}
