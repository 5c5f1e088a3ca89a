import FrameCore

/// What settings mean for a device: the values of the driver's controls that are set, checked before any is.
struct ControlPlan {
  /// The values to set, by id.
  private(set) var values: [UInt32: Int64] = [:]
  /// Values that are to stay as they are when their automatic mode is turned off, by id.
  private(set) var held: [UInt32: Int64] = [:]

  let controls: ControlSet
  /// The device's name, for errors.
  let device: String

  /// - Throws: `SafelightError` if the device lacks a control or the value, if a setting has no effect beside the
  ///   others, or if one control is set twice.
  init(_ settings: [CameraSetting], for controls: ControlSet, device: String) throws {
    self.controls = controls
    self.device = device
    var names: Set<String> = []
    for setting in settings {
      guard names.insert(setting.name).inserted else {
        throw SafelightError(
          .invalidValue, "\(setting.name) of \(device) is set twice", remedy: "give it one value")
      }
      try add(setting)
    }
    try check()
  }

  private mutating func add(_ setting: CameraSetting) throws {
    switch setting {
    case .focus(let focus): try add(focus)
    case .exposure(let exposure): try add(exposure)
    case .exposureBias(let stops):
      try setNearest(
        try require(.exposureBias, ControlID.exposureBias), to: stops, scale: 1000, unit: " EV")
    case .gain(let gain): try add(gain)
    case .iso(let iso): try add(iso)
    case .whiteBalance(let balance): try add(balance)
    case .zoom(let zoom): try add(zoom)
    case .powerLineFrequency(let frequency):
      let control = try require(.powerLineFrequency, ControlID.powerLineFrequency)
      guard control.menu.contains(where: { $0.value == frequency.rawValue }) else {
        let known = PowerLineFrequency.allCases.filter { entry in
          control.menu.contains { $0.value == entry.rawValue }
        }
        throw SafelightError(
          .unsupported, "power-line of \(device) cannot be \(frequency.name)",
          remedy: "choose \(known.map(\.name).joined(separator: ", "))")
      }
      try set(control, to: Int64(frequency.rawValue))
    case .focusPoint(let point): try add(point, .focusPoint)
    case .exposurePoint(let point): try add(point, .exposurePoint)
    case .control(let key, let text):
      let control = try controls.require(key, device: device)
      try set(control, to: try control.value(parsing: text, device: device))
    }
  }

  // MARK: Values

  func require(_ key: CameraSetting.Key, _ ids: UInt32...) throws -> DeviceControl {
    if let control = ids.lazy.compactMap({ controls[$0] }).first { return control }
    throw unsupported(key)
  }

  func unsupported(_ key: CameraSetting.Key) -> SafelightError {
    let known = controls.knownNames
    return SafelightError(
      .unsupported, "\(device) has no \(key.rawValue) control",
      remedy: known.isEmpty ? "it has no controls at all" : "it has \(known.joined(separator: ", "))")
  }

  mutating func set(_ control: DeviceControl, to value: Int64) throws {
    if let other = values[control.id], other != value {
      throw SafelightError(
        .invalidValue, "Two settings want different values of \(control.name) of \(device)",
        remedy: "give one of them")
    }
    values[control.id] = value
  }

  /// Sets a menu of numbers to the entry nearest to `value`, or another control to the nearest step.
  mutating func setNearest(_ control: DeviceControl, to value: Double, scale: Double, unit: String) throws {
    let entries = control.menu.compactMap { item in Int64(item.name).map { (item.value, $0) } }
    guard let low = entries.map(\.1).min() ?? Optional(control.minimum),
      let high = entries.map(\.1).max() ?? Optional(control.maximum)
    else { return }
    // A small excess is rounding: 0.333 EV for a third.
    let wanted = value * scale
    guard wanted.isFinite, wanted >= Double(low) - 1, wanted <= Double(high) + 1 else {
      let range = "\(PlainNumber.text(Double(low) / scale))…\(PlainNumber.text(Double(high) / scale))\(unit)"
      throw SafelightError(
        .invalidValue, "\(control.name) of \(device) cannot be \(PlainNumber.text(value))\(unit)",
        remedy: "choose \(range)")
    }
    let nearest = entries.min { abs(Double($0.1) - wanted) < abs(Double($1.1) - wanted) }
    try set(control, to: nearest?.0 ?? control.snapped(wanted))
  }

