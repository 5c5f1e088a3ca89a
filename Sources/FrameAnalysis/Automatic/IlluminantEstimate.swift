import ColorScience
import Libc

/// The colour of the light in a rendered photo, relative to the photo's own white, as its edges tell it.
///
/// Edges between surfaces are on the whole closer to neutral than the surfaces are, since both sides are lit by the
/// same light (the grey-edge hypothesis: van de Weijer, Gevers & Gijsenij, “Edge-based color constancy”, 2007). Rather
/// than their average, which a few strong colours pull away, a light is sought under which most edges are near neutral
/// (as in colour by correlation: Finlayson, Hordley & Hubel, 2001): lights are tried along the daylight and Planckian
/// loci and beside them, and the likelihood of the edges under each, which is heavy-tailed, is weighed against what
/// photos that a camera has balanced already are like.
///
///     x      = (log2 L/M, log2 S/√(LM)) of an edge's difference in CAT16 cone responses
///     score  = n · Σ w · log(t(x − x(light) − bias) + floor) − ½ (mired / 30)² − ½ (tint / 6)²
///     light  = mean of mired and tint under exp(score), times how well it is supported
///
/// w is an edge's strength, as a part of all. t is Student's distribution of half a degree of freedom, not normalised,
/// over a floor that it has 8 standard deviations squared away: edges so far are those of colours, whatever the light.
/// Spread, bias and n, how many independent observations the edges of a picture are worth at most, were set on 125
/// photos of BSDS500 with and without casts. Where edges have one colour, n is less: a wall under warm light looks like a
/// warm wall under white light. Where few edges are near neutral under the light found, as in a leaf that fills the
/// picture, it is no light but the colour of things. Greys and pictures toned in one colour tell none at all.
public struct IlluminantEstimate: Sendable, Hashable {
  /// Reciprocal temperature less that of 6500 K, 10⁶/K: positive is a warm light. -54…200.
  public let mired: Double
  /// Distance from the locus times 3000, as `WhiteBalance.tint` counts: positive is a green light. -24…24.
  public let tint: Double
  /// The number of edges that told it.
  public let edgeCount: Int
  /// The spread of the edges' colours from blue to yellow, in log2: interquartile.
  public let diversity: Double
  /// The part of the edges, by strength, that are near neutral under the likeliest light, 0…1.
  public let support: Double

  /// The least number of edges that tell anything.
  private static let leastEdges = 60
  private static let observations = 16.0
  /// The diversity from which on edges are worth that much.
  private static let fullDiversity = 0.3
  /// Below it, a picture is grey, or toned.
  private static let leastDiversity = 0.08
  /// Below the first no light is told, from the second on it is told in full.
  private static let (leastSupport, fullSupport) = (0.05, 0.3)

  /// Nil where the picture has too few edges between colours that the file holds, or edges of one colour only.
  public init?(_ colors: LinearColors) {
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

/// A light that may have lit the picture.
private struct CandidateLight: Sendable {
  let mired: Double
  let tint: Double
  let chroma: LogChroma

  /// What edges are like on average where the light is neutral: a little yellow, as the world is.
  private static let bias = LogChroma(redGreen: 0, blueYellow: -0.2)
  /// Scale and correlation of their distribution: it lies along the daylight locus.
  private static let scale = LogChroma(redGreen: 0.05, blueYellow: 0.3)
  private static let correlation: Float = -0.5
  private static let freedom: Float = 0.5
  /// The squared distance, in standard deviations, beyond which colours tell nothing.
  private static let farthest: Float = 8
  /// Edges that are this near, squared, count as neutral.
  private static let nearest: Float = 4

  /// How far from neutral lights are in photos that a camera has balanced, as standard deviations.
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

  /// The mean logarithm of the likelihood of edges under this light.
  func likelihood(of cells: [ChromaticEdges.Cell]) -> Double {
    let floor = Self.density(Self.farthest)
    var sum: Float = 0
    for cell in cells { sum += cell.weight * log(Self.density(squaredDistance(to: cell.chroma)) + floor) }
    return Double(sum)
  }

  /// The part of the edges that are near neutral under this light.
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
