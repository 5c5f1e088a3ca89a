import CV4L2
import FrameCore

/// Exclusive access to a device's controls: what `CaptureDevice.lockForConfiguration` returns.
///
/// Every value is checked against the control's range before it is passed to the driver, and takes effect at
/// once, whether the device streams or not. Values are set again when the device is reconnected. The lock is
/// released with `unlock` or with the last use of this value.
public struct DeviceConfiguration: ~Copyable {
  private let device: CaptureDevice
  private let node: DeviceNode
  private let lock: ConfigurationLock

  init(_ device: CaptureDevice, _ node: DeviceNode, _ lock: ConfigurationLock) {
    self.device = device
    self.node = node
    self.lock = lock
  }

  /// Lets others configure the device.
  public consuming func unlock() { lock.release() }

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
    try ControlSet(node).require(name, device: node.name)
  }

  /// What the device has of each of the field's settings, and why it lacks the others.
  public var capabilities: [CameraCapability] {
    get throws { try ControlSet(node).capabilities }
  }

  /// Returns why these settings cannot be set together at present, or nil if they can. Sets nothing.
  ///
  /// - Throws: `CaptureFailure` if the device fails.
  public func problem(with settings: [CameraSetting]) throws -> SafelightError? {
    let controls = try ControlSet(node)
    do {
      _ = try ControlPlan(settings, for: controls, device: node.name)
      return nil
    } catch let error as SafelightError {
      return error
    }
  }

  /// Sets all settings, or none: they are checked before the first is set, and if the driver refuses one all
  /// the same, those set before it get their former values back.
  ///
  /// Automatic modes are turned off before the values that they hold, and on after them.
  ///
  /// - Returns: each setting's value before and after, as the driver reports it.
  /// - Throws: `SafelightError` if the device lacks a control, a value is out of range, a control is set
  ///   automatically or the driver refuses a value; `CaptureFailure` if the device fails.
  @discardableResult
  public func apply(_ settings: [CameraSetting]) throws -> [CameraSettingChange] {
    let before = try ControlSet(node)
    let plan = try ControlPlan(settings, for: before, device: node.name)
    try ControlTransaction(driver: node, remember: device.remember).run(plan)
    let after = try ControlSet(node)
    return settings.map {
      CameraSettingChange(name: $0.name, before: before.text($0), after: after.text($0))
    }
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
    try write(Int64(value), to: control)
    return try node.control(id)?.value.map(Int.init) ?? value
  }

  /// Sets the focus.
  public func setFocus(_ setting: FocusSetting) throws { try apply([.focus(setting)]) }

  /// Sets the exposure time; `seconds` is rounded to the device's steps, multiples of 100 µs.
  public func setExposure(_ setting: ExposureSetting) throws { try apply([.exposure(setting)]) }

  /// Sets the white balance; `kelvin` is the light's colour temperature.
  public func setWhiteBalance(_ setting: WhiteBalanceSetting) throws { try apply([.whiteBalance(setting)]) }

  /// Sets the gain.
  public func setGain(_ setting: GainSetting) throws { try apply([.gain(setting)]) }

  /// Sets the zoom, in the device's own units.
  public func setZoom(_ value: Int) throws { try apply([.zoom(.manual(value))]) }

  /// Returns the values of all controls, to be put back by `restore`.
  public func snapshot() throws -> CameraControlSnapshot {
    let values = try ControlSet(node).settable
    return CameraControlSnapshot(values: values, remembered: device.remembered.withLock { $0 })
  }

  /// Puts the values of a snapshot back, as far as they differ. All are tried, whatever fails.
  ///
  /// - Throws: `SafelightError` naming the controls that have other values.
  public func restore(_ snapshot: CameraControlSnapshot) throws {
    device.remembered.withLock { $0 = snapshot.remembered }
    let failed = ControlTransaction(driver: node, remember: { _, _ in }).restore(snapshot.values)
    guard !failed.isEmpty else { return }
    // A device that is gone says so itself.
    _ = try node.capability()
    let names = failed.map { id in (try? node.control(id))?.key ?? "control \(id)" }
    throw SafelightError(
      .device, "\(node.name) keeps other values of \(names.joined(separator: ", "))",
      remedy: "set them with safelight devices --set, or connect the camera again")
  }

  var name: String { node.name }

  var controlSet: ControlSet {
    get throws { try ControlSet(node) }
  }

  /// Sets a control to a value that has been checked, and remembers it for reconnections.
  func write(_ value: Int64, to control: DeviceControl) throws {
    try node.set(control, to: value)
    if control.kind != .button { device.remember(control.id, value) }
  }

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

  private func missing(_ what: String) -> SafelightError {
    SafelightError(.unsupported, "\(node.name) has \(what)")
  }
}

/// What `DeviceConfiguration.apply` did to one setting; `safelight devices --set … --json` prints a list of these.
public struct CameraSettingChange: JSONReport, Hashable {
  /// The setting's name: `focus`, `brightness`.
  public var name: String
  /// The value before, as it would be set; nil if it cannot be read.
  public var before: String?
  /// The value that the driver reports after all settings were set.
  public var after: String?
}

extension DeviceControl {
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
  fileprivate func remember(_ id: UInt32, _ value: Int64) { remembered.withLock { $0[id] = value } }

  /// Restores the controls on `node`, a reconnected device.
  ///
  /// - Returns: the controls that the driver rejected.
  func reapplyControls(to node: DeviceNode) -> [UInt32] {
    ControlTransaction(driver: node, remember: { _, _ in }).restore(remembered.withLock { $0 })
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
