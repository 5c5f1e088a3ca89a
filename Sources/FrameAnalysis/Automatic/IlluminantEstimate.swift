import ColorScience
import Libc

/// The colour of the light in a rendered photo, relative to the photo's own white, estimated from its edges.
///
/// Edges between surfaces are on average closer to neutral than the surfaces are, since both sides are lit by the
/// same light (the grey-edge hypothesis: van de Weijer, Gevers & Gijsenij, “Edge-based color constancy”, 2007).
/// Instead of their average, which a few strong colours distort, the estimate is a light under which most edges
/// are near neutral (as in colour by correlation: Finlayson, Hordley & Hubel, 2001). Candidate lights lie along
/// the daylight and Planckian loci and beside them; the heavy-tailed likelihood of the edges under each is weighed
/// against a prior for photos that a camera has already balanced.
///
///     x      = (log2 L/M, log2 S/√(LM)) of an edge's difference in CAT16 cone responses
///     score  = n · Σ w · log(t(x − x(light) − bias) + floor) − ½ (mired / 30)² − ½ (tint / 6)²
///     light  = mean of mired and tint under exp(score), scaled by its support
///
/// w is an edge's strength as a fraction of the total. t is Student's distribution with half a degree of freedom,
/// not normalized, over a floor equal to its value at a squared distance of 8 standard deviations: edges beyond
/// that show the colours of things, whatever the light. Spread, bias and n, the largest number of independent
/// observations that the edges of a picture are worth, were fitted to 125 photos of BSDS500 with and without
/// casts. If the edges have one colour, n is smaller: a wall under warm light looks like a warm wall under white
/// light. If few edges are near neutral under the light found, as in a leaf that fills the picture, it is not a
/// light but the colour of things. Greys and pictures toned in one colour give no estimate.
package struct IlluminantEstimate: Sendable, Hashable {
  /// Reciprocal temperature minus that of 6500 K, 10⁶/K: positive for a warm light. -54…200.
  package let mired: Double
  /// Distance from the locus times 3000, as in `WhiteBalance.tint`: positive for a green light. -24…24.
  package let tint: Double
  /// The number of edges that the estimate rests on.
  package let edgeCount: Int
  /// The interquartile range of the edges' colours from blue to yellow, in log2.
  package let diversity: Double
  /// The fraction of the edges, by strength, that are near neutral under the likeliest light, 0…1.
  package let support: Double

  /// The minimum number of edges for an estimate.
  private static let leastEdges = 60
  private static let observations = 16.0
  /// The diversity from which edges are worth that many observations.
  private static let fullDiversity = 0.3
  /// Below this, a picture is grey or toned.
  private static let leastDiversity = 0.08
  /// Below the first no light is reported; from the second on it is reported in full.
  private static let (leastSupport, fullSupport) = (0.05, 0.3)

  /// Returns nil if the picture has too few edges between unclipped colours, or only edges of one colour.
  package init?(_ colors: LinearColors) {
    let edges = ChromaticEdges(colors)
    guard edges.count >= Self.leastEdges else { return nil }
    let diversity = edges.blueYellowSpread
    guard diversity >= Self.leastDiversity else { return nil }
    let worth = Self.observations * min(max(diversity / Self.fullDiversity, 0.3), 1)
    let cells = edges.cells
    let scores = CandidateLight.all.map { light in
      worth * light.likelihood(of: cells) + light.logPrior
    }
    let best = scores.max() ?? 0
    var (sum, mired, tint) = (0.0, 0.0, 0.0)
    for (light, score) in zip(CandidateLight.all, scores) {
      let weight = exp(score - best)
      sum += weight
      mired += weight * light.mired
      tint += weight * light.tint
    }
    let likeliest = CandidateLight(mired: mired / sum, tint: tint / sum)
    support = likeliest.support(of: cells)
    let strength = min(
      max((support - Self.leastSupport) / (Self.fullSupport - Self.leastSupport), 0), 1)
    self.mired = strength * likeliest.mired
    self.tint = strength * likeliest.tint
    edgeCount = edges.count
    self.diversity = diversity
  }
}

/// A candidate for the light in the picture.
private struct CandidateLight: Sendable {
  let mired: Double
  let tint: Double
  let chroma: LogChroma

  /// The average edge under a neutral light: slightly yellow, like the world.
  private static let bias = LogChroma(redGreen: 0, blueYellow: -0.2)
  /// Scale and correlation of the edges' distribution: it lies along the daylight locus.
  private static let scale = LogChroma(redGreen: 0.05, blueYellow: 0.3)
  private static let correlation: Float = -0.5
  private static let freedom: Float = 0.5
  /// The squared distance, in standard deviations, beyond which colours carry no information.
  private static let farthest: Float = 8
  /// The squared distance within which edges count as neutral.
  private static let nearest: Float = 4

  /// Standard deviations of the light from neutral in photos that a camera has balanced.
  private static let usualMired = 30.0
  private static let usualTint = 6.0

  static let all: [CandidateLight] = stride(from: -54.0, through: 200, by: 6).flatMap { mired in
    stride(from: -24.0, through: 24, by: 3).map { CandidateLight(mired: mired, tint: $0) }
  }

  private static let neutral = cones(mired: 0, tint: 0)

  init(mired: Double, tint: Double) {
    self.mired = mired
    self.tint = tint
    chroma = LogChroma(SIMD3<Float>(Self.cones(mired: mired, tint: tint) / Self.neutral))
  }

  private static func cones(mired: Double, tint: Double) -> SIMD3<Double> {
    let light = ColorTemperature.whitePoint(kelvin: 1e6 / (1e6 / 6500 + mired), duv: tint / 3000)
    return ChromaticAdaptation.cat16.coneResponse * light.XYZ
  }

  var logPrior: Double {
    let (along, beside) = (mired / Self.usualMired, tint / Self.usualTint)
    return -0.5 * (along * along + beside * beside)
  }

  /// The mean log likelihood of edges under this light.
  func likelihood(of cells: [ChromaticEdges.Cell]) -> Double {
    let floor = Self.density(Self.farthest)
    var sum: Float = 0
    for cell in cells { sum += cell.weight * log(Self.density(squaredDistance(to: cell.chroma)) + floor) }
    return Double(sum)
  }

  /// The fraction of the edges that are near neutral under this light.
  func support(of cells: [ChromaticEdges.Cell]) -> Double {
    Double(
      cells.reduce(0) { $0 + (squaredDistance(to: $1.chroma) < Self.nearest ? $1.weight : 0) })
  }

  /// (1 + m / ν) ^ -(ν + 2) / 2 for ν = ½
  private static func density(_ squaredDistance: Float) -> Float {
    let base = 1 + squaredDistance / freedom
    return 1 / (base * base.squareRoot().squareRoot())
  }

  private func squaredDistance(to edge: LogChroma) -> Float {
    let a = (edge.redGreen - chroma.redGreen - Self.bias.redGreen) / Self.scale.redGreen
    let b = (edge.blueYellow - chroma.blueYellow - Self.bias.blueYellow) / Self.scale.blueYellow
    let correlation = Self.correlation
    return (a * a + b * b - 2 * correlation * a * b) / (1 - correlation * correlation)
  }
}
