import FoundationEssentials
import FrameCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What became of each photo of a batch, kept in its output folder while it runs, so that a run which was killed can be
/// continued where it ended.
///
/// One JSON object a line, appended as things happen. A line that was not written to its end is no line: what it said is
/// done again. While a journal is open no other can be opened in the same folder.
public final class BatchJournal: Sendable {
  public static let fileName = ".safelight-batch.jsonl"

  /// One line.
  public enum Event: Sendable, Hashable {
    /// A run begins.
    case run(engine: String)
    /// The photo at `input`, of this size and time, is going to be written to `output`, a name relative to the folder.
    /// `edit` identifies everything that decides the pixels and the format: the engine, the recipe, the options of
    /// writing.
    case planned(output: String, input: String, state: FileState, edit: String)
    case started(output: String)
    /// The result is under its name and durable.
    case finished(output: String, FileFingerprint)
    case failed(output: String, reason: String)
  }

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
    public var state: FileState
    /// What identifies the edit that it was planned under.
    public var edit: String
    public var isStarted = false
    public var result: FileFingerprint?
    public var failure: String?
  }

  fileprivate struct State {
    var records: [String: Record] = [:]
    var wasTorn = false
    /// Whether the file ends within a line.
    var endsInLine = false
  }

  private let path: String
  private let descriptor: Int32
  private let state = Mutex(State())

  /// By the name of the result.
  public var records: [String: Record] { state.withLock { $0.records } }
  /// Whether the last run ended without its last line, as after a kill or a power cut.
  public var wasTorn: Bool { state.withLock { $0.wasTorn } }

  /// Opens the journal of `folder`, which must exist, and reads what it says.
  ///
  /// - Parameter forReading: takes no lock and makes no file.
  /// - Throws: `SafelightError(.file)` where another run has it, or it cannot be written.
  public init(in folder: String, forReading: Bool = false) throws {
    let path = FolderListing.path(Self.fileName, in: folder)
    self.path = path
    func failure(_ verb: String) -> SafelightError {
      SafelightError(
        .file, "Cannot \(verb) \(path): \(String(cString: strerror(errno)))",
        remedy: "choose another output folder or check its permissions")
    }
    guard !forReading else {
      descriptor = -1
      if FileContents.kind(of: path) == .file { try load() }
      return
    }
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw failure("open") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      let error = failure("lock")
      close(descriptor)
      guard isTaken else { throw error }
      throw SafelightError(
        .file, "Another batch is writing to \(folder.isEmpty ? "." : folder)",
        remedy: "wait until it has ended, or choose another output folder")
    }
    do {
      try load()
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private func load() throws {
    let bytes = try FileContents.read(path)
    let decoder = JSONDecoder()
    state.withLock { state in
      for line in bytes.split(separator: 10) {
        guard let parsed = try? decoder.decode(Line.self, from: Data(line)), let event = parsed.event else {
          state.wasTorn = true
          continue
        }
        state.note(event)
      }
      state.endsInLine = bytes.last.map { $0 != 10 } ?? false
      if state.endsInLine { state.wasTorn = true }
    }
  }

  /// Adds a line.
  ///
  /// - Parameter durable: whether to wait until it is on the disk. A line that a power cut takes away costs only that
  ///   its photo is edited again.
  /// - Throws: `SafelightError(.file)` where the disk is full.
  public func write(_ event: Event, durable: Bool = false) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var line = [UInt8](try encoder.encode(Line(event)))
    line.append(10)
    try state.withLock { state in
      // What follows half a line must not be taken for the rest of it.
      try append(state.endsInLine ? [10] + line : line, &state)
      state.note(event)
    }
    if durable { _ = fsync(descriptor) }
  }

  private func append(_ bytes: [UInt8], _ state: inout State) throws {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        systemWrite(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let reason = String(cString: strerror(count < 0 ? errno : ENOSPC))
        if done > 0 { state.endsInLine = true }
        throw SafelightError(
          .file, "Cannot write \(path): \(reason)", remedy: "free some space and go on with --resume")
      }
      done += count
    }
    state.endsInLine = false
  }

  /// Whether `output` holds the whole result of this edit of this input: as the journal says, and as the file proves.
  public func isDone(_ output: String, input: String, state: FileState, edit: String, in folder: String)
    -> Bool
  {
    guard let record = records[output], record.input == input, record.state == state, record.edit == edit,
      let result = record.result
    else { return false }
    let path = FolderListing.path(output, in: folder)
    guard FileState(path)?.bytes == result.bytes else { return false }
    return (try? FileFingerprint(contentsOf: path)) == result
  }
}

extension BatchJournal.State {
  fileprivate mutating func note(_ event: BatchJournal.Event) {
    switch event {
    case .run: break
    case .planned(let output, let input, let state, let edit):
      // A run that continues plans again what is done: that alone does not undo it.
      if let old = records[output], old.input == input, old.state == state, old.edit == edit { return }
      records[output] = BatchJournal.Record(input: input, state: state, edit: edit)
    case .started(let output):
      records[output]?.isStarted = true
      records[output]?.result = nil
      records[output]?.failure = nil
    case .finished(let output, let result):
      records[output]?.result = result
      records[output]?.failure = nil
    case .failed(let output, let reason):
      records[output]?.failure = reason
      records[output]?.result = nil
    }
  }
}

/// A line as it is stored. Unknown events are left out on reading: a later version may know more.
private struct Line: Codable {
  var event: BatchJournal.Event? {
    switch name {
    case "run": return engine.map { .run(engine: $0) }
    case "planned":
      guard let output, let input, let state, let edit else { return nil }
      return .planned(output: output, input: input, state: state, edit: edit)
    case "started": return output.map { .started(output: $0) }
    case "finished":
      guard let output, let result else { return nil }
      return .finished(output: output, result)
    case "failed":
      guard let output, let reason else { return nil }
      return .failed(output: output, reason: reason)
    default: return nil
    }
  }

  private var name: String
  private var engine: String?
  private var edit: String?
  private var output: String?
  private var input: String?
  private var state: BatchJournal.FileState?
  private var result: FileFingerprint?
  private var reason: String?

  private enum CodingKeys: String, CodingKey {
    case name = "event"
    case engine, edit, output, input, state, result, reason
  }

  init(_ event: BatchJournal.Event) {
    switch event {
    case .run(let engine): (name, self.engine) = ("run", engine)
    case .planned(let output, let input, let state, let edit):
      (name, self.output, self.input, self.state, self.edit) = ("planned", output, input, state, edit)
    case .started(let output): (name, self.output) = ("started", output)
    case .finished(let output, let result): (name, self.output, self.result) = ("finished", output, result)
    case .failed(let output, let reason): (name, self.output, self.reason) = ("failed", output, reason)
    }
  }
}

/// write(2); a method of this name hides it above.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
