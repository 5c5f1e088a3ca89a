import CSafelight
import Safelight

/// Options that C gave, each of which is taken once.
struct Options {
  private var values: [(name: String, value: String)] = []

  /// - Throws: `SafelightError` if a pointer is NULL.
  init(_ options: UnsafePointer<safelight_option>?, _ count: Int) throws {
    guard count >= 0 else {
      throw SafelightError(.invalidValue, "The number of options is too large", remedy: "give their number")
    }
    guard count > 0 else { return }
    guard let options else {
      throw SafelightError(
        .invalidValue, "There are \(count) options, but their list is NULL", remedy: "give the list, or 0")
    }
    values = try UnsafeBufferPointer(start: options, count: count).map { option in
      let name = try Pointers.string(option.name, "name of an option")
      return (name, try Pointers.string(option.value, "value of \(name)"))
    }
  }

  /// Removes and returns the value of an option; nil if it was not given.
  ///
  /// - Throws: `SafelightError` if it was given more than once.
  mutating func take(_ name: String) throws -> String? {
    let found = takeAll(name)
    guard found.count < 2 else {
      throw SafelightError(
        .invalidValue, "\(name) is given \(found.count) times", remedy: "give it once")
    }
    return found.first
  }

  /// Removes and returns all values of an option that may be repeated.
  mutating func takeAll(_ name: String) -> [String] {
    defer { values.removeAll { $0.name == name } }
    return values.filter { $0.name == name }.map(\.value)
  }

  /// As `take`, for a number.
  mutating func takeNumber(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
    guard let text = try take(name) else { return nil }
    guard let number = Double(text), range.contains(number) else {
      throw SafelightError(
        .invalidValue, "\(name) is “\(text)”",
        remedy:
          "give a number in \(PlainNumber.text(range.lowerBound))…\(PlainNumber.text(range.upperBound))")
    }
    return number
  }

  /// As `take`, for a value with names.
  mutating func take<Choice>(_ name: String, as kind: String, among choices: [String: Choice]) throws
    -> Choice?
  {
    guard let text = try take(name) else { return nil }
    guard let choice = choices[text] else {
      throw NearestName.error(unknown: kind, text, among: choices.keys.sorted())
    }
    return choice
  }

  /// As `take`, for `yes` or `no`.
  mutating func takeFlag(_ name: String) throws -> Bool {
    try take(name, as: name, among: ["yes": true, "no": false]) ?? false
  }

  /// The names that were not taken, each with its value.
  ///
  /// - Throws: `SafelightError` if one was given more than once.
  func rest() throws -> [String: String] {
    try Dictionary(values) { _, _ in
      let names = values.map(\.name)
      let name = names.first { name in names.filter { $0 == name }.count > 1 } ?? ""
      throw SafelightError(.invalidValue, "\(name) is given more than once", remedy: "give it once")
    }
  }

  /// - Throws: `SafelightError` if there are options that nobody took.
  func refuseRest(known: [String]) throws {
    guard let name = values.first?.name else { return }
    throw NearestName.error(unknown: "option", name, among: known)
  }
}

extension PixelSize {
  /// Reads `WxH`, or `N` for a square of that edge.
  ///
  /// - Throws: `SafelightError` that shows how to write it.
  init(option text: String, _ name: String) throws {
    let edges = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard (1...2).contains(edges.count), edges.allSatisfy({ (1...PixelBuffer.maximumEdge).contains($0) })
    else {
      throw SafelightError(
        .invalidValue, "\(name) is “\(text)”", remedy: "write it like 2048 or 1920x1080")
    }
    self.init(width: edges[0], height: edges[edges.count - 1])
  }
}
