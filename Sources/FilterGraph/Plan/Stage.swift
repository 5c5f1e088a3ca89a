import ColorScience
import FrameCore
import Libc

/// What renderers run. A recipe of any length lowers to a short list of stages.
public enum Stage: Sendable, Hashable {
  /// One resample of the encoded samples.
  case geometry(Geometry)
  /// An antialiased downsampling ahead of a resample.
  case downsample(Downsample)
  /// Converts camera samples to RGB, clipped to 0…1.
  case ycbcr(YCbCrStage)
  /// Noise reduction of RGB samples, at the input's resolution.
  case denoise(Denoising)
  /// A 3×3 matrix on RGB.
  case matrix(Matrix3x3)
  /// A function of each channel separately.
  case curve(Curve)
  /// A function of all three channels that is neither a matrix nor a table.
  case pointwise(Pointwise)
  /// A gain for each pixel and light added to it, which depend on its place and on the light around it; on linear RGB,
  /// or on samples of this encoding, whose light it changes.
  case field(Field, encoding: [TransferFunction] = [.linear])
  /// Groups of colour stages, each under a mask, on linear RGB of `PlanBuilder.workingSpace`; at least one. Masks of
  /// colours, and local light in groups, read what reaches the first group.
  case masked([MaskedGroup])
  /// A 3D table as read from a file, with its 1D shaper, crossfaded by strength.
  case lut(LookupStage)
  /// Adds to each pixel what sets it off from those around it; behind every other stage.
  case sharpen(Sharpening)
  /// Several per-channel stages as one exact table per channel.
  case channelTables([Stage])
  /// Several colour stages as one 3D table with a known error.
  case baked(BakedLUT)
}

/// A function of one channel. Every curve is odd: f(-x) = -f(x).
public enum Curve: Sendable, Hashable {
  /// Encoded samples to linear light; one function, or one per channel.
  case decode([TransferFunction])
  /// Linear light to encoded samples.
  case encode([TransferFunction])
  /// pivot · (x / pivot) ^ exponent
  case power(exponent: Double, pivot: Double)

  /// Evaluates the curve for channel 0, 1 or 2.
  public func evaluate(_ x: Double, channel: Int) -> Double {
    switch self {
    case .decode(let functions): functions[channel % functions.count].decode(x)
    case .encode(let functions): functions[channel % functions.count].encode(x)
    case .power(let exponent, let pivot):
      x == 0 ? 0 : (x < 0 ? -1 : 1) * pivot * pow(abs(x) / pivot, exponent)
    }
  }

  /// Evaluates the curve for all channels.
  func evaluate(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(evaluate(rgb.x, channel: 0), evaluate(rgb.y, channel: 1), evaluate(rgb.z, channel: 2))
  }

  /// Whether `next` undoes this curve.
  package func isInverse(of next: Curve) -> Bool {
    switch (self, next) {
    case (.decode(let a), .encode(let b)), (.encode(let a), .decode(let b)): a == b
    case (.power(let a, let p), .power(let b, let q)): p == q && abs(a * b - 1) < 1e-12
    case (.decode, _), (.encode, _), (.power, _): false
    }
  }
}

/// Functions of a colour, identified by name and parameters so that every renderer can have its own kernel for
/// them.
public enum Pointwise: Sendable, Hashable {
  /// OKLab a and b times `chroma`; input and output are linear RGB of `space`.
  case oklabChroma(chroma: Double, space: ColorSpace)
  /// OKLab hue turned by `degrees`, from red towards yellow; input and output are linear RGB of `space`.
  case oklabTurn(degrees: Double, space: ColorSpace)
  /// A gain and an offset that depend on brightness; on linear RGB.
  case tone(ToneCurve)
  /// Curves of light, of linear RGB or of samples in between.
  case curves(LightCurves)
  /// Changes that depend on hue; on linear RGB of `PlanBuilder.workingSpace`.
  case hues(HueAdjustment)
  /// Colours outside a space brought into it; on linear RGB of that space.
  case gamut(GamutMapping)

  /// Returns the colour that `rgb` becomes; both are linear RGB.
  public func evaluate(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    switch self {
    case .oklabChroma(_, let space), .oklabTurn(_, let space):
      return space.toXYZ.inverse * OKLab.toXYZ(labMix * OKLab.fromXYZ(space.toXYZ * rgb))
    case .tone(let curve): return curve.evaluate(rgb)
    case .curves(let curves): return curves.evaluate(rgb)
    case .hues(let adjustment): return adjustment.evaluate(rgb)
    case .gamut(let mapping): return mapping.evaluate(rgb)
    }
  }

