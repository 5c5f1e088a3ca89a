import ColorScience
import FilterGraph
import FrameCore
import PixelKernels
import Synchronization

/// Converts rendered pictures to the formats of virtual cameras and video streams.
///
/// Luma and chroma follow the matrix and range of the target's tags (`YCbCrEncoding`). Subsampled chroma is the
/// mean over a box as large as the pixels it stands for, centred on its site: ½ ½ between two pixels, ¼ ½ ¼ on
/// one; beyond the edges the nearest pixel counts. Alpha is dropped. A plan that ends in such a format
/// (`PlanOutput.format`) makes the same samples without the picture in between.
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
    guard source.format == .rgba8, !target.format.isRGBA else {
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
    guard let writer = PlaneWriter(YCbCrStage(format: target.format, encoding: encoding)) else { return }
    let work = idle.take()
    work.set(source, target, writer)
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
  private var writer: PlaneWriter?

  func set(_ source: PixelBuffer, _ target: PixelBuffer, _ writer: PlaneWriter) {
    self.source = source
    self.target = target
    self.writer = writer
    pieces = (target.height + Self.bandRows - 1) / Self.bandRows
  }

  func clear() {
    source = nil
    target = nil
  }

  override func perform(_ piece: Int, scratch: TileScratch) {
    guard let source, let target, let writer else { return }
    let rows = piece * Self.bandRows..<min((piece + 1) * Self.bandRows, target.height)
    var tile = writer.begin(
      columns: 0..<target.width, rows: rows, of: target, size: target.size, scratch: scratch)
    let pixels = source.planes[0]
    if writer.reachesUp, rows.lowerBound > 0 {
      writer.prime(pixels.row(rows.lowerBound - 1), row: rows.lowerBound - 1, of: &tile)
    }
    for y in rows { writer.take(pixels.row(y), row: y, of: tile) }
  }
}
