import AnalysisKernels
import FrameCore
import Synchronization

/// The width of a photo's edges where it is sharpest, at 100 %: distinguishes blurred photos from sharp ones.
///
/// Along rows, columns and both diagonals, luma runs from one extreme to the next. The width of such a run is its
/// height divided by its steepest step: 1 pixel for a clean step, 2.5 σ for an edge blurred by a Gaussian of σ, L
/// for motion blur of L pixels. Contrast and exposure cancel. Fine detail has narrow runs, blurred detail wide
/// ones.
///
/// In each of the four directions only the sharpest hundredth of the tiles with edges counts, so that a portrait
/// with a soft background is sharp; and the worst direction counts, since motion leaves edges along it sharp.
/// Noise, which steepens edges, is measured first; if it is strong, the photo is halved once or twice before
/// measuring.
///
/// Sources: P. Marziliano and others, A no-reference perceptual blur metric, ICIP 2002, for widths between
/// extremes; J. Immerkær, Fast noise variance estimation, 1996.
public struct EdgeSharpness: Sendable, Hashable, Codable {
  /// The width in photo pixels of the sharpest edges, at least 0.5; nil if nothing has enough contrast.
  public var edgeWidth: Double?
  /// The standard deviation of the noise in luma at 100 %, 0…1 at full scale, in the quietest fiftieth of the
  /// picture.
  public var noise: Double

  package init(edgeWidth: Double?, noise: Double = 0) { (self.edgeWidth, self.noise) = (edgeWidth, noise) }

  /// The reciprocal of the width in pixels, at most 1: 1 is as sharp as pixels can be, 0.33 soft, 0.1 blurred.
  public var value: Double? { edgeWidth.map { min(1 / $0, 1) } }
}

