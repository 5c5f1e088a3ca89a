import FrameCore
import PhotoIO
import Synchronization

/// Decodes a photo on a thread of its own and says how far it is.
final class PhotoDecoding: Sendable {
  let progress = RowProgress()
  private let isStopped = Atomic(false)
  private let result = Mutex((warnings: [String](), seconds: 0.0))
  private let thread = Mutex<WorkerThread?>(nil)

  /// What the reader warned of; complete once the progress has ended.
  var warnings: [String] { result.withLock { $0.warnings } }
  /// Time spent decoding; complete once the progress has ended.
  var seconds: Double { result.withLock { $0.seconds } }

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
