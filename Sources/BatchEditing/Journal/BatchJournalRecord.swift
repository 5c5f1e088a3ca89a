import Files
import Libc

extension BatchJournal {
  /// The size and time of an input, which show that it is unchanged without reading it.
  package struct FileState: Sendable, Hashable, Codable {
    package var bytes: Int
    /// Seconds since 1970 and nanoseconds.
    package var modified: [Int]

    package init(bytes: Int, modified: [Int]) {
      self.bytes = bytes
      self.modified = modified
    }

    /// Returns nil if there is no file.
    package init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      bytes = Int(status.st_size)
      modified = [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
    }
  }

  /// The record of one result.
  package struct Record: Sendable, Hashable {
    package var input: String
    /// Nil until it is planned.
    package var state: FileState?
    /// The identifier of the edit it was planned with; empty until it is planned.
    package var edit = ""
    /// The rules that gave it its name.
    package var naming = ""
    /// The identity of the original file.
    package var original: OriginalIdentity?
    /// The command that planned it; nil if an earlier version did.
    package var command: String?
    /// Increases with each naming.
    package var order = 0
    /// Whether it was started but not ended: the file there is then the batch's own, complete or not.
    package var isUnderWay = false
    /// The finished result; nil if a start or a different plan followed.
    package var result: FileFingerprint?
    /// The last finished result of this photo, whatever was tried since: a file that still has this content is the
    /// batch's own.
    package var lastResult: FileFingerprint?
    package var failure: String?

    package init(input: String) { self.input = input }

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
