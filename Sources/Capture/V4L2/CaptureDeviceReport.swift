import FrameCore

/// What a video device can do and who uses it; `safelight devices --json` prints a list of these.
public struct CaptureDeviceReport: JSONReport, Hashable {
  /// Which way a format's frames go.
  public enum Reading: String, Codable, Sendable, Hashable {
    /// Safelight reads them itself.
    case direct
    /// libv4lconvert converts them.
    case converted
    /// Nothing reads them.
    case unreadable
  }

  public struct Format: Codable, Sendable, Hashable {
    /// The format's name, as for `safelight live --source-format`; nil if Safelight does not read it itself.
    public var format: String?
    public var reading: Reading
    /// Its four-character code: `YUYV`.
    public var fourCC: String
    /// The driver's description: `YUYV 4:2:2`.
    public var name: String
    /// Empty if the driver lists none.
    public var sizes: [Size]
  }

  public struct Size: Codable, Sendable, Hashable {
    /// The size in pixels; the largest one of a range.
    public var width: Int
    public var height: Int
    /// The ends of a range of sizes, such as `160×120`; nil for a single size.
    public var smallest: String?
    public var largest: String?
    /// The highest rate of each frame interval at this size; empty if the driver lists none.
    public var framesPerSecond: [Double]
  }

  public struct Control: Codable, Sendable, Hashable {
    /// The driver's name: `White Balance, Automatic`.
    public var name: String
    /// The name as an identifier: `white_balance_automatic`.
    public var key: String
    public var id: UInt32
    public var kind: DeviceControl.Kind
    public var minimum: Int64
    public var maximum: Int64
    /// Values are `minimum` plus a multiple of this.
    public var step: Int64
    public var defaultValue: Int64
    /// Nil if it cannot be read.
    public var value: Int64?
    /// Whether it has no effect at present, because an automatic mode is on.
    public var isInactive: Bool
    public var isReadOnly: Bool
    /// The entries of a menu by the values that select them; nil for other kinds.
    public var menu: [String: String]?
  }

  /// As in `CaptureDevice`.
  public var id: String
  /// The node: `/dev/video0`.
  public var path: String
  public var name: String
  /// The kernel driver; empty if the node may not be opened.
  public var driver: String
  /// The connection; empty if the node may not be opened.
  public var bus: String
  /// In alphabetical order; empty if the node may not be opened.
  public var kinds: [CaptureDevice.Kind]
  public var facing: CameraFacing
  /// What it captures; empty for an output device.
  public var formats: [Format]
  /// The driver's controls.
  public var controls: [Control]
  /// What the device has of the field's settings, and why it lacks the others; empty for an output device.
  public var settings: [CameraCapability]
  /// The programs that have it open, such as `obs (process 4711)`; only root sees those of other users.
  public var holders: [String]
  /// Why nothing more is known; nil if the device answered.
  public var problem: String?

  /// Asks the device for its formats and controls, for which it opens the node briefly.
  public init(_ device: CaptureDevice) {
    (id, path, name) = (device.id, device.path, device.name)
    (driver, bus) = (device.driver, device.bus)
    kinds = device.kinds.sorted { $0.rawValue < $1.rawValue }
    facing = device.facing
    holders = device.holders().map(\.description)
    (formats, controls, settings) = ([], [], [])
    problem = device.failure?.description
    guard problem == nil else { return }
    do {
      formats = try device.formats().map(Format.init)
      let all = try device.controls()
      controls = all.filter { $0.kind != .other && $0.kind != .rectangle }.map(Control.init)
      if device.kinds.contains(.capture) { settings = ControlSet(all).capabilities }
    } catch {
      problem = "\(error)"
    }
  }
}

extension CaptureDeviceReport.Format {
  init(_ format: DeviceFormat) {
    (self.format, name) = (format.encoding?.name, format.name)
    reading =
      switch format.encoding {
      case .raw, .mjpeg, .bayer: .direct
      case .converted: .converted
      case nil: .unreadable
      }
    fourCC = format.fourCC.description
    sizes = format.sizes.map(CaptureDeviceReport.Size.init)
  }
}

extension CaptureDeviceReport.Size {
  init(_ size: DeviceFrameSize) {
    (width, height) = (size.largest.width, size.largest.height)
    if case .range(let smallest, let largest, _) = size.extent {
      (self.smallest, self.largest) = ("\(smallest)", "\(largest)")
    }
    // Rates such as 30000/1001 have endless decimals.
    framesPerSecond = size.intervals.map { ($0.framesPerSecond * 1000).rounded() / 1000 }.filter { $0 > 0 }
  }
}

extension CaptureDeviceReport.Control {
  init(_ control: DeviceControl) {
    (name, key, id, kind) = (control.name, control.key, control.id, control.kind)
    (minimum, maximum, step) = (control.minimum, control.maximum, control.step)
    (defaultValue, value) = (control.defaultValue, control.value)
    (isInactive, isReadOnly) = (control.isInactive, control.isReadOnly)
    guard !control.menu.isEmpty else { return }
    menu = Dictionary(control.menu.map { ("\($0.value)", $0.name) }, uniquingKeysWith: { first, _ in first })
  }
}

extension CaptureEncoding {
  /// The name that `safelight live --source-format` takes.
  fileprivate var name: String? {
    switch self {
    case .mjpeg: "mjpeg"
    case .raw(.yuyv422): "yuyv"
    case .raw(.uyvy422): "uyvy"
    case .raw(let format): format.rawValue
    case .bayer: "bayer"
    case .converted: nil
    }
  }
}
