import CV4L2
import FrameCore
import Libc

/// Focus as set by a user.
public enum FocusSetting: Sendable, Hashable {
  /// The camera focuses by itself, continuously.
  case automatic
  /// In the device's own units; larger is closer with most cameras.
  case manual(position: Int)
}

/// Exposure time as set by a user.
public enum ExposureSetting: Sendable, Hashable {
  case automatic
  case manual(seconds: Double)
}

/// White balance as set by a user.
public enum WhiteBalanceSetting: Sendable, Hashable {
  case automatic
  case manual(kelvin: Int)
}

/// Gain as set by a user.
public enum GainSetting: Sendable, Hashable {
  case automatic
  /// In the device's own units.
  case manual(Int)
}

/// Exclusive access to a device's controls, for the time of one `CaptureDevice.configure`.
///
/// Every value is checked against the control's range before the driver sees it, and takes effect at once.
public struct DeviceConfiguration: ~Copyable {
  private let device: CaptureDevice
  private let node: DeviceNode

  fileprivate init(_ device: CaptureDevice, _ node: DeviceNode) {
    self.device = device
    self.node = node
  }

  /// All controls, with the values that they have now.
  public var controls: [DeviceControl] {
    get throws { try node.controls() }
  }

  /// One control, with the value that it has now.
  ///
  /// - Throws: `SafelightError` where the device does not have it.
  public func control(_ id: UInt32) throws -> DeviceControl {
    guard let control = try node.control(id) else { throw missing("no such control (\(id))") }
    return control
  }

  /// The control whose `key` or `name` this is, with the value that it has now.
  ///
  /// - Throws: `SafelightError` that lists the keys there are.
  public func control(named name: String) throws -> DeviceControl {
    let all = try node.controls()
    guard let control = all.first(where: { $0.key == name || $0.name == name }) else {
      throw missing("no control \(name)", remedy: "it has \(all.map(\.key).joined(separator: ", "))")
    }
    return control
  }

  /// Sets a control and remembers it for the next connection.
  ///
  /// - Returns: the value that the driver reports afterwards.
  /// - Throws: `SafelightError` where the device does not have it, or where the value is outside its range or the
  ///   control inactive; `CaptureFailure` where the device fails.
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

  /// Sets the exposure time; `seconds` is rounded to the device's steps, which are multiples of 100 µs.
  public func setExposure(_ setting: ExposureSetting) throws {
    let mode = try node.control(ControlID.autoExposure)
    switch setting {
    case .automatic:
      guard let mode else { throw missing("no automatic exposure") }
      // Webcams have "aperture priority" (3) for what is automatic with a fixed aperture.
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

  /// Asks for a frame rate; most drivers refuse it while they stream.
  ///
  /// - Returns: the rate that the device chose, in frames a second.
  /// - Throws: `SafelightError` where the device has no choice of rates, `CaptureFailure` where it fails.
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
  /// The first of `values` that the menu has.
  fileprivate func first(of values: [Int64], what: String) throws -> Int {
    guard let value = values.first(where: { value in menu.contains { $0.value == value } }) else {
      throw SafelightError(.unsupported, "\(name) has no \(what)")
    }
    return Int(value)
  }

  /// The control's step nearest to `value`; a value outside the range stays outside it.
  func snapped(_ value: Double) -> Int64 {
    guard value > Double(minimum), value < Double(maximum) else {
      return Int64(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
    }
    let rounded = Int64(value.rounded())
    // The arithmetic below cannot overflow for the other kinds, whose values have 32 bits.
    guard step > 1, kind != .integer64 else { return rounded }
    let steps = (Double(rounded - minimum) / Double(step)).rounded()
    return min(minimum + Int64(steps) * step, maximum - (maximum - minimum) % step)
  }
}

extension CaptureDevice {
  /// Changes controls while no other program, nor another part of this one, does.
  ///
  /// The lock is advisory: it holds among programs that ask for it (flock on the device node). Controls can be set
  /// while the device streams. What is set is set again when the device is connected again.
  ///
  /// - Throws: `CaptureFailure` where the device cannot be opened or another program configures it for longer than a
  ///   second; whatever `body` throws.
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

  /// Sets what was set before on `node`, which has been connected again. Automatics come first, since they decide
  /// which of the others are active.
  ///
  /// - Returns: controls that the driver did not take.
  func reapplyControls(to node: DeviceNode) -> [UInt32] {
    let values = remembered.withLock { $0 }
    let order = values.keys.sorted {
      (ControlID.isAutomatic($0) ? 0 : 1, $0) < (ControlID.isAutomatic($1) ? 0 : 1, $1)
    }
    return order.filter { id in
      guard let value = values[id], let control = try? node.control(id) else { return true }
      if control.value == value { return false }
      // An automatic that was turned on later holds it; what it was set to has no effect, then as now.
      if control.isInactive { return false }
      return cv4l2_set_control(node.descriptor, id, control.kind == .integer64, value) != 0
    }
  }
}

extension DeviceNode {
  /// Asks for an interval between frames.
  ///
  /// - Returns: the interval that the driver chose; nil where it has no choice of rates.
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
