import FrameCore
import PixelKernels

/// Copies luma and chroma from one plane layout to another without changing any sample.
///
/// Both formats have the same chroma subsampling, or the source is grey and the chroma becomes neutral. For use by
/// one thread at a time. Allocates nothing after creation.
package final class SampleCopier: @unchecked Sendable {
  private enum Order: Hashable {
    /// One plane each for Y, Cb and Cr.
    case planes
    /// A plane of Y, and one of interleaved Cb and Cr.
    case twoPlanes(redFirst: Bool)
    /// One plane of groups of two Y, a Cb and a Cr.
    case packed(lumaFirst: Bool)
    case grey

    /// Returns nil for RGBA.
    init?(_ format: PixelFormat) {
      switch format {
      case .rgba8, .rgba16, .rgbaF32: return nil
      case .gray8: self = .grey
      case .yuyv422: self = .packed(lumaFirst: true)
      case .uyvy422: self = .packed(lumaFirst: false)
      case .nv12, .nv16: self = .twoPlanes(redFirst: false)
      case .nv21: self = .twoPlanes(redFirst: true)
      case .i420, .i422, .i444: self = .planes
      }
    }

    var isPacked: Bool { if case .packed = self { true } else { false } }
  }

  private let size: PixelSize
  private let formats: (source: PixelFormat, target: PixelFormat)
  private let orders: (source: Order, target: Order)
  /// The bytes of rows without padding, used if both formats are the same.
  private let rowBytes: [Int]
  private let chroma: (width: Int, rows: Int, rowsPerSample: Int)
  /// Buffers for one row each of Y, Cb and Cr.
  private let luma, cb, cr: UnsafeMutablePointer<UInt8>

  /// Whether samples of `source` can be copied into `target`.
  package static func fits(_ source: PixelFormat, _ target: PixelFormat) -> Bool {
    guard source != target else { return true }
    guard source.isYCbCr || source == .gray8, target.isYCbCr else { return false }
    return source == .gray8 || density(source) == density(target)
  }

  private static func density(_ format: PixelFormat) -> [Int] {
    format.planes.last.map { [$0.columnsPerGroup, $0.rowsPerGroup] } ?? []
  }

  /// Returns nil if samples cannot be copied unchanged.
  package init?(from source: PixelFormat, to target: PixelFormat, size: PixelSize) {
    guard Self.fits(source, target), let from = Order(source), let to = Order(target) else { return nil }
    self.size = size
    formats = (source, target)
    orders = (from, to)
    rowBytes = source.planes.map { $0.rowBytes(width: size.width) }
    let density = Self.density(target)
    let (columns, rows) = target == .gray8 ? (1, 1) : (density[0], density[1])
    chroma = ((size.width + columns - 1) / columns, (size.height + rows - 1) / rows, rows)
    // A partial pair of columns is packed as a whole one.
    let count = size.width + 2
    (luma, cb, cr) = (.allocate(capacity: count), .allocate(capacity: count), .allocate(capacity: count))
    for row in [luma, cb, cr] { row.initialize(repeating: 128, count: count) }
  }

  deinit {
    luma.deallocate()
    cb.deallocate()
    cr.deallocate()
  }

  /// - Precondition: both have the size and formats that this was made for.
  package func copy(_ source: PixelBuffer, into target: PixelBuffer) {
    precondition(source.size == size && target.size == size, "pictures of another size")
    precondition(source.format == formats.source && target.format == formats.target, "other formats")
    guard formats.source != formats.target else {
      for plane in 0..<rowBytes.count {
        for y in 0..<source.planes[plane].rows {
          Self.row(y, plane, of: target).update(from: Self.row(y, plane, of: source), count: rowBytes[plane])
        }
      }
      return
    }
    for y in 0..<chroma.rows {
      let differences = read(y, of: source)
      if !orders.target.isPacked { copyLuma(of: y, source, target) }
      write(differences, y, into: target, luma: orders.target.isPacked ? packedLuma(y, source) : luma)
    }
  }

  private typealias Row = UnsafeMutablePointer<UInt8>

  private static func row(_ y: Int, _ plane: Int, of picture: PixelBuffer) -> Row {
    picture.planes[plane].row(y).assumingMemoryBound(to: UInt8.self)
  }

  /// Returns row `y` of Cb and Cr, and reads luma if it is packed with them.
  private func read(_ y: Int, of source: PixelBuffer) -> (cb: Row, cr: Row) {
    switch orders.source {
    case .planes: return (Self.row(y, 1, of: source), Self.row(y, 2, of: source))
    case .twoPlanes(let redFirst):
      sl_split_bytes(Self.row(y, 1, of: source), redFirst ? cr : cb, redFirst ? cb : cr, chroma.width)
    case .packed(let lumaFirst):
      sl_unpack_yuyv(Self.row(y, 0, of: source), lumaFirst ? 1 : 0, luma, cb, cr, chroma.width)
    case .grey: break
    }
    return (cb, cr)
  }

  private func copyLuma(of y: Int, _ source: PixelBuffer, _ target: PixelBuffer) {
    for row in y * chroma.rowsPerSample..<min((y + 1) * chroma.rowsPerSample, size.height) {
      let from = orders.source.isPacked ? luma : Self.row(row, 0, of: source)
      target.planes[0].row(row).copyMemory(from: from, byteCount: size.width)
    }
  }

  /// Luma for a packed row; a last column without a partner is repeated.
  private func packedLuma(_ y: Int, _ source: PixelBuffer) -> Row {
    guard !orders.source.isPacked else { return luma }
    luma.update(from: Self.row(y, 0, of: source), count: size.width)
    luma[size.width] = luma[size.width - 1]
    return luma
  }

  private func write(_ differences: (cb: Row, cr: Row), _ y: Int, into target: PixelBuffer, luma: Row) {
    let (cb, cr) = differences
    switch orders.target {
    case .planes:
      target.planes[1].row(y).copyMemory(from: cb, byteCount: chroma.width)
      target.planes[2].row(y).copyMemory(from: cr, byteCount: chroma.width)
    case .twoPlanes(let redFirst):
      sl_interleave_bytes(
        redFirst ? cr : cb, redFirst ? cb : cr, Self.row(y, 1, of: target), chroma.width)
    case .packed(let lumaFirst):
      sl_pack_yuyv(luma, cb, cr, lumaFirst ? 1 : 0, Self.row(y, 0, of: target), chroma.width)
    case .grey: break
    }
  }
}
