import FilterGraph
import FrameCore
import Libc

/// Makes four places of the picture the corners of the result, as a scanner does with a page: what lies between them
/// appears as if seen straight on, and the rest is cut off.
///
/// The four places and the corners determine a projective map. One side of the result is as long as the longer of the two
/// that it shows, so that no detail is lost; what is shown smaller than its neighbourhood is enlarged.
public struct Perspective: Filter {
  public static let id: FilterID = "perspective"
  public static let phase = FilterPhase.perspective
  public static let summary = "Makes four places the corners of the picture, as if seen straight on"
  public static let parameters = [
    Parameter(
      \Perspective.corners, "corners", title: "Corners", neutral: Corners.none, flag: "perspective",
      "Four places, clockwise from the top left corner of what they enclose, 0,0 top left … 1,1 bottom right"),
    Parameter(
      \Perspective.proportions, "proportions", title: "Proportions", neutral: Proportions.automatic,
      flag: "perspective-proportions",
      "Width to height of what the four places enclose; auto as long as its sides appear"),
  ]

  /// Four places of the upright picture, clockwise from the top left corner of what they enclose.
  public enum Corners: ParameterText {
    case none
    case places([SIMD2<Double>])

    public static let syntax = "none|X,Y X,Y X,Y X,Y"
    /// The furthest outside of the picture that a place may be.
    static let range = -1.0...2.0

    public init(parameterText text: String) throws {
      guard text != "none" else {
        self = .none
        return
      }
      func wrong(_ why: String) -> SafelightError {
        SafelightError(
          .invalidValue, "The perspective “\(NearestName.shortened(text))” \(why)",
          remedy:
            "write four places, clockwise from the top left, such as '0.1,0.2 0.9,0.1 0.95,0.8 0.05,0.9'")
      }
      let places = text.split(separator: " ").map { place -> SIMD2<Double>? in
        let numbers = place.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else { return nil }
        return SIMD2(x, y)
      }
      guard places.count == 4, !places.contains(where: { $0 == nil }) else {
        throw wrong("is not four places of two numbers each")
      }
      let found = places.compactMap { $0 }
      guard found.allSatisfy({ Self.range.contains($0.x) && Self.range.contains($0.y) }) else {
        throw wrong("has a place beyond -1…2")
      }
      self = .places(found)
    }

    public var parameterText: String {
      switch self {
      case .none: "none"
      case .places(let places):
        places.map { "\(PlainNumber.text($0.x)),\(PlainNumber.text($0.y))" }.joined(separator: " ")
      }
    }
  }

  /// The width of a result of one pixel's height.
  public enum Proportions: ParameterText {
    case automatic
    case ratio(width: Double, height: Double)

    public static let syntax = "auto|W:H"
    static let range = 0.01...100.0

    public init(parameterText text: String) throws {
      guard text != "auto" else {
        self = .automatic
        return
      }
      let sides = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
      guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0,
        Self.range.contains(width / height)
      else {
        throw SafelightError(
          .invalidValue,
          "perspective-proportions is “\(NearestName.shortened(text))”, which is not two positive numbers within 100:1",
          remedy: "write auto, or W:H such as 210:297")
      }
      self = .ratio(width: width, height: height)
    }

    public var parameterText: String {
      switch self {
      case .automatic: "auto"
      case .ratio(let width, let height): "\(PlainNumber.text(width)):\(PlainNumber.text(height))"
      }
    }
  }

  public var corners: Corners
  public var proportions: Proportions

  public init() { self.init(.none) }
  public init(_ corners: Corners, proportions: Proportions = .automatic) {
    (self.corners, self.proportions) = (corners, proportions)
  }

  public func lower(into plan: inout PlanBuilder) throws {
    guard case .places(let places) = corners else { return }
    guard places.count == 4,
      places.allSatisfy({ Corners.range.contains($0.x) && Corners.range.contains($0.y) })
    else {
      throw SafelightError(
        .invalidValue, "The perspective has \(places.count) places, or one beyond -1…2",
        remedy: "give four, clockwise from the top left")
    }
    try plan.geometry { size in
      let pixels = places.map { (x: $0.x * Double(size.width), y: $0.y * Double(size.height)) }
      func side(_ a: Int, _ b: Int) -> Double {
        hypot(pixels[b].x - pixels[a].x, pixels[b].y - pixels[a].y)
      }
      var (width, height) = (max(side(0, 1), side(3, 2)), max(side(1, 2), side(0, 3)))
      if case .ratio(let across, let down) = proportions {
        let ratio = across / down
        guard Proportions.range.contains(ratio) else {
          throw SafelightError(
            .invalidValue, "The proportions of the perspective are beyond 100:1", remedy: "give others")
        }
        (width, height) = (max(width, height * ratio), max(height, width / ratio))
      }
      let output = PixelSize(width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
      guard
        let projection = Projection(width: Double(output.width), height: Double(output.height), onto: pixels)
      else {
        throw SafelightError(
          .invalidValue,
          "The four places of the perspective, \(corners.parameterText), are not the corners of a convex shape",
          remedy: "give them clockwise from the top left, no three of them in a line")
      }
      return Geometry(inputSize: size, outputSize: output, map: .identity, projection: projection)
    }
  }
}
