import AnalysisKernels
import FrameCore

/// One level of the pyramids below full size: of each picture red, green, blue and its share, smoothed and
/// shrunk, and red, green and blue of the result.
final class FusionLevel: Sendable {
  let size: PixelSize
  let pictures: Int
  private let memory: SampleRows

  static let channels = 4

  /// - Throws: `SafelightError(.noMemory)` if memory is short.
  init(size: PixelSize, pictures: Int) throws {
    (self.size, self.pictures) = (size, pictures)
    memory = try SampleRows(
      width: size.width, count: (pictures * Self.channels + 3) * size.height)
  }

  /// Row `y` of a channel of a picture: 0…2 are red, green and blue, 3 its share.
  func row(_ y: Int, _ channel: Int, of picture: Int) -> UnsafeMutablePointer<Float> {
    memory(index(y, channel, picture))
  }

  func mirrorEnds(ofRow y: Int, _ channel: Int, of picture: Int) {
    memory.mirrorEnds(of: index(y, channel, picture))
  }

  /// Row `y` of a channel, 0…2, of the result.
  func result(_ y: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    memory(index(y, channel, pictures))
  }

  private func index(_ y: Int, _ channel: Int, _ picture: Int) -> Int {
    (picture * Self.channels + channel) * size.height + y
  }
}

/// The last five rows of something, halved along the row: what a row of the next level is made from.
struct HalvedRows {
  private let memory: SampleRows
  private let planes: Int
  /// The number of rows that are halved.
  private let height: Int

  /// - Parameters:
  ///   - columns: those of the next level.
  ///   - planes: the number of planes that are halved together.
  ///   - height: the rows of this level.
  /// - Throws: `SafelightError(.noMemory)` if memory is short.
  init(columns: Int, planes: Int, height: Int) throws {
    (self.planes, self.height) = (planes, height)
    memory = try SampleRows(width: columns, count: 5 * planes)
  }

  /// The rows of this level that rows of the next one are made from.
  func sources(of rows: Range<Int>) -> Range<Int> {
    max(2 * rows.lowerBound - 2, 0)..<min(2 * rows.upperBound + 1, height)
  }

  /// Halves row `y` of a plane, whose ends have been mirrored.
  func add(_ row: UnsafePointer<Float>, _ y: Int, plane: Int) {
    sla_reduce_row(row, Int32(memory.width), memory(5 * plane + y % 5))
  }

  /// The rows of the next level, among `rows`, that can be written once row `y` was added.
  func completed(by y: Int, in rows: Range<Int>) -> Range<Int> {
    // Row j takes rows up to 2j + 2 or the last.
    if y == height - 1 { return (max((y - 1) >> 1, 0)..<y / 2 + 1).clamped(to: rows) }
    return y >= 2 && y % 2 == 0 ? ((y - 2) / 2..<y / 2).clamped(to: rows) : 0..<0
  }

  /// Writes a row of the next level.
  func write(_ row: Int, plane: Int, to out: UnsafeMutablePointer<Float>) {
    func halved(_ offset: Int) -> UnsafePointer<Float>? {
      UnsafePointer(memory(5 * plane + SampleRows.mirrored(2 * row + offset, in: height) % 5))
    }
    withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: 5) { rows in
      for offset in 0..<5 { rows[offset] = halved(offset - 2) }
      sla_reduce_rows(rows.baseAddress, Int32(memory.width), out)
    }
  }
}
