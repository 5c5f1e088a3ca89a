import ColorScience
import FilterGraph
import FrameCore
import PixelKernels
import Synchronization

/// Converts rendered pictures to the formats of virtual cameras and video streams.
///
/// Luma and chroma follow the matrix and range of the target's tags (`YCbCrEncoding`). Subsampled chroma is the
/// mean over a box as large as the pixels it stands for, centred on its site: ½ ½ between two pixels, ¼ ½ ¼ on
/// one; beyond the edges the nearest pixel counts. Alpha is dropped.
///
/// After the first picture of a size nothing is allocated.
public struct PixelConverter: Sendable {
  private let pool: WorkerPool
  private let idle = IdleWorks()

  /// - Parameter threads: the maximum number of threads; nil uses every core.
  public init(threads: Int? = nil) { pool = WorkerPool(threads: threads) }

  /// Makes a converter that runs on the threads of `renderer`.
  package init(sharingThreadsOf renderer: CPURenderer) { pool = renderer.pool }

  /// Converts `source` into the whole of `target`.
  ///
  /// - Parameters:
  ///   - source: an `rgba8` picture.
  ///   - target: a buffer of the same size in a camera format; its tags define the matrix, range and siting.
  /// - Throws: `SafelightError` if formats, sizes or tags do not fit.
  public func convert(_ source: PixelBuffer, into target: PixelBuffer) throws {
    guard source.format == .rgba8, let channels = CameraChannels(target.format) else {
      throw SafelightError(
        .unsupported,
        "Pictures are converted from rgba8 to camera formats, not \(source.format.rawValue) → \(target.format.rawValue)",
        remedy:
          "render to rgba8 first, and ask for yuyv422, uyvy422, nv12, nv21, nv16, i420, i422, i444 or gray8")
    }
    guard source.size == target.size else {
      throw SafelightError(
        .invalidValue, "A picture of \(source.size) does not fill a buffer of \(target.size)",
        remedy: "make the buffer of the picture's size")
    }
    let encoding =
      target.format == .gray8
      ? YCbCrEncoding(grey: target.tags) : try YCbCrEncoding(tags: target.tags, size: target.size)
    let work = idle.take()
    work.set(source, target, channels, YCbCrStage(format: target.format, encoding: encoding))
    pool.run(work)
    work.clear()
    idle.giveBack(work)
  }

  private final class IdleWorks: Sendable {
    private let works = Mutex<[ConversionWork]>([])
    func take() -> ConversionWork { works.withLock { $0.popLast() } ?? ConversionWork() }
    func giveBack(_ work: ConversionWork) { works.withLock { $0.append(work) } }
  }
}

/// The conversion of a picture to a camera format, in bands of rows.
private final class ConversionWork: PoolWork, @unchecked Sendable {
  private static let bandRows = 32
  private var source, target: PixelBuffer?
  private var channels: CameraChannels?
  private var stepX = 1
  private var stepY = 1
  private var matrix = sl_ycbcr_matrix()
  /// Weights of three neighbouring columns, and of the rows around a chroma row, in quarters.
  private let across = UnsafeMutablePointer<Int32>.allocate(capacity: 3)
  private let down = UnsafeMutablePointer<Int32>.allocate(capacity: 3)
  private var firstRow = 0
  private var rowCount = 1

  deinit {
    across.deallocate()
    down.deallocate()
  }

  func set(_ source: PixelBuffer, _ target: PixelBuffer, _ channels: CameraChannels, _ stage: YCbCrStage) {
    self.source = source
    self.target = target
    self.channels = channels
    matrix = Self.matrix(stage.encoding)
    let place = stage.chroma
    (stepX, stepY) = (place.stepX, place.stepY)
    let columns: (Int32, Int32, Int32) = stepX == 1 ? (0, 4, 0) : place.offsetX == 0 ? (1, 2, 1) : (0, 2, 2)
    (across[0], across[1], across[2]) = columns
    let rows: (Int32, Int32, Int32) = stepY == 1 ? (4, 0, 0) : place.offsetY == 0 ? (1, 2, 1) : (2, 2, 0)
    (down[0], down[1], down[2]) = rows
    firstRow = stepY == 2 && place.offsetY == 0 ? -1 : 0
    rowCount = stepY == 1 ? 1 : place.offsetY == 0 ? 3 : 2
    pieces = (target.height + Self.bandRows - 1) / Self.bandRows
  }

