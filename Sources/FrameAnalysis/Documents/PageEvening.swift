import AnalysisKernels
import FrameCore
import Libc

/// Makes rectified pages look as if scanned: without shadows, uneven light and the tint of paper, on white; or in black
/// and white.
///
/// Every sample is divided by the paper's at its place, in the picture's own encoding: for a power law that is exact.
/// Colours on the page keep their relation to the paper.
public enum PageEvening {
  /// Samples from this fraction of the paper's on are white: the noise of paper is not kept.
  private static let whitePoint: Float = 0.96
  private static let rowsOfPiece = 64

  /// Returns the page on even, white paper.
  ///
  /// - Parameters:
  ///   - page: a rectified page in `rgba8`; alpha is kept.
  ///   - threads: the number of threads to use; one for each processor if nil.
  /// - Throws: `SafelightError(.unsupported)` for another format, `.noMemory`.
  public static func evened(_ page: PixelBuffer, threads: Int? = nil) throws -> PixelBuffer {
    try validate(page)
    var background = PageBackground(page)
    background.smooth()
    let result = try PixelBuffer(
      size: page.size, format: .rgba8, tags: page.tags, alpha: page.alpha)
    let gains = GainRows(background, width: page.width)
    let pieces = (page.height + rowsOfPiece - 1) / rowsOfPiece
    team(threads, pieces).run(pieces) { piece in
      var rows = gains
      for y in piece * rowsOfPiece..<min((piece + 1) * rowsOfPiece, page.height) {
        rows.multiply(
          page.row(y, as: UInt8.self), y: y, height: page.height,
          into: result.row(y, as: UInt8.self))
      }
    }
    return result
  }

  /// Returns the page in black and white: evened out, then compared with its surroundings.
  ///
  /// A pixel is white if its luma exceeds m · (1 + k · (s / R − 1)), where m and s are the mean and the standard
  /// deviation around it, k = 0.2 and R = 128, and 0.45 of white: evened paper is white, so that large dark things need
  /// not be hollow.
  ///
  /// Source: J. Sauvola, M. Pietikäinen, Adaptive document image binarization, Pattern Recognition 33, 2000.
  ///
  /// - Parameters:
  ///   - page: a rectified page in `rgba8`; alpha is kept.
  ///   - threads: the number of threads to use; one for each processor if nil.
  /// - Throws: `SafelightError(.unsupported)` for another format, `.noMemory`.
  public static func blackAndWhite(_ page: PixelBuffer, threads: Int? = nil) throws -> PixelBuffer {
    let even = try evened(page, threads: threads)
    let luma = try PixelBuffer(size: page.size, format: .gray8)
    let radius = max(page.size.longEdge / 80, 4)
    let pieces = (page.height + rowsOfPiece - 1) / rowsOfPiece
    let team = team(threads, pieces)
    team.run(pieces) { piece in
      for y in piece * rowsOfPiece..<min((piece + 1) * rowsOfPiece, page.height) {
        sla_luma8(
          even.planes[0].row(y), 8, 0, Int32(page.width),
          luma.planes[0].row(y).assumingMemoryBound(to: UInt8.self))
      }
    }
    // Each piece adds up the rows around it first, so pieces are not small.
    let large = max(rowsOfPiece, 4 * radius)
    let count = (page.height + large - 1) / large
    team.run(count) { piece in
      let scratch = SampleBuffer<UInt32>(capacity: 2 * page.width)
      let first = piece * large
      sla_sauvola(
        luma.planes[0].base, luma.planes[0].rowBytes, Int32(page.width), Int32(page.height),
        Int32(first),
        Int32(min(large, page.height - first)), Int32(radius), sauvolaFactor, darkest, scratch.base,
        even.planes[0].base,
        even.planes[0].rowBytes)
    }
    withExtendedLifetime((even, luma)) {}
    return even
  }

  private static let sauvolaFactor: Float = 0.2
  private static let darkest: Float = 0.45 * 255

  private static func team(_ threads: Int?, _ pieces: Int) -> ThreadTeam {
    ThreadTeam(name: "evening", threads: min(threads ?? ProcessorCount.usable, pieces))
  }

  private static func validate(_ page: PixelBuffer) throws {
    guard page.format == .rgba8 else {
      throw SafelightError(
        .unsupported, "Pages in \(page.format.rawValue) cannot be evened out",
        remedy: "convert the page to rgba8")
    }
  }

  /// The gain of each sample of a row, between those of the grid's rows.
  private struct GainRows: Sendable {
    private let background: PageBackground
    private let width: Int
    /// Gains of R, G, B and alpha at each pixel along one row of the grid, and along the next.
    private var upper: (row: Int, gains: [Float]) = (-1, [])
    private var lower: (row: Int, gains: [Float]) = (-1, [])

    init(_ background: PageBackground, width: Int) {
      (self.background, self.width) = (background, width)
    }

    mutating func multiply(
      _ row: UnsafeMutableBufferPointer<UInt8>, y: Int, height: Int,
      into out: UnsafeMutableBufferPointer<UInt8>
    ) {
      let at = (Float(y) + 0.5) / Float(height) * Float(background.rows) - 0.5
      let place = min(max(at, 0), Float(background.rows - 1))
      let first = Int(place)
      if upper.row != first { upper = lower.row == first ? lower : (first, gains(first)) }
      let next = min(first + 1, background.rows - 1)
      if lower.row != next { lower = (next, gains(next)) }
      sla_multiply_between(
        row.baseAddress, upper.gains, lower.gains, place - Float(first), 4 * width, out.baseAddress)
    }

    private func gains(_ row: Int) -> [Float] {
      var gains = [Float](repeating: 1, count: 4 * width)
      for x in 0..<width {
        let at = (Float(x) + 0.5) / Float(width) * Float(background.columns) - 0.5
        let paper = PageBackground.bilinear(
          background.paper, background.columns, background.rows, at, Float(row))
        for channel in 0..<3 {
          gains[4 * x + channel] = 255 / (PageEvening.whitePoint * max(paper[channel], 8))
        }
      }
      return gains
    }
  }
}
