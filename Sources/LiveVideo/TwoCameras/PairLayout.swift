import FrameCore

/// How the pictures of two cameras share one.
public enum PairLayout: Sendable, Hashable, CustomStringConvertible {
  /// The second picture in a corner of the first, with rounded corners.
  case inset(Corner)
  /// The first picture at the left, the second at the right, equally high.
  case sideBySide

  public enum Corner: String, Sendable, Hashable, CaseIterable {
    case topLeft = "top-left"
    case topRight = "top-right"
    case bottomLeft = "bottom-left"
    case bottomRight = "bottom-right"
  }

  /// - Parameter text: `pip`, `pip:top-right` …, `side`.
  /// - Throws: `SafelightError(.invalidValue)`, which names the layouts.
  public init(_ text: String) throws {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts.first, parts.count) {
    case ("pip", 1): self = .inset(.topLeft)
    case ("side", 1): self = .sideBySide
    case ("pip", 2):
      guard let corner = Corner(rawValue: String(parts[1])) else {
        throw NearestName.error(
          unknown: "corner", String(parts[1]), among: Corner.allCases.map(\.rawValue))
      }
      self = .inset(corner)
    default: throw NearestName.error(unknown: "layout", text, among: ["pip", "side"])
    }
  }

  public var description: String {
    switch self {
    case .inset(.topLeft): "pip"
    case .inset(let corner): "pip:\(corner.rawValue)"
    case .sideBySide: "side"
    }
  }

  /// The longer edge of an inset, as a part of the picture's.
  static let insetScale = 0.3
  /// The space beside an inset, as a part of the picture's shorter edge.
  static let marginScale = 0.03
  /// The radius of an inset's corners, as a part of its own shorter edge.
  static let radiusScale = 0.09

  /// The largest size of the second picture beside or in a first one.
  func boxForSecond(first: PixelSize) -> PixelSize {
    switch self {
    case .inset:
      let edge = max(16, Int((Double(max(first.width, first.height)) * Self.insetScale).rounded()))
      let most = max(16, Int(Double(min(first.width, first.height)) * (1 - 2 * Self.marginScale)))
      return PixelSize(width: min(edge, most), height: min(edge, most))
    case .sideBySide: return PixelSize(width: 65_535, height: first.height)
    }
  }

  /// The size of both together; even, since most encoders take nothing else.
  func size(first: PixelSize, second: PixelSize) -> PixelSize {
    switch self {
    case .inset: first
    case .sideBySide:
      PixelSize(
        width: (first.width + second.width + 1) & ~1, height: (max(first.height, second.height) + 1) & ~1)
    }
  }

  /// Where the upper left corner of the second picture is.
  func origin(first: PixelSize, second: PixelSize) -> (x: Int, y: Int) {
    switch self {
    case .inset(let corner):
      let margin = Int((Double(min(first.width, first.height)) * Self.marginScale).rounded())
      let (right, bottom) = (first.width - second.width - margin, first.height - second.height - margin)
      return switch corner {
      case .topLeft: (margin, margin)
      case .topRight: (right, margin)
      case .bottomLeft: (margin, bottom)
      case .bottomRight: (right, bottom)
      }
    case .sideBySide: return (first.width, (max(first.height, second.height) - second.height) / 2)
    }
  }
}