  func clear() {
    source = nil
    target = nil
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

  override func perform(_ piece: Int, scratch: TileScratch) {
    guard let source, let target, let channels else { return }
    let rows = piece * Self.bandRows..<min((piece + 1) * Self.bandRows, target.height)
    let width = target.width
    let chromaWidth = (width + stepX - 1) / stepX
    // Each band has a row of luma, rows of both chroma channels, sums of one, and subsampled rows of both.
    let stride = (width + 63) & ~63
    let slab = scratch.slab(stride * (2 + 2 * 2 * 3 + 4 + 2) + 1024)
    let luma = slab.assumingMemoryBound(to: UInt8.self)
    func wide(_ plane: Int, _ row: Int) -> UnsafeMutablePointer<Int16> {
      (slab + stride * (2 + 2 * (3 * plane + row))).assumingMemoryBound(to: Int16.self)
    }
    let sums = (slab + stride * 14 + 64).assumingMemoryBound(to: Int32.self)
    let cb = (slab + stride * 18 + 512).assumingMemoryBound(to: UInt8.self)
    let cr = cb + stride

    for y in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: stepY) {
      for k in 0..<rowCount {
        let row = min(max(y + firstRow + k, 0), target.height - 1)
        sl_rgba8_to_ycbcr(
          &matrix, source.planes[0].row(row).assumingMemoryBound(to: UInt8.self), luma, wide(0, k),
          wide(1, k),
          width)
        // Stores luma of the rows that this chroma row stands for.
        if row == y + firstRow + k, row >= y { store(luma, row, target, channels) }
      }
      guard channels.hasChroma else { continue }
      thin(0, wide, sums, cb, width)
      thin(1, wide, sums, cr, width)
      store(cb, cr, y / stepY, chromaWidth, luma, target, channels)
    }
  }

  private func thin(
    _ plane: Int, _ wide: (Int, Int) -> UnsafeMutablePointer<Int16>, _ sums: UnsafeMutablePointer<Int32>,
    _ target: UnsafeMutablePointer<UInt8>, _ width: Int
  ) {
    withUnsafeTemporaryAllocation(of: UnsafePointer<Int16>?.self, capacity: 3) { rows in
      for k in 0..<3 { rows.initializeElement(at: k, to: UnsafePointer(wide(plane, min(k, rowCount - 1)))) }
      sl_thin_chroma(rows.baseAddress, down, rowCount, across, Int32(stepX), sums, target, width)
    }
  }

  /// Stores luma in formats that have a plane for it.
  private func store(
    _ luma: UnsafePointer<UInt8>, _ y: Int, _ target: PixelBuffer, _ channels: CameraChannels
  ) {
    guard channels.luma.step == 1 else { return }
    target.planes[0].row(y).copyMemory(from: luma, byteCount: target.width)
  }

  private func store(
    _ cb: UnsafeMutablePointer<UInt8>, _ cr: UnsafeMutablePointer<UInt8>, _ y: Int, _ width: Int,
    _ luma: UnsafeMutablePointer<UInt8>, _ target: PixelBuffer, _ channels: CameraChannels
  ) {
    let row = target.planes[channels.cb.plane].row(y).assumingMemoryBound(to: UInt8.self)
    switch channels.cb.step {
    case 4:
      // If the width is odd, the last pair repeats its first pixel.
      luma[target.width] = luma[target.width - 1]
      sl_pack_yuyv(luma, cb, cr, channels.luma.offset == 0 ? 1 : 0, row, width)
    case 2:
      let isReversed = channels.cb.offset == 1
      sl_interleave_bytes(isReversed ? cr : cb, isReversed ? cb : cr, row, width)
    default:
      UnsafeMutableRawPointer(row).copyMemory(from: cb, byteCount: width)
      target.planes[channels.cr.plane].row(y).copyMemory(from: cr, byteCount: width)
    }
  }
}
