/// A control of a device, such as brightness, as described by the driver.
public struct DeviceControl: Sendable, Hashable {
  /// The type of a control, as in V4L2.
  public enum Kind: String, Sendable, Hashable, Codable {
    case integer, boolean, menu, button, integer64, bitmask
    /// A menu of numbers.
    case integerMenu
    /// A rectangle: `value`, `minimum` and `maximum` each hold its left, its top, its width and its height, in 16 bits
    /// each from the highest on. Set by the settings for points of interest.
    case rectangle
    /// Text or a structure: listed, but neither read nor set.
    case other
  }

  /// A menu entry. Values between the lowest and the highest may have none.
  public struct MenuItem: Sendable, Hashable {
    /// The value that selects it.
    public var value: Int64
    public var name: String

    package init(value: Int64, name: String) {
      self.value = value
      self.name = name
    }
  }

  public var id: UInt32
  /// The driver's name, such as `White Balance, Automatic`.
  public var name: String
  public var kind: Kind
  public var minimum: Int64
  public var maximum: Int64
  /// Values are `minimum` plus a multiple of this.
  public var step: Int64
  public var defaultValue: Int64
  /// Nil if it cannot be read.
  public var value: Int64?
  /// Currently without effect, because an automatic mode is on.
  public var isInactive: Bool
  public var isReadOnly: Bool
  /// Changes by itself; `value` is as of reading.
  public var isVolatile: Bool
  /// Currently in use by another program, or locked by streaming.
  public var isGrabbed: Bool
  /// Entries of a menu, by value.
  public var menu: [MenuItem]

  package init(
    id: UInt32, name: String, kind: Kind, minimum: Int64, maximum: Int64, step: Int64, defaultValue: Int64,
    value: Int64? = nil, isInactive: Bool = false, isReadOnly: Bool = false, isVolatile: Bool = false,
    isGrabbed: Bool = false, menu: [MenuItem] = []
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.defaultValue = defaultValue
    self.value = value
    self.isInactive = isInactive
    self.isReadOnly = isReadOnly
    self.isVolatile = isVolatile
    self.isGrabbed = isGrabbed
    self.menu = menu
  }

  /// The name as an identifier: `white_balance_automatic`.
  public var key: String {
    var key = ""
    for character in name.lowercased() {
      if character.isLetter || character.isNumber {
        key.append(character)
      } else if !key.isEmpty, key.last != "_" {
        key.append("_")
      }
    }
    while key.last == "_" { key.removeLast() }
    return key
  }
}
