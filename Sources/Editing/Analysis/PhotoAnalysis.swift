import FrameAnalysis
import FrameCore
import PhotoIO

/// Everything that is measured of a stored photo.
///
///     let analysis = try PhotoAnalysis(PhotoSample(contentsOf: "harbour.jpg"))
///     print(analysis.edges.edgeWidth ?? 0, analysis.verdicts)
public struct PhotoAnalysis: Sendable, Hashable, Codable {
  /// What the ends of the code range took from each channel: fractions of the pixels, 0…1.
  public struct ChannelClipping: Sendable, Hashable, Codable {
    /// At full scale, to 8 bits.
    public var highlights: Double
    /// At zero, to 8 bits.
    public var shadows: Double

    init(_ bins: [UInt32], count: Int) {
      func part(_ pixels: UInt32?) -> Double { count > 0 ? Double(pixels ?? 0) / Double(count) : 0 }
      highlights = part(bins.last)
      shadows = part(bins.first)
    }
  }

  /// The photo's own size, as displayed.
  public var size: PixelSize
  /// The size of the picture that was measured, as displayed. Where it is less than `size`, clipped highlights are less
  /// than the photo's: see `PhotoSample.buffer`.
  public var measuredSize: PixelSize
  /// For example `JPEG`.
  public var formatName: String
  public var tone: ToneStatistics
  public var clipping: Clipping
  /// Of red, green and blue in the photo's own colour space.
  public var channelClipping: [ChannelClipping]
  /// Of the light that automatic white balance sees; nil where too little tells it, as in greys and toned pictures.
  public var cast: ColorCast?
  /// How wide the sharpest edges are, measured on the photo at 100 %.
  public var edges: EdgeSharpness
  /// What automatic exposure would add, EV: above 0 for a photo that is too dark, below for one that is too bright. 0 where
  /// a photo is of one brightness all over.
  public var missingExposure: Double
  /// Standard deviation of the noise in luma, 0…1 at full scale, after averaging down to 640 pixels.
  public var noise: Double
  public var horizon: Horizon
  public var histogram: Histogram
  /// What had to be left out or guessed when the photo was read, one sentence each.
  public var warnings: [String]

  /// What a `PhotoSample` and its analysis take at most, bytes, as far as the header tells: the decoder, the
  /// bands that are read, the sample, the luma of the whole photo and, where there is much noise, of its halves,
  /// and the file.
  package static func memory(of header: PhotoHeader) -> Int {
    let (size, edge) = (header.size, 2 * PhotoSample.longEdge)
    let pixelBytes = header.bitsPerSample > 8 ? 8 : 4
    // Rows as the decoder and as the analyses have them.
    let bands = 2 * 64 * size.width * pixelBytes
    let sample = min(size.pixelCount, edge * edge) * pixelBytes
    let luma = size.pixelCount + size.pixelCount / 3
    return header.decodingMemory + bands + sample + luma + size.pixelCount + 32 << 20
  }

  /// Reads the photo once more, as a whole, for the width of its edges.
  ///
  /// - Parameter threads: how many measure it.
  /// - Throws: `SafelightError` where the photo's ICC profile is damaged or is not a matrix with curves, or where it cannot
  ///   be read any more.
  public init(_ sample: PhotoSample, threads: Int = 1) throws {
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
    edges = try EdgeSharpness(contentsOf: sample.path, threads: threads)
    horizon = PhotoHorizon(sample).horizon
  }
}
