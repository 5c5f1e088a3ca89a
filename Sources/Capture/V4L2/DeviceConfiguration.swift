import CV4L2
import FrameCore
import Libc

/// A focus setting.
public enum FocusSetting: Sendable, Hashable {
  /// Continuous autofocus.
  case automatic
  /// In the device's own units; with most cameras, larger is closer.
  case manual(position: Int)
}

/// An exposure time setting.
public enum ExposureSetting: Sendable, Hashable {
  case automatic
  case manual(seconds: Double)
}

/// A white balance setting.
public enum WhiteBalanceSetting: Sendable, Hashable {
  case automatic
  case manual(kelvin: Int)
}

/// A gain setting.
public enum GainSetting: Sendable, Hashable {
  case automatic
  /// In the device's own units.
  case manual(Int)
}

/// Exclusive access to a device's controls during a call of `CaptureDevice.configure`.
///
/// Every value is checked against the control's range before it is passed to the driver, and takes effect at once.
public struct DeviceConfiguration: ~Copyable {
  private let device: CaptureDevice
  private let node: DeviceNode

  fileprivate init(_ device: CaptureDevice, _ node: DeviceNode) {
    self.device = device
    self.node = node
  }

  /// All controls with their current values.
  public var controls: [DeviceControl] {
    get throws { try node.controls() }
  }

  /// Returns one control with its current value.
  ///
  /// - Throws: `SafelightError` if the device does not have it.
  public func control(_ id: UInt32) throws -> DeviceControl {
    guard let control = try node.control(id) else { throw missing("no such control (\(id))") }
    return control
  }

  /// Returns the control with this `key` or `name`, with its current value.
  ///
  /// - Throws: `SafelightError` listing the available keys.
  public func control(named name: String) throws -> DeviceControl {
    let all = try node.controls()
    guard let control = all.first(where: { $0.key == name || $0.name == name }) else {
      throw missing("no control \(name)", remedy: "it has \(all.map(\.key).joined(separator: ", "))")
    }
    return control
  }

  /// Sets a control and remembers the value for reconnections.
  ///
  /// - Returns: the value that the driver then reports.
  /// - Throws: `SafelightError` if the device does not have the control, the value is out of range or the control
  ///   is inactive; `CaptureFailure` if the device fails.
  @discardableResult
  public func set(_ id: UInt32, to value: Int) throws -> Int {
    let control = try control(id)
    try ControlValue.check(Int64(value), for: control, device: node.name, others: try node.controls())
    let wide = control.kind == .integer64
    let status = cv4l2_set_control(node.descriptor, id, wide, Int64(value))
    if status == -ERANGE || status == -EINVAL {
      throw SafelightError(
        .invalidValue, "The driver of \(node.name) refuses \(value) for \(control.name)",
        remedy: "choose another value between \(control.minimum) and \(control.maximum)")
    }
    if status == -EBUSY {
      throw SafelightError(
        .device, "\(control.name) of \(node.name) cannot be changed now",
        remedy: "stop streaming, or the program that controls it")
    }
    try node.check(status, .controlling)
    if control.kind != .button { device.remembered.withLock { $0[id] = Int64(value) } }
    return try node.control(id)?.value.map(Int.init) ?? value
  }

  /// Sets the focus.
  public func setFocus(_ setting: FocusSetting) throws {
    switch setting {
    case .automatic: try set(ControlID.autoFocus, to: 1)
    case .manual(let position):
      try turnOff(ControlID.autoFocus)
      try set(ControlID.focus, to: position)
    }
  }

  /// Sets the exposure time; `seconds` is rounded to the device's steps, multiples of 100 µs.
  public func setExposure(_ setting: ExposureSetting) throws {
    let mode = try node.control(ControlID.autoExposure)
    switch setting {
    case .automatic:
      guard let mode else { throw missing("no automatic exposure") }
      // Webcams use "aperture priority" (3) for automatic exposure, as their aperture is fixed.
      try set(ControlID.autoExposure, to: try mode.first(of: [0, 3, 2], what: "automatic exposure"))
    case .manual(let seconds):
      let time = try control(ControlID.exposureTime)
      let units = seconds * 10_000
      guard units.isFinite, units.rounded() >= Double(time.minimum),
        units.rounded() <= Double(time.maximum)
      else {
        throw SafelightError(
          .invalidValue, "The exposure time of \(node.name) cannot be \(seconds) s",
          remedy: "choose \(Double(time.minimum) / 10_000)…\(Double(time.maximum) / 10_000) s")
      }
      if let mode {
        try set(ControlID.autoExposure, to: try mode.first(of: [1, 2], what: "manual exposure"))
      }
      try set(ControlID.exposureTime, to: Int(time.snapped(units)))
    }
  }

  /// Sets the white balance; `kelvin` is the light's colour temperature.
  public func setWhiteBalance(_ setting: WhiteBalanceSetting) throws {
    switch setting {
    case .automatic: try set(ControlID.autoWhiteBalance, to: 1)
    case .manual(let kelvin):
      try turnOff(ControlID.autoWhiteBalance)
      let control = try control(ControlID.whiteBalanceTemperature)
      try set(control.id, to: Int(control.snapped(Double(kelvin))))
    }
  }

