import FrameCore

/// Checks values before passing them to a driver: drivers clamp some silently and refuse others without
/// explanation.
enum ControlValue {
  /// - Parameters:
  ///   - device: the name for errors.
  ///   - isPlanned: whether the value was made for the control, as rectangles are.
  ///   - others: all controls of the device, to find the automatic mode behind an inactive one.
  /// - Throws: `SafelightError`.
  static func check(
    _ value: Int64, for control: DeviceControl, device: String, others: [DeviceControl],
    isPlanned: Bool = false
  ) throws {
    let label = "\(control.name) of \(device)"
    guard control.kind != .other, control.kind != .rectangle || isPlanned else {
      throw SafelightError(
        .unsupported, "\(label) is not a number", remedy: "set it with the driver's own tool")
    }
    guard !control.isReadOnly else {
      throw SafelightError(.invalidValue, "\(label) is read-only")
    }
    if control.isInactive {
      let holders = (ControlID.automatics[control.id] ?? []).compactMap { id in others.first { $0.id == id } }
      let remedy =
        holders.isEmpty
        ? "turn off the automatic control that sets it"
        : "turn off \(holders.map(\.name).joined(separator: " or ")) first"
      throw SafelightError(
        .invalidValue, "\(label) has no effect while it is set automatically", remedy: remedy)
    }
    guard !control.isGrabbed else {
      throw SafelightError(
        .device, "\(label) cannot be changed now", remedy: "stop streaming, or the program that controls it")
    }
    switch control.kind {
    case .button, .other, .rectangle: return
    case .menu, .integerMenu:
      guard control.menu.isEmpty || control.menu.contains(where: { $0.value == value }) else {
        let items = control.menu.map { "\($0.value) (\($0.name))" }.joined(separator: ", ")
        throw SafelightError(.invalidValue, "\(label) cannot be \(value)", remedy: "choose \(items)")
      }
    case .bitmask:
      guard value & ~control.maximum == 0 else {
        throw SafelightError(
          .invalidValue, "\(label) cannot be \(value)", remedy: "use only the bits of \(control.maximum)")
      }
    case .integer, .boolean, .integer64:
      guard value >= control.minimum, value <= control.maximum else {
        throw SafelightError(
          .invalidValue, "\(label) cannot be \(value)",
          remedy: "choose \(control.minimum)…\(control.maximum)\(stepText(control))")
      }
      // Subtraction may overflow if a 64-bit control spans the whole range.
      let (offset, overflow) = value.subtractingReportingOverflow(control.minimum)
      guard control.step <= 1 || overflow || offset % control.step == 0 else {
        let low = value - offset % control.step
        let high = low + control.step
        throw SafelightError(
          .invalidValue, "\(label) cannot be \(value)",
          remedy: "choose \(low)\(high <= control.maximum ? " or \(high)" : ""), in steps of \(control.step)")
      }
    }
  }

  private static func stepText(_ control: DeviceControl) -> String {
    control.step > 1 ? " in steps of \(control.step)" : ""
  }
}
