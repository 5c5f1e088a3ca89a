import CV4L2
import FrameCore
import Libc

@testable import Capture

/// A camera's driver in memory, with the rules of UVC: a value under an automatic mode that is on is inactive
/// and refused with EACCES, and one out of range with ERANGE. The automatic modes change the values they
/// control.
final class SimulatedCamera: ControlDriver {
  let name = "Cam"
  private(set) var values: [UInt32: Int64] = [:]
  /// What was written, in order.
  private(set) var writes: [String] = []
  /// The number of writes that succeed before one fails with EIO; nil for none.
  var failsAfter: Int?
  private var shapes: [DeviceControl]
  private let inactiveRules: Bool

  /// - Parameter reportsInactive: false as with drivers that refuse a value without marking it.
  init(_ controls: [DeviceControl], reportsInactive: Bool = true) {
    shapes = controls
    inactiveRules = reportsInactive
    for control in controls { values[control.id] = control.value ?? control.defaultValue }
  }

  func controls() throws -> [DeviceControl] {
    try shapes.sorted { $0.id < $1.id }.compactMap { try control($0.id) }
  }

  func control(_ id: UInt32) throws -> DeviceControl? {
    guard var control = shapes.first(where: { $0.id == id }) else { return nil }
    control.value = control.kind == .button ? nil : values[id]
    control.isInactive = inactiveRules && isHeld(id)
    return control
  }

  func write(_ value: Int64, to control: DeviceControl) -> Int32 {
    if failsAfter == 0 { return -EIO }
    if isHeld(control.id) { return -EACCES }
    guard
      control.kind == .button || control.kind == .rectangle
        || (control.minimum...control.maximum).contains(value)
    else {
      return -ERANGE
    }
    failsAfter = failsAfter.map { $0 - 1 }
    writes.append("\(control.key) \(value)")
    values[control.id] = value
    // What was found automatically replaces what was set.
    if Self.holders.values.contains([control.id]), !ControlID.isOff(value, for: control.id) {
      for shape in shapes where Self.holders[shape.id]?.contains(control.id) == true {
        let step = max(1, shape.step)
        values[shape.id] = shape.minimum + (shape.maximum - shape.minimum) / 4 / step * step
      }
    }
    return 0
  }

  func check(_ status: Int32) throws {
    guard status < 0 else { return }
    throw SafelightError(.device, "errno \(-status)")
  }

  /// What is found automatically, without anybody setting it.
  func drift(_ id: UInt32, to value: Int64) { values[id] = value }

  private func isHeld(_ id: UInt32) -> Bool {
    (Self.holders[id] ?? []).contains { automatic in
      values[automatic].map { !ControlID.isOff($0, for: automatic) } ?? false
    }
  }

  /// The automatic modes that hold a value, by the value. Automatic exposure leaves the gain alone.
  private static let holders: [UInt32: [UInt32]] = [
    ControlID.exposureTime: [ControlID.autoExposure], ControlID.gain: [ControlID.autoGain],
    ControlID.isoSensitivity: [ControlID.autoISO], ControlID.focus: [ControlID.autoFocus],
    ControlID.whiteBalanceTemperature: [ControlID.autoWhiteBalance],
  ]
}

extension SimulatedCamera {
  static func integer(
    _ id: UInt32, _ name: String, _ range: ClosedRange<Int64>, step: Int64 = 1, value: Int64
  ) -> DeviceControl {
    DeviceControl(
      id: id, name: name, kind: .integer, minimum: range.lowerBound, maximum: range.upperBound, step: step,
      defaultValue: value, value: value)
  }

  static func boolean(_ id: UInt32, _ name: String, _ value: Int64) -> DeviceControl {
    DeviceControl(
      id: id, name: name, kind: .boolean, minimum: 0, maximum: 1, step: 1, defaultValue: value, value: value)
  }

  static func menu(
    _ id: UInt32, _ name: String, _ items: [(Int64, String)], value: Int64,
    kind: DeviceControl.Kind = .menu
  ) -> DeviceControl {
    DeviceControl(
      id: id, name: name, kind: kind, minimum: items.map(\.0).min() ?? 0, maximum: items.map(\.0).max() ?? 0,
      step: 1, defaultValue: value, value: value, menu: items.map { .init(value: $0.0, name: $0.1) })
  }

