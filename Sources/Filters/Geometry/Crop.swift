import FilterGraph
import FrameCore

/// Keeps a part of the picture.
public struct Crop: Filter {
  public static let id: FilterID = "crop"
  public static let phase = FilterPhase.crop
  public static let summary = "Keeps a rectangle, or the largest part with the given proportions"
  /// The largest range possible; the picture's own edges are known only at planning.
  private static let edge = Parameter.Axis(in: 0...65_535, step: 1, unit: .pixels)
  /// The usual proportions, landscape and portrait.
  private static let aspectRatios =
    [Parameter.Option("whole", title: "Original"), Parameter.Option("1:1", title: "Square")]
    + ["5:4", "4:3", "3:2", "16:10", "16:9", "4:5", "3:4", "2:3", "9:16"].map {
      Parameter.Option($0, title: $0.replacing(":", with: " : "))
    }
  public static let parameters = [
    Parameter(
      rectangle: \Crop.region, "region", title: "Crop", x: edge, y: edge, aspectRatios: aspectRatios,
      neutral: Region.whole, flag: "crop",
      "Proportions, centred or placed (0,0 top left … 1,1 bottom right), or a rectangle in pixels")
  ]

  /// The part of the picture to keep.
  public enum Region: ParameterText {
    case whole
    /// The largest part with these proportions; x and y place it, 0 at the left or top edge, 0.5 centred,
    /// 1 at the right or bottom edge.
    case proportions(width: Double, height: Double, x: Double = 0.5, y: Double = 0.5)
    /// A rectangle in pixels of the picture as it reaches this filter.
    case rectangle(x: Int, y: Int, width: Int, height: Int)

    public static let square = Region.proportions(width: 1, height: 1)
    public static let syntax = "W:H|W:H@x,y|square|X,Y,W,H"

    public init(parameterText text: String) throws {
      func wrong(_ why: String) -> SafelightError {
        SafelightError(
          .invalidValue, "Cannot crop to “\(text)”: \(why)",
          remedy: "write 4:5, 16:9@0.5,0.2, square, or X,Y,WIDTH,HEIGHT in pixels")
      }
      if text == "whole" {
        self = .whole
        return
      }
      let placed = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      let shape = placed.first.map(String.init) ?? ""
      let sides =
        shape == "square"
        ? ["1", "1"] : shape.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      if sides.count == 2 {
        guard let width = Double(sides[0]), let height = Double(sides[1]), width.isFinite, height.isFinite,
          width > 0, height > 0
        else { throw wrong("the proportions are not two positive numbers") }
        guard width / height < 1000, height / width < 1000 else {
          throw wrong("the proportions are beyond 1000:1")
        }
        guard placed.count == 2 else {
          self = .proportions(width: width, height: height)
          return
        }
        let place = placed[1].split(separator: ",", omittingEmptySubsequences: false).map {
          Double($0) ?? .nan
        }
        guard place.count == 2, place.allSatisfy({ (0...1).contains($0) }) else {
          throw wrong("the place after @ is not two numbers in 0…1")
        }
        self = .proportions(width: width, height: height, x: place[0], y: place[1])
        return
      }
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
        Int(String($0).filter { $0 != " " })
      }
      guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
        let height = numbers[3]
      else { throw wrong("it is neither proportions nor four whole numbers") }
      guard width > 0, height > 0 else { throw wrong("width and height must be positive") }
      self = .rectangle(x: x, y: y, width: width, height: height)
    }

    public var parameterText: String {
      switch self {
      case .whole: return "whole"
      case .proportions(let width, let height, let x, let y):
        let shape = "\(PlainNumber.text(width)):\(PlainNumber.text(height))"
        return x == 0.5 && y == 0.5 ? shape : shape + "@\(PlainNumber.text(x)),\(PlainNumber.text(y))"
      case .rectangle(let x, let y, let width, let height): return "\(x),\(y),\(width),\(height)"
      }
    }
  }

  public var region: Region

  public init() { self.init(.whole) }
  public init(_ region: Region) { self.region = region }

  public func lower(into plan: inout PlanBuilder) throws {
    guard region != .whole else { return }
    try plan.geometry { size in
      let window = try Self.window(of: region, in: size)
      return Geometry(
        inputSize: size, outputSize: PixelSize(width: window.width, height: window.height),
        map: .translation(Double(window.x), Double(window.y)))
    }
  }

  /// Returns the pixels kept of a picture of `size`.
  ///
  /// - Throws: `SafelightError` if the region reaches outside.
  package static func window(of region: Region, in size: PixelSize) throws -> (
    x: Int, y: Int, width: Int, height: Int
  ) {
    switch region {
    case .whole: return (0, 0, size.width, size.height)
    case .proportions(let width, let height, let x, let y):
      let ratio = width / height
      var kept = (width: size.width, height: size.height)
      if ratio < Double(size.width) / Double(size.height) {
        kept.width = max(1, Int((Double(size.height) * ratio).rounded()))
      } else {
        kept.height = max(1, Int((Double(size.width) / ratio).rounded()))
      }
      return (
        Int((x * Double(size.width - kept.width)).rounded()),
        Int((y * Double(size.height - kept.height)).rounded()),
        kept.width, kept.height
      )
    case .rectangle(let x, let y, let width, let height):
      guard x >= 0, y >= 0, width <= size.width - x, height <= size.height - y else {
        throw SafelightError(
          .invalidValue,
          "The crop \(region.parameterText) reaches outside the picture, which is \(size) at this point",
          remedy: "keep X + WIDTH within \(size.width) and Y + HEIGHT within \(size.height)")
      }
      return (x, y, width, height)
    }
  }
}
