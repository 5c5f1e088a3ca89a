import ColorScience
import FilterGraph
import Libc

/// An exact colour stage in single-precision numbers, as kernels and shaders compute it.
package enum NumericStage: Sendable {
  /// Three rows of three.
  case matrix([Float])
  case parametric(ParametricCurve)
  case sampled(SampledCurves)
  case oklabMix(OKLabMix)
  case tone(ToneFactors)
  case curves(CurveNumbers)
  case hues(HueNumbers)
  case gamut(GamutNumbers)
  case field(FieldNumbers)
  case masked(MaskedNumbers)
  case gains(GainNumbers)
  case lookup(NumericLookup)

  /// y = x ≤ toe ? slope·x : scale·(gain·x + offset)^exponent + shift, extended oddly to negative x.
  package struct ParametricCurve: Sendable {
    package let toe, slope, scale, gain, offset, exponent, shift: Float
  }

  /// Linear interpolation between samples over 0…1, extended oddly to negative x.
  package struct SampledCurves: Sendable {
    /// The samples of red, then green, then blue.
    package let samples: [Float]
    /// The number of samples per channel.
    package let count: Int
    /// If true, sample i is at (i / (count - 1))², for curves that are steep near black; else at i / (count - 1).
    package let hasSquareRootIndex: Bool
    /// Above 1 the curves continue with these slopes.
    package let endSlopes: SIMD3<Float>
  }

  /// fromLMS · (mix · ∛(toLMS · rgb))³, three rows of three each.
  package struct OKLabMix: Sendable {
    package let toLMS, mix, fromLMS: [Float]
  }

  /// Gain and offset as functions of log2 of a colour's brightness: `ToneCurve`.
  package struct ToneFactors: Sendable {
    /// `count` gains, then `count` offsets.
    package let factors: [Float]
    package let count: Int
    /// Index = log2(brightness) · scale + bias, clipped to the table.
    package let scale, bias: Float
  }

  /// A file's table with its domains as scale and bias: index = channel · scale + bias, clipped to the table.
  package struct NumericLookup: Sendable {
    package struct Domain: Sendable {
      package let scale, bias: SIMD3<Float>

      init(_ low: SIMD3<Float>, _ high: SIMD3<Float>, steps: Int) {
        scale = Float(steps) / (high - low)
        bias = -low * scale
      }
    }
    package let strength: Float
    package let shaper: (curves: LUT1D, domain: Domain)?
    package let cube: (lattice: LUT3D, domain: Domain)?
  }

  /// Returns a stage's numeric forms; none for stages that are not exact colour stages.
  package static func forms(of stage: Stage) -> [NumericStage] {
    switch stage {
    case .geometry, .downsample, .ycbcr, .denoise, .sharpen, .baked: []
    case .channelTables(let list): list.flatMap(forms)
    case .matrix(let matrix): [.matrix(floats(matrix))]
    case .curve(let curve): [parametric(curve).map(NumericStage.parametric) ?? sampled(curve)]
    case .pointwise(let function): [form(of: function)]
    case .field(let field, let encoding):
      (field.isOnlyMasks ? [] : [.field(FieldNumbers(field, encoding))])
        + (field.masks.isEmpty ? [] : [.gains(GainNumbers(field.masks, encoding))])
    case .masked(let groups): [.masked(MaskedNumbers(groups))]
    case .lut(let lookup): [Self.lookup(lookup)]
    }
  }

  private static func form(of function: Pointwise) -> NumericStage {
    switch function {
    case .oklabChroma(_, let space), .oklabTurn(_, let space): oklab(function.labMix, space)
    case .tone(let curve): tone(curve)
    case .curves(let curves): .curves(CurveNumbers(curves))
    case .hues(let adjustment): .hues(HueNumbers(adjustment))
    case .gamut(let mapping): .gamut(GamutNumbers(mapping))
    }
  }

  static func floats(_ matrix: Matrix3x3) -> [Float] {
    matrix.rows.flatMap { [Float($0.x), Float($0.y), Float($0.z)] }
  }

  private static func oklab(_ mix: Matrix3x3, _ space: ColorSpace) -> NumericStage {
    let toLMS = OKLab.lmsFromXYZ * space.toXYZ
    return .oklabMix(
      OKLabMix(
        toLMS: floats(toLMS), mix: floats(OKLab.lmsFromLab * mix * OKLab.labFromLMS),
        fromLMS: floats(toLMS.inverse)))
  }

  private static func tone(_ curve: ToneCurve) -> NumericStage {
    let range = ToneCurve.stops
    // Steps of 1/100 EV, within which gain and offset deviate from linear by at most 2·10⁻⁵.
    let count = 2001
    var factors = [Float](repeating: 0, count: 2 * count)
    for i in 0..<count {
      let part = Double(i) / Double(count - 1)
      let (gain, offset) = curve.factors(
        at: range.lowerBound + part * (range.upperBound - range.lowerBound))
      factors[i] = Float(gain)
      factors[count + i] = Float(offset)
    }
    let scale = Double(count - 1) / (range.upperBound - range.lowerBound)
    return .tone(
      ToneFactors(
        factors: factors, count: count, scale: Float(scale),
        bias: Float(-(range.lowerBound + log2(0.18)) * scale)))
  }

  private static func lookup(_ lookup: LookupStage) -> NumericStage {
    typealias Domain = NumericLookup.Domain
    return .lookup(
      NumericLookup(
        strength: Float(lookup.strength),
        shaper: lookup.lut.shaper.map {
          ($0, Domain($0.domainMin, $0.domainMax, steps: $0.size - 1))
        },
        cube: lookup.lut.cube.map {
          ($0, Domain($0.domainMin, $0.domainMax, steps: $0.size - 1))
        }))
  }

  // MARK: Curves

  private static func sampled(_ curve: Curve) -> NumericStage {
    // Encoding curves are steep near black, where a square-root index concentrates its samples.
    let squareRoot = if case .encode = curve { true } else { false }
    let count = squareRoot ? 8193 : 4097
    var samples = [Float](repeating: 0, count: 3 * count)
    for channel in 0..<3 {
      for i in 0..<count {
        let x = Double(i) / Double(count - 1)
        samples[channel * count + i] = Float(curve.evaluate(squareRoot ? x * x : x, channel: channel))
      }
    }
    func slope(_ channel: Int) -> Float {
      Float(curve.evaluate(2, channel: channel) - curve.evaluate(1, channel: channel))
    }
    return .sampled(
      SampledCurves(
        samples: samples, count: count, hasSquareRootIndex: squareRoot,
        endSlopes: SIMD3(slope(0), slope(1), slope(2))))
  }

  /// The parametric form of a curve if all channels share one.
  static func parametric(_ curve: Curve) -> ParametricCurve? {
    func shared(_ functions: [TransferFunction]) -> TransferFunction? {
      functions.allSatisfy { $0 == functions.first } ? functions.first : nil
    }
    let (alpha, beta) = (TransferFunction.bt709Alpha, TransferFunction.bt709Beta)
    switch curve {
    case .power(let exponent, let pivot):
      return .power(exponent, scale: pow(pivot, 1 - exponent))
    case .decode(let functions):
      switch shared(functions) {
      case .linear?: return .straight
      case .sRGB?:
        return ParametricCurve(
          toe: 0.04045, slope: 1 / 12.92, scale: 1, gain: 1 / 1.055, offset: 0.055 / 1.055, exponent: 2.4,
          shift: 0)
      case .bt709?:
        return ParametricCurve(
          toe: Float(4.5 * beta), slope: 1 / 4.5, scale: 1, gain: Float(1 / alpha),
          offset: Float((alpha - 1) / alpha), exponent: 1 / 0.45, shift: 0)
      case .gamma(let gamma)?: return .power(gamma, scale: 1)
      case .sampled?, nil: return nil
      }
    case .encode(let functions):
      switch shared(functions) {
      case .linear?: return .straight
      case .sRGB?:
        return ParametricCurve(
          toe: 0.0031308, slope: 12.92, scale: 1.055, gain: 1, offset: 0, exponent: 1 / 2.4, shift: -0.055)
      case .bt709?:
        return ParametricCurve(
          toe: Float(beta), slope: 4.5, scale: Float(alpha), gain: 1, offset: 0, exponent: 0.45,
          shift: Float(1 - alpha))
      case .gamma(let gamma)?: return .power(1 / gamma, scale: 1)
      case .sampled?, nil: return nil
      }
    }
  }
}

extension NumericStage.ParametricCurve {
  fileprivate static let straight = Self(
    toe: .infinity, slope: 1, scale: 1, gain: 1, offset: 0, exponent: 1, shift: 0)

  fileprivate static func power(_ exponent: Double, scale: Double) -> Self {
    Self(toe: -1, slope: 0, scale: Float(scale), gain: 1, offset: 0, exponent: Float(exponent), shift: 0)
  }
}
