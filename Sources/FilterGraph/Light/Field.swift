import ColorScience
import FrameCore
import Libc

/// Light multiplied by a gain for each pixel, and more light added to it, both depending on its place and on the light
/// around it.
///
///     out = 2^(local(x, y, e) + texture(x, y) + falloff(x, y) + grain(x, y, e)) · Π masks(x, y)
///           · (f(x, y, in) · in + (1 - f) · A + glow(x, y))
///
/// in linear RGB, with f and A of `Dehazing` and the glow of `Scattering`; without them, in alone is multiplied. One gain
/// for all three channels keeps their ratios, and so hue and saturation. Filters that follow each other share one field:
/// what each does is found from the light ahead of all of them.
public struct Field: Sendable, Hashable {
  public internal(set) var local: LocalLight?
  public internal(set) var falloff: LightFalloff?
  public internal(set) var grain: FilmGrain?
  public internal(set) var haze: Dehazing?
  public internal(set) var glow: Scattering?
  public internal(set) var texture: FineTexture?
  /// Gains where masks are, of groups that do nothing else.
  public internal(set) var masks: [FieldMask] = []
  /// Of groups, the masks that follow edges.
  package internal(set) var guides: [MaskGuide] = []
  /// Where the last four find the picture; nil without them.
  public internal(set) var origin: FieldOrigin?

  init(local: LocalLight? = nil, falloff: LightFalloff? = nil, grain: FilmGrain? = nil) {
    (self.local, self.falloff, self.grain) = (local, falloff, grain)
  }

  init(masks: [FieldMask]) { self.masks = masks }

  init(haze: Dehazing? = nil, glow: Scattering? = nil, texture: FineTexture? = nil, origin: FieldOrigin) {
    (self.haze, self.glow, self.texture, self.origin) = (haze, glow, texture, origin)
  }

  /// A field in the working space that changes nothing but measures brightness, for one without local tone.
  package init(measuringFor field: Field) {
    local = field.origin.map {
      LocalLight(highlights: 0, shadows: 0, clarity: 0, source: $0.source, map: .identity)
    }
  }

  /// Whether it depends on the light around pixels, and so on a grid of each picture.
  public var needsGrid: Bool { local != nil || origin != nil }

  /// Whether it consists of gains under masks, and nothing else.
  package var isOnlyMasks: Bool {
    !masks.isEmpty && !needsGrid && falloff == nil && grain == nil
  }

  /// Whether it needs grids that are finer than those of surroundings.
  package var needsFineGrid: Bool { texture != nil || !guides.isEmpty }

  /// Whether light is added, so that what becomes of a pixel is more than a gain.
  public var addsLight: Bool { haze != nil || glow != nil }

  /// From pixels to the nodes of the grid of surroundings; nil if the field needs no grid.
  package var toGrid: AffineMap? { local?.toGrid ?? origin.map { $0.map(to: $0.coarse) } }

  /// Returns what becomes of a pixel of linear light.
  ///
  /// - Parameters:
  ///   - place: its centre, in pixels from the top left corner.
  ///   - stored: in plans with a projection, the same place in the picture as stored; nil in others.
  ///   - grid: the light around it; nil takes each pixel for its own surroundings.
  public func light(
    of rgb: SIMD3<Double>, at place: (x: Double, y: Double), stored: (x: Double, y: Double)? = nil,
    in grid: LightGrid? = nil
  ) -> SIMD3<Double> {
    light(of: rgb, foundFrom: rgb, at: place, stored: stored, in: grid)
  }

  /// Returns what becomes of a pixel of linear light, where another colour tells what the field does: groups have changed
  /// the light, but what they do is found from the light that reached the first of them.
  ///
  /// Haze that is removed went through those groups with what it veils, so of a colour that is brighter or darker than
  /// `first` there is as much more or less of it. A colour keeps its light: no channel becomes negative.
  func light(
    of rgb: SIMD3<Double>, foundFrom first: SIMD3<Double>, at place: (x: Double, y: Double),
    stored: (x: Double, y: Double)? = nil, in grid: LightGrid?
  ) -> SIMD3<Double> {
    let gain = gain(of: first, at: place, stored: stored, in: grid)
    guard addsLight, let origin, let grid else { return gain * rgb }
    let own = stored ?? place
    let node = origin.map(to: grid.size).apply(own.x, own.y)
    var light = rgb
    if let haze, let around = grid.haze {
      let line = grid.numbers(at: node, of: around.nodes)
      let share = haze.removes ? Self.share(of: rgb, in: first) : 1
      let factor = haze.factor(
        origin.toChannels * first, keeping: origin.toChannels * (1 / share * rgb),
        line: SIMD2(line[0], line[1]), around.ambient)
      light = factor * rgb + (1 - factor) * share * (origin.toChannels.inverse * around.ambient.color)
    }
    if let glow, !grid.glow.isEmpty {
      light += glow.strength * (origin.toChannels.inverse * grid.glow(at: node))
    }
    return gain * light
  }

