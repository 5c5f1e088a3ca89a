import FrameCore

extension SyntheticScene {
  /// A patch of the chart.
  public struct Patch: Sendable, Hashable {
    public let name: String
    /// Linear R, G, B with Rec. 709 primaries, 0…1. The picture shows this multiplied by `illuminantGain`.
    public let reflectance: SIMD3<Float>
    /// The pixels that show only this patch.
    public let columns: Range<Int>
    public let rows: Range<Int>
  }

  /// Six greys from white to black and six colours, all within sRGB and below 0.8, so that moderate gains do not
  /// clip. The values are Safelight's own.
  private static let reflectances: [(name: String, reflectance: SIMD3<Float>)] = [
    ("white", SIMD3(0.78, 0.78, 0.78)),
    ("light grey", SIMD3(0.52, 0.52, 0.52)),
    ("grey", SIMD3(0.32, 0.32, 0.32)),
    ("middle grey", SIMD3(0.18, 0.18, 0.18)),
    ("dark grey", SIMD3(0.085, 0.085, 0.085)),
    ("black", SIMD3(0.032, 0.032, 0.032)),
    ("skin", SIMD3(0.55, 0.31, 0.22)),
    ("foliage", SIMD3(0.10, 0.16, 0.055)),
    ("sky", SIMD3(0.12, 0.20, 0.34)),
    ("red", SIMD3(0.44, 0.045, 0.05)),
    ("yellow", SIMD3(0.72, 0.52, 0.06)),
    ("blue", SIMD3(0.04, 0.07, 0.33)),
  ]

  static let chartBorder: Float = 0.015
  private static let columnsOfPatches = 6
  private static let rowsOfPatches = 2

  /// The edge of a square patch and the gap next to it, in pixels.
  private var patchPitch: (edge: Int, gap: Int) {
    let pitch = min(size.height / 14, size.width / 16)
    let gap = max(1, pitch / 8)
    return (pitch - gap, gap)
  }

  /// The chart with its border; it is level in the picture, whatever the roll.
  var chartFrame: (columns: Range<Int>, rows: Range<Int>) {
    let (edge, gap) = patchPitch
    guard edge >= 1 else { return (0..<0, 0..<0) }
    let margin = edge / 2
    let width = Self.columnsOfPatches * (edge + gap) + gap
    let height = Self.rowsOfPatches * (edge + gap) + gap
    let bottom = size.height - margin
    return (margin..<margin + width, bottom - height..<bottom)
  }

  /// The chart's patches with their positions; empty if `showsPatches` is off or the picture is too small for
  /// patches of one pixel (below about 32 × 28).
  public var patches: [Patch] {
    let (edge, gap) = patchPitch
    guard showsPatches, edge >= 1 else { return [] }
    let (columns, rows) = chartFrame
    return Self.reflectances.enumerated().map { index, patch in
      let x = columns.lowerBound + gap + index % Self.columnsOfPatches * (edge + gap)
      let y = rows.lowerBound + gap + index / Self.columnsOfPatches * (edge + gap)
      return Patch(
        name: patch.name, reflectance: patch.reflectance, columns: x..<x + edge, rows: y..<y + edge)
    }
  }
}
