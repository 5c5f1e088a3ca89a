/// An error that a user can act on: what went wrong, with the values concerned, and how to remedy it.
///
/// `description` is one sentence or two, ready to be shown after `Error: `.
public struct SafelightError: Error, Hashable, CustomStringConvertible {
  public enum Code: String, Sendable, Hashable, Codable {
    /// A value that the caller gave is outside what is accepted.
    case invalidValue
    /// A file is missing, unreadable or cannot be written.
    case file
    /// A file is there already, and nothing allows to replace it.
    case exists
    /// A file cannot be written because the disk is full, or the user's part of it.
    case noSpace
    /// A file's contents are damaged or not what its name says.
    case corruptData
    /// Something well-formed that this build does not support.
    case unsupported
    /// Too large for the memory or the format.
    case tooLarge
    /// A device is missing, busy or broken, or may not be opened.
    case device
  }

  public let code: Code
  /// What is wrong, with values and bounds.
  public let problem: String
  /// What to do about it; may be empty where the problem says it all.
  public let remedy: String

  public init(_ code: Code, _ problem: String, remedy: String = "") {
    self.code = code
    self.problem = problem
    self.remedy = remedy
  }

  public var description: String { remedy.isEmpty ? problem + "." : "\(problem); \(remedy)." }
}
