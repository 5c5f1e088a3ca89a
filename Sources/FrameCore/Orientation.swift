/// How stored samples must be turned for display: the eight symmetries of a rectangle, with EXIF's numbers.
///
/// The eight cases form a group (the dihedral group of order 8): `a.then(b)` applies `a` first, and
/// `a.then(a.inverse) == .up`. Source of the numbers: EXIF 2.32, tag 0x0112.
public enum Orientation: UInt8, Sendable, Hashable, CaseIterable, Codable {
  /// 1: as stored.
  case up = 1
  /// 2: mirrored left–right.
  case upMirrored = 2
  /// 3: turned by 180°.
  case down = 3
  /// 4: mirrored top–bottom.
  case downMirrored = 4
  /// 5: mirrored along the diagonal from top left to bottom right (transposed).
  case leftMirrored = 5
  /// 6: must be turned clockwise by 90° for display.
  case right = 6
  /// 7: mirrored along the other diagonal (transversed).
  case rightMirrored = 7
  /// 8: must be turned clockwise by 270° for display.
  case left = 8

  /// Creates the orientation of a picture that is mirrored left–right if `mirrored` and then turned clockwise by
  /// `quarterTurns` · 90°.
  public init(mirrored: Bool, quarterTurns: Int) {
    // A switch, not a table: this runs for every live frame, and an array would be allocated.
    self =
      switch (mirrored, ((quarterTurns % 4) + 4) % 4) {
      case (false, 0): .up
      case (false, 1): .right
      case (false, 2): .down
      case (false, _): .left
      case (true, 0): .upMirrored
      case (true, 1): .rightMirrored
      case (true, 2): .downMirrored
      case (true, _): .leftMirrored
      }
  }

  /// Whether the picture is mirrored, before turning.
  public var isMirrored: Bool {
    switch self {
    case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
    default: false
    }
  }

  /// Clockwise quarter turns after mirroring, 0…3.
  public var quarterTurns: Int {
    switch self {
    case .up, .upMirrored: 0
    case .right, .rightMirrored: 1
    case .down, .downMirrored: 2
    case .left, .leftMirrored: 3
    }
  }

  /// Whether width and height are exchanged.
  public var swapsAxes: Bool { quarterTurns % 2 == 1 }

  /// The orientation that undoes this one.
  public var inverse: Orientation {
    // A mirrored case is its own inverse; a pure turn is undone by the opposite turn.
    isMirrored ? self : Orientation(mirrored: false, quarterTurns: -quarterTurns)
  }

  /// Returns this orientation followed by `next`.
  public func then(_ next: Orientation) -> Orientation {
    // Mirroring reverses the sense of the turns made before it: m·r^k = r^-k·m.
    let turns = next.isMirrored ? next.quarterTurns - quarterTurns : next.quarterTurns + quarterTurns
    return Orientation(mirrored: isMirrored != next.isMirrored, quarterTurns: turns)
  }

  /// Returns the display size of a picture stored with `size`.
  public func applied(to size: PixelSize) -> PixelSize { swapsAxes ? size.transposed : size }
}
