import AnalysisKernels

/// How many pixels have each lightness and each code value.
///
/// Counted over a grid of single pixels (`AnalysisProxy`), so counts are proportional to areas of the frame passed
/// in. If a stored photo was decoded at a smaller size, as analyses do, its pixels are averages, among which the
/// ends of the code range are rarer than in the photo. Invisible pixels are not counted.
public struct Histogram: Sendable, Hashable, Codable {
  /// The number of bins of each histogram.
  public static let binCount = 256

  /// Counts of OKLab L; bin i holds round(255 · L) = i.
  public private(set) var lightness = [UInt32](repeating: 0, count: binCount)
  /// Counts of encoded red; bin i holds the 8-bit code value i.
  public private(set) var red = [UInt32](repeating: 0, count: binCount)
  public private(set) var green = [UInt32](repeating: 0, count: binCount)
  public private(set) var blue = [UInt32](repeating: 0, count: binCount)
  /// The number of pixels counted.
  public private(set) var count = 0

  /// Makes an empty histogram, to be filled by `update`.
  public init() {}

  public init(_ proxy: AnalysisProxy) {
    update(from: proxy)
  }

  /// Counts again, reusing this histogram's memory.
  public mutating func update(from proxy: AnalysisProxy) {
    count = proxy.colorCount
    Self.fill(&lightness, from: proxy.lightness)
    let colors = proxy.colors
    Self.fill(&red, from: UnsafeBufferPointer(rebasing: colors[..<count]))
    Self.fill(&green, from: UnsafeBufferPointer(rebasing: colors[count..<2 * count]))
    Self.fill(&blue, from: UnsafeBufferPointer(rebasing: colors[(2 * count)...]))
  }

  private static func fill(_ bins: inout [UInt32], from samples: UnsafeBufferPointer<Float>) {
    bins.withUnsafeMutableBufferPointer { bins in
      bins.update(repeating: 0)
      sla_histogram(samples.baseAddress, samples.count, bins.baseAddress)
    }
  }

  /// The lightness below which a fraction of the pixels lies, 0…1; 0 for an empty histogram.
  ///
  /// - Parameter fraction: 0…1; clamped to that range.
  public func lightness(atPercentile fraction: Double) -> Double {
    guard count > 0 else { return 0 }
    let target = min(max(fraction, 0), 1) * Double(count)
    var below = 0.0
    for bin in 0..<Self.binCount where lightness[bin] > 0 {
      let pixels = lightness[bin]
      let next = below + Double(pixels)
      if next >= target {
        // Assumes an even distribution within a bin; bin i spans (i − ½)/255 … (i + ½)/255.
        let position = Double(bin) - 0.5 + (target - below) / Double(pixels)
        return min(max(position / Double(Self.binCount - 1), 0), 1)
      }
      below = next
    }
    return 1
  }
}
