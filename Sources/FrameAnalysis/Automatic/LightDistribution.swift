import ColorScience
import Libc

/// The distribution of a picture's light, in EV above middle grey (0.18 of white): white is at 2.47.
package struct LightDistribution: Sendable {
  /// Taken as black: code value 3 of 255 in sRGB is above it.
  package static let darkest = -8.0
  package static let white = log2(1 / 0.18)

  /// The luminance of each visible sample, in ascending order.
  private let luminance: [Float]
  /// The brightest channel of each sample in linear sRGB, in ascending order: the first to reach full scale.
  private let brightest: [Float]
  /// The mean of luminance: the logarithm of its geometric mean. `darkest` if there are no samples.
  package let key: Double
  /// The fraction of the samples at full scale in the file, 0…1.
  package let clipped: Double

  package init(_ colors: LinearColors) {
    func stops(_ level: Float) -> Float { max(log2(max(level, 1e-9) / 0.18), Float(Self.darkest)) }
    let toSRGB = FloatMatrix(ColorSpace.linearRec2020.matrix(to: .linearSRGB))
    let luminanceRow = SIMD3<Float>(ColorSpace.linearRec2020.toXYZ.rows[1])
    let visible = colors.visible
    luminance = visible.map { stops(($0 * luminanceRow).sum()) }.sorted()
    brightest = visible.map { stops((toSRGB * $0).max()) }.sorted()
    let count = Double(max(visible.count, 1))
    key =
      luminance.isEmpty ? Self.darkest : luminance.reduce(0) { $0 + Double($1) } / count
    clipped = colors.clipped
  }

  /// Whether the whole picture has one brightness, within half a stop, so that nothing shows how bright it should
  /// be.
  package var isFlat: Bool { luminance(atPercentile: 0.99) - luminance(atPercentile: 0.01) < 0.5 }

  /// The luminance that a fraction of the samples does not exceed.
  ///
  /// - Parameter fraction: 0…1; clamped to that range.
  package func luminance(atPercentile fraction: Double) -> Double { Self.quantile(luminance, fraction) }

  /// The brightest channel that a fraction of the samples does not exceed.
  ///
  /// - Parameter fraction: 0…1; clamped to that range.
  package func brightestChannel(atPercentile fraction: Double) -> Double {
    Self.quantile(brightest, fraction)
  }

  /// The fraction of the samples, 0…1, whose luminance is above `stops`.
  package func share(above stops: Double) -> Double {
    guard !luminance.isEmpty else { return 0 }
    var (low, high) = (0, luminance.count)
    while low < high {
      let middle = (low + high) / 2
      if Double(luminance[middle]) > stops { high = middle } else { low = middle + 1 }
    }
    return Double(luminance.count - low) / Double(luminance.count)
  }

  private static func quantile(_ sorted: [Float], _ fraction: Double) -> Double {
    guard let last = sorted.last else { return darkest }
    let position = min(max(fraction, 0), 1) * Double(sorted.count - 1)
    let index = Int(position)
    guard index + 1 < sorted.count else { return Double(last) }
    let part = position - Double(index)
    return Double(sorted[index]) * (1 - part) + Double(sorted[index + 1]) * part
  }
}
