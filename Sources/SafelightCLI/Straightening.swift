import ArgumentParser
import Safelight

/// `--straighten`: a number of degrees, or `auto`.
enum Straightening: Sendable, Hashable {
  case automatic
  case degrees(Float)

  init(_ text: String) throws {
    if text == "auto" {
      self = .automatic
      return
    }
    var filter = Straighten()
    guard let parameter = Straighten.parameters.first(where: { $0.flag == "straighten" }) else {
      throw ValidationError("There is no straightening; give none.")
    }
    let number = parameter.withoutUnit(text)
    do {
      try parameter.set(.text(number), in: &filter)
    } catch let error as SafelightError where Double(number) == nil {
      throw ValidationError("\(error.problem); write it like 1.5 or -2, or “auto”.")
    }
    self = .degrees(filter.angle)
  }
}