  /// By how much a colour of the working space is brighter than another one.
  private static func share(of rgb: SIMD3<Double>, in first: SIMD3<Double>) -> Double {
    rgb == first
      ? 1
      : exp2(
        LocalLight.brightness(rgb, toWorking: .identity) - LocalLight.brightness(first, toWorking: .identity))
  }

  /// Returns the factor of a pixel of linear light.
  ///
  /// - Parameters:
  ///   - place: its centre, in pixels from the top left corner.
  ///   - stored: in plans with a projection, the same place in the picture as stored; nil in others.
  ///   - grid: the light around it; nil takes each pixel for its own surroundings.
  public func gain(
    of rgb: SIMD3<Double>, at place: (x: Double, y: Double), stored: (x: Double, y: Double)? = nil,
    in grid: LightGrid? = nil
  ) -> Double {
    var stops = falloff?.change(place.x, place.y) ?? 0
    let own = stored ?? place
    if let local { stops += local.change(of: rgb, at: own, in: grid) }
    if let grain {
      let brightness = LocalLight.brightness(rgb, toWorking: grain.toWorking)
      stops += grain.change(brightness: brightness, at: place)
    }
    if let texture, let origin, let detail = grid?.detail {
      let node = origin.map(to: detail.size).apply(own.x, own.y)
      stops += texture.strength * detail.numbers(at: node)[0]
    }
    return masks.reduce(exp2(stops)) { $0 * $1.gain(at: own) }
  }

  /// Returns the most light of a channel that light of 0…`light` becomes.
  func largest(of light: Double) -> Double {
    let stops = (local?.most ?? 0) + (texture?.mostStops ?? 0) + max(0, falloff?.stops ?? 0)
    // Grain changes light of less than 1, and by how much is measured ahead of all else.
    return masks.reduce(exp2(stops)) { $0 * $1.most } * max(light, grain?.largestLight ?? 0)
      * ((haze?.largestGain ?? 1) + (glow?.strength ?? 0))
  }

  /// The same field ahead of which a resample now comes. Grain is that of the result, wherever it stands.
  ///
  /// - Parameter isStored: whether a projection is ahead of both, so that all but the falloff finds its places in the
  ///   picture as stored.
  func behind(_ geometry: Geometry, isStored: Bool) -> Field {
    var field = self
    field.falloff = falloff?.behind(geometry.map)
    guard !isStored else { return field }
    field.local = local?.behind(geometry.map)
    for index in masks.indices { field.masks[index].mask = masks[index].mask.behind(geometry.map) }
    field.origin = origin?.behind(geometry.map)
    return field
  }

  /// The same field ahead of a matrix that was ahead of it, with which a gain commutes; what is added is added there.
  func ahead(of matrix: Matrix3x3) -> Field {
    var field = self
    if let local { field.local?.toWorking = local.toWorking * matrix }
    if let grain { field.grain?.toWorking = grain.toWorking * matrix }
    field.origin = origin?.ahead(of: matrix)
    return field
  }

  /// This field and one that follows it as one; nil if both do the same.
  func joined(with next: Field) -> Field? {
    var joined = self
    if let origin, let other = next.origin, origin != other { return nil }
    // Local light is found from what the lens let through, evened out.
    if masks.contains(where: \.mask.isLensLight), next.needsGrid { return nil }
    guard haze == nil || next.haze == nil, glow == nil || next.glow == nil,
      texture == nil || next.texture == nil
    else { return nil }
    joined.haze = haze ?? next.haze
    joined.glow = glow ?? next.glow
    joined.texture = texture ?? next.texture
    joined.origin = origin ?? next.origin
    joined.masks += next.masks
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
      && masks.allSatisfy(\.hasFiniteNumbers)
      && (origin?.hasFiniteNumbers ?? true)
      && [haze?.amount, glow?.amount, texture?.amount].allSatisfy { $0?.isFinite ?? true }
  }

  /// Whether it can act in a group: on each place as such, not on the frame, the film or the whole picture's lights.
  var fitsInGroup: Bool { falloff == nil && grain == nil && glow == nil }

  /// The same field wherever the picture was moved to, as far as renderers are told that apart from it.
  var unplaced: Field {
    var field = self
    field.local = local?.unplaced
    field.origin = origin?.unplaced
    return field
  }

  /// `local shadows 40 clarity 20, vignette -2.00 EV from 0.33 to 0.98`
  var text: String {
    let texture = texture.flatMap { texture in origin.map { "\(texture.text) on \($0.fine)" } }
    let parts = [haze?.text, local?.text, texture, glow?.text, falloff?.text, grain?.text]
    return (parts.compactMap { $0 } + masks.map(\.text)).joined(separator: ", ")
  }
}

extension AffineMap {
  /// The same map with numbers that a `Float` holds: enough for a gain.
  var inSinglePrecision: AffineMap {
    func rounded(_ x: Double) -> Double { Double(Float(x)) }
    return AffineMap(
      a: rounded(a), b: rounded(b), c: rounded(c), d: rounded(d), e: rounded(e), f: rounded(f))
  }
}
