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
    let reports = CaptureDevice.discover().map(DeviceReport.init)
    if json { return try Output.json(reports) }
    guard !reports.isEmpty else {
      return Output.line("No camera is connected. “safelight live --source synthetic” needs none.")
    }
    Output.line(reports.map(\.text).joined(separator: "\n\n"))
  }
}

/// One device in the output of `devices`.
struct DeviceReport: Encodable {
  struct Format: Encodable {
    /// The format's name for `live --format`, if it has one.
    let format: String?
    let fourCC: String
    let name: String
    let sizes: [Size]
  }
  struct Size: Encodable {
    let width: Int
    let height: Int
    /// nil if the device has only one size.
    let smallest: String?
    let largest: String?
    let framesPerSecond: [Double]
  }
  struct Control: Encodable {
    let name: String
    let key: String
    let id: UInt32
    let kind: String
    let minimum: Int64
    let maximum: Int64
    let step: Int64
    let defaultValue: Int64
    let value: Int64?
    let isInactive: Bool
    let isReadOnly: Bool
    let menu: [String: String]?
  }

  let id: String
  let path: String
  let name: String
  let driver: String
  let bus: String
  let kinds: [String]
  let facing: String
  let formats: [Format]
  let controls: [Control]
  /// The programs that have it open.
  let holders: [String]
  /// Why nothing more is known.
  let problem: String?

  init(_ device: CaptureDevice) {
    id = device.id
    path = device.path
    name = device.name
    driver = device.driver
    bus = device.bus
    kinds = device.kinds.map(\.rawValue).sorted()
    facing = device.facing.rawValue
    holders = device.holders().map(\.description)
    var problem = device.failure?.description
    var formats: [Format] = []
    var controls: [Control] = []
    if problem == nil {
      do {
        formats = try device.formats().map(Format.init)
        controls = try device.controls().filter { $0.kind != .other }.map(Control.init)
      } catch {
        problem = "\(error)"
      }
    }
    (self.formats, self.controls, self.problem) = (formats, controls, problem)
  }

  /// A few lines for people.
  var text: String {
    var lines = ["\(name)  \(path)", "  id        \(id)"]
    if !driver.isEmpty { lines.append("  driver    \(driver), \(bus)") }
    if kinds == ["output"] { lines.append("  takes pictures, for “--to virtual:\(path)”") }
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

extension DeviceReport.Format {
  init(_ format: DeviceFormat) {
    self.init(
      format: format.encoding.map(\.name), fourCC: format.fourCC.description, name: format.name,
      sizes: format.sizes.map(DeviceReport.Size.init))
  }
}

extension DeviceReport.Size {
  init(_ size: DeviceFrameSize) {
    let rates = size.intervals.map { ($0.framesPerSecond * 1000).rounded() / 1000 }.filter { $0 > 0 }
    var range: (smallest: String, largest: String)?
    if case .range(let smallest, let largest, _) = size.extent { range = ("\(smallest)", "\(largest)") }
    self.init(
      width: size.largest.width, height: size.largest.height, smallest: range?.smallest,
      largest: range?.largest,
      framesPerSecond: rates)
  }

  /// `1280×720 30, 15`
  var text: String {
    let extent = smallest.flatMap { low in largest.map { "\(low)…\($0)" } } ?? "\(width)×\(height)"
    return ([extent] + [framesPerSecond.map { PlainNumber.text($0) }.joined(separator: ", ")])
      .filter { !$0.isEmpty }.joined(separator: " at ")
  }
}

extension DeviceReport.Control {
  init(_ control: DeviceControl) {
    self.init(
      name: control.name, key: control.key, id: control.id, kind: control.kind.rawValue,
      minimum: control.minimum,
      maximum: control.maximum, step: control.step, defaultValue: control.defaultValue, value: control.value,
      isInactive: control.isInactive, isReadOnly: control.isReadOnly,
      menu: control.menu.isEmpty
        ? nil
        : Dictionary(control.menu.map { ("\($0.value)", $0.name) }, uniquingKeysWith: { first, _ in first }))
  }

  /// `4600 (2800…6500 by 10, default 4600)`, and why it cannot be set.
  var text: String {
    var text = value.map { "\($0)" } ?? "–"
    if let menu, let value, let name = menu["\(value)"] { text += " \(name)" }
    switch kind {
    case "button": text = "button"
    case "boolean": text += " (0 or 1, default \(defaultValue))"
    default:
      text += " (\(minimum)…\(maximum)" + (step > 1 ? " by \(step)" : "") + ", default \(defaultValue))"
    }
    if isInactive { text += "  inactive: set automatically" }
    if isReadOnly { text += "  read-only" }
    return text
  }
}

extension CaptureEncoding {
  /// The name that `live --format` takes.
  var name: String {
    switch self {
    case .mjpeg: "mjpeg"
    case .raw(.yuyv422): "yuyv"
    case .raw(.uyvy422): "uyvy"
    case .raw(let format): format.rawValue
    }
  }
}
