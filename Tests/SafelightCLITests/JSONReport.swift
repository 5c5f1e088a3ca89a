import Foundation

/// A JSON object that the program printed, read by Foundation.
struct JSONReport {
  struct NotAnObject: Error {}
  private let fields: [String: Any]

  init(_ text: String) throws {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    guard let fields = value as? [String: Any] else { throw NotAnObject() }
    self.fields = fields
  }

  subscript(key: String) -> Any? { fields[key] }

  /// A JSON list of objects.
  static func list(_ text: String) throws -> [[String: Any]] {
    guard let list = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]] else {
      throw NotAnObject()
    }
    return list
  }
}
