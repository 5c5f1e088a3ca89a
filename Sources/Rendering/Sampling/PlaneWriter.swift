import ColorScience
import FilterGraph
import FrameCore
import PixelKernels

/// Stores luma and colour differences that are made row by row, tile by tile, and subsamples the differences.
///
/// Subsampled chroma is the mean over a box as large as the pixels it stands for, centred on its site: ½ ½ between
/// two pixels, ¼ ½ ¼ on one; beyond the edges of the picture the nearest pixel counts. Both axes are averaged without
/// rounding in between, so the result does not depend on how a picture is divided into tiles.
struct PlaneWriter: Sendable {
  let channels: CameraChannels
  /// The columns and rows that a stored colour difference stands for.
  let stepX, stepY: Int
  private let matrix: sl_ycbcr_matrix
  /// Weights of the column before, the column itself and the next one, in quarters; `down` likewise of the rows.
  private let across, down: (Int32, Int32, Int32)
  /// Whether colour differences depend on the column before those that they stand for.
  let reachesLeft: Bool
  /// Whether colour differences depend on the row above those that they stand for.
  let reachesUp: Bool
  /// The columns that one of the given colour differences stands for.
  private let givenStepX: Int

  /// - Parameter given: the columns for each of which there is a colour difference; there is one for each row.
  /// - Returns: nil for RGBA.
  init?(_ stored: YCbCrStage, given: Int = 1) {
    guard let channels = CameraChannels(stored.format) else { return nil }
    self.channels = channels
    let place = stored.chroma
    (stepX, stepY) = (place.stepX, place.stepY)
    givenStepX = given
    let averagesColumns = stepX > given
    across = averagesColumns ? place.offsetX == 0 ? (1, 2, 1) : (0, 2, 2) : (0, 4, 0)
    down = stepY == 1 ? (0, 4, 0) : place.offsetY == 0 ? (1, 2, 1) : (0, 2, 2)
    (reachesLeft, reachesUp) = (across.0 != 0, down.0 != 0)
    matrix = Self.matrix(stored.encoding)
  }

  /// The matrix from R'G'B' codes to Y'CbCr codes.
  private static func matrix(_ encoding: YCbCrEncoding) -> sl_ycbcr_matrix {
    let codes = encoding.codes
    let m =
      Matrix3x3.diagonal(SIMD3(codes.lumaSpan, codes.chromaSpan, codes.chromaSpan) / 255) * encoding.fromRGB
    func f(_ row: Int, _ column: Int) -> Float { Float(m[row, column]) }
    return sl_ycbcr_matrix(
      matrix: (f(0, 0), f(0, 1), f(0, 2), f(1, 0), f(1, 1), f(1, 2), f(2, 0), f(2, 1), f(2, 2)),
      offset: (Float(codes.black), Float(codes.neutral), Float(codes.neutral)))
  }

  // MARK: Tiles

  /// A rectangle of a picture while it is written: plain pointers, so that threads share no reference counts.
  struct Tile {
    let columns, rows: Range<Int>
    let size: PixelSize
    /// Room for a row of RGBA8.
    let pixels: UnsafeMutableRawPointer
    /// Whether the row above the tile was given first.
    var isPrimed = false
    fileprivate let planes: (PixelBuffer.Plane, PixelBuffer.Plane, PixelBuffer.Plane)
    /// A row of luma, for formats that pack it with chroma.
    fileprivate let luma: UnsafeMutablePointer<UInt8>
    /// Three rows of both colour differences, at 64 per level.
    fileprivate let wide: UnsafeMutablePointer<Int16>
    fileprivate let wideStride: Int
    fileprivate let cb, cr: UnsafeMutablePointer<UInt8>

    /// Row `y` of a colour difference, at 64 per level. The two rows before it are still there.
    func differences(_ plane: Int, _ y: Int) -> UnsafeMutablePointer<Int16> {
      wide + (3 * plane + y % 3) * wideStride
    }
  }

  /// Begins a tile, whose columns and rows start at a whole group of samples, in the memory of a thread.
  ///
  /// - Parameter size: that of the picture, which may be smaller than the buffer.
  func begin(
    columns: Range<Int>, rows: Range<Int>, of output: PixelBuffer, size: PixelSize, scratch: TileScratch
  ) -> Tile {
    // Vectors of 64 bytes, and a spare one for the columns on either side.
    let stride = (columns.count + 64 + 63) & ~63
    let slab = scratch.slab(stride * (4 + 1 + 12 + 2))
    func plane(_ index: Int) -> PixelBuffer.Plane { output.planes[min(index, output.planes.count - 1)] }
    return Tile(
      columns: columns, rows: rows, size: size, pixels: slab,
      planes: (plane(0), plane(channels.cb.plane), plane(channels.cr.plane)),
      luma: (slab + 4 * stride).assumingMemoryBound(to: UInt8.self),
      wide: (slab + 5 * stride).assumingMemoryBound(to: Int16.self), wideStride: stride,
      cb: (slab + 17 * stride).assumingMemoryBound(to: UInt8.self),
      cr: (slab + 18 * stride).assumingMemoryBound(to: UInt8.self))
  }

