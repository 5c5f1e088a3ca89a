import FrameCore

/// A rectangle in a frame as displayed, as fractions of its width and height.
public struct SubjectArea: Sendable, Hashable, Codable {
  /// The left edge, 0 at the frame's left and 1 at its right.
  public var x: Double
  /// The top edge, 0 at the frame's top and 1 at its bottom.
  public var y: Double
  public var width: Double
  public var height: Double

  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// The whole frame.
  static let whole = SubjectArea(x: 0, y: 0, width: 1, height: 1)

  /// The part of the frame around an outline; nil if that is not in the frame.
  package init?(around outline: [NormalizedPoint]) {
    let bounds = OutlineBounds(outline)
    let (left, top) = (max(bounds.left, 0), max(bounds.top, 0))
    let (right, bottom) = (min(bounds.right, 1), min(bounds.bottom, 1))
    guard right > left, bottom > top else { return nil }
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// - Throws: `SafelightError` if the area is empty or not inside the frame.
  func validate() throws {
    // Sums of decimal fractions may exceed 1 by a rounding error.
    guard x >= 0, y >= 0, width > 0, height > 0, x + width <= 1.000_001, y + height <= 1.000_001 else {
      throw SafelightError(
        .invalidValue, "The subject at (\(x), \(y)) with \(width) × \(height) is not inside the frame",
        remedy: "give fractions of the frame, 0 to 1")
    }
  }

  /// The pixels of a stored picture, at least one.
  func pixels(of size: PixelSize, orientation: Orientation) -> (columns: Range<Int>, rows: Range<Int>) {
    let (left, top, right, bottom) = (x, y, x + width, y + height)
    var across: (Double, Double)
    let down: (Double, Double)
    switch orientation.quarterTurns {
    case 0: (across, down) = ((left, right), (top, bottom))
    case 1: (across, down) = ((top, bottom), (1 - right, 1 - left))
    case 2: (across, down) = ((1 - right, 1 - left), (1 - bottom, 1 - top))
    default: (across, down) = ((1 - bottom, 1 - top), (left, right))
    }
    if orientation.isMirrored { across = (1 - across.1, 1 - across.0) }
    func range(_ part: (Double, Double), _ extent: Int) -> Range<Int> {
      let first = min(max(Int((part.0 * Double(extent)).rounded()), 0), extent - 1)
      return first..<min(max(Int((part.1 * Double(extent)).rounded()), first + 1), extent)
    }
    return (range(across, size.width), range(down, size.height))
  }
}