  /// Turns off the automatic modes of a control that the device has, so that its value can be set.
  mutating func turnOff(_ ids: UInt32...) throws {
    for id in ids {
      guard let control = controls[id] else { continue }
      try set(control, to: 0)
    }
  }

  /// Lets a control keep the value that its automatic mode has found.
  mutating func hold(_ ids: UInt32...) {
    for id in ids {
      guard let control = controls[id], let value = control.value, controls.isAutomatic(control) else {
        continue
      }
      held[id] = control.snapped(min(max(Double(value), Double(control.minimum)), Double(control.maximum)))
    }
  }

  func value(for id: UInt32) -> Int64? { values[id] }

  /// Sets or clears a bit of a mask.
  mutating func setBit(_ bit: Int64, of control: DeviceControl, _ isOn: Bool) {
    let present = values[control.id] ?? control.value ?? 0
    values[control.id] = isOn ? present | bit : present & ~bit
  }

  /// Sets or clears a bit of V4L2_CID_3A_LOCK.
  ///
  /// - Returns: false if the device cannot lock it.
  mutating func lock(_ bit: Int64, _ isOn: Bool) -> Bool {
    guard let control = controls[ControlID.lock3A], control.maximum & bit != 0 else { return false }
    let present = values[control.id] ?? control.value ?? 0
    let value = isOn ? present | bit : present & ~bit
    if values[control.id] != nil || value != control.value { values[control.id] = value }
    return true
  }

  // MARK: Checks

  private func check() throws {
    for (id, value) in values.sorted(by: { $0.key < $1.key }) {
      guard var control = controls[id] else { continue }
      let isReleased = (ControlID.automatics[id] ?? []).contains { automatic in
        values[automatic].map { ControlID.isOff($0, for: automatic) } ?? false
      }
      if isReleased { control.isInactive = false }
      let isPlanned = id == ControlID.regionOfInterest
      try ControlValue.check(
        value, for: control, device: device, others: controls.all, isPlanned: isPlanned)
    }
  }
}

extension ControlSet {
  /// Returns the control of a key that somebody typed.
  ///
  /// - Throws: `SafelightError` with the nearest key, and all that there are.
  func require(_ key: String, device: String) throws -> DeviceControl {
    if let control = named(key) { return control }
    let known = knownNames
    guard !known.isEmpty else { throw SafelightError(.unsupported, "\(device) has no controls") }
    let list = "it has \(known.joined(separator: ", "))"
    throw SafelightError(
      .unsupported, "\(device) has no control “\(NearestName.shortened(key))”",
      remedy: NearestName.match(key, among: known).map { "did you mean “\($0)”? In all, \(list)" } ?? list)
  }
}

extension DeviceControl {
  /// Reads a value: a number, the name of a menu's entry, or `on` or `off`.
  func value(parsing text: String, device: String) throws -> Int64 {
    guard kind != .rectangle else {
      throw SafelightError(
        .unsupported, "\(name) of \(device) is not a number", remedy: "set focus-point or exposure-point")
    }
    if kind == .boolean {
      switch text.lowercased() {
      case "on", "true": return 1
      case "off", "false": return 0
      default: break
      }
    }
    if let item = menu.first(where: { $0.name.lowercased() == text.lowercased() }), kind == .menu {
      return item.value
    }
    if let value = Int64(text) { return value }
    let remedy =
      if kind == .boolean {
        "give on or off"
      } else if !menu.isEmpty {
        "choose \(menu.map { "\($0.value) (\($0.name))" }.joined(separator: ", "))"
      } else {
        "give a whole number from \(minimum) to \(maximum)"
      }
    throw SafelightError(.invalidValue, "\(key) of \(device) cannot be “\(text)”", remedy: remedy)
  }
}
