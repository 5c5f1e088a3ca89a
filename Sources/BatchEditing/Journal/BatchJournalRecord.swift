import Files
import Libc

extension BatchJournal {
  /// The size and time of an input, which show that it is unchanged without reading it.
  public struct FileState: Sendable, Hashable, Codable {
    public var bytes: Int
    /// Seconds since 1970 and nanoseconds.
    public var modified: [Int]

    public init(bytes: Int, modified: [Int]) {
      self.bytes = bytes
      self.modified = modified
    }

    /// Returns nil if there is no file.
    public init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      bytes = Int(status.st_size)
      modified = [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
    }
  }

  /// The record of one result.
  public struct Record: Sendable, Hashable {
    public var input: String
    /// Nil until it is planned.
    public var state: FileState?
    /// The identifier of the edit it was planned with; empty until it is planned.
    public var edit = ""
    /// The rules that gave it its name.
    public var naming = ""
    /// The identity of the original file.
    public var original: OriginalIdentity?
    /// The command that planned it; nil if an earlier version did.
    public var command: String?
    /// Increases with each naming.
    public var order = 0
    /// Whether it was started but not ended: the file there is then the batch's own, complete or not.
    public var isUnderWay = false
    /// The finished result; nil if a start or a different plan followed.
    public var result: FileFingerprint?
    /// The last finished result of this photo, whatever was tried since: a file that still has this content is the
    /// batch's own.
    public var lastResult: FileFingerprint?
    public var failure: String?

    public init(input: String) { self.input = input }

    /// Returns the events that recreate this record.
    func events(output: String) -> [Event] {
      var events: [Event] = order > 0 ? [.named(output: output, input: input, naming: naming)] : []
      guard let state else { return events }
      events.append(
        .planned(
          output: output, input: input, state: state, edit: edit, original: original, command: command))
      if let lastResult { events.append(.finished(output: output, lastResult)) }
      if isUnderWay {
        events.append(.started(output: output))
      } else if result == nil, lastResult != nil || failure != nil {
        events.append(.failed(output: output, reason: failure ?? ""))
      }
      return events
    }

    /// Whether it records the result of a command for the photo that is now at `input`: the same file, or one that
    /// was not changed.
    func isOf(_ input: String, _ state: FileState, _ original: OriginalIdentity?, by command: String?) -> Bool
    {
      guard PathKey(input) == PathKey(self.input) else { return false }
      if let own = self.command, let command, own != command { return false }
      guard let planned = self.state else { return true }
      return planned == state || original != nil && original == self.original
    }
  }
}
