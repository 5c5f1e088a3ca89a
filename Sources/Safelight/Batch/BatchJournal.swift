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
  /// Raised when lines change their meaning; lines of a later format are not read.
  public static let format = 1

  /// One line.
  public enum Event: Sendable, Hashable {
    /// A run begins; `format` is that of the lines that follow.
    case run(engine: String, format: Int = BatchJournal.format)
    /// The photo at `input` is given the name `output`, relative to the folder, by these rules of naming. Durable before
    /// anything of this name is made: what lies there later is known to be the batch's own.
    case named(output: String, input: String, naming: String)
    /// The photo at `input`, of this size and time, is going to be written to `output`. `edit` identifies everything that decides the pixels and the format: the engine, the recipe, the options of
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
    /// Nil until it is planned.
    public var state: FileState?
    /// What identifies the edit that it was planned under; empty until it is planned.
    public var edit = ""
    /// The rules that gave it its name.
    public var naming = ""
    /// Rises from record to record.
    public var order = 0
    public var isStarted = false
    public var result: FileFingerprint?
    public var failure: String?
  }

  fileprivate struct State {
    var records: [String: Record] = [:]
    var laterFormat: Int?
    /// Of the newest name.
    var order = 0
    var wasTorn = false
    /// Whether the file ends within a line.
    var endsInLine = false
  }

  private let path: String
  private let descriptor: Int32
  private let state = Mutex(State())

  /// By the name of the result.
  public var records: [String: Record] { state.withLock { $0.records } }
  public func record(of output: String) -> Record? { state.withLock { $0.records[output] } }

  /// The names that these rules gave, by the photos that have them.
  public func names(by naming: String) -> [String: String] {
    state.withLock { state in
      var newest: [String: (output: String, order: Int)] = [:]
      for (output, record) in state.records where record.naming == naming {
        if let other = newest[record.input], other.order > record.order { continue }
        newest[record.input] = (output, record.order)
      }
      return newest.mapValues(\.output)
    }
  }

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
      var status = stat()
      if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { try load() }
      return
    }
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw failure("open") }
    // A pipe of this name would be waited at for ever.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw SafelightError(
        .file, "\(path) is not a regular file, so no journal can be kept there",
        remedy: "remove it or choose another output folder")
    }
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
    let laterFormat = state.withLock { state in
      bytes.withUnsafeBufferPointer { bytes in
        for line in bytes.split(separator: 10) {
          guard let event = JournalLine.decode(UnsafeBufferPointer(rebasing: line)) else {
            state.wasTorn = true
            continue
          }
          state.note(event)
        }
      }
      state.endsInLine = bytes.last.map { $0 != 10 } ?? false
      if state.endsInLine { state.wasTorn = true }
      return state.laterFormat
    }
    if let laterFormat {
      throw SafelightError(
        .unsupported,
        "\(path) was written by a later version of safelight (format \(laterFormat); this one knows "
          + "\(Self.format))", remedy: "use that version, or another output folder")
    }
  }

  /// Adds a line.
  ///
  /// - Parameter durable: whether to wait until it is on the disk. A line that a power cut takes away costs only that
  ///   its photo is edited again.
  /// - Throws: `SafelightError(.noSpace)` where the disk is full, `.file` where it cannot be written for another reason.
  public func write(_ event: Event, durable: Bool = false) throws { try write([event], durable: durable) }

  /// Adds lines, all at once.
  public func write(_ events: [Event], durable: Bool = false) throws {
    guard !events.isEmpty else { return }
    let lines = events.flatMap(JournalLine.encode)
    try state.withLock { state in
      // What follows half a line must not be taken for the rest of it.
      try append(state.endsInLine ? [10] + lines : lines, &state)
      for event in events { state.note(event) }
    }
    if durable { try sync() }
  }

  /// Waits until all lines are on the disk.
  public func sync() throws {
    while fdatasync(descriptor) != 0 {
      guard errno == EINTR else { throw writeError(errno) }
    }
  }

  private func writeError(_ code: Int32) -> SafelightError {
    let isFull = code == ENOSPC || code == EDQUOT
    return SafelightError(
      isFull ? .noSpace : .file,
      "Cannot write \(path): \(isFull ? "the disk is full" : String(cString: strerror(code)))",
      remedy: isFull
        ? "free some space and go on with --resume" : "mend that and go on with --resume")
  }

  private func append(_ bytes: [UInt8], _ state: inout State) throws {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        systemWrite(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let code = count < 0 ? errno : ENOSPC
        if done > 0 { state.endsInLine = true }
        throw writeError(code)
      }
      done += count
    }
    state.endsInLine = false
  }

  /// Whether `output` holds the whole result of this edit of this input: as the journal says, and as the file proves.
  public func isDone(_ output: String, input: String, state: FileState, edit: String, in folder: String)
    -> Bool
  {
    guard let record = record(of: output), record.input == input, record.state == state,
      record.edit == edit, let result = record.result
    else { return false }
    let path = FolderListing.path(output, in: folder)
    guard FileState(path)?.bytes == result.bytes else { return false }
    return (try? FileFingerprint(contentsOf: path)) == result
  }
}

extension BatchJournal.State {
  fileprivate mutating func note(_ event: BatchJournal.Event) {
    switch event {
    case .run(_, let format): if format > BatchJournal.format { laterFormat = format }
    case .named(let output, let input, let naming):
      if records[output]?.input != input { records[output] = BatchJournal.Record(input: input) }
      records[output]?.naming = naming
      order += 1
      records[output]?.order = order
    case .planned(let output, let input, let state, let edit):
      let old = records[output]
      // A run that continues plans again what is done: that alone does not undo it.
      if let old, old.input == input, old.state == state, old.edit == edit { return }
      records[output] = BatchJournal.Record(
        input: input, state: state, edit: edit, naming: old?.naming ?? "",
        order: old?.order ?? 0)
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

/// write(2); a method of this name hides it above.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
