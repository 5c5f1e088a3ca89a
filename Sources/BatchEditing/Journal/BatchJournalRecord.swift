import Files
import Libc

extension BatchJournal {
  /// What tells that an input is still the same without reading it.
  public struct FileState: Sendable, Hashable, Codable {
    public var bytes: Int
    /// Seconds since 1970 and nanoseconds.
    public var modified: [Int]

    public init(bytes: Int, modified: [Int]) {
      self.bytes = bytes
      self.modified = modified
    }

    /// Nil where there is no file.
    public init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      bytes = Int(status.st_size)
      modified = [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
    }
  }

  /// What is known of one result.
  public struct Record: Sendable, Hashable {
    public var input: String
    /// Nil until it is planned.
    public var state: FileState?
    /// What identifies the edit that it was planned under; empty until it is planned.
    public var edit = ""
    /// The rules that gave it its name.
    public var naming = ""
    /// Which file the original was.
    public var original: OriginalIdentity?
    /// The command that planned it; nil where an earlier version did.
    public var command: String?
    /// Rises from record to record.
    public var order = 0
    /// Whether a start without an end lies behind it: what is there then is the batch's own, whole or not.
    public var isUnderWay = false
    /// What was finished, unless something was started or planned otherwise since.
    public var result: FileFingerprint?
    /// What was finished last of this photo, whatever was tried since: a file that is still this is the batch's own.
    public var lastResult: FileFingerprint?
    public var failure: String?

    public init(input: String) { self.input = input }

    /// What leads to this record.
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

    /// Whether it tells of what a command made of the photo that is at `input` now: the same file, or one that was not
    /// changed.
    func isOf(_ input: String, _ state: FileState, _ original: OriginalIdentity?, by command: String?) -> Bool
    {
      guard PathKey(input) == PathKey(self.input) else { return false }
      if let own = self.command, let command, own != command { return false }
      guard let planned = self.state else { return true }
      return planned == state || original != nil && original == self.original
    }
  }
}
