import FrameCore

/// Where filters of a group act: a tree of gradients, ranges of colours, strokes and polygons.
///
/// Places are relative to the picture turned upright and not cropped, 0…1 of its width and height from the top left
/// corner, so that crops never move masks; radii are relative to its long edge. Ranges read the colour that reaches
/// the first of all groups.
public indirect enum Mask: Sendable, Hashable {
  /// 0 at and before `from`, 1 at and behind `to`, an S-curve in between.
  case linear(from: MaskPoint, to: MaskPoint)
  /// 1 inside an ellipse, 0 outside.
  ///
  /// - Parameters:
  ///   - angle: by which its axes are turned clockwise, in degrees.
  ///   - feather: 0…1, the part of the radius over which it fades; 0 is an edge.
  case radial(center: MaskPoint, radiusX: Double, radiusY: Double, angle: Double = 0, feather: Double = 0.5)
  /// OKLab lightness of `from`…`to`, 0…1, fading over `softness` on both sides; 1 includes all that is brighter.
  case luminance(from: Double, to: Double, softness: Double = 0.1)
  /// Colours up to `range` from `center` in OKLab's a and b, fading over `softness`; lightness does not matter.
  case color(MaskColor, range: Double = 0.05, softness: Double = 0.05)
  /// Strokes in their order.
  case brush([BrushStroke])
  /// What an outline goes around: all places around which it turns, in whichever direction (the nonzero rule), so
  /// that outlines may cross themselves.
  case polygon([MaskPoint])
  /// 1 − Π(1 − mask): where any of them is.
  case add([Mask])
  /// Π mask: where all of them are.
  case intersect([Mask])
  /// mask · Π(1 − others): where it is and none of the others.
  case subtract(Mask, [Mask])
  /// 1 − mask.
  case invert(Mask)
  /// Edges of strokes, polygons and gradients fade over `radius` on both sides; with `edges`, they move to edges of the
  /// picture that are as near, and fade only where there are none: `MaskGuide`.
  case feather(Mask, radius: Double, edges: Bool = false)

  /// The most points of all masks of a recipe.
  public static let pointLimit = 100_000
  /// The most masks in a tree, and the most levels of it.
  public static let partLimit = 256
  public static let depthLimit = 24
}

/// A place: 0, 0 is the top left corner of the upright, uncropped picture, 1, 1 the bottom right one. Places outside
/// are allowed.
public struct MaskPoint: Sendable, Hashable {
  public var x, y: Double
  /// What x and y may be.
  public static let range = -10.0...10.0

  public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
}

/// A colour by its sRGB samples.
public struct MaskColor: Sendable, Hashable {
  public var red, green, blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// - Returns: nil unless the text is like `#c08040`, with or without its #.
  public init?(hex text: String) {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let code = UInt32(digits, radix: 16) else {
      return nil
    }
    self.init(
      red: UInt8(code >> 16), green: UInt8(code >> 8 & 0xff), blue: UInt8(code & 0xff))
  }

  /// `#c08040`
  public var hex: String {
    "#"
      + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// A line drawn with a round brush.
///
///     out = 1 − (1 − in)(1 − s),  s = flow · k(distance to the line);     in · (1 − s) if it erases
///
/// with k = 1 up to hardness · radius, and an S-curve from there to 0 at the radius.
public struct BrushStroke: Sendable, Hashable {
  /// At least one.
  public var points: [MaskPoint]
  /// Relative to the long edge.
  public var radius: Double
  /// 0…1; 1 is an edge.
  public var hardness: Double
  /// 0…1.
  public var flow: Double
  public var erases: Bool

  public static let defaultHardness = 0.5

  public init(
    _ points: [MaskPoint], radius: Double, hardness: Double = defaultHardness, flow: Double = 1,
    erases: Bool = false
  ) {
    (self.points, self.radius, self.hardness) = (points, radius, hardness)
    (self.flow, self.erases) = (flow, erases)
  }
}

extension Mask {
  /// The kind's name in recipes.
  public enum Kind: String, Sendable, CaseIterable {
    case linear, radial, luminance, color, brush, polygon, add, intersect, subtract, invert, feather
  }

  public var kind: Kind {
    switch self {
    case .linear: .linear
    case .radial: .radial
    case .luminance: .luminance
    case .color: .color
    case .brush: .brush
    case .polygon: .polygon
    case .add: .add
    case .intersect: .intersect
    case .subtract: .subtract
    case .invert: .invert
    case .feather: .feather
    }
  }

  /// The masks that this one combines.
  public var parts: [Mask] {
    switch self {
    case .linear, .radial, .luminance, .color, .brush, .polygon: []
    case .add(let masks), .intersect(let masks): masks
    case .subtract(let mask, let others): [mask] + others
    case .invert(let mask), .feather(let mask, _, _): [mask]
    }
  }

  /// The points of its strokes and polygons.
  public var pointCount: Int {
    switch self {
    case .brush(let strokes): strokes.reduce(0) { $0 + $1.points.count }
    case .polygon(let points): points.count
    case .linear, .radial, .luminance, .color, .add, .intersect, .subtract, .invert, .feather:
      parts.reduce(0) { $0 + $1.pointCount }
    }
  }
}
