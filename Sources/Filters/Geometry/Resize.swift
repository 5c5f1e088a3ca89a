import FilterGraph
import FrameCore

/// Scales the picture, keeping its proportions.
public struct Resize: Filter {
  public static let id: FilterID = "resize"
  public static let phase = FilterPhase.resize
  public static let summary = "Scales to a long edge, into a box or by a percentage, keeping the proportions"
  private static let suggestions = [
    Parameter.Option("0", title: "Original"), Parameter.Option("50%", title: "Half"),
    Parameter.Option("1080", title: "1080 px"), Parameter.Option("2048", title: "2048 px"),
    Parameter.Option("3840x2160", title: "4K"),
  ]
  public static let parameters = [
    Parameter(
      \Resize.size, "size", formerly: ["long-edge"], suggestions: suggestions, neutral: Size.unchanged,
      flag: "resize",
      "Long edge in pixels, box to fit into, or percentage; may enlarge")
  ]

  /// The size to scale to.
  public enum Size: ParameterText {
    case unchanged
    /// The length of the longer edge in pixels.
    case longEdge(Int)
    /// The largest size that fits into a box, in pixels.
    case within(PixelSize)
    /// A percentage of both edges; 100 leaves them unchanged.
    case percent(Double)

    public static let syntax = "EDGE|WxH|N%"
    /// The lengths of an edge allowed, in pixels.
    static let edges = 1...65_535
    static let percentages = 0.01...10_000.0

    public init(parameterText text: String) throws {
      func wrong(_ why: String) -> SafelightError {
        SafelightError(
          .invalidValue, "Cannot resize to “\(text)”: \(why)",
          remedy: "write 2048 for the longer edge, 1600x1200 to fit into, or 50%")
      }
      func edge(_ text: some StringProtocol) throws -> Int {
        // Other programs may write numbers in recipes as 2048.0.
        guard let number = Double(text), number.isFinite, number == number.rounded() else {
          throw wrong("“\(text)” is not a whole number of pixels")
        }
        guard number >= Double(Self.edges.lowerBound), number <= Double(Self.edges.upperBound) else {
          throw wrong("an edge has \(Self.edges.lowerBound)…\(Self.edges.upperBound) px")
        }
        return Int(number)
      }
      if text.hasSuffix("%") {
        guard let percent = Double(text.dropLast()), Self.percentages.contains(percent) else {
          throw wrong("a percentage is \(PlainNumber.text(Self.percentages.lowerBound))…10000")
        }
        self = .percent(percent)
        return
      }
      let sides = text.lowercased().split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "×" }
      switch sides.count {
      case 1: self = Double(text) == 0 ? .unchanged : .longEdge(try edge(text))
      case 2: self = .within(PixelSize(width: try edge(sides[0]), height: try edge(sides[1])))
      default: throw wrong("it is neither an edge nor a box")
      }
    }

    public var parameterText: String {
      switch self {
      case .unchanged: "0"
      case .longEdge(let edge): "\(edge)"
      case .within(let box): "\(box.width)x\(box.height)"
      case .percent(let percent): PlainNumber.text(percent) + "%"
      }
    }

    /// Returns the size that results from scaling a picture of `size`.
    func applied(to size: PixelSize) -> PixelSize {
      switch self {
      case .unchanged: size
      case .longEdge(let edge): size.fitted(into: PixelSize(width: edge, height: edge))
      case .within(let box): size.fitted(into: box)
      case .percent(let percent):
        PixelSize(
          width: max(1, Int((Double(size.width) * percent / 100).rounded())),
          height: max(1, Int((Double(size.height) * percent / 100).rounded())))
      }
    }
  }

  public var size: Size

  public init() { self.init(.unchanged) }
  public init(_ size: Size) { self.size = size }
  /// - Parameter longEdge: in pixels; 0 keeps the size.
  public init(longEdge: Int) { self.init(longEdge == 0 ? .unchanged : .longEdge(longEdge)) }

  public func lower(into plan: inout PlanBuilder) throws {
    let target = size.applied(to: plan.size)
    guard target != plan.size else { return }
    if !target.fits(into: plan.size) { plan.notes.append("resize enlarges the picture from \(plan.size)") }
    try plan.geometry { Geometry(scaling: $0, to: target) }
  }
}
