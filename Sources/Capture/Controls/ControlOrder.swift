/// The order in which several controls are set: automatic modes are turned off before the values that they
/// would hold, and on after them.
///
/// A driver refuses or ignores the exposure time while automatic exposure is on, and the automatic mode that
/// is turned on takes over from the value set before.
enum ControlOrder {
  /// Returns the ids of `values` in the order in which they are set.
  static func sorted(_ values: [UInt32: Int64]) -> [UInt32] {
    values.sorted { (phase($0.key, $0.value), $0.key) < (phase($1.key, $1.value), $1.key) }.map(\.key)
  }

  private static func phase(_ id: UInt32, _ value: Int64) -> Int {
    if id == ControlID.autoFocusStart { return 3 }
    // A lock holds what the automatic modes have found; an automatic mode that is off has nothing to hold.
    if id == ControlID.lock3A { return value == 0 ? 0 : 3 }
    guard ControlID.isAutomatic(id) else { return 1 }
    return ControlID.isOff(value, for: id) ? 0 : 2
  }
}
