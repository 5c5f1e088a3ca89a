extension Parameter {
  /// Returns the number in a text such as `5200K` or `30 %`, if its unit is the parameter's own; otherwise the text.
  package func withoutUnit(_ text: String) -> String {
    guard case .number(let kind) = kind, kind.unit != .none,
      text.lowercased().hasSuffix(kind.unit.rawValue.lowercased())
    else { return text }
    let number = text.dropLast(kind.unit.rawValue.count)
    let trimmed = String(number.last == " " ? number.dropLast() : number)
    return Double(trimmed) == nil ? text : trimmed
  }
}
