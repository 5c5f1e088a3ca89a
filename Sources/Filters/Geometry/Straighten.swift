import FilterGraph
import FrameCore
import Libc

/// Rotates the picture by a small angle to level its horizon.
///
/// By default the result is the largest centred window with the picture's proportions that has no empty corners:
///
///     scale = min(w / (w·cos + h·sin), h / (w·sin + h·cos))
public struct Straighten: Filter {
  public static let id: FilterID = "straighten"
  public static let phase = FilterPhase.straighten
  public static let summary = "Turns by a small angle, cropping inside so that no corner is empty"
  /// The angles allowed, in degrees.
  public static let range = -45.0...45.0
  public static let parameters = [
    Parameter(
      \Straighten.angle, "angle", in: range, step: 0.05, neutral: 0, unit: .degrees, flag: "straighten",
      "Clockwise turn that levels the picture"),
    Parameter(
      choice: \Straighten.corners, "corners", neutral: Corners.crop, flag: "straighten-corners",
      "Crop inside, or keep the whole picture with empty corners"),
  ]

  /// How to treat the corners that a rotation leaves empty.
  public enum Corners: String, ParameterChoice {
    /// Crops the picture so that there are none.
    case crop
    /// Grows the canvas to hold the whole picture; corners are transparent, or white if the file has no alpha.
    case keep

    public var title: String {
      switch self {
      case .crop: "Crop"
      case .keep: "Keep"
      }
    }
  }

  /// The clockwise angle in degrees, -45…45.
  public var angle: Float
  public var corners: Corners

  public init() { self.init(0) }
  public init(_ angle: Float, corners: Corners = .crop) {
    self.angle = angle
    self.corners = corners
  }

  public func lower(into plan: inout PlanBuilder) throws {
    guard angle != 0 else { return }
    try plan.geometry { size in
      let radians = Double(angle) * .pi / 180
      let (cosine, sine) = (cos(radians), sin(radians))
      let (w, h) = (Double(size.width), Double(size.height))
      let spanX = w * cosine + h * abs(sine)
      let spanY = w * abs(sine) + h * cosine
      let output: PixelSize
      switch corners {
      case .crop:
        let scale = min(w / spanX, h / spanY)
        output = PixelSize(width: max(1, Int(w * scale)), height: max(1, Int(h * scale)))
      case .keep:
        // Rounding errors just above a whole pixel must not add an empty row.
        output = PixelSize(
          width: Int((spanX - 1e-6).rounded(.up)), height: Int((spanY - 1e-6).rounded(.up)))
      }
      // From output to input: rotate back about the centres.
      let map = AffineMap.translation(-Double(output.width) / 2, -Double(output.height) / 2)
        .then(AffineMap(a: cosine, b: sine, c: w / 2, d: -sine, e: cosine, f: h / 2))
      return Geometry(
        inputSize: size, outputSize: output, map: map, outside: corners == .keep ? .transparent : .clamp)
    }
  }
}
