import FilterGraph
import FrameCore
import PixelKernels

/// Copies a picture's own luma and colour differences to another layout, in bands of rows on any thread, and averages
/// colour differences where the target has fewer.
///
/// `SampleCopier` does the same on one thread, between layouts with as many samples.
struct StoredSamplesCopy: Sendable {
  private static let bandRows = 32
  private let source: YCbCrStage
  private let channels: CameraChannels
  private let target: YCbCrStage
  private let writer: PlaneWriter
  private let size: PixelSize
  /// Whether the target has fewer colour differences.
  private let thins: Bool

  /// - Returns: nil unless the plan copies samples.
  init?(_ plan: Plan) {
    guard plan.copiesSamples, let target = plan.storedSamples, let encoding = plan.input.ycbcr,
      let channels = CameraChannels(plan.input.format)
    else { return nil }
    let source = YCbCrStage(format: plan.input.format, encoding: encoding)
    guard let writer = PlaneWriter(target, given: source.chroma.stepX) else { return nil }
    (self.source, self.channels, self.target, self.writer) = (source, channels, target, writer)
    size = plan.outputSize
    let steps = (source.chroma.stepX, source.chroma.stepY)
    thins = source.format != .gray8 && target.format != .gray8 && steps != (writer.stepX, writer.stepY)
  }

  var bands: Int { (size.height + Self.bandRows - 1) / Self.bandRows }

  func runBand(_ band: Int, of picture: PixelBuffer, into output: PixelBuffer, scratch: TileScratch) {
    let rows = band * Self.bandRows..<min((band + 1) * Self.bandRows, size.height)
    if source.format == target.format {
      copyRows(rows, of: picture, into: output)
    } else {
      convertRows(rows, of: picture, into: output, scratch)
    }
    scratch.meter?.pointee.lap(.store)
  }

  private func copyRows(_ rows: Range<Int>, of picture: PixelBuffer, into output: PixelBuffer) {
    for plane in 0..<output.planes.count {
      let (from, to) = (picture.planes[plane], output.planes[plane])
      // Planes of colour differences have a row for one or two rows of the picture, which bands do not divide.
      let step = plane == 0 ? 1 : writer.stepY
      let groups = (size.width + writer.stepX - 1) / writer.stepX
      let bytes = plane > 0 || channels.cb.step == 4 ? channels.cb.step * groups : size.width
      for y in rows.lowerBound / step..<(rows.upperBound + step - 1) / step {
        to.row(y).copyMemory(from: from.row(y), byteCount: bytes)
      }
    }
  }

  private func convertRows(
    _ rows: Range<Int>, of picture: PixelBuffer, into output: PixelBuffer, _ scratch: TileScratch
  ) {
    var tile = writer.begin(columns: 0..<size.width, rows: rows, of: output, size: size, scratch: scratch)
    if thins, writer.reachesUp, rows.lowerBound > 0 {
      widen(read(rows.lowerBound - 1, of: picture, tile), row: rows.lowerBound - 1, tile)
      tile.isPrimed = true
    }
    for y in rows {
      let row = read(y, of: picture, tile)
      writer.luma(y, of: tile).update(from: row.luma, count: size.width)
      if thins {
        widen(row, row: y, tile)
        writer.finish(y, of: tile)
      } else if target.format != .gray8, y.isMultiple(of: writer.stepY) {
        writer.store(row.cb, row.cr, row: y / writer.stepY, of: tile)
      }
    }
  }

  private typealias Row = (
    luma: UnsafeMutablePointer<UInt8>, cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>
  )

  /// Returns the samples of row `y`: in the picture, or unpacked into the tile's memory.
  private func read(_ y: Int, of picture: PixelBuffer, _ tile: PlaneWriter.Tile) -> Row {
    func row(_ plane: Int) -> UnsafeMutablePointer<UInt8> {
      picture.planes[plane].row(plane == 0 ? y : y / source.chroma.stepY).assumingMemoryBound(to: UInt8.self)
    }
    // A third of the room for RGBA each, which is as wide as a row and more.
    let room = tile.pixels.assumingMemoryBound(to: UInt8.self)
    let unpacked = (luma: room, cb: room + size.width + 2, cr: room + 2 * (size.width + 2))
    let pairs = (size.width + 1) / 2
    switch channels.cb.step {
    case 4:
      sl_unpack_yuyv(
        row(0), channels.luma.offset == 0 ? 1 : 0, unpacked.luma, unpacked.cb, unpacked.cr, pairs)
      return unpacked
    case 2:
      let isReversed = channels.cb.offset == 1
      sl_split_bytes(
        row(1), isReversed ? unpacked.cr : unpacked.cb, isReversed ? unpacked.cb : unpacked.cr, pairs)
      return (row(0), unpacked.cb, unpacked.cr)
    default:
      guard source.format != .gray8 else {
        unpacked.cb.update(repeating: 128, count: size.width)
        return (row(0), unpacked.cb, unpacked.cb)
      }
      return (row(0), row(1), row(2))
    }
  }

  private func widen(_ row: Row, row y: Int, _ tile: PlaneWriter.Tile) {
    let count = (size.width + source.chroma.stepX - 1) / source.chroma.stepX
    sl_widen_samples(row.cb, tile.differences(0, y), count)
    sl_widen_samples(row.cr, tile.differences(1, y), count)
  }
}
