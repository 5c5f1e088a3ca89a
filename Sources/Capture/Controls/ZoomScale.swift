import Libc

/// A zoom control's values as magnification and as positions between its ends.
///
/// V4L2 has ZOOM_ABSOLUTE as a positive focal length in a unit of the driver's, so the ratio of two values is
/// a ratio of magnification. A range that begins at 0, or spans more than any lens, counts something else,
/// such as steps of a motor; of such a device only the position is known. Source: the kernel's documentation
/// of camera controls; UVC 1.5, 2.4.2.5.1 (optical zoom).
struct ZoomScale: Sendable, Hashable {
  let control: DeviceControl

  /// The longest zoom range of any lens made (Canon UHD-DIGISUPER 122) is 122×.
  private static let longestRange = 150.0

  init(_ control: DeviceControl) { self.control = control }

  /// The largest factor; nil if the device's unit is not a focal length.
  var largestFactor: Double? {
    guard control.minimum > 0, control.maximum > control.minimum else { return nil }
    let ratio = Double(control.maximum) / Double(control.minimum)
    return ratio <= Self.longestRange ? ratio : nil
  }

  /// The magnification of a value relative to the widest view.
  func factor(of value: Int64) -> Double? {
    largestFactor == nil ? nil : Double(value) / Double(control.minimum)
  }

  /// The value nearest to a factor; out of range for a factor out of range.
  func value(factor: Double) -> Int64? {
    largestFactor == nil ? nil : control.snapped(factor * Double(control.minimum))
  }

  /// 0 for the widest view, 1 for the narrowest.
  func position(of value: Int64) -> Double {
    let span = Double(control.maximum) - Double(control.minimum)
    guard span > 0 else { return 0 }
    let inside = Double(min(max(value, control.minimum), control.maximum))
    guard let largest = largestFactor else { return (inside - Double(control.minimum)) / span }
    return log(inside / Double(control.minimum)) / log(largest)
  }

  /// The value nearest to a position of 0…1.
  func value(position: Double) -> Int64 {
    let (low, high) = (Double(control.minimum), Double(control.maximum))
    let raw = largestFactor.map { low * pow($0, position) } ?? low + position * (high - low)
    return control.snapped(min(max(raw, low), high))
  }
}
