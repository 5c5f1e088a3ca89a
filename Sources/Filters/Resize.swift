import FilterGraph
import FrameCore

/// Scales the picture so that its long edge gets the given length.
public struct Resize: Filter {
  public static let id: FilterID = "resize"
  public static let phase = FilterPhase.resize
  public static let summary = "Scales to a given long edge, keeping the proportions"
  public static let parameters = [
    Parameter(
      \Resize.longEdge, "long-edge", in: 0...65_535, neutral: 0, unit: .pixels, flag: "resize",
      "Length of the longer edge in pixels; 0 keeps the size")
  ]

  /// Pixels; 0 keeps the size.
  public var longEdge: Float

  public init() { self.init(longEdge: 0) }
  public init(longEdge: Int) { self.longEdge = Float(longEdge) }

  public func lower(into plan: inout PlanBuilder) throws {
    guard longEdge == longEdge.rounded() else {
      throw SafelightError(
        .invalidValue, "resize is \(longEdge), which is not a whole number of pixels",
        remedy: "give one such as \(Int(longEdge.rounded()))")
    }
    let edge = Int(longEdge)
    guard edge > 0, edge != plan.size.longEdge else { return }
    if edge > plan.size.longEdge { plan.notes.append("resize enlarges the picture from \(plan.size)") }
    try plan.geometry { size in
      let scale = Double(edge) / Double(size.longEdge)
      let output =
        size.width >= size.height
        ? PixelSize(width: edge, height: max(1, Int((Double(size.height) * scale).rounded())))
        : PixelSize(width: max(1, Int((Double(size.width) * scale).rounded())), height: edge)
      return Geometry(scaling: size, to: output)
    }
  }
}
