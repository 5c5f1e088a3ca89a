import ColorScience
import FilterGraph
import FrameCore
import Libc

extension NumericStage {
  /// A gain for each pixel: `Field`.
  package struct FieldNumbers: Sendable {
    package let local: LocalNumbers?
    package let falloff: FalloffNumbers?
    package let grain: GrainNumbers?
    /// Haze, scattered light and texture; nil without them.
    package let surroundings: SurroundingsNumbers?
    /// Where the numbers of its grid are; nil if it needs none.
    package let layout: FieldGridLayout?
    /// The encoding of the samples whose light is changed; nil for linear light.
    package let encoding: (decode: ParametricCurve, encode: ParametricCurve)?

    /// - Parameter shared: where the numbers of the grid are that it shares with other fields; nil for one of its own.
    init(_ field: Field, _ encoding: [TransferFunction], sharing shared: FieldGridLayout? = nil) {
      local = field.local.map(LocalNumbers.init)
      falloff = field.falloff.map(FalloffNumbers.init)
      grain = field.grain.flatMap(GrainNumbers.init)
      surroundings = field.origin.map { SurroundingsNumbers(field, $0) }
      layout = shared ?? (field.needsGrid ? FieldGridLayout(field) : nil)
      self.encoding = NumericStage.curves(of: encoding)
    }
  }

  /// Returns the curves around what is done to the light of encoded samples; nil for linear light.
  ///
  /// The optimizer chooses encodings that have a formula.
  static func curves(
    of encoding: [TransferFunction]
  ) -> (decode: ParametricCurve, encode: ParametricCurve)? {
    guard encoding != [.linear], let decode = parametric(.decode(encoding)),
      let encode = parametric(.encode(encoding))
    else { return nil }
    return (decode, encode)
  }

  /// Stops that depend on the place: `LightFalloff`.
  package struct FalloffNumbers: Sendable {
    /// Two rows of three, from the centres of pixels to the frame.
    package let map: [Float]
    package let exponent, begin, stops: Float
    /// 1 / (end - begin)
    package let scale: Float

    init(_ falloff: LightFalloff) {
      map = falloff.toFrame.floats
      (exponent, begin) = (Float(falloff.exponent), Float(falloff.begin))
      (stops, scale) = (Float(falloff.stops), Float(1 / (falloff.end - falloff.begin)))
    }
  }

  /// What depends on the picture as it is stored: `Dehazing`, `Scattering` and `FineTexture`.
  package struct SurroundingsNumbers: Sendable {
    /// Three rows of three.
    package let toChannels: [Float]
    package let hasHaze: Bool
    package let removesHaze: Bool
    /// t = max(1 - part · (share · v + base), least)
    package let share, base: Float
    package let least = Float(Dehazing.leastTransmission)
    /// Factors; 0 without.
    package let glow, texture: Float
    /// Two rows of three, from the centres of pixels to nodes of both grids.
    package let toCoarse, toFine: [Float]

    init(_ field: Field, _ origin: FieldOrigin) {
      toChannels = NumericStage.floats(origin.toChannels)
      hasHaze = field.haze != nil
      removesHaze = field.haze?.removes ?? false
      (share, base) = (Float(field.haze?.share ?? 0), Float(field.haze?.base ?? 0))
      (glow, texture) = (Float(field.glow?.strength ?? 0), Float(field.texture?.strength ?? 0))
      (toCoarse, toFine) = (origin.map(to: origin.coarse).floats, origin.map(to: origin.fine).floats)
    }
  }

  /// Stops that vary from pixel to pixel: `FilmGrain`.
  package struct GrainNumbers: Sendable {
    /// How brightness is measured, as for local tone.
    package let brightness: BrightnessNumbers
    package let tiles: GrainTiles
    /// Where both tiles begin: column and row.
    package let start: SIMD4<Int32>
    /// density = e · densityScale + densityBias;  spread = density · (first + second · density)
    package let densityScale, densityBias, first, second: Float
    /// Stops for a sum of both tiles of 1, where the spread is 1.
    package let strength: Float

    init?(_ grain: FilmGrain) {
      guard let tiles = grain.tiles else { return nil }
      self.tiles = tiles
      brightness = BrightnessNumbers(grain.toWorking)
      start = SIMD4<Int32>(truncatingIfNeeded: GrainTiles.start(seed: grain.seed))
      let digits = log10(2.0)
      densityScale = Float(-digits)
      densityBias = Float(-digits * log2(LocalLight.middleGrey + LocalLight.floor))
      (first, second) = (Float(FilmGrain.densityTerms.first), Float(-FilmGrain.densityTerms.second))
      strength = Float(grain.strength * GrainTiles.unit)
    }
  }

  /// e = min(log2(brightness + floor) + bias, most)
  package struct BrightnessNumbers: Sendable {
    /// Three rows of three.
    package let toWorking: [Float]
    package let floor, bias, most: Float

    init(_ toWorking: Matrix3x3) {
      self.toWorking = NumericStage.floats(toWorking)
      floor = Float(LocalLight.floor)
      bias = Float(-log2(LocalLight.middleGrey + LocalLight.floor))
      most = Float(LocalLight.stops.upperBound)
    }
  }

  /// Stops of a region: amount · S(u · rise) · (1 − part · S(u · fall − from)), u the distance from middle grey.
  package struct RegionNumbers: Sendable {
    package let amount, rise, fall, from, part: Float
    package var floats: [Float] { [amount, rise, fall, from, part] }

    init(_ region: LocalLight.Region, amount: Double) {
      self.amount = Float(region.stops * amount)
      rise = Float(1 / region.peak)
      fall = Float(1 / (region.end - region.peak))
      from = Float(region.peak / (region.end - region.peak))
      part = Float(region.falls)
    }
  }

  /// Stops that depend on the light around a pixel: `LocalLight`.
  package struct LocalNumbers: Sendable {
    package let brightness: BrightnessNumbers
    package let bright, dark: RegionNumbers
    /// The amount of white, rise and from: amount · S(base · rise − from).
    package let white: [Float]
    /// What is added to the light around a pixel ahead of its region, and what clarity does; both in EV.
    package let shift, clarity: Float
    /// Two rows of three, from the centres of pixels to nodes.
    package let toGrid: [Float]
    package let gridSize: PixelSize

    init(_ light: LocalLight) {
      brightness = BrightnessNumbers(light.toWorking)
      bright = RegionNumbers(LocalLight.bright, amount: light.highlights)
      dark = RegionNumbers(LocalLight.dark, amount: light.shadows)
      let (begin, end) = (LocalLight.white.begin, LocalLight.white.end)
      white = [
        LocalLight.white.stops * min(light.highlights, 0), 1 / (end - begin), begin / (end - begin),
      ].map { Float($0) }
      shift = Float(light.shift)
      clarity = Float(LocalLight.mostClarity * light.clarity)
      toGrid = light.toGrid.floats
      gridSize = light.gridSize
    }
  }
}

extension AffineMap {
  /// Two rows of three.
  var floats: [Float] { [a, b, c, d, e, f].map { Float($0) } }
}
