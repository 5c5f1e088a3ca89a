import FrameCore

/// How the field's settings map to V4L2's controls.
///
/// Source: the kernel's documentation of user, camera and image source controls.
extension ControlPlan {
  /// The bits of V4L2_CID_3A_LOCK.
  private enum Lock3A {
    static let exposure: Int64 = 1
    static let whiteBalance: Int64 = 2
    static let focus: Int64 = 4
  }

  mutating func add(_ setting: FocusSetting) throws {
    let automatic = controls[ControlID.autoFocus]
    guard automatic != nil || controls[ControlID.focus] != nil else { throw unsupported(.focus) }
    if setting == .locked, lock(Lock3A.focus, true) { return }
    _ = lock(Lock3A.focus, false)
    switch setting {
    case .automatic:
      guard let automatic else { throw lacks("automatic focus", "set a position") }
      try set(automatic, to: 1)
    case .once:
      guard let start = controls[ControlID.autoFocusStart] else {
        throw lacks("way to focus once", automatic == nil ? "set a position" : "use auto, then locked")
      }
      // With continuous focus on, starting has no effect.
      try turnOff(ControlID.autoFocus)
      try set(start, to: 1)
    case .locked:
      try turnOff(ControlID.autoFocus)
      hold(ControlID.focus)
    case .lensPosition(let position):
      guard (0...1).contains(position) else {
        throw SafelightError(
          .invalidValue, "The lens position of \(device) cannot be \(position)",
          remedy: "choose 0 (nearest) to 1 (farthest)")
      }
      let control = try settablePosition()
      let span = Double(control.maximum) - Double(control.minimum)
      try turnOff(ControlID.autoFocus)
      try set(control, to: control.snapped(Double(control.maximum) - position * span))
    case .manual(let position):
      let control = try settablePosition()
      try turnOff(ControlID.autoFocus)
      try set(control, to: Int64(position))
    }
  }

  private func settablePosition() throws -> DeviceControl {
    guard let control = controls[ControlID.focus] else {
      throw lacks("focus position that can be set", "use auto or locked")
    }
    return control
  }

  mutating func add(_ setting: ExposureSetting) throws {
    let mode = controls[ControlID.autoExposure]
    let time = controls[ControlID.exposureTime]
    guard mode != nil || time != nil else { throw unsupported(.exposure) }
    if setting == .locked, lock(Lock3A.exposure, true) { return }
    _ = lock(Lock3A.exposure, false)
    switch setting {
    case .automatic:
      // Webcams use "aperture priority" (3) for automatic exposure, as their aperture is fixed.
      guard let mode, let value = mode.first(of: [0, 3]) else {
        throw lacks("automatic exposure", "set a time")
      }
      try set(mode, to: mode.value == 0 || mode.value == 3 ? mode.value ?? value : value)
    case .locked:
      try turnOffExposure(mode)
      hold(ControlID.exposureTime, ControlID.exposure, ControlID.gain, ControlID.analogueGain)
    case .manual(let seconds):
      guard let time else {
        throw lacks("exposure time in seconds", "set its own control with the driver's key")
      }
      let units = seconds * 10_000
      guard units.isFinite, units.rounded() >= Double(time.minimum), units.rounded() <= Double(time.maximum)
      else {
        throw SafelightError(
          .invalidValue, "The exposure time of \(device) cannot be \(SettingNumber.text(seconds)) s",
          remedy: "choose \(SettingNumber.text(Double(time.minimum) / 10_000))…"
            + "\(SettingNumber.text(Double(time.maximum) / 10_000)) s")
      }
      try turnOffExposure(mode)
      try set(time, to: time.snapped(units))
    }
  }

  private mutating func turnOffExposure(_ mode: DeviceControl?) throws {
    guard let mode else { return }
    guard let value = mode.first(of: [1, 2]) else { throw lacks("manual exposure", "use auto") }
    try set(mode, to: value)
  }

