import CV4L2
import FrameCore

extension DeviceNode {
  /// Returns all controls with their current values, by id.
  func controls() throws -> [DeviceControl] {
    var controls: [DeviceControl] = []
    var query = v4l2_query_ext_ctrl()
    while true {
      // The driver returns the first control after `id`.
      query.id |= UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) | UInt32(V4L2_CTRL_FLAG_NEXT_COMPOUND)
      let before = query.id & ~Self.nextFlags
      let status = cv4l2_query_control(descriptor, &query)
      if status != 0 {
        // EINVAL ends the list; ENOTTY means that the device has no controls.
        if status != -Self.endOfList, status != -Self.noSuchRequest { try check(status, .controlling) }
        return controls
      }
      guard query.id > before else { return controls }
      if let control = control(query) { controls.append(control) }
    }
  }

  /// Returns one control; nil if the device does not have it.
  func control(_ id: UInt32) throws -> DeviceControl? {
    var query = v4l2_query_ext_ctrl()
    query.id = id
    let status = cv4l2_query_control(descriptor, &query)
    if status == -Self.endOfList || status == -Self.noSuchRequest { return nil }
    try check(status, .controlling)
    return control(query)
  }

  /// EINVAL and ENOTTY.
  private static let endOfList: Int32 = 22
  private static let noSuchRequest: Int32 = 25
  private static let nextFlags = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) | UInt32(V4L2_CTRL_FLAG_NEXT_COMPOUND)

  private func control(_ query: v4l2_query_ext_ctrl) -> DeviceControl? {
    guard query.type != V4L2_CTRL_TYPE_CTRL_CLASS.rawValue, query.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0
    else { return nil }
    func has(_ flag: Int32) -> Bool { query.flags & UInt32(flag) != 0 }
    if query.type == UInt32(cv4l2_type_rectangle), query.nr_of_dims == 0,
      let control = rectangle(query, isReadOnly: has(V4L2_CTRL_FLAG_READ_ONLY))
    {
      return control
    }
    let kind = query.nr_of_dims > 0 || has(V4L2_CTRL_FLAG_HAS_PAYLOAD) ? .other : Self.kind(query.type)
    var value: Int64?
    if kind != .other, kind != .button, !has(V4L2_CTRL_FLAG_WRITE_ONLY) {
      var current: Int64 = 0
      if cv4l2_get_control(descriptor, query.id, kind == .integer64, &current) == 0 {
        // A bit mask has no sign.
        value = kind == .bitmask ? current & Int64(UInt32.max) : current
      }
    }
    return DeviceControl(
      id: query.id, name: String(fixed: query.name), kind: kind, minimum: query.minimum,
      maximum: query.maximum,
      step: Int64(clamping: query.step), defaultValue: query.default_value, value: value,
      isInactive: has(V4L2_CTRL_FLAG_INACTIVE), isReadOnly: has(V4L2_CTRL_FLAG_READ_ONLY),
      isVolatile: has(V4L2_CTRL_FLAG_VOLATILE), isGrabbed: has(V4L2_CTRL_FLAG_GRABBED),
      menu: menu(query.id, kind, query.minimum, query.maximum))
  }

  /// Returns a control that is a rectangle; nil if the driver does not tell its bounds.
  private func rectangle(_ query: v4l2_query_ext_ctrl, isReadOnly: Bool) -> DeviceControl? {
    func read(_ which: cv4l2_which) -> Int64? {
      var numbers = [Int64](repeating: 0, count: 4)
      guard cv4l2_get_rectangle(descriptor, query.id, which, &numbers) == 0 else { return nil }
      return ControlRectangle(
        left: Int(numbers[0]), top: Int(numbers[1]), width: Int(numbers[2]), height: Int(numbers[3])
      ).packed
    }
    guard let minimum = read(CV4L2_MINIMUM), let maximum = read(CV4L2_MAXIMUM) else { return nil }
    return DeviceControl(
      id: query.id, name: String(fixed: query.name), kind: .rectangle, minimum: minimum, maximum: maximum,
      step: 0, defaultValue: maximum, value: read(CV4L2_PRESENT), isReadOnly: isReadOnly)
  }

  private static func kind(_ type: UInt32) -> DeviceControl.Kind {
    switch v4l2_ctrl_type(rawValue: type) {
    case V4L2_CTRL_TYPE_INTEGER: .integer
    case V4L2_CTRL_TYPE_BOOLEAN: .boolean
    case V4L2_CTRL_TYPE_MENU: .menu
    case V4L2_CTRL_TYPE_BUTTON: .button
    case V4L2_CTRL_TYPE_INTEGER64: .integer64
    case V4L2_CTRL_TYPE_BITMASK: .bitmask
    case V4L2_CTRL_TYPE_INTEGER_MENU: .integerMenu
    default: .other
    }
  }

  private func menu(
    _ id: UInt32, _ kind: DeviceControl.Kind, _ minimum: Int64, _ maximum: Int64
  ) -> [DeviceControl.MenuItem] {
    guard kind == .menu || kind == .integerMenu, minimum >= 0, maximum >= minimum else { return [] }
    // A broken driver's range must not cause an endless loop.
    return (minimum...min(maximum, minimum + 255)).compactMap { index in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { name in
        var value: Int64 = 0
        guard let base = name.baseAddress,
          cv4l2_query_menu(descriptor, id, UInt32(index), kind == .integerMenu, base, &value) == 0
        else { return nil }
        return DeviceControl.MenuItem(
          value: index, name: kind == .integerMenu ? "\(value)" : String(cString: base))
      }
    }
  }
}
