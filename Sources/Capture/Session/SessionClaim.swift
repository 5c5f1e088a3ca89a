import FrameCore

/// Which session an output belongs to: one at a time. A part of what is behind the output's lock.
package struct SessionClaim {
  private var owner: ObjectIdentifier?

  package init() {}

  /// Lets a session have the output; once more has no effect.
  ///
  /// - Parameters:
  ///   - output: what belongs to a session, in the error's sentence.
  ///   - another: what each session could have instead, in the error's remedy.
  /// - Throws: `SafelightError(.invalidValue)` if the output belongs to another session.
  package mutating func claim(
    by session: ObjectIdentifier, of output: String = "output", another: String = "an output"
  ) throws {
    guard owner == nil || owner == session else {
      throw SafelightError(
        .invalidValue, "The \(output) belongs to another session",
        remedy: "remove it there first, or make \(another) for each session")
    }
    owner = session
  }

  /// Lets go of the output, unless it belongs to another session.
  package mutating func release(by session: ObjectIdentifier) {
    if owner == session { owner = nil }
  }
}
