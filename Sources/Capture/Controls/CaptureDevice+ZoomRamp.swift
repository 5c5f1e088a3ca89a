import FrameCore

extension CaptureDevice {
  /// Zooms from the present value to another in a given time; magnification is multiplied equally in equal
  /// times where the device's unit is a focal length.
  ///
  /// The lock of `lockForConfiguration` is taken for each step and not in between; a step that finds it held
  /// is left out, and the end is waited for. If the task is cancelled, the zoom stays where it is.
  ///
  /// - Parameter seconds: 0…3600.
  /// - Throws: `SafelightError` if the device has no zoom or the value is out of range; `CaptureFailure` if the
  ///   device fails, or somebody else holds the lock for a second at the end; `CancellationError`.
  public func rampZoom(to target: ZoomSetting, over seconds: Double) async throws {
    guard (0...3600).contains(seconds) else {
      throw SafelightError(
        .invalidValue, "A zoom cannot take \(SettingNumber.text(seconds)) s", remedy: "choose 0…3600 s")
    }
    // Opened once more, so that a camera does not fall asleep between two steps.
    let node = try open()
    let (control, value) = try configure { try $0.zoomTarget(target) }
    var present = control.value ?? control.minimum
    let start = Timestamp.now
    var ramp = ZoomRamp(ZoomScale(control), from: present, to: value, seconds: seconds, at: start)
    while true {
      switch ramp.next(at: .now) {
      case .finished: return withExtendedLifetime(node) {}
      case .wait(let time):
        try await Task.sleep(for: .seconds(max(0, time.seconds(since: .now))))
      case .set(let step):
        try Task.checkCancellation()
        do {
          try lockForConfiguration(patience: 0).write(step, to: control)
          present = step
        } catch let failure as CaptureFailure where failure.reason == .busy {
          guard Timestamp.now.seconds(since: start) < seconds + Self.configurationPatience else {
            throw failure
          }
          ramp.refused(keeping: present, at: .now)
        }
      }
    }
  }
}

extension DeviceConfiguration {
  /// Returns the zoom control and the value of a setting, checked.
  fileprivate func zoomTarget(_ target: ZoomSetting) throws -> (DeviceControl, Int64) {
    let plan = try ControlPlan([.zoom(target)], for: try controlSet, device: name)
    guard let control = plan.controls[ControlID.zoom], let value = plan.values[control.id] else {
      throw plan.unsupported(.zoom)
    }
    return (control, value)
  }
}
