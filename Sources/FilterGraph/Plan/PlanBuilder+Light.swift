import FrameCore

// Light that depends on the place of a pixel or on the light around it: all of it becomes one field.
extension PlanBuilder {
  /// Appends light that falls off from the centre of the current picture, on scene-linear RGB.
  ///
  /// - Parameters:
  ///   - amount: -1…1; negative darkens the corners, and 0 appends nothing.
  ///   - midpoint, feather: 0…1.
  ///   - roundness: -1…1. `LightFalloff` has the formula.
  public mutating func vignette(amount: Double, midpoint: Double, feather: Double, roundness: Double) {
    guard amount != 0 else { return }
    let falloff = LightFalloff(
      amount: amount, midpoint: midpoint, feather: feather, roundness: roundness, frame: size)
    append(Field(falloff: falloff))
  }

  /// Appends gains that depend on the light around each pixel, on scene-linear RGB; nothing if all are 0.
  ///
  /// - Parameters:
  ///   - highlights, shadows: -1…1; negative darkens the bright or the dark regions.
  ///   - clarity: -1…1; positive makes what stands out from its surroundings stand out more. `LocalLight` has the
  ///     formulas.
  public mutating func light(highlights: Double = 0, shadows: Double = 0, clarity: Double = 0) {
    guard highlights != 0 || shadows != 0 || clarity != 0 else { return }
    let local = LocalLight(
      highlights: highlights, shadows: shadows, clarity: clarity, source: sourceSize,
      map: placeMap)
    append(Field(local: local))
  }

  /// Appends the grain of film, on scene-linear RGB; nothing if the amount is 0.
  ///
  /// - Parameters:
  ///   - amount, size, roughness: 0…1. `FilmGrain` has the formula.
  ///   - seed: which piece of film.
  public mutating func grain(amount: Double, size: Double, roughness: Double, seed: Int) {
    guard amount != 0 else { return }
    append(Field(grain: FilmGrain(amount: amount, size: size, roughness: roughness, seed: seed)))
  }

  /// Takes haze out, or puts it in, on scene-linear RGB; 0 appends nothing.
  ///
  /// - Parameter amount: -1…1; negative adds haze. `Dehazing` has the formula.
  public mutating func dehaze(_ amount: Double) {
    guard amount != 0 else { return }
    append(Field(haze: Dehazing(amount), origin: origin))
  }

  /// Appends light that scatters about bright places, on scene-linear RGB; 0 appends nothing.
  ///
  /// - Parameter amount: 0…1. `Scattering` has the formula.
  public mutating func halation(_ amount: Double) {
    guard amount != 0 else { return }
    append(Field(glow: Scattering(amount), origin: origin))
  }

  /// Makes detail of the size of pores and leaves stronger or weaker, on scene-linear RGB; 0 appends nothing.
  ///
  /// - Parameter amount: -1…1. `FineTexture` has the formula.
  public mutating func texture(_ amount: Double) {
    guard amount != 0 else { return }
    append(Field(texture: FineTexture(amount), origin: origin))
  }

  /// Where a field that is appended next finds the stored picture.
  var origin: FieldOrigin {
    FieldOrigin(
      source: sourceSize, map: placeMap,
      toChannels: Self.workingSpace.matrix(to: sourceSpace))
  }

  /// Appends a field, or joins it with one that was just appended.
  private mutating func append(_ field: Field) {
    enter(Self.workingSpace)
    if case .field(let last, [.linear])? = stages.last, let joined = last.joined(with: field) {
      replaceLast(with: .field(joined))
    } else {
      append(.field(field))
    }
  }
}
