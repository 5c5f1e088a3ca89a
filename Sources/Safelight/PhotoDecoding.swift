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
  /// The buffer, of which as many rows are there as were asked for.
  func picture() throws -> PixelBuffer
}

/// Decodes a photo on a thread of its own and says how far it is.
final class PhotoDecoding: DecodedRows, Sendable {
  let progress = RowProgress()
  private let isStopped = Atomic(false)
  private let result = Mutex((warnings: [String](), seconds: 0.0))
  private let thread = Mutex<WorkerThread?>(nil)
  private let source: PixelBuffer

  var warnings: [String] { result.withLock { $0.warnings } }
  /// Complete once the progress has ended.
  var seconds: Double { result.withLock { $0.seconds } }

  func need(_ count: Int) throws { try progress.wait(for: count) }
  func needAll() throws { try progress.waitForEnd() }
  func picture() -> PixelBuffer { source }

  /// Starts to decode.
  init(_ reader: sending PhotoReader) throws {
    let source = try PixelBuffer(
      size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
    self.source = source
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
    var source: PixelBuffer?
    var watch = Stopwatch()
    var isFinished = false

    mutating func picture() throws -> PixelBuffer {
      if let source { return source }
      let picture = try makeBuffer(rows: reader.size.height)
      source = picture
      return picture
    }

    mutating func read(_ count: Int) throws {
      let count = min(count, reader.size.height)
      guard reader.position < count else { return }
      let band = try picture().band(rows: reader.position..<count)
      try decode(into: band)
    }

    mutating func decode(into band: PixelBuffer) throws {
      let reader = reader
      try watch.measure("decode") { _ = try reader.read(into: band) }
    }

    func makeBuffer(rows: Int) throws -> PixelBuffer {
      try PixelBuffer(
        size: PixelSize(width: reader.size.width, height: rows), format: reader.format, tags: reader.tags,
        alpha: reader.alpha)
    }

    mutating func finish() throws {
      guard !isFinished else { return }
      isFinished = true
      try reader.finish()
    }
  }

  private let state: Mutex<State>

  var warnings: [String] { state.withLock { $0.reader.warnings } }
  var seconds: Double { state.withLock { $0.watch.steps.first?.seconds ?? 0 } }

  init(_ reader: sending PhotoReader) { state = Mutex(State(reader: reader)) }

  func picture() throws -> PixelBuffer { try state.withLock { try $0.picture() } }

  func need(_ count: Int) throws { try state.withLock { try $0.read(count) } }

  func needAll() throws {
    try state.withLock { state in
      try state.read(.max)
      try state.finish()
    }
  }

  /// Decodes the photo band after band into memory that is used again; nothing of it is kept.
  func stream(_ take: (PixelBuffer, _ rows: Int) throws -> Void) throws {
    try state.withLock { state in
      let reader = state.reader
      // A band of JPEG blocks that stays in the second-level cache; other decoders have strips and tiles.
      let height = min(reader.fileFormat == .jpeg ? 16 : 64, reader.size.height)
      let band = try state.makeBuffer(rows: height)
      while reader.position < reader.size.height {
        let rows = min(height, reader.size.height - reader.position)
        try state.decode(into: band)
        try take(band, rows)
      }
      try state.finish()
    }
  }
}
