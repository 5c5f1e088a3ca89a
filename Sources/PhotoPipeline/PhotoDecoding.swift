import FrameCore
import PhotoIO
import Synchronization

/// The rows of a photo that is being decoded.
protocol DecodedRows: Sendable {
  /// The reader's warnings; complete once `needAll` has returned.
  var warnings: [String] { get }
  /// Time spent decoding.
  var seconds: Double { get }
  /// The destination of the rows.
  var picture: DecodedPicture { get }
  /// Returns once the first `count` rows have been decoded; some may already have been released.
  func need(_ count: Int) throws
  /// Returns once the whole photo has been decoded and proved intact. With a window, all rows must have been
  /// released.
  func needAll() throws
  /// Releases the rows above `row`.
  func release(before row: Int)
  /// Ends decoding; nothing more is needed.
  func cancel()
}

/// Decodes a photo on its own thread and reports its progress.
final class PhotoDecoding: DecodedRows, Sendable {
  let picture: DecodedPicture
  private let progress = RowProgress()
  private let isStopped = Atomic(false)
  private let result = Mutex((warnings: [String](), seconds: 0.0))
  private let thread = Mutex<WorkerThread?>(nil)

  var warnings: [String] { result.withLock { $0.warnings } }
  /// Final once the progress has ended.
  var seconds: Double { result.withLock { $0.seconds } }

  func need(_ count: Int) throws { try progress.wait(for: count) }
  func needAll() throws { try progress.waitForEnd() }
  func release(before row: Int) { progress.release(before: row) }
  // The thread may be waiting for rows to be released, or another thread for rows to be decoded.
  func cancel() { progress.finish(.failure(CancellationError())) }

  /// Starts decoding.
  init(_ reader: sending PhotoReader, into picture: DecodedPicture) throws {
    self.picture = picture
    let box = Mutex(Optional(reader))
    let started = try WorkerThread(name: "decode") { [self] in
      box.withLock { reader in
        guard let reader else { return }
        var watch = Stopwatch()
        let end = Result { try decode(reader, &watch) }
        result.withLock { $0 = (reader.warnings, watch.steps.first?.seconds ?? 0) }
        progress.finish(end)
      }
    }
    thread.withLock { $0 = started }
  }

  private func decode(_ reader: PhotoReader, _ watch: inout Stopwatch) throws {
    while reader.position < reader.size.height, !isStopped.load(ordering: .relaxed) {
      let rows = picture.nextRows(of: reader)
      guard progress.waitForRelease(before: picture.begin(rows)) else { return }
      try watch.measure("decode") { try picture.read(rows, from: reader) }
      progress.advance(to: reader.position)
    }
    try reader.finish()
  }

  /// Ends decoding early; returns once the thread has released the memory.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    cancel()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }
}

/// Decodes a photo on the caller's thread, as far as requested.
final class PhotoDecodingInTurn: DecodedRows, Sendable {
  private struct State {
    let reader: PhotoReader
    var watch = Stopwatch()
    var isFinished = false

    mutating func read(_ count: Int, into picture: DecodedPicture, unless isCancelled: borrowing Atomic<Bool>)
      throws
    {
      let reader = reader
      while reader.position < min(count, reader.size.height) {
        guard !isCancelled.load(ordering: .relaxed) else { throw CancellationError() }
        let rows = picture.nextRows(of: reader)
        try watch.measure("decode") { try picture.read(rows, from: reader) }
      }
    }

    mutating func finish() throws {
      guard !isFinished else { return }
      isFinished = true
      try reader.finish()
    }
  }

  let picture: DecodedPicture
  private let state: Mutex<State>
  private let isCancelled = Atomic(false)

  var warnings: [String] { state.withLock { $0.reader.warnings } }
  var seconds: Double { state.withLock { $0.watch.steps.first?.seconds ?? 0 } }

  init(_ reader: sending PhotoReader, into picture: DecodedPicture) {
    self.picture = picture
    state = Mutex(State(reader: reader))
  }

  func release(before row: Int) {}
  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// - Precondition: with a window, no row further above than the window's length is still needed.
  func need(_ count: Int) throws {
    try state.withLock { try $0.read(count, into: picture, unless: isCancelled) }
  }

  func needAll() throws {
    try state.withLock { state in
      try state.read(.max, into: picture, unless: isCancelled)
      try state.finish()
    }
  }
}
