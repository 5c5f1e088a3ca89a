import FrameCore

/// The text form of masks, for command lines:
///
///     linear 0.5,0.6 0.5,0.3
///     radial 0.3,0.4 0.2x0.1 feather 0.5 angle 15 - luminance 0.8..1 soft 0.1
///     color #c08040 range 0.05 soft 0.05 & not polygon 0,0 1,0 0.5,1
///     feather 0.01 (brush 0.05 0.1,0.2 0.3,0.3 hardness 0.5 erase 0.02 0.2,0.2)
///
///     feather 0.02 edges polygon 0,0 1,0 1,0.3 0,0.4
///
/// `+` adds, `&` intersects, `-` subtracts, from left to right; `not`, `feather RADIUS` and
/// `feather RADIUS edges` take the mask that follows.
extension Mask {
  /// How masks are written, for help.
  static let syntax = "linear|radial|luminance|color|brush|polygon …"

  /// The names that begin a mask.
  package static let words =
    [Kind.linear, .radial, .luminance, .color, .brush, .polygon].map(\.rawValue) + ["not", "feather"]

  /// - Throws: `SafelightError` that names the character at which the text is wrong.
  public init(_ text: String) throws {
    var parser = MaskParser(text)
    self = try parser.parse()
    try validate()
  }

  /// Returns the value as a mask, or as an empty text for none.
  static func checked(_ value: ParameterValue, label: String) throws -> ParameterValue {
    do {
      switch value {
      case .text(""): return value
      case .text(let text): return .mask(try Mask(text))
      case .mask(let mask):
        try mask.validate()
        return value
      case .number, .points: break
      }
    } catch let error as SafelightError {
      throw error.at(label)
    }
    throw SafelightError(
      .invalidValue, "\(label) is “\(NearestName.shortened("\(value)"))”, which is not a mask",
      remedy: "write it like “linear 0.5,0.6 0.5,0.3”")
  }

  /// The mask as a text that means the same.
  public var text: String {
    func number(_ value: Double) -> String { PlainNumber.text(value) }
    switch self {
    case .linear(let from, let to): return "linear \(from.text) \(to.text)"
    case .radial(let center, let radiusX, let radiusY, let angle, let feather):
      return "radial \(center.text) \(number(radiusX))" + (radiusX == radiusY ? "" : "x\(number(radiusY))")
        + " feather \(number(feather))" + (angle == 0 ? "" : " angle \(number(angle))")
    case .luminance(let from, let to, let softness):
      return "luminance \(number(from))..\(number(to)) soft \(number(softness))"
    case .color(let color, let range, let softness):
      return "color \(color.hex) range \(number(range)) soft \(number(softness))"
    case .brush(let strokes):
      return strokes.enumerated().map { index, stroke in
        let word = stroke.erases ? "erase" : index == 0 ? "brush" : "stroke"
        return (index == 0 && stroke.erases ? "brush erase" : word) + " \(number(stroke.radius)) "
          + stroke.points.map(\.text).joined(separator: " ") + " hardness \(number(stroke.hardness))"
          + (stroke.flow == 1 ? "" : " flow \(number(stroke.flow))")
      }.joined(separator: " ")
    case .polygon(let points): return "polygon " + points.map(\.text).joined(separator: " ")
    case .add(let masks): return masks.map(\.operand).joined(separator: " + ")
    case .intersect(let masks): return masks.map(\.operand).joined(separator: " & ")
    case .subtract(let mask, let others): return ([mask] + others).map(\.operand).joined(separator: " - ")
    case .invert(let mask): return "not \(mask.operand)"
    case .feather(let mask, let radius, let edges):
      return "feather \(number(radius)) \(edges ? "edges " : "")\(mask.operand)"
    }
  }

  private var operand: String {
    switch self {
    case .add, .intersect, .subtract: parts.count == 1 ? parts[0].operand : "(\(text))"
    case .linear, .radial, .luminance, .color, .brush, .polygon, .invert, .feather: text
    }
  }
}

extension MaskPoint {
  fileprivate var text: String { "\(PlainNumber.text(x)),\(PlainNumber.text(y))" }
}
