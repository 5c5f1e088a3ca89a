import Files
import FoundationEssentials
import FrameCore
import Synchronization
import Libc

/// The outcome of each photo of a batch, recorded in its output folder during the run, so that a run that was
/// killed can be continued where it ended.
///
/// One JSON object per line, appended as events happen. An incomplete line is ignored, and what it recorded is
/// done again. While a journal is open, no other can be opened in the same folder, but for those of other parts of the same
/// batch (`BatchShard`).
package final class BatchJournal: Sendable {
  package static let fileName = ".safelight-batch.jsonl"

  /// The name of a part's own journal: several machines write into one folder.
  package static func fileName(of shard: BatchShard?) -> String {
    shard.map { ".safelight-batch-\($0.number)-of-\($0.count).jsonl" } ?? fileName
  }

  /// The format version, raised when lines change their meaning; a journal of a later format is rejected.
  package static let format = 1

  /// One line of the journal.
  package enum Event: Sendable, Hashable {
    /// A run begins; `format` applies to the lines that follow.
    case run(engine: String, format: Int = BatchJournal.format)
    /// The photo at `input` is given the name `output`, relative to the folder, by these naming rules: it keeps it
    /// when the run is continued.
    case named(output: String, input: String, naming: String)
    /// The photo at `input`, of this size and time, will be written to `output`. `edit` identifies everything that
    /// determines the pixels and the format: the engine, the recipe, the writing options. `command` is the command
    /// that edits it; earlier versions did not record it.
    case planned(
      output: String, input: String, state: FileState, edit: String, original: OriginalIdentity? = nil,
      command: String? = nil)
    /// The result may get its name from now on. This event is durable before the result gets its name: a result
    /// without an end in the journal is then known to be the batch's own.
    case started(output: String)
    /// The result is under its name and durable.
    case finished(output: String, FileFingerprint)
    /// A started photo ended without a result; a file that had the name before is still there.
    case failed(output: String, reason: String)
  }

  private let path: String
  private let descriptor: Int32
  /// The folder's plain journal, which every part holds open, so that no run without parts can begin; -1 if there are no
  /// parts.
  private let whole: Int32
  private let state: Mutex<State>

  /// The records, by the name of the result.
  package var records: [PathKey: Record] { state.withLock { $0.records } }
  package func record(of output: String) -> Record? { state.withLock { $0.records[PathKey(output)] } }

  /// Returns the names given to photos, by photo and naming rules.
  ///
  /// - Parameter isMeant: selects the naming rules whose names are requested.
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

  /// The number of unreadable lines; a kill leaves one at most.
  package var damagedLines: Int { state.withLock { $0.damagedLines } }
  /// Whether the last run ended before its last line was complete, as after a kill or a power cut.
  package var wasTorn: Bool { state.withLock { $0.wasTorn } }

  /// Opens the journal of `folder`, which must exist, and reads it. If there is none, one is made; one that consists
  /// mostly of superseded lines is rewritten.
  ///
  /// - Parameters:
  ///   - shard: the part of a batch whose own journal it is.
  ///   - forReading: takes no lock, writes nothing, and takes a missing journal for an empty one. Nothing can be added
  ///     to it then.
  /// - Throws: `SafelightError`: `.unsupported` if a later version of Safelight wrote it, `.file` if it cannot be
  ///   read, if another run uses it, or if it cannot be written.
  package init(in folder: String, of shard: BatchShard? = nil, forReading: Bool = false) throws {
    let path = FolderListing.path(Self.fileName(of: shard), in: folder)
    self.path = path
    guard !forReading else {
      (descriptor, whole) = (-1, -1)
      var status = stat()
      let isThere = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      state = Mutex(isThere ? try Self.load(path) : State())
      return
    }
    whole =
      try shard == nil
      ? -1 : JournalFile.open(FolderListing.path(Self.fileName, in: folder), of: folder, isShared: true)
    let locked: Int32
    do {
      locked = try JournalFile.open(path, of: folder)
    } catch {
      if whole >= 0 { closeLocked(whole) }
      throw error
    }
    do {
      let loaded = try Self.load(path)
      descriptor =
        loaded.isMostlyDead ? JournalFile.replace(locked, path, with: loaded.lines) ?? locked : locked
      state = Mutex(loaded)
    } catch {
      closeLocked(locked)
      if whole >= 0 { closeLocked(whole) }
      throw error
    }
  }

  deinit { for file in [descriptor, whole] where file >= 0 { closeLocked(file) } }

  /// Reads the journals of the other parts of a batch.
  ///
  /// - Parameters:
  ///   - shard: the part that asks; nil is a run without parts.
  ///   - resumes: whether that run continues an earlier one.
  /// - Throws: `SafelightError` if the folder was divided in another way: nobody would know which photos are done.
  static func others(in folder: String, besides shard: BatchShard?, resuming resumes: Bool) throws
    -> [BatchJournal]
  {
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    let parts = names.sorted().compactMap { name -> BatchShard? in
      guard let match = name.wholeMatch(of: /\.safelight-batch-(\d+)-of-(\d+)\.jsonl/) else { return nil }
      return Int(match.1).flatMap { number in Int(match.2).flatMap { try? BatchShard(number, of: $0) } }
    }
    if let other = parts.first(where: { $0.count != shard?.count }), shard != nil || resumes {
      throw SafelightError(
        .invalidValue, "\(folder) has results of a batch in \(other.count) parts",
        remedy: "continue it with --shard K/\(other.count), or choose another output folder")
    }
    return try parts.filter { $0 != shard }.map { try BatchJournal(in: folder, of: $0, forReading: true) }
  }

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
  /// - Parameter durable: whether to wait until it is on disk. An end that a power cut erases is merely done
  ///   again; a start has to be on disk before the result has its name, or nobody would know whose it is.
  /// - Throws: `SafelightError(.noSpace)` if the disk is full, `.file` if it cannot be written for another reason.
  package func write(_ event: Event, durable: Bool = false) throws { try write([event], durable: durable) }

  /// Adds lines, all at once.
  package func write(_ events: [Event], durable: Bool = false) throws {
    guard !events.isEmpty else { return }
    let lines = events.flatMap(JournalLine.encode)
    try state.withLock { state in
      // New lines must not be joined to an incomplete one.
      try append(state.endsInLine ? [10] + lines : lines, &state)
      for event in events { state.note(event) }
    }
    if durable { try sync() }
  }

  /// Waits until all lines are on disk.
  package func sync() throws {
    while fdatasync(descriptor) != 0 {
      guard errno == EINTR else { throw writeError(errno) }
    }
  }

  private func writeError(_ code: Int32) -> SafelightError {
    let isFull = code == ENOSPC || code == EDQUOT
    return SafelightError(
      isFull ? .noSpace : .file,
      "Cannot write \(path): \(isFull ? "the disk is full" : errorText(code))",
      remedy: isFull
        ? "free some space and continue with --resume" : "fix that and continue with --resume")
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

  /// Whether `output` holds the complete result of this edit of this input, according to the journal and confirmed
  /// by the file's contents.
  package func isDone(_ output: String, input: String, state: FileState, edit: String, in folder: String)
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
