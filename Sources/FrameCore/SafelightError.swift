/// An error that a user can act on: what went wrong, with the values concerned, and how to remedy it.
///
/// `description` is one or two sentences, ready to follow `Error: `.
public struct SafelightError: Error, Hashable, CustomStringConvertible {
  /// The kind of problem, for programs that react to it.
  public enum Code: String, Sendable, Hashable, Codable {
    /// A value from the caller is outside the accepted range.
    case invalidValue
    /// A file is missing, unreadable or cannot be written.
    case file
    /// A file already exists, and overwriting was not allowed.
    case exists
    /// The disk or the user's quota is full.
    case noSpace
    /// A file's contents are damaged or do not match its name.
    case corruptData
    /// Well-formed input that this build does not support.
    case unsupported
    /// Larger than a format, a library or this build accepts.
    case tooLarge
    /// The memory of the machine or of its GPU is exhausted.
    case noMemory
    /// The system grants no more threads, pipes or open files.
    case noResources
    /// A device is missing, busy or broken, or may not be opened.
    case device
    /// A library or a program that the work needs is not installed, or was built without what it needs.
    case missingLibrary

    /// Whether the machine lacks something that it may have at another time.
    package var isShortage: Bool { self == .noMemory || self == .noResources }
  }

  public let code: Code
  /// What is wrong, with values and bounds.
  public let problem: String
  /// What to do about it; may be empty if the problem says it all.
  public let remedy: String

  public init(_ code: Code, _ problem: String, remedy: String = "") {
    self.code = code
    self.problem = problem
    self.remedy = remedy
  }

  public var description: String { remedy.isEmpty ? problem + "." : "\(problem); \(remedy)." }
}