  mutating func add(_ setting: GainSetting) throws {
    let automatic = controls[ControlID.autoGain]
    let control = controls.first(ControlID.gain, ControlID.analogueGain)
    guard automatic != nil || control != nil else { throw unsupported(.gain) }
    switch setting {
    case .automatic:
      guard let automatic else { throw lacks("automatic gain", "set a number") }
      try set(automatic, to: 1)
    case .locked:
      try turnOff(ControlID.autoGain)
      hold(ControlID.gain, ControlID.analogueGain)
    case .manual(let value):
      guard let control else { throw lacks("gain that can be set", "use auto or locked") }
      try turnOff(ControlID.autoGain)
      try set(control, to: Int64(value))
    }
  }

  mutating func add(_ setting: ISOSetting) throws {
    switch setting {
    case .automatic: try set(try require(.iso, ControlID.autoISO), to: 1)
    case .manual(let value):
      let control = try require(.iso, ControlID.isoSensitivity)
      try turnOff(ControlID.autoISO)
      try setNearest(control, to: value, scale: 1000, unit: "")
    }
  }

  mutating func add(_ setting: WhiteBalanceSetting) throws {
    let automatic = controls.first(ControlID.autoWhiteBalance, ControlID.whiteBalancePreset)
    let temperature = controls[ControlID.whiteBalanceTemperature]
    guard automatic != nil || temperature != nil else { throw unsupported(.whiteBalance) }
    if setting == .locked, lock(Lock3A.whiteBalance, true) { return }
    _ = lock(Lock3A.whiteBalance, false)
    switch setting {
    case .automatic:
      guard let automatic else { throw lacks("automatic white balance", "set a temperature") }
      // V4L2_WHITE_BALANCE_AUTO is 1, like an automatic mode that is on.
      try set(automatic, to: 1)
    case .locked:
      try turnOff(ControlID.autoWhiteBalance, ControlID.whiteBalancePreset)
      hold(ControlID.whiteBalanceTemperature, ControlID.redBalance, ControlID.blueBalance)
    case .manual(let kelvin):
      guard let temperature else {
        throw lacks("white balance in kelvin", "use auto, locked, or the driver's own keys")
      }
      try turnOff(ControlID.autoWhiteBalance, ControlID.whiteBalancePreset)
      try set(temperature, to: temperature.snapped(Double(kelvin)))
    }
  }

  mutating func add(_ setting: ZoomSetting) throws {
    let control = try require(.zoom, ControlID.zoom)
    let scale = ZoomScale(control)
    switch setting {
    case .manual(let value): try set(control, to: Int64(value))
    case .position(let position):
      guard (0...1).contains(position) else {
        throw SafelightError(
          .invalidValue, "The zoom of \(device) cannot be \(position)",
          remedy: "choose 0 (widest) to 1 (narrowest)")
      }
      try set(control, to: scale.value(position: position))
    case .factor(let factor):
      guard let largest = scale.largestFactor, let value = scale.value(factor: factor) else {
        throw lacks(
          "zoom in factors, only \(control.minimum)…\(control.maximum) in a unit of its own",
          "give a number of those or a percentage")
      }
      guard factor.isFinite, value >= control.minimum, value <= control.maximum else {
        throw SafelightError(
          .invalidValue, "The zoom of \(device) cannot be \(SettingNumber.text(factor))×",
          remedy: "choose 1…\(SettingNumber.text(largest))×")
      }
      try set(control, to: value)
    }
  }

  private func lacks(_ what: String, _ remedy: String) -> SafelightError {
    SafelightError(.unsupported, "\(device) has no \(what)", remedy: remedy)
  }
}

extension DeviceControl {
  /// Returns the first of `values` that is in the menu.
  func first(of values: [Int64]) -> Int64? {
    values.first { value in menu.contains { $0.value == value } }
  }
}

/// Numbers in errors and reports, without digits that mean nothing.
enum SettingNumber {
  /// At most four digits after the point.
  static func text(_ value: Double) -> String { PlainNumber.text(PlainNumber.rounded(value, 4)) }
}
