import ArgumentParser
import Safelight

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract:
      "Lists cameras and virtual cameras, what they can do and which programs use them, and sets controls.",
    usage: "safelight devices [<options>]",
    discussion: """
      --set takes the settings that the list shows, or any of the driver's controls by its key. Several are \
      set together or not at all, also while another program uses the camera. They last until the camera is \
      disconnected.

        focus          auto, once, locked, a number of the driver's, or 0% (nearest) to 100%
        exposure       auto, locked, or a time: 1/60s, 8ms, 500us
        ev             stops by which automatic exposure is brighter: 0.7, -1
        gain           auto, locked, or a number of the driver's
        iso            auto, or a number: 400
        white-balance  auto, locked, or a colour temperature: 4600K
        zoom           2x, 50%, or a number of the driver's
        power-line     off, 50Hz, 60Hz, auto
        focus-point    auto, or where focus looks: 0.5,0.4 (from the left, the top)
        exposure-point auto, or where exposure looks: 0.5,0.4

      GPUs are listed by --gpu list.

      Examples:
        safelight devices
        safelight devices --json
        safelight devices --set focus=120 --set exposure=auto --set brightness=10
        safelight devices --device /dev/video2 --set white-balance=4600K
        safelight --gpu list
      """)

  @Option(
    name: .customLong("set"), help: ArgumentHelp("Set a control; can be repeated", valueName: "key=value"))
  var settings: [String] = []

  @Option(help: ArgumentHelp("The camera: its node, id or name (default: the first)", valueName: "camera"))
  var device: String?

  @Flag(help: "Print the list, or what was set, as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  func run() throws {
    do {
      try printOrSet()
    } catch let failure as CaptureFailure {
      throw failure.error
    }
  }

  private func printOrSet() throws {
    if !settings.isEmpty { return try set(try settings.map { try CameraSetting(parsing: $0) }) }
    let devices = try device.map { [try CaptureDevice.camera($0)] } ?? CaptureDevice.discover()
    let reports = devices.map(CaptureDeviceReport.init)
    if json { return try Output.json(reports) }
    guard !reports.isEmpty else {
      return Output.line("No camera is connected. “safelight live --source synthetic” needs none.")
    }
    Output.line(reports.map(\.text).joined(separator: "\n\n"))
  }

  private func set(_ settings: [CameraSetting]) throws {
    let camera = try CaptureDevice.camera(device ?? "default")
    let changes = try camera.configure { try $0.apply(settings) }
    if json { return try Output.json(changes) }
    let width = changes.map(\.name.count).max() ?? 0
    for change in changes {
      Output.done(
        "\(change.name.padded(to: width, left: true))  \(change.before ?? "–") → \(change.after ?? "–")")
    }
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
      lines.append("  \(label)  " + format.sizes.map(\.text).joined(separator: " · ") + format.note)
    }
    let supported = settings.filter(\.isSupported)
    if !supported.isEmpty {
      lines.append("  settings")
      let width = supported.map(\.key.rawValue.count).max() ?? 0
      lines += supported.map { "    \($0.key.rawValue.padded(to: width, left: true))  \($0.text)" }
      let missing = settings.filter { !$0.isSupported }.map(\.key.rawValue)
      if !missing.isEmpty {
        lines.append("    not supported by the driver: \(missing.joined(separator: ", "))")
      }
    }
    if !controls.isEmpty {
      lines.append("  controls of the driver")
      let width = controls.map(\.key.count).max() ?? 0
      lines += controls.map { "    \($0.key.padded(to: width, left: true))  \($0.text)" }
    }
    return lines.joined(separator: "\n")
  }
}

extension CaptureDeviceReport.Format {
  /// How the format is read, where Safelight does not read it itself, and which mosaic it is.
  fileprivate var note: String {
    switch reading {
    case .direct: format == "bayer" ? "  (\(fourCC), a mosaic, developed)" : ""
    case .converted: "  (\(name), converted by libv4lconvert)"
    case .unreadable: "  (\(name), not readable)"
    }
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

extension CameraCapability {
  /// `auto (auto, locked, 2800K…6500K)`
  fileprivate var text: String { "\(value ?? "–") (\(range ?? ""))" }
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
