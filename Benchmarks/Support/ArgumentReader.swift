import Safelight

/// Reads the words of a command line one after another.
public struct ArgumentReader {
  private var rest: ArraySlice<String>
  /// The usage line, for errors.
  public let usage: String

  public init(_ arguments: some Collection<String>, usage: String) {
    rest = Array(arguments)[...]
    self.usage = usage
  }

  public mutating func next() -> String? { rest.popFirst() }

  /// Returns the word after the option `name`.
  public mutating func value(of name: String) throws -> String {
    guard let text = rest.popFirst() else {
      throw SafelightError(.invalidValue, "\(name) needs a value", remedy: usage)
    }
    return text
  }

  /// Returns the word after the option `name` as a count of at least `least`.
  public mutating func count(of name: String, least: Int = 1) throws -> Int {
    let text = try value(of: name)
    guard let number = Int(text), number >= least else {
      throw SafelightError(
        .invalidValue, "\(name) is “\(text)”, not a count of at least \(least)", remedy: usage)
    }
    return number
  }

  /// Returns the error for an unknown option.
  public func unknown(_ name: String) -> SafelightError {
    SafelightError(.invalidValue, "There is no option \(name)", remedy: usage)
  }
}