  /// What becomes of L, a and b; the identity of functions that are no such matrix.
  package var labMix: Matrix3x3 {
    switch self {
    case .oklabChroma(let chroma, _): return .diagonal(SIMD3(1, chroma, chroma))
    case .oklabTurn(let degrees, _):
      let radians = degrees * .pi / 180
      return Matrix3x3(
        rows: SIMD3(1, 0, 0), SIMD3(0, cos(radians), -sin(radians)), SIMD3(0, sin(radians), cos(radians)))
    case .tone, .curves, .hues, .gamut: return .identity
    }
  }
}

/// A LUT from a file at its place in the chain.
public struct LookupStage: Sendable, Hashable {
  public var lut: ColorLUT
  /// 0 keeps the input, 1 is the table's output.
  public var strength: Double
  /// The file's name, for display.
  public var name: String

  package init(lut: ColorLUT, strength: Double, name: String) {
    self.lut = lut
    self.strength = strength
    self.name = name
  }

  /// Returns the table's value, mixed with the input by strength. NaN channels stay NaN.
  ///
  /// At full strength the table's value is returned without mixing: an infinite input, which the table clips to
  /// its domain, would turn a mix into NaN (∞ - ∞).
  public func evaluate(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let value = lut.evaluate(rgb)
    return strength == 1 ? value.replacing(with: rgb, where: rgb .!= rgb) : rgb + strength * (value - rgb)
  }
}

extension Stage {
  /// Returns the exact result of a colour stage. Stages that sample pixels return the colour unchanged: resamples do
  /// not alter it, and camera samples are already RGB here. So do neighbourhoods, as where all pixels are alike, and
  /// noise reduction, since of noise a single colour tells nothing.
  ///
  /// - Parameters:
  ///   - place: the pixel's centre, in pixels from the top left corner, for stages that depend on it.
  ///   - stored: in plans with a projection, the same place in the picture as stored; nil in others.
  ///   - grid: the light around it, for fields and groups; nil takes each pixel for its own surroundings.
  public func evaluate(
    _ rgb: SIMD3<Double>, at place: (x: Double, y: Double) = (0, 0),
    stored: (x: Double, y: Double)? = nil,
    in grid: LightGrid? = nil
  ) -> SIMD3<Double> {
    switch self {
    case .geometry, .downsample, .ycbcr, .denoise, .sharpen: rgb
    case .field(let field, let encoding):
      Curve.encode(encoding).evaluate(
        field.light(of: Curve.decode(encoding).evaluate(rgb), at: place, stored: stored, in: grid))
    case .masked(let groups): groups.evaluate(rgb, at: stored ?? place, in: grid)
    case .matrix(let matrix): matrix * rgb
    case .curve(let curve): curve.evaluate(rgb)
    case .pointwise(let function): function.evaluate(rgb)
    case .lut(let stage): stage.evaluate(rgb)
    case .channelTables(let stages): stages.reduce(rgb) { $1.evaluate($0) }
    case .baked(let lut): lut.evaluate(rgb)
    }
  }
}

extension Stage {
  /// The same stage wherever the picture was moved to, as far as renderers are told that apart from the stage: what
  /// plans that differ in geometry share.
  package var unplaced: Stage {
    guard case .field(let field, let encoding) = self else { return self }
    return .field(field.unplaced, encoding: encoding)
  }

  /// The field that depends on the light around pixels, or stands for those of groups; nil of all other stages.
  package var gridField: Field? {
    if case .masked(let groups) = self { return groups.measuredField }
    return if case .field(let field, _) = self, field.needsGrid { field } else { nil }
  }

  /// The field, if it has grain.
  package var grainField: Field? {
    guard case .field(let field, _) = self, field.grain != nil else { return nil }
    return field
  }

  /// The same stage without the grain of a field, which is of pixels of the result, not of a proxy.
  package var withoutGrain: Stage {
    guard case .field(var field, let encoding) = self else { return self }
    field.grain = nil
    return .field(field, encoding: encoding)
  }

  /// The local tone of a field; nil of all other stages.
  package var localLight: LocalLight? {
    if case .field(let field, _) = self { field.local } else { nil }
  }
}

extension Matrix3x3 {
  /// Whether all elements off the diagonal are zero.
  package var isDiagonal: Bool {
    let offDiagonal = [rows[0].y, rows[0].z, rows[1].x, rows[1].z, rows[2].x, rows[2].y]
    return offDiagonal.allSatisfy { abs($0) < 1e-12 }
  }
}
