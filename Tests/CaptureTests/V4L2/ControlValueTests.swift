import FrameCore
import Testing

@testable import Capture

@Suite("Values of controls")
struct ControlValueTests {
  private let focus = DeviceControl(
    id: ControlID.focus, name: "Focus, Absolute", kind: .integer, minimum: 0, maximum: 250, step: 5,
    defaultValue: 10)
  private let mode = DeviceControl(
    id: ControlID.autoExposure, name: "Auto Exposure", kind: .menu, minimum: 0, maximum: 3, step: 1,
    defaultValue: 3,
    menu: [.init(value: 1, name: "Manual Mode"), .init(value: 3, name: "Aperture Priority Mode")])

  private func message(_ value: Int64, _ control: DeviceControl, _ others: [DeviceControl] = []) -> String? {
    do {
      try ControlValue.check(value, for: control, device: "Cam", others: others)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("Values in the range, on a step, and of the menu are taken")
  func accepted() {
    for value in [0, 5, 250] as [Int64] { #expect(message(value, focus) == nil) }
    for value in [1, 3] as [Int64] { #expect(message(value, mode) == nil) }
    var wide = focus
    wide.kind = .integer64
    (wide.minimum, wide.maximum, wide.step) = (.min, .max, 1)
    for value in [.min, 0, .max] as [Int64] { #expect(message(value, wide) == nil) }
  }

  @Test("What is refused says what would be taken")
  func refused() {
    #expect(message(251, focus) == "Focus, Absolute of Cam cannot be 251; choose 0…250 in steps of 5.")
    #expect(message(-5, focus) == "Focus, Absolute of Cam cannot be -5; choose 0…250 in steps of 5.")
    #expect(message(52, focus) == "Focus, Absolute of Cam cannot be 52; choose 50 or 55, in steps of 5.")
    #expect(
      message(2, mode)
        == "Auto Exposure of Cam cannot be 2; choose 1 (Manual Mode), 3 (Aperture Priority Mode).")
    var bits = focus
    (bits.kind, bits.maximum, bits.step) = (.bitmask, 0b1011, 0)
    #expect(message(4, bits) == "Focus, Absolute of Cam cannot be 4; use only the bits of 11.")
  }

  @Test("An inactive control says which automatic holds it")
  func inactive() {
    var held = focus
    held.isInactive = true
    let automatic = DeviceControl(
      id: ControlID.autoFocus, name: "Focus, Automatic Continuous", kind: .boolean, minimum: 0, maximum: 1,
      step: 1,
      defaultValue: 1)
    #expect(
      message(50, held, [held, automatic])
        == "Focus, Absolute of Cam has no effect while it is set automatically; turn off Focus, Automatic Continuous "
        + "first.")
    #expect(message(50, held, [held])?.hasSuffix("turn off the automatic control that sets it.") == true)
  }

  @Test("What can be read only, is in use or is no number is refused")
  func flags() {
    var control = focus
    control.isReadOnly = true
    #expect(message(50, control) == "Focus, Absolute of Cam is read-only.")
    control = focus
    control.isGrabbed = true
    #expect(
      message(50, control)
        == "Focus, Absolute of Cam cannot be changed now; stop streaming, or the program that controls it.")
    control = focus
    control.kind = .other
    #expect(
      message(50, control) == "Focus, Absolute of Cam is not a number; set it with the driver's own tool.")
  }

  @Test("Keys are spelled as v4l2-ctl spells them")
  func keys() {
    // From v4l2-ctl --list-ctrls of v4l-utils 1.22.
    #expect(focus.key == "focus_absolute")
    var control = focus
    control.name = "White Balance, Automatic"
    #expect(control.key == "white_balance_automatic")
    control.name = "S-Bitmask (64) "
    #expect(control.key == "s_bitmask_64")
  }

  @Test("Wishes are rounded to a step inside the range, and stay outside where they were outside")
  func snapping() {
    #expect(focus.snapped(52) == 50)
    #expect(focus.snapped(53) == 55)
    #expect(focus.snapped(251) == 251)
    #expect(focus.snapped(-3) == -3)
    #expect(focus.snapped(1e300) == .max)
    #expect(focus.snapped(Double(Int.min)) == .min)
  }
}