  /// As `Tests/CameraVM/uvc/controls.py` and uvcvideo name them.
  static var webcamControls: [DeviceControl] {
    [
      menu(
        ControlID.autoExposure, "Auto Exposure", [(1, "Manual Mode"), (3, "Aperture Priority Mode")], value: 3
      ),
      integer(ControlID.exposureTime, "Exposure Time, Absolute", 1...10000, value: 156),
      boolean(ControlID.autoFocus, "Focus, Automatic Continuous", 1),
      integer(ControlID.focus, "Focus, Absolute", 0...250, step: 5, value: 10),
      integer(ControlID.zoom, "Zoom, Absolute", 100...500, value: 100),
      integer(ControlID.brightness, "Brightness", -64...64, value: 0),
      integer(ControlID.gain, "Gain", 0...100, value: 0),
      boolean(ControlID.autoWhiteBalance, "White Balance, Automatic", 1),
      integer(
        ControlID.whiteBalanceTemperature, "White Balance Temperature", 2800...6500, step: 10, value: 4600),
      menu(
        ControlID.powerLineFrequency, "Power Line Frequency", [(0, "Disabled"), (1, "50 Hz"), (2, "60 Hz")],
        value: 2),
    ]
  }

  /// As drivers of sensors in telephones have them.
  static var sensorControls: [DeviceControl] {
    [
      menu(ControlID.autoExposure, "Auto Exposure", [(0, "Auto Mode"), (1, "Manual Mode")], value: 0),
      integer(ControlID.exposureTime, "Exposure Time, Absolute", 1...330, value: 100),
      menu(
        ControlID.exposureBias, "Auto Exposure, Bias",
        [(0, "-2000"), (1, "-1000"), (2, "-333"), (3, "0"), (4, "333"), (5, "1000"), (6, "2000")], value: 3,
        kind: .integerMenu),
      menu(
        ControlID.isoSensitivity, "ISO Sensitivity", [(0, "100000"), (1, "200000"), (2, "400000")], value: 0,
        kind: .integerMenu),
      menu(ControlID.autoISO, "ISO Sensitivity, Auto", [(0, "Manual"), (1, "Auto")], value: 1),
      menu(
        ControlID.whiteBalancePreset, "White Balance, Auto & Preset",
        [(0, "Manual"), (1, "Auto"), (2, "Incandescent")], value: 1),
      DeviceControl(
        id: ControlID.lock3A, name: "3A Lock", kind: .bitmask, minimum: 0, maximum: 7, step: 0,
        defaultValue: 0,
        value: 0),
      boolean(ControlID.autoFocus, "Focus, Automatic Continuous", 0),
      DeviceControl(
        id: ControlID.autoFocusStart, name: "Auto Focus, Start", kind: .button, minimum: 0, maximum: 0,
        step: 0,
        defaultValue: 0),
      integer(ControlID.zoom, "Zoom, Absolute", 0...100, value: 0),
      boolean(ControlID.autoGain, "Gain, Automatic", 1),
      integer(ControlID.gain, "Gain", 0...255, value: 16),
    ]
  }

  /// Applies settings as `DeviceConfiguration.apply` does.
  func apply(_ settings: [CameraSetting], remember: (UInt32, Int64) -> Void = { _, _ in }) throws {
    let plan = try ControlPlan(settings, for: ControlSet(self), device: name)
    try withoutActuallyEscaping(remember) { remember in
      try ControlTransaction(driver: self, remember: remember).run(plan)
    }
  }

  /// Applies settings given as text, and returns what was written.
  func written(_ texts: String...) throws -> [String] {
    let before = writes.count
    try apply(try texts.map { try CameraSetting(parsing: $0) })
    return Array(writes[before...])
  }

  /// The sentence that settings given as text are refused with; `accepted` if they are not.
  func refusal(_ texts: String...) -> String {
    do {
      try apply(try texts.map { try CameraSetting(parsing: $0) })
      return "accepted"
    } catch { return "\(error)" }
  }
}