  /// Sets the gain.
  public func setGain(_ setting: GainSetting) throws {
    switch setting {
    case .automatic: try set(ControlID.autoGain, to: 1)
    case .manual(let value):
      try turnOff(ControlID.autoGain)
      try set(ControlID.gain, to: value)
    }
  }

  /// Sets the zoom, in the device's own units.
  public func setZoom(_ value: Int) throws { try set(ControlID.zoom, to: value) }

  /// Requests a frame rate; most drivers refuse it while streaming.
  ///
  /// - Returns: the rate chosen by the device, in frames per second.
  /// - Throws: `SafelightError` if the device has no choice of rates, `CaptureFailure` if it fails.
  @discardableResult
  public func setFrameRate(_ framesPerSecond: Double) throws -> Double {
    guard framesPerSecond.isFinite, framesPerSecond > 0 else {
      throw SafelightError(.invalidValue, "A frame rate of \(framesPerSecond) is not above 0")
    }
    guard let type = try node.capability().captureType,
      let interval = try node.setInterval(DeviceFrameInterval.Fraction(rate: framesPerSecond), type: type)
    else { throw missing("no choice of frame rates") }
    return interval.framesPerSecond
  }

  private func turnOff(_ id: UInt32) throws {
    if try node.control(id) != nil { try set(id, to: 0) }
  }

  private func missing(_ what: String, remedy: String = "") -> SafelightError {
    SafelightError(.unsupported, "\(node.name) has \(what)", remedy: remedy)
  }
}

extension DeviceControl {
  /// Returns the first of `values` that is in the menu.
  fileprivate func first(of values: [Int64], what: String) throws -> Int {
    guard let value = values.first(where: { value in menu.contains { $0.value == value } }) else {
      throw SafelightError(.unsupported, "\(name) has no \(what)")
    }
    return Int(value)
  }

  /// Returns the control's step nearest to `value`; a value out of range stays out of range.
  func snapped(_ value: Double) -> Int64 {
    guard value > Double(minimum), value < Double(maximum) else {
      return Int64(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
    }
    let rounded = Int64(value.rounded())
    // Kinds other than `integer64` have 32-bit values, so the arithmetic cannot overflow.
    guard step > 1, kind != .integer64 else { return rounded }
    let steps = (Double(rounded - minimum) / Double(step)).rounded()
    return min(minimum + Int64(steps) * step, maximum - (maximum - minimum) % step)
  }
}

extension CaptureDevice {
  /// Changes controls while no other program, nor another part of this one, can do so.
  ///
  /// The lock is advisory: it only affects programs that use it (flock on the device node). Controls can be set
  /// while the device streams. They are set again when the device is reconnected.
  ///
  /// - Throws: `CaptureFailure` if the device cannot be opened or another program configures it for more than a
  ///   second; also whatever `body` throws.
  public func configure<Result>(_ body: (borrowing DeviceConfiguration) throws -> Result) throws -> Result {
    let node = try open()
    let deadline = Timestamp.now.advanced(bySeconds: 1)
    while flock(node.descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, Timestamp.now < deadline else {
        throw CaptureFailure(
          .busy,
          SafelightError(
            .device, "\(DeviceErrors.label(name, node.path)) is being configured by another program",
            remedy: "try again when it is done"))
      }
      usleep(10_000)
    }
    defer { flock(node.descriptor, LOCK_UN) }
    return try body(DeviceConfiguration(self, node))
  }

  /// Restores the controls on `node`, a reconnected device. Automatic modes come first, since they decide which
  /// other controls are active.
  ///
  /// - Returns: the controls that the driver rejected.
  func reapplyControls(to node: DeviceNode) -> [UInt32] {
    let values = remembered.withLock { $0 }
    let order = values.keys.sorted {
      (ControlID.isAutomatic($0) ? 0 : 1, $0) < (ControlID.isAutomatic($1) ? 0 : 1, $1)
    }
    return order.filter { id in
      guard let value = values[id], let control = try? node.control(id) else { return true }
      if control.value == value { return false }
      // An automatic mode that was turned on later makes it inactive; its value had no effect before either.
      if control.isInactive { return false }
      return cv4l2_set_control(node.descriptor, id, control.kind == .integer64, value) != 0
    }
  }
}

extension DeviceNode {
  /// Requests an interval between frames.
  ///
  /// - Returns: the interval chosen by the driver; nil if it has no choice of rates.
  func setInterval(_ interval: DeviceFrameInterval.Fraction, type: UInt32) throws -> DeviceFrameInterval
    .Fraction?
  {
    var parameters = v4l2_streamparm()
    parameters.type = type
    guard cv4l2_get_parameters(descriptor, &parameters) == 0,
      parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0
    else { return nil }
    parameters.parm.capture.timeperframe = v4l2_fract(
      numerator: interval.numerator, denominator: interval.denominator)
    try check(cv4l2_set_parameters(descriptor, &parameters), .choosingRate)
    let chosen = parameters.parm.capture.timeperframe
    return DeviceFrameInterval.Fraction(chosen.numerator, chosen.denominator)
  }
}
