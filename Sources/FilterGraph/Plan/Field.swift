import ColorScience
import FrameCore
import Libc

/// Light multiplied by a gain for each pixel, which depends on its place and on the light around it.
///
///     out = 2^(local(x, y, e) + falloff(x, y) + grain(x, y, e)) · in        linear RGB
///
/// One gain for all three channels keeps their ratios, and so hue and saturation. Filters that follow each other share
/// one field: what each does is found from the light ahead of all of them.
public struct Field: Sendable, Hashable {
  public internal(set) var local: LocalLight?
  public internal(set) var falloff: LightFalloff?
  public internal(set) var grain: FilmGrain?

  init(local: LocalLight? = nil, falloff: LightFalloff? = nil, grain: FilmGrain? = nil) {
    (self.local, self.falloff, self.grain) = (local, falloff, grain)
  }

  /// Returns the factor of a pixel of linear light.
  ///
  /// - Parameters:
  ///   - place: its centre, in pixels from the top left corner.
  ///   - grid: the light around it; nil takes each pixel for its own surroundings.
  public func gain(
    of rgb: SIMD3<Double>, at place: (x: Double, y: Double), in grid: LightGrid? = nil
  ) -> Double {
    var stops = falloff?.change(place.x, place.y) ?? 0
    if let local { stops += local.change(of: rgb, at: place, in: grid) }
    if let grain {
      let brightness = LocalLight.brightness(rgb, toWorking: grain.toWorking)
      stops += grain.change(brightness: brightness, at: place)
    }
    return exp2(stops)
  }

  /// The largest factor.
  var largestGain: Double {
    exp2((local?.most ?? 0) + max(0, falloff?.stops ?? 0)) * (grain?.largestLight ?? 1)
  }

  /// The same field ahead of which a resample now comes. Grain is that of the result, wherever it stands.
  func behind(_ geometry: Geometry) -> Field {
    Field(local: local?.behind(geometry.map), falloff: falloff?.behind(geometry.map), grain: grain)
  }

  /// The same field ahead of a matrix that was ahead of it, with which a gain commutes.
  func ahead(of matrix: Matrix3x3) -> Field {
    var field = self
    if let local { field.local?.toWorking = local.toWorking * matrix }
    if let grain { field.grain?.toWorking = grain.toWorking * matrix }
    return field
  }

  /// This field and one that follows it as one; nil if both do the same.
  func joined(with next: Field) -> Field? {
    var joined = self
    switch (falloff, next.falloff) {
    case (nil, let own): joined.falloff = own
    case (_?, nil): break
    case (_?, _?): return nil
    }
    switch (grain, next.grain) {
    case (nil, let own): joined.grain = own
    case (_?, nil): break
    case (_?, _?): return nil
    }
    switch (local, next.local) {
    case (nil, let own): joined.local = own
    case (_?, nil): break
    case (let a?, let b?):
      guard let both = a.joined(with: b) else { return nil }
      joined.local = both
    }
    return joined
  }

  var hasFiniteNumbers: Bool {
    (local?.hasFiniteNumbers ?? true) && (falloff?.hasFiniteNumbers ?? true) && (grain?.isFinite ?? true)
  }

  /// `local shadows 40 clarity 20, vignette -2.00 EV from 0.33 to 0.98`
  var text: String { [local?.text, falloff?.text, grain?.text].compactMap { $0 }.joined(separator: ", ") }
}

extension AffineMap {
  /// The same map with numbers that a `Float` holds: enough for a gain.
  var inSinglePrecision: AffineMap {
    func rounded(_ x: Double) -> Double { Double(Float(x)) }
    return AffineMap(
      a: rounded(a), b: rounded(b), c: rounded(c), d: rounded(d), e: rounded(e), f: rounded(f))
  }
}