/// Measures `EdgeSharpness`: takes the rows of a picture as they are decoded, and keeps their luma.
package final class EdgeSharpnessMeter: @unchecked Sendable {
  private let size: PixelSize
  private let isLinear: Bool
  private var luma: [UInt8]
  private var rows = 0

  /// The edges of tiles in pixels, for photos of megapixels and for smaller ones.
  private static let (largeTile, smallTile) = (64, 32)
  private static let largePhoto = 1600
  /// The rows that one thread measures at a time: whole tiles.
  private static let bandRows = 256
  /// A photo with more noise, in 8-bit codes, is halved.
  private static let mostNoise = 3.5
  /// The squared width of a clean step after the smoothing before the measurement: (2.5 σ)² for σ² = 1/2.
  private static let smoothing = 3.13

  /// - Parameters:
  ///   - size: the picture's size as stored.
  ///   - isLinear: whether samples are linear light.
  package init(size: PixelSize, isLinear: Bool) {
    (self.size, self.isLinear) = (size, isLinear)
    luma = [UInt8](repeating: 0, count: size.pixelCount)
  }

  /// Takes the next rows of the picture, from top to bottom.
  ///
  /// - Parameter band: an `rgba8` or `rgba16` buffer as wide as the picture.
  package func add(_ count: Int, of band: PixelBuffer) {
    let width = size.width
    let taken = min(count, size.height - rows)
    luma.withUnsafeMutableBufferPointer { luma in
      for row in 0..<taken {
        sla_luma8(
          band.planes[0].row(row), Int32(band.format.bitsPerSample), isLinear ? 1 : 0, Int32(width),
          luma.baseAddress.map { $0 + (rows + row) * width })
      }
    }
    withExtendedLifetime(band) {}
    rows += taken
  }

  /// Measures the rows added.
  ///
  /// - Parameters:
  ///   - scale: photo pixels per picture pixel, along an edge.
  ///   - threads: the number of threads to use.
  /// - Throws: `SafelightError(.noMemory)` if memory is short.
  package func measure(scale: Double = 1, threads: Int = 1) throws -> EdgeSharpness {
    var picture = (luma: luma, size: size)
    var noise = Self.noise(in: picture.luma, picture.size)
    let fullNoise = noise / 255
    var factor = 1
    while noise > Self.mostNoise, factor < 4, min(picture.size.width, picture.size.height) >= 64 {
      picture = Self.halved(picture.luma, picture.size)
      noise /= 2
      factor *= 2
    }
    // The noise that remains after smoothing.
    let left = 0.375 * noise
    let isLarge = size.longEdge >= Self.largePhoto
    let tile = (isLarge ? Self.largeTile : Self.smallTile) / factor
    // Photos of fog and haze have only edges of low contrast.
    for least in [20.0, 10] {
      let settings = sla_edge_settings(
        tile: Int32(tile), stride: factor == 1 && isLarge ? 3 : 1, reversal: Float(max(2.5, 4 * left)),
        least_height: Float(max(least, 12 * left)))
      let widths = try Self.widths(picture.luma, picture.size, settings, threads: threads)
      guard let worst = widths.max() else { continue }
      let own = max(worst * worst - Self.smoothing, 0.25).squareRoot()
      return EdgeSharpness(edgeWidth: own * Double(factor) * scale, noise: fullNoise)
    }
    return EdgeSharpness(edgeWidth: nil, noise: fullNoise)
  }

  /// The width of the sharpest edges in each direction that has edges, including smoothing.
  private static func widths(
    _ luma: [UInt8], _ size: PixelSize, _ settings: sla_edge_settings, threads: Int
  ) throws -> [Double] {
    let bands = (size.height + bandRows - 1) / bandRows
    let columns = (size.width + Int(settings.tile) - 1) / Int(settings.tile)
    let found = TileSums(bands: bands)
    ThreadTeam(name: "edges", threads: min(threads, bands)).run(bands) { band in
      let first = band * bandRows
      let count = min(bandRows, size.height - first)
      let tiles = columns * ((count + Int(settings.tile) - 1) / Int(settings.tile))
      var sums = [sla_edge_tile](repeating: sla_edge_tile(), count: 4 * tiles)
      var settings = settings
      let isMeasured = luma.withUnsafeBufferPointer {
        sla_measure_edges(
          $0.baseAddress, Int32(size.width), Int32(size.height), Int32(first), Int32(count), &settings, &sums)
      }
      if isMeasured != 0 { found.set(sums, of: band) }
    }
    guard found.isComplete else {
      throw SafelightError(
        .noMemory, "Not enough memory to measure the sharpness of a picture of \(size)",
        remedy: "close other programs or use a smaller picture")
    }
    return (0..<4).compactMap { found.sharpestWidth(in: $0) }
  }

  /// The standard deviation of the noise, in 8-bit codes, in the quietest fiftieth of the blocks, so that texture
  /// is not taken for noise.
  private static func noise(in luma: [UInt8], _ size: PixelSize) -> Double {
    var bins = [UInt32](repeating: 0, count: Int(SLA_NOISE_BINS))
    sla_count_noise(luma, Int32(size.width), Int32(size.height), &bins)
    let target = Double(bins.reduce(0) { $0 + Int($1) }) / 50
    var below = 0.0
    for (bin, count) in bins.enumerated() where count > 0 {
      below += Double(count)
      if below >= target { return (Double(bin) + 0.5) / 8 }
    }
    return 0
  }

  private static func halved(_ luma: [UInt8], _ size: PixelSize) -> (luma: [UInt8], size: PixelSize) {
    let half = PixelSize(width: size.width / 2, height: size.height / 2)
    var small = [UInt8](repeating: 0, count: half.pixelCount)
    sla_halve8(luma, Int32(size.width), Int32(size.height), &small)
    return (small, half)
  }
}

/// The threads' results, band by band.
private final class TileSums: Sendable {
  /// Nil for bands that are not measured.
  private let bands: Mutex<[[sla_edge_tile]?]>

  init(bands: Int) { self.bands = Mutex(Array(repeating: nil, count: bands)) }

  func set(_ sums: [sla_edge_tile], of band: Int) { bands.withLock { $0[band] = sums } }

  var isComplete: Bool { bands.withLock { !$0.contains { $0 == nil } } }

  /// The width of edges in the sharpest tiles; nil if too few tiles have edges.
  func sharpestWidth(in direction: Int) -> Double? {
    var widths: [Double] = []
    for sums in bands.withLock({ $0.compactMap(\.self) }) {
      let tiles = sums.count / 4
      // Fewer runs in a tile may be chance, as may fewer tiles.
      for tile in sums[direction * tiles..<(direction + 1) * tiles] where tile.count >= 3 {
        widths.append(tile.weight / tile.inverse_width)
      }
    }
    guard widths.count >= 3 else { return nil }
    widths.sort()
    return widths[max(2, widths.count / 100)]
  }
}
