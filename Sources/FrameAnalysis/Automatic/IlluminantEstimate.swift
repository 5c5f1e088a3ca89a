import ColorScience

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
///     score  = n · mean weight · log t(x − x(light) − bias) − ½ (mired / 30)² − ½ (tint / 8)²
///     light  = mean of mired and tint under exp(score)
///
/// t is Student's distribution, of half a degree of freedom. Its spread and bias were set on 125 photos of BSDS500 with
/// and without casts; so was n, how many independent observations the edges of a picture are worth at most. Where they
/// have one colour, it is fewer: a wall under warm light looks like a warm wall under white light.
public struct IlluminantEstimate: Sendable, Hashable {
  /// Reciprocal temperature less that of 6500 K, 10⁶/K: positive is a warm light. -54…200.
  public let mired: Double
  /// Distance from the locus times 3000, as `WhiteBalance.tint` counts: positive is a green light. -32…32.
  public let tint: Double
  /// The number of edges that told it.
  public let edgeCount: Int
  /// The spread of the edges' colours from blue to yellow, in log2: interquartile.
  public let diversity: Double

  /// The least number of edges that tell anything.
  private static let leastEdges = 60
  private static let observations = 8.0
  /// The diversity from which on edges are worth that much.
  private static let fullDiversity = 0.5

  /// Nil where the picture has too few edges between colours that the file holds.
  public init?(_ colors: LinearColors) {
    let edges = ChromaticEdges(colors)
    guard edges.count >= Self.leastEdges else { return nil }
    let diversity = edges.blueYellowSpread
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
    self.mired = mired / sum
    self.tint = tint / sum
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
  private static let scale = LogChroma(redGreen: 0.035, blueYellow: 0.25)
  private static let correlation = -0.5
  private static let freedom = 0.5

  /// How far from neutral lights are in photos that a camera has balanced, as standard deviations.
  private static let usualMired = 30.0
  private static let usualTint = 8.0

  static let all: [CandidateLight] = {
    let neutralMired = 1e6 / 6500
    let neutral = ColorTemperature.whitePoint(kelvin: 6500)
    return stride(from: -54.0, through: 200, by: 6).flatMap { mired in
      stride(from: -32.0, through: 32, by: 4).map { tint in
        let light = ColorTemperature.whitePoint(kelvin: 1e6 / (neutralMired + mired), duv: tint / 3000)
        let cone = ChromaticAdaptation.cat16.coneResponse
        let response = SIMD3<Float>((cone * light.XYZ) / (cone * neutral.XYZ))
        return CandidateLight(mired: mired, tint: tint, chroma: LogChroma(response))
      }
    }
  }()

  var logPrior: Double {
    let (along, beside) = (mired / Self.usualMired, tint / Self.usualTint)
    return -0.5 * (along * along + beside * beside)
  }

  /// The mean logarithm of the density of edges under this light.
  func likelihood(of cells: [ChromaticEdges.Cell]) -> Double {
    let correlation = Float(Self.correlation)
    let spread = 1 / Float(Self.freedom) / (1 - correlation * correlation)
    let (redGreen, blueYellow) = (
      chroma.redGreen + Self.bias.redGreen, chroma.blueYellow + Self.bias.blueYellow
    )
    let (scaleA, scaleB) = (1 / Self.scale.redGreen, 1 / Self.scale.blueYellow)
    var sum: Float = 0
    for cell in cells {
      let a = (cell.chroma.redGreen - redGreen) * scaleA
      let b = (cell.chroma.blueYellow - blueYellow) * scaleB
      sum += cell.weight * log(1 + spread * (a * a + b * b - 2 * correlation * a * b))
    }
    return -(Self.freedom + 2) / 2 * Double(sum)
  }
}
