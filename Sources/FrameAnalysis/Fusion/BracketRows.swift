import AnalysisKernels
import FrameCore

/// What exposure fusion reads: pictures of one size, where they lie over each other, and how they are
/// weighed.
struct Bracket: @unchecked Sendable {
  let size: PixelSize
  let pictures: [PixelBuffer]
  /// The pixel (x, y) of the result is (x + shift.x, y + shift.y) of the picture.
  let shifts: [SIMD2<Int>]
  let exponents: sla_fusion_exponents

  /// The columns and rows of the result that a picture has.
  func columns(of picture: Int) -> Range<Int> { Self.covered(shifts[picture].x, size.width) }
  func rows(of picture: Int) -> Range<Int> { Self.covered(shifts[picture].y, size.height) }

  private static func covered(_ shift: Int, _ extent: Int) -> Range<Int> {
    max(0, -shift)..<min(extent, extent - shift)
  }
}

/// Reads a bracket row by row, downwards: the samples of each picture and its share of each pixel.
///
/// Where a picture has no pixel, its nearest is read and its share is 0.
struct BracketRows {
  private let bracket: Bracket
  private let memory: SampleRows
  /// The next row to be taken apart, of all pictures.
  private var next = 0

  /// Red, green, blue and luma of three rows, and the weights of one.
  private static let rowsPerPicture = 3 * 4 + 1

  /// - Throws: `SafelightError(.noMemory)` if memory is short.
  init(_ bracket: Bracket) throws {
    self.bracket = bracket
    memory = try SampleRows(
      width: bracket.size.width, count: bracket.pictures.count * Self.rowsPerPicture)
  }

  /// Starts again, at row `y`.
  mutating func move(to y: Int) { next = max(y - 1, 0) }

  /// Reads row `y`, which must be the one after the last or the one moved to.
  mutating func read(_ y: Int) {
    let (width, height) = (bracket.size.width, bracket.size.height)
    while next <= min(y + 1, height - 1) {
      for picture in bracket.pictures.indices { split(next, of: picture) }
      next += 1
    }
    var exponents = bracket.exponents
    for picture in bracket.pictures.indices {
      let above = luma(of: picture, row: SampleRows.mirrored(y - 1, in: height))
      let below = luma(of: picture, row: SampleRows.mirrored(y + 1, in: height))
      var row = planes(of: picture, row: y)
      let weights = weights(of: picture)
      sla_fusion_weights(above, &row, below, &exponents, Int32(width), weights)
      let columns = bracket.rows(of: picture).contains(y) ? bracket.columns(of: picture) : 0..<0
      weights.update(repeating: 0, count: columns.lowerBound)
      (weights + columns.upperBound).update(repeating: 0, count: width - columns.upperBound)
    }
    withUnsafeTemporaryAllocation(
      of: UnsafeMutablePointer<Float>?.self, capacity: bracket.pictures.count
    ) { rows in
      for picture in bracket.pictures.indices { rows[picture] = weights(of: picture) }
      sla_normalize_weights(rows.baseAddress, Int32(rows.count), Int32(width))
    }
  }

  /// The shares of a picture in the row read last.
  func weights(of picture: Int) -> UnsafeMutablePointer<Float> { memory(weightsIndex(picture)) }

  /// A channel, 0…2, of the row read last, `y`.
  func samples(_ channel: Int, of picture: Int, row y: Int) -> UnsafeMutablePointer<Float> {
    memory(index(picture, y, channel))
  }

  /// Sets the samples beyond the ends of the row read last, `y`: those of channels 0…2 and the weights.
  func mirrorEnds(of picture: Int, row y: Int) {
    for channel in 0..<3 { memory.mirrorEnds(of: index(picture, y, channel)) }
    memory.mirrorEnds(of: weightsIndex(picture))
  }

  private func index(_ picture: Int, _ y: Int, _ channel: Int) -> Int {
    picture * Self.rowsPerPicture + y % 3 * 4 + channel
  }

  private func weightsIndex(_ picture: Int) -> Int { (picture + 1) * Self.rowsPerPicture - 1 }

  private func luma(of picture: Int, row y: Int) -> UnsafeMutablePointer<Float> {
    memory(index(picture, y, 3))
  }

  private func planes(of picture: Int, row y: Int) -> sla_color_row {
    sla_color_row(
      red: samples(0, of: picture, row: y), green: samples(1, of: picture, row: y),
      blue: samples(2, of: picture, row: y), luma: luma(of: picture, row: y))
  }

  private func split(_ y: Int, of picture: Int) {
    let (buffer, shift) = (bracket.pictures[picture], bracket.shifts[picture])
    let source = min(max(y + shift.y, 0), buffer.height - 1)
    var row = planes(of: picture, row: y)
    sla_split_row(
      buffer.planes[0].row(source), Int32(buffer.format.bitsPerSample), Int32(buffer.width), Int32(shift.x),
      &row)
    memory.mirrorEnds(of: index(picture, y, 3))
  }
}