  /// Where luma of row `y` belongs: in its plane if it has one.
  func luma(_ y: Int, of tile: Tile) -> UnsafeMutablePointer<UInt8> {
    guard channels.luma.step == 1 else { return tile.luma }
    return (tile.planes.0.row(y) + tile.columns.lowerBound).assumingMemoryBound(to: UInt8.self)
  }

  /// Takes row `y` of RGBA8 pixels. Rows come from top to bottom.
  func take(_ pixels: UnsafeRawPointer, row y: Int, of tile: Tile, seams: ChromaSeams? = nil) {
    convert(pixels, row: y, luma: luma(y, of: tile), of: tile)
    seams?.keep(y, of: tile)
    finish(y, of: tile)
  }

  /// Takes the row above the tile, before its own rows.
  func prime(_ pixels: UnsafeRawPointer, row y: Int, of tile: inout Tile) {
    convert(pixels, row: y, luma: tile.luma, of: tile)
    tile.isPrimed = true
  }

  private func convert(
    _ pixels: UnsafeRawPointer, row y: Int, luma: UnsafeMutablePointer<UInt8>, of tile: Tile
  ) {
    withUnsafePointer(to: matrix) {
      sl_rgba8_to_ycbcr(
        $0, pixels.assumingMemoryBound(to: UInt8.self), luma, tile.differences(0, y), tile.differences(1, y),
        tile.columns.count)
    }
  }

  /// Stores the colour differences for which row `y`, whose luma and differences are in the tile, is the last one.
  func finish(_ y: Int, of tile: Tile) {
    guard channels.hasChroma else { return }
    guard stepY == 2 else { return thin(row: y, above: y, y, below: y, of: tile) }
    let isLast = y == tile.size.height - 1
    guard !y.isMultiple(of: 2) || isLast else { return }
    let first = y & ~1
    let above = max(first - 1, 0)
    // The row above belongs to another tile: `ChromaSeams` has both.
    if reachesUp, above < tile.rows.lowerBound, !tile.isPrimed { return }
    thin(row: first / 2, above: above, first, below: y, of: tile)
  }

  /// Averages three rows of colour differences, and stores the result as chroma row `row`.
  private func thin(row: Int, above: Int, _ y: Int, below: Int, of tile: Tile) {
    let count = (tile.columns.count + givenStepX - 1) / givenStepX
    thin(0, above, y, below, tile, count, into: tile.cb)
    thin(1, above, y, below, tile, count, into: tile.cr)
    store(tile.cb, tile.cr, row: row, of: tile)
  }

  private func thin(
    _ plane: Int, _ above: Int, _ y: Int, _ below: Int, _ tile: Tile, _ count: Int,
    into target: UnsafeMutablePointer<UInt8>
  ) {
    thin(
      tile.differences(plane, above), tile.differences(plane, y), tile.differences(plane, below),
      count: count, into: target)
  }

  /// Averages rows of `count` colour differences.
  func thin(
    _ above: UnsafePointer<Int16>, _ row: UnsafePointer<Int16>, _ below: UnsafePointer<Int16>, count: Int,
    into target: UnsafeMutablePointer<UInt8>
  ) {
    // Rows without weight are left out.
    let first = down.0 != 0 ? 0 : 1
    let rows = down.2 != 0 ? 3 - first : 1
    withUnsafePointer(to: (down, across)) { weights in
      weights.withMemoryRebound(to: Int32.self, capacity: 6) { weights in
        withUnsafePointer(to: (Optional(above), Optional(row), Optional(below))) { list in
          list.withMemoryRebound(to: UnsafePointer<Int16>?.self, capacity: 3) { list in
            sl_thin_chroma(
              list + first, weights + first, rows, weights + 3, Int32(stepX / givenStepX), target, count
            )
          }
        }
      }
    }
  }

  /// The weights of the columns and rows around a colour difference; together they sum to 16.
  func weight(column: Int, row: Int) -> Int32 {
    func pick(_ weights: (Int32, Int32, Int32), _ index: Int) -> Int32 {
      index == 0 ? weights.0 : index == 1 ? weights.1 : weights.2
    }
    return pick(across, column) * pick(down, row)
  }

  /// Stores a row of colour differences of a tile; packed formats also take their luma, which lies in the tile.
  func store(_ cb: UnsafePointer<UInt8>, _ cr: UnsafePointer<UInt8>, row: Int, of tile: Tile) {
    let (first, count) = (tile.columns.lowerBound / stepX, (tile.columns.count + stepX - 1) / stepX)
    let target = (tile.planes.1.row(row) + first * channels.cb.step).assumingMemoryBound(to: UInt8.self)
    switch channels.cb.step {
    case 4:
      // If the width is odd, the last pair repeats its first pixel.
      tile.luma[tile.columns.count] = tile.luma[tile.columns.count - 1]
      sl_pack_yuyv(tile.luma, cb, cr, channels.luma.offset == 0 ? 1 : 0, target, count)
    case 2:
      let isReversed = channels.cb.offset == 1
      sl_interleave_bytes(isReversed ? cr : cb, isReversed ? cb : cr, target, count)
    default:
      UnsafeMutableRawPointer(target).copyMemory(from: cb, byteCount: count)
      (tile.planes.2.row(row) + first).copyMemory(from: cr, byteCount: count)
    }
  }
}
