import Safelight
import WebServer

/// What stands behind the question mark of an address: each value once, under a name that is known.
struct QueryValues {
  private var values: [String: String] = [:]

  /// - Throws: `SafelightError` if a name is unknown or given twice.
  init(_ query: [WebRequest.QueryItem], _ names: [String]) throws {
    for item in query {
      guard names.contains(item.name) else {
        throw NearestName.error(unknown: "value", item.name, among: names)
      }
      guard values.updateValue(item.value, forKey: item.name) == nil else {
        throw SafelightError(.invalidValue, "“\(item.name)” is given twice", remedy: "give it once")
      }
    }
  }

  subscript(name: String) -> String? { values[name] }

  /// Returns a whole number; nil if there is none of this name.
  ///
  /// - Throws: `SafelightError` if it is no number of the range.
  func whole(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw SafelightError(
        .invalidValue, "The \(name) is “\(NearestName.shortened(text))”",
        remedy: "give \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
