import FilterGraph
import Filters
import FrameCore

/// How an edit levels a photo.
public enum Straightening: Sendable, Hashable {
  /// By its horizon, if that is found with confidence.
  case automatic
  /// A clockwise turn in degrees, -45…45.
  case degrees(Float)

  /// - Parameter text: a number of degrees, such as `1.5` or `-2°`, or `auto`.
  /// - Throws: `SafelightError` that shows how to write it.
  public init(_ text: String) throws {
    guard text != "auto" else {
      self = .automatic
      return
    }
    let parameter = Straighten.parameters[0]
    let number = parameter.withoutUnit(text)
    var filter = Straighten()
    do {
      try parameter.set(.text(number), in: &filter)
    } catch let error as SafelightError where Double(number) == nil {
      throw SafelightError(error.code, error.problem, remedy: "write it like 1.5 or -2, or “auto”")
    }
    self = .degrees(filter.angle)
  }
}
