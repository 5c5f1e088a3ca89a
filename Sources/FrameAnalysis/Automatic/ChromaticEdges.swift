import ColorScience
import Libc

/// The colour of a light or of a difference between lights, without its strength, in log2 of cone responses.
struct LogChroma: Sendable {
  /// log2 L/M
  var redGreen: Float
  /// log2 S/√(LM)
  var blueYellow: Float

  init(redGreen: Float, blueYellow: Float) {
    self.redGreen = redGreen
    self.blueYellow = blueYellow
  }

  /// - Parameter response: L, M, S relative to white, positive.
  init(_ response: SIMD3<Float>) {
    let (l, m, s) = (log2(response.x), log2(response.y), log2(response.z))
    redGreen = l - m
    blueYellow = s - 0.5 * (l + m)
  }
}

/// A histogram of the log chroma of differences between neighbouring samples, weighted by their strength.
struct ChromaticEdges {
  struct Cell {
    let chroma: LogChroma
    /// A share of the total; all weights sum to 1.
    let weight: Float
  }

  private(set) var count = 0
  private var weights = [Float](repeating: 0, count: columns * rows)
  private var total: Float = 0

  private static let (columns, rows) = (80, 96)
  private static let (widest, highest): (Float, Float) = (0.5, 3)

  /// Samples with less light, relative to white, are mostly noise.
  private static let leastLight: Float = 0.008
  /// So are differences with a smaller sum of cone responses, each 1 at white.
  private static let leastDifference: Float = 0.03

  init(_ colors: LinearColors) {
    let cone = ChromaticAdaptation.cat16.coneResponse
    let toXYZ = ColorSpace.linearRec2020.toXYZ
    let white = cone * (toXYZ * SIMD3(repeating: 1))
    let toCones = FloatMatrix(.diagonal(SIMD3(repeating: 1) / white) * cone * toXYZ)
    let responses = colors.rgb.map { toCones * $0 }
    let isUsable = zip(responses, colors.isWhole).map { response, isWhole in
      isWhole && response.sum() > 3 * Self.leastLight
    }
    let (width, height) = (colors.size.width, colors.size.height)
    for y in 0..<height {
      for x in 0..<width {
        let here = y * width + x
        guard isUsable[here] else { continue }
        if x + 1 < width, isUsable[here + 1] { add(responses[here + 1] - responses[here]) }
        if y + 1 < height, isUsable[here + width] { add(responses[here + width] - responses[here]) }
      }
    }
  }

  private mutating func add(_ step: SIMD3<Float>) {
    let strength = abs(step.sum())
    guard strength > Self.leastDifference else { return }
    let difference = step.sum() < 0 ? -step : step
    // A step between colours of the same lightness is not a step of light.
    guard difference.min() > 0 else { return }
    let chroma = LogChroma(difference)
    count += 1
    total += strength
    weights[
      Self.index(chroma.blueYellow, Self.highest, Self.rows) * Self.columns
        + Self.index(chroma.redGreen, Self.widest, Self.columns)] += strength
  }

  private static func index(_ value: Float, _ limit: Float, _ count: Int) -> Int {
    let position = (min(max(value, -limit), limit) / limit + 1) / 2 * Float(count)
    return min(Int(position), count - 1)
  }

  private static func middle(_ index: Int, _ limit: Float, _ count: Int) -> Float {
    ((Float(index) + 0.5) / Float(count) * 2 - 1) * limit
  }

  /// The cells that contain edges.
  var cells: [Cell] {
    weights.indices.compactMap { index in
      guard weights[index] > 0 else { return nil }
      return Cell(
        chroma: LogChroma(
          redGreen: Self.middle(index % Self.columns, Self.widest, Self.columns),
          blueYellow: Self.middle(index / Self.columns, Self.highest, Self.rows)),
        weight: weights[index] / total)
    }
  }

  /// The interquartile range of `blueYellow`.
  var blueYellowSpread: Double {
    func quantile(_ fraction: Float) -> Float {
      var below: Float = 0
      for row in 0..<Self.rows {
        let weight = weights[row * Self.columns..<(row + 1) * Self.columns].reduce(0, +)
        if below + weight >= fraction * total, weight > 0 {
          let part = (fraction * total - below) / weight - 0.5
          return Self.middle(row, Self.highest, Self.rows) + part * 2 * Self.highest / Float(Self.rows)
        }
        below += weight
      }
      return Self.highest
    }
    return Double(quantile(0.75) - quantile(0.25))
  }
}
