import AnalysisKernels

/// How much of the visible frame is clipped at the ends of the code range.
///
/// For a frame that was already shrunk the value is lower than for the original: averages hide small clipped
/// areas.
public struct Clipping: Sendable, Hashable, Codable {
  /// The fraction of pixels with at least one channel at full scale (to 8 bits), 0…1.
  public var highlights = 0.0
  /// The fraction of pixels with all channels at zero (to 8 bits), 0…1.
  public var shadows = 0.0

  public init(_ proxy: AnalysisProxy) {
    guard proxy.colorCount > 0 else { return }
    let counts = sla_count_clipped(proxy.colors.baseAddress, proxy.colorCount)
    highlights = Double(counts.highlights) / Double(proxy.colorCount)
    shadows = Double(counts.shadows) / Double(proxy.colorCount)
  }
}
