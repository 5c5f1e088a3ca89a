import ColorScience
import FilterGraph
import FrameCore
import Libc

/// What the look of a picture is told by: its tones, its balance, and its colours from dark to bright.
struct LookStatistics {
  /// The luminance, encoded as sRGB, that `shares` of the picture are darker than: 0…1.
  let tones: [Double]
  /// The median of linear luminance.
  let middle: Double
  /// OKLab a and b of what is nearest to grey, taken for the picture's idea of it.
  let grey: SIMD2<Double>
  /// Mean OKLab a and b of the darkest, the middle and the brightest third.
  let thirds: [SIMD2<Double>]
  /// The mean of OKLab chroma.
  let chroma: Double

  static let shares = [0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98]

  /// - Parameter colors: linear Rec. 2020; at least one.
  init(_ colors: [SIMD3<Double>]) {
    let toXYZ = PlanBuilder.workingSpace.toXYZ
    let samples = colors.map { color -> (light: Double, lab: SIMD3<Double>) in
      // What a display shows of it.
      let xyz = toXYZ * color.clamped(lowerBound: .zero, upperBound: .one)
      return (xyz.y, OKLab.fromXYZ(xyz))
    }.sorted { $0.light < $1.light }
    let last = Double(samples.count - 1)
    tones = Self.shares.map { TransferFunction.sRGB.encode(samples[Int(($0 * last).rounded())].light) }
    middle = samples[samples.count / 2].light
    chroma = samples.reduce(0) { $0 + hypot($1.lab.y, $1.lab.z) } / Double(samples.count)
    thirds = (0..<3).map { third in
      let part = samples[(third * samples.count / 3)..<max((third + 1) * samples.count / 3, 1)]
      return Self.mean(part.map { SIMD2($0.lab.y, $0.lab.z) })
    }
    // Neither black, whose colour is noise, nor clipped.
    let visible = samples.filter { (0.2...0.96).contains($0.lab.x) }.map { SIMD2($0.lab.y, $0.lab.z) }
    grey = Self.center(of: visible)
  }

  /// Returns where colours gather that are nearest to grey: the mean of those within 0.05 of it, found step by step from
  /// the median, which a cast moves as well.
  private static func center(of colors: [SIMD2<Double>]) -> SIMD2<Double> {
    guard !colors.isEmpty else { return .zero }
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    var center = SIMD2(median(colors.map(\.x)), median(colors.map(\.y))) / 2
    for _ in 0..<6 {
      let near = colors.filter { hypot($0.x - center.x, $0.y - center.y) < 0.05 }
      guard near.count * 50 > colors.count else { break }
      center = mean(near)
    }
    return center
  }

  private static func mean(_ values: [SIMD2<Double>]) -> SIMD2<Double> {
    values.reduce(.zero, +) / Double(max(values.count, 1))
  }

  /// Both differences, each in steps that one sees.
  func distance(to other: LookStatistics) -> Double {
    toneDifference(to: other) / 4 + colorDifference(to: other) / 2
  }

  /// The mean difference of tones, in levels of 8 bits.
  func toneDifference(to other: LookStatistics) -> Double {
    zip(tones, other.tones).reduce(0) { $0 + abs($1.0 - $1.1) } * 255 / Double(tones.count)
  }

  /// The mean difference of the colours of dark, middle and bright parts, in hundredths of OKLab.
  func colorDifference(to other: LookStatistics) -> Double {
    zip(thirds, other.thirds).reduce(0) { $0 + hypot($1.0.x - $1.1.x, $1.0.y - $1.1.y) } * 100 / 3
  }
}
