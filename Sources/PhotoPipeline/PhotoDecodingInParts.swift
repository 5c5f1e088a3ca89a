import FilterGraph
import FrameCore
import PhotoIO
import Rendering
import Synchronization

/// Decodes a large photo repeatedly, each time keeping the part that the next bands of the result show. This
/// serves rotations whose bands show nearly all rows at once, such as those of photos taken in portrait
/// orientation.
final class PhotoDecodingInParts: DecodedRows, Sendable {
  private struct State {
    var reader: PhotoReader
    /// Bands of the result that can be rendered from the part.
    var shown = 0..<0
    var part: PicturePart?
    var watch = Stopwatch()
    var warnings: [String] = []
  }

  /// Pictures that take less memory are kept whole; a part takes no more, unless a single band does.
  static let usualBytes = 224 << 20
  /// With more parts than this, decoding would take too long.
  static let mostParts = 4

  private let plan: Plan
  private let partBytes: Int
  private let state: Mutex<State>
  private let isCancelled = Atomic(false)

  var warnings: [String] { state.withLock { $0.warnings } }
  var seconds: Double { state.withLock { $0.watch.steps.first?.seconds ?? 0 } }
  var picture: DecodedPicture { DecodedPicture(inParts: self, height: plan.input.size.height) }

  init(_ reader: sending PhotoReader, for plan: Plan, partBytes: Int = PhotoDecodingInParts.usualBytes) {
    self.plan = plan
    self.partBytes = partBytes
    state = Mutex(State(reader: reader))
  }

  // The first part is only kept if the whole photo has proved intact.
  func need(_ count: Int) throws {}
  func needAll() throws {}
  func release(before row: Int) {}
  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Returns the photo with the rows that a band shows. What was returned for an earlier band must have been
  /// released.
  ///
  /// - Throws: `CancellationError` after `cancel`, and `SafelightError` if the photo is damaged or was modified.
  func part(showing band: Range<Int>) throws -> PixelBuffer {
    try state.withLock { state in
      if let part = state.part, band.upperBound <= state.shown.upperBound { return part.picture }
      let isFirst = state.part == nil
      state.part = nil
      state.shown = Self.bands(from: band, of: plan, partBytes: partBytes)
      let part = try PicturePart(for: plan, showing: state.shown, tags: state.reader.tags)
      if !isFirst { state.reader = try state.reader.again() }
      let reader = state.reader
      try state.watch.measure("decode") { try decode(reader, into: part, toEnd: isFirst) }
      if isFirst { state.warnings = reader.warnings }
      state.part = part
      return part.picture
    }
  }

  /// Returns the rows of the result that each part shows, in order, for bands of `bandRows` rows.
  static func parts(of plan: Plan, bandRows: Int, partBytes: Int = usualBytes) -> [Range<Int>] {
    let height = plan.outputSize.height
    var parts: [Range<Int>] = []
    var top = 0
    while top < height {
      let part = bands(from: top..<min(top + bandRows, height), of: plan, partBytes: partBytes)
      parts.append(part)
      top = part.upperBound
    }
    return parts
  }

  /// Returns as many bands, starting with `band`, as fit into a part of `partBytes` bytes, but at least one.
  private static func bands(from band: Range<Int>, of plan: Plan, partBytes: Int) -> Range<Int> {
    var shown = band
    while shown.upperBound < plan.outputSize.height {
      let more = shown.lowerBound..<min(shown.upperBound + band.count, plan.outputSize.height)
      guard PicturePart.bytes(for: plan, showing: more) <= partBytes else { break }
      shown = more
    }
    return shown
  }

  private func decode(_ reader: PhotoReader, into part: PicturePart, toEnd: Bool) throws {
    let band = try PixelBuffer(
      size: PixelSize(width: reader.size.width, height: DecodedPicture.step(of: reader.fileFormat)),
      format: reader.format, tags: reader.tags, alpha: reader.alpha)
    let end = toEnd ? reader.size.height : part.rows.upperBound
    while reader.position < end {
      guard !isCancelled.load(ordering: .relaxed) else { throw CancellationError() }
      let first = reader.position
      let count = try reader.read(into: band)
      part.take(band, rows: count, from: first)
    }
    if toEnd { try reader.finish() }
    try reader.requireUnchanged()
  }
}
