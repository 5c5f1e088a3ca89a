import Capture
import FrameCore
import PhotoIO

/// One pass, or with `loops` repeated passes, through the pictures of an `ImageSequenceInput`.
final class ImageSequenceStream: FrameStream {
  let format: StreamFormat
  var isPaced: Bool { input.isPaced }
  /// False, since a picture may take long to decode.
  var mayStall: Bool { false }
  private let input: ImageSequenceInput
  private let paths: [String]
  /// The displayed size of the first picture: a stream does not change its size.
  private let displayedSize: PixelSize
  private let ring: BufferRing
  private let pacer = FramePacer()
  private let interval: Double
  /// When frame 0 was due; moved later if decoding falls behind.
  private var start: Timestamp?
  private var sequence: UInt64 = 0
  private var index = 0
  /// The decoded picture that waits for its due time.
  private var pending: (buffer: PixelBuffer, orientation: Orientation)?
  /// Whether a picture of this pass can be read, or was dropped before that was tried.
  private var isWorthRepeating = false
  private var isClosed = false
  /// A band of rows of a 16-bit picture, before conversion to 8 bits.
  private var deepRows: PixelBuffer?

  private static let bufferCount = 8
  private static let rowsOfDeepBand = 64

  init(_ input: ImageSequenceInput, paths: [String], framesPerSecond: Double) throws {
    self.input = input
    self.paths = paths
    interval = 1 / framesPerSecond
    let header = try Self.firstHeader(paths)
    displayedSize = header.orientation.applied(to: header.size)
    format = StreamFormat(
      size: header.size, encoding: .raw(.rgba8), pixelFormat: .rgba8, tags: header.tags,
      framesPerSecond: framesPerSecond)
    ring = try BufferRing(count: Self.bufferCount, size: header.size, format: .rgba8, tags: header.tags)
  }

  /// Returns the header of the first readable picture.
  ///
  /// - Throws: the error of the first picture if none can be read.
  private static func firstHeader(_ paths: [String]) throws -> PhotoHeader {
    var first: (any Error)?
    for path in paths {
      do {
        return try PhotoHeader.read(path)
      } catch {
        if first == nil { first = error }
      }
    }
    throw first ?? SafelightError(.invalidValue, "The list of pictures is empty")
  }

  func wake() { pacer.wake() }

  func close() {
    isClosed = true
    pending = nil
    deepRows = nil
  }

  func next(until deadline: Timestamp) throws -> StreamEvent {
    if start == nil { start = .now }
    if isClosed { return .finished }
    if pending == nil {
      if index == paths.count {
        // A pass in which no picture can be read would repeat for ever.
        guard input.loops, isWorthRepeating else { return .finished }
        (index, isWorthRepeating) = (0, false)
      }
      guard let buffer = takeBuffer(until: deadline) else {
        guard input.isPaced else { return .idle }
        if let idle = awaitDue(until: deadline) { return idle }
        index += 1
        isWorthRepeating = true
        return drop(.outOfBuffers)
      }
      let path = paths[index]
      index += 1
      do {
        pending = try decode(path, into: buffer)
        isWorthRepeating = true
      } catch let error as SafelightError {
        input.note(error.description)
        return drop(.corrupt)
      }
    }
    if input.isPaced, let idle = awaitDue(until: deadline) { return idle }
    guard let (buffer, orientation) = pending else { return .idle }
    pending = nil
    defer { sequence += 1 }
    return .frame(Frame(buffer: buffer, time: dueTime, sequence: sequence, orientation: orientation))
  }

  private func awaitDue(until deadline: Timestamp) -> StreamEvent? {
    // If decoding is slower than the rate, the schedule moves, so that the lag does not keep growing.
    let lag = Timestamp.now.seconds(since: dueTime)
    if lag > max(interval, 0.5) { start = start?.advanced(bySeconds: lag) }
    return pacer.wait(for: dueTime, until: deadline) == .due ? nil : .idle
  }

  private var dueTime: Timestamp { (start ?? .now).advanced(bySeconds: Double(sequence) * interval) }

  /// Returns an unused buffer. An unpaced stream loses no frame, so it waits for one.
  private func takeBuffer(until deadline: Timestamp) -> PixelBuffer? {
    input.isPaced ? ring.take() : pacer.takeBuffer(from: ring, until: deadline)
  }

  private func drop(_ reason: DropReason) -> StreamEvent {
    defer { sequence += 1 }
    return .dropped(first: DroppedFrame(sequence: sequence, time: dueTime, reason: reason), count: 1)
  }

  // MARK: Decoding

  private func decode(
    _ path: String, into buffer: PixelBuffer
  ) throws -> (buffer: PixelBuffer, orientation: Orientation) {
    let reader = try PhotoReader(contentsOf: path)
    guard reader.size == format.size else {
      throw CaptureFailure(
        .unsupported,
        SafelightError(
          .unsupported, "\(path) is a picture of \(reader.size), but the sequence began with \(format.size)",
          remedy: "give pictures of one size, or resize this one"))
    }
    let shown = reader.orientation.applied(to: reader.size)
    guard shown == displayedSize else {
      throw CaptureFailure(
        .unsupported,
        SafelightError(
          .unsupported,
          "\(path) is shown at \(shown), turned by its orientation, but the sequence began with "
            + "\(displayedSize)",
          remedy: "give pictures of one orientation, or turn this one"))
    }
    if reader.format == .rgba8 {
      try reader.read(into: buffer)
    } else {
      try readDeep(reader, into: buffer)
    }
    try reader.finish()
    let isAsAllocated = reader.tags == buffer.tags && reader.alpha == buffer.alpha
    return (isAsAllocated ? buffer : buffer.retagged(reader.tags, alpha: reader.alpha), reader.orientation)
  }

  private func readDeep(_ reader: PhotoReader, into buffer: PixelBuffer) throws {
    let band =
      try deepRows
      ?? PixelBuffer(
        size: PixelSize(width: format.size.width, height: min(Self.rowsOfDeepBand, format.size.height)),
        format: .rgba16)
    deepRows = band
    while reader.position < format.size.height {
      let first = reader.position
      let count = try reader.read(into: band)
      for y in 0..<count {
        let deep = band.row(y, as: UInt16.self)
        let out = buffer.row(first + y, as: UInt8.self)
        // Rounded: 257 codes of 16 bits make one of 8.
        for x in 0..<out.count { out[x] = UInt8(truncatingIfNeeded: (UInt32(deep[x]) + 128) / 257) }
      }
    }
  }
}
