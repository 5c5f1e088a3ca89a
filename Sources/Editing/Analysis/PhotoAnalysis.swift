import FrameAnalysis
import FrameCore
import PhotoIO

/// All measurements of a stored photo.
///
///     let analysis = try PhotoAnalysis(PhotoSample(contentsOf: "harbour.jpg"))
///     print(analysis.edges.edgeWidth ?? 0, analysis.verdicts)
public struct PhotoAnalysis: Sendable, Hashable, Codable {
  /// Clipping of each channel at the ends of the code range, as fractions of the pixels, 0…1.
  public struct ChannelClipping: Sendable, Hashable, Codable {
    /// At full scale, in 8 bits.
    public var highlights: Double
    /// At zero, in 8 bits.
    public var shadows: Double

    init(_ bins: [UInt32], count: Int) {
      func part(_ pixels: UInt32?) -> Double { count > 0 ? Double(pixels ?? 0) / Double(count) : 0 }
      highlights = part(bins.last)
      shadows = part(bins.first)
    }
  }

  /// The photo's own size, as displayed.
  public var size: PixelSize
  /// The size of the measured picture, as displayed. If smaller than `size`, it has fewer clipped highlights than
  /// the photo: see `PhotoSample.buffer`.
  public var measuredSize: PixelSize
  /// For example `JPEG`.
  package var formatName: String
  public var tone: ToneStatistics
  public var clipping: Clipping
  /// Red, green and blue in the photo's own colour space.
  public var channelClipping: [ChannelClipping]
  /// The cast of the light that automatic white balance estimates; nil if the evidence is weak, as in grey or
  /// toned pictures.
  public var cast: ColorCast?
  /// The width of the sharpest edges, measured on the photo at 100 %.
  public var edges: EdgeSharpness
  /// The correction by automatic exposure, EV: positive if the photo is too dark, negative if too bright, and 0 if
  /// it is uniformly bright.
  public var missingExposure: Double
  /// Standard deviation of the noise in luma, 0…1 at full scale, after averaging down to 640 pixels.
  public var noise: Double
  public var horizon: Horizon
  public var histogram: Histogram
  /// What was omitted or guessed when the photo was read, one sentence each.
  public var warnings: [String]

  /// Returns the maximum memory, in bytes, of a `PhotoSample` and its analysis, as far as the header tells: the
  /// decoder, the bands, the sample, the luma of the whole photo and, for noisy photos, of its halves, and the
  /// file.
  package static func memory(of header: PhotoHeader) -> Int {
    let (size, edge) = (header.size, 2 * PhotoSample.longEdge)
    let pixelBytes = header.bitsPerSample > 8 ? 8 : 4
    // The decoder and the analyses each hold rows.
    let bands = 2 * 64 * size.width * pixelBytes
    let sample = min(size.pixelCount, edge * edge) * pixelBytes
    let luma = size.pixelCount + size.pixelCount / 3
    return header.decodingMemory + bands + sample + luma + size.pixelCount + 32 << 20
  }

  /// Reads the whole photo once more to measure the width of its edges.
  ///
  /// - Parameter threads: the number of measuring threads.
  /// - Throws: `SafelightError` if the photo's ICC profile is damaged or is not a matrix with curves, or if the
  ///   photo can no longer be read.
  public init(_ sample: PhotoSample, threads: Int = 1) throws {
    try self.init(sample, edges: EdgeSharpness(contentsOf: sample.path, threads: threads))
  }

  /// Measures a picture in memory.
  ///
  /// - Parameters:
  ///   - picture: `rgba8` or `rgba16`, encoded for a display.
  ///   - name: what messages call it.
  /// - Throws: `SafelightError` if its colour tags are unusable.
  package init(_ picture: Frame, named name: String, threads: Int = 1) throws {
    try self.init(
      PhotoSample(picture, named: name), edges: EdgeSharpness(of: picture.buffer, threads: threads))
  }

  private init(_ sample: PhotoSample, edges: EdgeSharpness) throws {
    size = sample.size
    measuredSize = sample.orientation.applied(to: sample.buffer.size)
    formatName = sample.formatName
    warnings = sample.warnings
    histogram = Histogram(sample.proxy)
    let count = histogram.count
    channelClipping = [histogram.red, histogram.green, histogram.blue].map {
      ChannelClipping($0, count: count)
    }
    tone = ToneStatistics(histogram)
    clipping = Clipping(sample.proxy)
    let colors = try LinearColors(sample.proxy, of: sample.buffer)
    cast = IlluminantEstimate(colors).map { ColorCast($0) }
    missingExposure = ExposureEstimate(LightDistribution(colors))?.stops ?? 0
    noise = Sharpness(sample.proxy).noise
    self.edges = edges
    horizon = PhotoHorizon(sample).horizon
  }
}
