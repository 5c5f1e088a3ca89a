import Safelight

/// The edit of a photo as the page sees it.
typealias StudioEdit = PartedEdit

extension EditPart {
  /// - Throws: `SafelightError` if a name is unknown, or if there is none.
  static func parts(_ names: [JSONValue]) throws -> Set<EditPart> {
    let parts = try names.map { name in
      guard case .string(let text) = name else {
        throw SafelightError(.corruptData, "message: “parts” must be a list of names")
      }
      return try EditPart(named: text)
    }
    guard !parts.isEmpty else {
      throw SafelightError(.invalidValue, "message: “parts” is empty", remedy: "name what is to be pasted")
    }
    return Set(parts)
  }
}
