import FrameCore
import PhotoIO
import Synchronization

/// The rows of a photo that is being decoded into a buffer.
protocol DecodedRows: Sendable {
  /// What the reader warned of; complete once `needAll` has returned.
  var warnings: [String] { get }
  /// Time spent decoding.
  var seconds: Double { get }
  /// Returns once the first `count` rows are there.
  func need(_ count: Int) throws
  /// Returns once the whole photo is there and proved sound.
  func needAll() throws
}

/// Decodes a photo on a thread of its own and says how far it is.
final class PhotoDecoding: DecodedRows, Sendable {
  let progress = RowProgress()
  private let isStopped = Atomic(false)
  private let result = Mutex((warnings: [String](), seconds: 0.0))
  private let thread = Mutex<WorkerThread?>(nil)

  var warnings: [String] { result.withLock { $0.warnings } }
  /// Complete once the progress has ended.
  var seconds: Double { result.withLock { $0.seconds } }

  func need(_ count: Int) throws { try progress.wait(for: count) }
  func needAll() throws { try progress.waitForEnd() }

  /// Starts to decode `reader` into `source`, which has its size and format.
  init(_ reader: sending PhotoReader, into source: PixelBuffer) throws {
    let box = Mutex(Optional(reader))
    let started = try WorkerThread(name: "decode") { [self] in
      box.withLock { reader in
        guard let reader else { return }
        var watch = Stopwatch()
        let end = Result { try watch.measure("decode") { try decode(reader, into: source) } }
        result.withLock { $0 = (reader.warnings, watch.total) }
        progress.finish(end)
      }
    }
    thread.withLock { $0 = started }
  }

  private func decode(_ reader: PhotoReader, into source: PixelBuffer) throws {
    while reader.position < reader.size.height, !isStopped.load(ordering: .relaxed) {
      let count = min(64, reader.size.height - reader.position)
      try reader.read(into: source.band(rows: reader.position..<reader.position + count))
      progress.advance(to: reader.position)
    }
    try reader.finish()
  }

  /// Ends decoding early; returns once the thread has let go of the buffer.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }
}

/// Decodes a photo on the caller's thread, as far as is asked for.
final class PhotoDecodingInTurn: DecodedRows, Sendable {
  private struct State {
    let reader: PhotoReader
    var watch = Stopwatch()
    var isFinished = false

    mutating func read(_ count: Int, into source: PixelBuffer) throws {
      let count = min(count, reader.size.height)
      guard reader.position < count else { return }
      let reader = reader
      try watch.measure("decode") {
        _ = try reader.read(into: source.band(rows: reader.position..<count))
      }
    }
  }

  private let source: PixelBuffer
  private let state: Mutex<State>

  var warnings: [String] { state.withLock { $0.reader.warnings } }
  var seconds: Double { state.withLock { $0.watch.steps.first?.seconds ?? 0 } }

  /// - Parameter source: has the size and format of `reader`.
  init(_ reader: sending PhotoReader, into source: PixelBuffer) {
    self.source = source
    state = Mutex(State(reader: reader))
  }

  func need(_ count: Int) throws { try state.withLock { try $0.read(count, into: source) } }

  func needAll() throws {
    try state.withLock { state in
      try state.read(.max, into: source)
      guard !state.isFinished else { return }
      state.isFinished = true
      try state.reader.finish()
    }
  }
}
