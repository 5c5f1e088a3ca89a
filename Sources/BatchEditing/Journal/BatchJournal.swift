import Files
import FrameCore
import Synchronization
import Libc

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
    /// The photo at `input` is given the name `output`, relative to the folder, by these rules of naming: it keeps it when
    /// the run is continued.
    case named(output: String, input: String, naming: String)
    /// The photo at `input`, of this size and time, is going to be written to `output`. `edit` identifies everything that
    /// decides the pixels and the format: the engine, the recipe, the options of writing. `command` is what edits it;
    /// earlier versions did not say.
    case planned(
      output: String, input: String, state: FileState, edit: String, original: OriginalIdentity? = nil,
      command: String? = nil)
    /// The result may get its name from now on. Durable before it does: a result without an end in the journal is known
    /// to be the batch's own.
    case started(output: String)
    /// The result is under its name and durable.
    case finished(output: String, FileFingerprint)
    /// What was started ended without a result; what stood under the name before stands there still.
    case failed(output: String, reason: String)
  }

  private let path: String
  private let descriptor: Int32
  private let state: Mutex<State>

  /// By the name of the result.
  public var records: [PathKey: Record] { state.withLock { $0.records } }
  public func record(of output: String) -> Record? { state.withLock { $0.records[PathKey(output)] } }

  /// The names that photos were given, by the photos and the rules that gave them.
  ///
  /// - Parameter isMeant: tells rules of naming whose names are asked for.
  func names(by isMeant: (_ rules: String) -> Bool) -> [NamedPhoto: String] {
    state.withLock { state in
      var newest: [NamedPhoto: (output: String, order: Int)] = [:]
      for (output, record) in state.records where isMeant(record.naming) {
        let photo = NamedPhoto(photo: PathKey(record.input), rules: PathKey(record.naming))
        if let other = newest[photo], other.order > record.order { continue }
        newest[photo] = (output.path, record.order)
      }
      return newest.mapValues(\.output)
    }
  }

  /// Lines that could not be read; a kill leaves one at most.
  public var damagedLines: Int { state.withLock { $0.damagedLines } }
  /// Whether the last run ended without its last line, as after a kill or a power cut.
  public var wasTorn: Bool { state.withLock { $0.wasTorn } }

  /// Opens the journal of `folder`, which must exist, and reads what it says. One that says mostly what later lines have
  /// overtaken is written anew.
  ///
  /// - Parameter forReading: takes no lock and makes no file.
  /// - Throws: `SafelightError(.file)` where another run has it, or it cannot be written.
  public init(in folder: String, forReading: Bool = false) throws {
    let path = FolderListing.path(Self.fileName, in: folder)
    self.path = path
    guard !forReading else {
      descriptor = -1
      var status = stat()
      let isThere = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      state = Mutex(isThere ? try Self.load(path) : State())
      return
    }
    let locked = try JournalFile.open(path, of: folder)
    do {
      let loaded = try Self.load(path)
      descriptor =
        loaded.isMostlyDead ? JournalFile.replace(locked, path, with: loaded.lines) ?? locked : locked
      state = Mutex(loaded)
    } catch {
      close(locked)
      throw error
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func load(_ path: String) throws -> State {
    let bytes = try FileContents.readRegular(path)
    var state = State()
    bytes.withUnsafeBufferPointer { bytes in
      for line in bytes.split(separator: 10) {
        guard let event = JournalLine.decode(UnsafeBufferPointer(rebasing: line)) else {
          state.wasTorn = true
          state.damagedLines += 1
          continue
        }
        state.lineCount += 1
        state.note(event)
      }
    }
    state.endsInLine = bytes.last.map { $0 != 10 } ?? false
    if state.endsInLine { state.wasTorn = true }
    if let laterFormat = state.laterFormat {
      throw SafelightError(
        .unsupported,
        "\(path) was written by a later version of safelight (format \(laterFormat); this one knows "
          + "\(Self.format))", remedy: "use that version, or another output folder")
    }
    return state
  }

  /// Adds a line.
  ///
  /// - Parameter durable: whether to wait until it is on the disk. What a power cut takes away is done again where it is
  ///   an end; a start has to be there before the result has its name, or nobody would know whose that is.
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
    guard let record = record(of: output), PathKey(record.input) == PathKey(input), record.state == state,
      record.edit == edit, let result = record.result
    else { return false }
    return result.isOf(FolderListing.path(output, in: folder))
  }
}

/// write(2); a method of this name hides it above.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
