import CJPEG
import FrameCore

/// Encodes strips of one JPEG picture on several threads and joins them in order.
///
/// Each strip in a round has its own encoder, whose memory is reused in the next round. Not for concurrent use.
final class JPEGStripEncoders: @unchecked Sendable {
  /// Settings for the whole picture.
  struct Settings {
    var width: UInt32
    var quality: Int32
    var chromaStep: Int32
    /// 0 encodes the picture in one piece.
    var stripRows: UInt32
  }

  struct Failure {
    var status: cjpeg_status
    var message: String
    /// Whether the writer of the whole picture failed.
    var isOfWriter = false

    static let memory = Failure(status: CJPEG_OUT_OF_MEMORY, message: "not enough memory")
  }

  private let settings: Settings
  private let threads: Int
  /// A team with at most as many threads as strips arrive at a time.
  private var team: ThreadTeam?
  private var encoders: [OpaquePointer] = []

  init(_ settings: Settings, threads: Int) {
    self.settings = settings
    self.threads = threads
  }

  deinit { for encoder in encoders { cjpeg_writer_free(encoder) } }

  /// Encodes whole strips, the last of which may be shorter, and appends them to `writer`'s picture.
  func encode(
    _ rows: Int, from base: UnsafePointer<UInt8>, rowBytes: Int, into writer: OpaquePointer
  ) -> Failure? {
    let stripRows = Int(settings.stripRows)
    let team = team(for: (rows + stripRows - 1) / stripRows)
    // Strips take varying times; two per thread even that out.
    let round = 2 * team.threads
    for first in stride(from: 0, to: rows, by: round * stripRows) {
      let strips = min(round, (rows - first + stripRows - 1) / stripRows)
      guard reserve(strips) else { return .memory }
      let job = Job(
        encoders: encoders, settings: settings, base: base + first * rowBytes, rowBytes: rowBytes,
        rows: rows - first)
      team.run(strips) { job.perform($0) }
      for encoder in encoders.prefix(strips) {
        if let failure = join(encoder, to: writer) { return failure }
      }
    }
    return nil
  }

  /// Encodes some rows of a strip on this thread.
  ///
  /// - Parameters:
  ///   - whole: if a strip begins here, its total number of rows, of which these are the first.
  ///   - endsIt: whether these rows are its last; if so, it is appended to `writer`'s picture.
  func continueStrip(
    _ base: UnsafePointer<UInt8>, rowBytes: Int, rows: Int, of whole: Int?, endsIt: Bool,
    into writer: OpaquePointer
  ) -> Failure? {
    guard reserve(1) else { return .memory }
    let encoder = encoders[0]
    let status: cjpeg_status
    if let whole {
      let started = settings.start(encoder, rows: whole)
      status = started == CJPEG_OK ? cjpeg_writer_strip(encoder, base, rowBytes, UInt32(rows)) : started
    } else {
      status = cjpeg_writer_rows(encoder, base, rowBytes, UInt32(rows))
    }
    guard status == CJPEG_OK else { return Failure(encoder, status) }
    guard endsIt else { return nil }
    let finished = cjpeg_writer_finish(encoder)
    return finished == CJPEG_OK ? join(encoder, to: writer) : Failure(encoder, finished)
  }

  /// Appends an encoded strip, or reports its failure.
  private func join(_ encoder: OpaquePointer, to writer: OpaquePointer) -> Failure? {
    let encoded = cjpeg_writer_status(encoder)
    guard encoded == CJPEG_OK else { return Failure(encoder, encoded) }
    let status = cjpeg_writer_append_strip(writer, encoder)
    return status == CJPEG_OK ? nil : Failure(status: status, message: "", isOfWriter: true)
  }

  private func team(for strips: Int) -> ThreadTeam {
    let wanted = min(threads, strips)
    if let team, team.threads >= wanted { return team }
    let larger = ThreadTeam(name: "encode", threads: wanted)
    team = larger
    return larger
  }

  private func reserve(_ count: Int) -> Bool {
    while encoders.count < count {
      guard let encoder = cjpeg_writer_new_in_memory() else { return false }
      encoders.append(encoder)
    }
    return true
  }

  /// A round of strips. Each has its own encoder; the rows are shared but only read.
  private struct Job: @unchecked Sendable {
    let encoders: [OpaquePointer]
    let settings: Settings
    let base: UnsafePointer<UInt8>
    let rowBytes: Int
    let rows: Int

    /// Encodes a strip. An encoder that fails keeps its status.
    func perform(_ strip: Int) {
      let stripRows = Int(settings.stripRows)
      let first = strip * stripRows
      let count = min(stripRows, rows - first)
      guard settings.start(encoders[strip], rows: count) == CJPEG_OK,
        cjpeg_writer_strip(encoders[strip], base + first * rowBytes, rowBytes, UInt32(count)) == CJPEG_OK
      else { return }
      _ = cjpeg_writer_finish(encoders[strip])
    }
  }
}

extension JPEGStripEncoders.Settings {
  /// Begins a strip as a separate picture.
  fileprivate func start(_ encoder: OpaquePointer, rows: Int) -> cjpeg_status {
    cjpeg_writer_start(encoder, width, UInt32(rows), quality, chromaStep, stripRows)
  }
}

extension JPEGStripEncoders.Failure {
  fileprivate init(_ encoder: OpaquePointer, _ status: cjpeg_status) {
    self.init(status: status, message: String(cString: cjpeg_writer_message(encoder)))
  }
}
