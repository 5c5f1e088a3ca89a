import Libc

/// A frame's brightness and contrast, in terms of perception and of exposure.
public struct ToneStatistics: Sendable, Hashable, Codable {
  /// Mean OKLab L, 0…1.
  public var mean = 0.0
  /// Median OKLab L, 0…1.
  public var median = 0.0
  /// Standard deviation of OKLab L, 0…0.5.
  public var contrast = 0.0
  /// The difference in OKLab L between the 1st and the 99th percentile, 0…1.
  public var range = 0.0
  /// The average luminance above middle grey (0.18 of white), in EV; −10 or less is black.
  ///
  /// For greys, luminance is the cube of L, by the definition of OKLab; for colours it is close.
  public var exposure = -10.0

  public init(_ histogram: Histogram) {
    guard histogram.count > 0 else { return }
    let scale = Double(Histogram.binCount - 1)
    var (sum, squares, luminance) = (0.0, 0.0, 0.0)
    for bin in 0..<Histogram.binCount {
      let level = Double(bin) / scale
      let weight = Double(histogram.lightness[bin])
      sum += weight * level
      squares += weight * level * level
      luminance += weight * level * level * level
    }
    let count = Double(histogram.count)
    mean = sum / count
    contrast = max(squares / count - mean * mean, 0).squareRoot()
    median = histogram.lightness(atPercentile: 0.5)
    range = histogram.lightness(atPercentile: 0.99) - histogram.lightness(atPercentile: 0.01)
    exposure = max(log2(max(luminance / count, 1e-12) / 0.18), -10)
  }
}
