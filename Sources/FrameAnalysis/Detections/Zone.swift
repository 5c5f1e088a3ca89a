import FrameCore

/// A named part of the picture, such as a door or a lane, that detections are sorted by.
///
/// What is in it is decided by one point, `Detection.place`.
public struct Zone: Sendable, Hashable {
  /// Letters, digits, `-` and `_`.
  public let name: String
  /// Three corners or more, in order around it, all in the picture.
  public let corners: [NormalizedPoint]

  /// The most corners, and the most letters of a name.
  private static let (mostCorners, longestName) = (100, 40)

  /// - Throws: `SafelightError(.invalidValue)` if the name has other characters, or if the corners are fewer than three,
  ///   outside the picture, on one line, or in an order in which the edges cross.
  public init(_ name: String, corners: [NormalizedPoint]) throws {
    func refuse(_ problem: String, _ remedy: String) -> SafelightError {
      SafelightError(.invalidValue, "The zone “\(NearestName.shortened(name))” \(problem)", remedy: remedy)
    }
    guard Self.isName(name) else {
      throw refuse(
        "has no fit name", "name it with at most \(Self.longestName) letters, digits, - and _, such as door")
    }
    guard corners.count >= 3 else {
      let count = corners.count == 1 ? "one corner" : "\(corners.count) corners"
      throw refuse("has \(count)", "give at least three, as x,y,x,y,x,y")
    }
    guard corners.count <= Self.mostCorners else {
      throw refuse("has \(corners.count) corners", "give at most \(Self.mostCorners)")
    }
    for corner in corners where !(0...1).contains(corner.x) || !(0...1).contains(corner.y) {
      throw refuse(
        "has a corner at \(PlainNumber.text(corner.x)),\(PlainNumber.text(corner.y)), outside the picture",
        "give fractions of its width and height, 0 to 1")
    }
    guard !Self.crosses(corners) else {
      throw refuse("has edges that cross", "give the corners in order around it")
    }
    guard abs(Self.doubleArea(corners)) > 1e-6 else {
      throw refuse("has no area", "give corners that are not on one line")
    }
    (self.name, self.corners) = (name, corners)
  }

  /// Reads `door=0.1,0.2,0.4,0.2,0.4,0.9`: a name, and x and y of each corner.
  ///
  /// - Throws: `SafelightError(.invalidValue)`, also as `init(_:corners:)`.
  public init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts.last?.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) } ?? []
    guard parts.count == 2, numbers.count.isMultiple(of: 2), !numbers.contains(nil) else {
      throw SafelightError(
        .invalidValue, "The zone “\(NearestName.shortened(text))” cannot be read",
        remedy: "write it like door=0.1,0.2,0.4,0.2,0.4,0.9: a name, and x,y of each corner")
    }
    let values = numbers.compactMap { $0 }
    try self.init(
      String(parts[0]),
      corners: stride(from: 0, to: values.count, by: 2).map { NormalizedPoint(values[$0], values[$0 + 1]) })
  }

  /// - Throws: `SafelightError(.invalidValue)` if two zones have one name.
  public static func checkTogether(_ zones: [Zone]) throws {
    var names: Set<String> = []
    for zone in zones where !names.insert(zone.name).inserted {
      throw SafelightError(
        .invalidValue, "Two zones are called \(zone.name)", remedy: "give each a name of its own")
    }
  }

  /// Whether a point is inside, by the even-odd rule.
  public func contains(_ point: NormalizedPoint) -> Bool {
    var isInside = false
    var last = corners[corners.count - 1]
    for corner in corners {
      if (corner.y > point.y) != (last.y > point.y) {
        let x = last.x + (point.y - last.y) / (corner.y - last.y) * (corner.x - last.x)
        if point.x < x { isInside.toggle() }
      }
      last = corner
    }
    return isInside
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.count <= longestName
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
  }

  /// Twice the signed area: positive clockwise as displayed.
  private static func doubleArea(_ corners: [NormalizedPoint]) -> Double {
    zip(corners, corners.dropFirst() + corners.prefix(1)).reduce(0) { sum, edge in
      sum + edge.0.x * edge.1.y - edge.1.x * edge.0.y
    }
  }

  /// Whether two edges that are not neighbours have a point in common.
  private static func crosses(_ corners: [NormalizedPoint]) -> Bool {
    let count = corners.count
    for first in 0..<count {
      for second in first + 1..<count where second != first + 1 && (second + 1) % count != first {
        if touch(corners[first], corners[first + 1], corners[second], corners[(second + 1) % count]) {
          return true
        }
      }
    }
    return false
  }

  private static func touch(
    _ a: NormalizedPoint, _ b: NormalizedPoint, _ c: NormalizedPoint, _ d: NormalizedPoint
  ) -> Bool {
    func side(_ p: NormalizedPoint, _ q: NormalizedPoint, _ r: NormalizedPoint) -> Double {
      (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
    }
    func isBetween(_ p: NormalizedPoint, _ q: NormalizedPoint, _ r: NormalizedPoint) -> Bool {
      min(p.x, q.x) <= r.x && r.x <= max(p.x, q.x) && min(p.y, q.y) <= r.y && r.y <= max(p.y, q.y)
    }
    let (c1, d1, a1, b1) = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b))
    if c1 * d1 < 0, a1 * b1 < 0 { return true }
    return c1 == 0 && isBetween(a, b, c) || d1 == 0 && isBetween(a, b, d)
      || a1 == 0 && isBetween(c, d, a) || b1 == 0 && isBetween(c, d, b)
  }
}
