/// A rectangle that a control holds, in pixels of the sensor; each of its numbers is 0…65535.
///
/// Controls have one number for a value, so a rectangle is packed: left, top, width and height, from the highest 16
/// bits to the lowest.
struct ControlRectangle: Sendable, Hashable {
  var left: Int
  var top: Int
  var width: Int
  var height: Int

  init(left: Int, top: Int, width: Int, height: Int) {
    (self.left, self.top, self.width, self.height) = (left, top, width, height)
  }

  init(packed: Int64) {
    let bits = UInt64(bitPattern: packed)
    func part(_ index: UInt64) -> Int { Int(bits >> (16 * index) & 0xFFFF) }
    (left, top, width, height) = (part(3), part(2), part(1), part(0))
  }

  /// Nil if a number does not fit, which none of UVC's does.
  var packed: Int64? {
    var bits: UInt64 = 0
    for number in [left, top, width, height] {
      guard let part = UInt16(exactly: number) else { return nil }
      bits = bits << 16 | UInt64(part)
    }
    return Int64(bitPattern: bits)
  }
}
