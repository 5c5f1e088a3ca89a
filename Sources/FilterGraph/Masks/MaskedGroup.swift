import FrameCore

/// Filters under a mask.
///
///     out = in + opacity · mask(place, p0) · (stages(fields(in)) − in)     linear RGB of `PlanBuilder.workingSpace`
///
/// p0 is the colour that reaches the first of the groups that follow each other. Masks read it, and so do fields: what
/// they do is found from p0 and the light around it, and done to what the groups before left. So another order of the
/// groups changes nothing of what is found, and all of them share the grids of one picture.
public struct MaskedGroup: Sendable, Hashable {
  public internal(set) var mask: MaskProgram
  /// 0…1.
  public internal(set) var opacity: Double
  /// Local tone, texture and dehazing, ahead of the stages.
  public internal(set) var fields: [Field]
  /// Where masks that follow edges find the picture; nil without them.
  public internal(set) var origin: FieldOrigin?
  /// Functions of one pixel's colour, from the working space to the working space. There is one, or a field.
  public internal(set) var stages: [Stage]

  /// - Parameter origin: for a mask with guides.
  package init(
    mask: MaskProgram, opacity: Double, fields: [Field] = [], origin: FieldOrigin? = nil, stages: [Stage]
  ) {
    (self.mask, self.opacity, self.fields, self.stages) = (mask, opacity, fields, stages)
    self.origin = origin
  }

  /// - Parameters:
  ///   - color: what the groups before this one left.
  ///   - first: the colour that reached the first group.
  ///   - grid: the light around it; nil takes each pixel for its own surroundings.
  ///   - lines: of the grid, those of the mask's guides.
  fileprivate func evaluate(
    _ color: SIMD3<Double>, first: SIMD3<Double>, at place: (x: Double, y: Double), in grid: LightGrid?,
    lines: ArraySlice<NodePlanes>?
  ) -> SIMD3<Double> {
    let weight = opacity * mask.value(at: place, of: first, edges: edges(first, at: place, lines))
    // Infinite colours of the stages must not become NaN where the mask is 0.
    guard weight > 0 else { return color }
    let lit = fields.reduce(color) { $1.light(of: $0, foundFrom: first, at: place, in: grid) }
    let changed = stages.reduce(lit) { $1.evaluate($0) }
    return weight == 1 ? changed : color + weight * (changed - color)
  }

  private func edges(
    _ first: SIMD3<Double>, at place: (x: Double, y: Double), _ lines: ArraySlice<NodePlanes>?
  ) -> [Double] {
    guard let origin, !mask.guides.isEmpty else { return [] }
    let brightness = LocalLight.brightness(first, toWorking: .identity)
    return mask.guides.enumerated().map { index, guide in
      guide.value(
        at: origin.map(to: guide.shape.size).apply(place.x, place.y), brightness: brightness,
        lines: lines.map { $0[$0.startIndex + index] })
    }
  }

  /// The same group ahead of which a resample now comes.
  func behind(_ geometry: Geometry) -> MaskedGroup {
    var moved = self
    moved.mask = mask.behind(geometry.map)
    moved.fields = fields.map { $0.behind(geometry, isStored: false) }
    moved.origin = origin?.behind(geometry.map)
    return moved
  }

  var hasFiniteNumbers: Bool {
    mask.hasFiniteNumbers && opacity.isFinite && (origin?.hasFiniteNumbers ?? true)
      && fields.allSatisfy(\.hasFiniteNumbers)
      && stages.allSatisfy(\.hasFiniteNumbers)
  }

  /// `radial − luminance · opacity 80 · local shadows 40 on 256×171 · gain 2.0000 2.0000 2.0000`
  var text: String {
    let parts =
      [mask.text] + (opacity == 1 ? [] : ["opacity \(PlainNumber.fixed(opacity * 100, 0))"])
      + fields.map(\.text)
      + stages.map { stage in
        if case .lut = stage { "lut \(stage.line.detail)" } else { stage.line.detail }
      }
    return parts.joined(separator: " · ")
  }
}

extension [MaskedGroup] {
  /// Runs groups in their order.
  func evaluate(
    _ first: SIMD3<Double>, at place: (x: Double, y: Double), in grid: LightGrid?
  ) -> SIMD3<Double> {
    var (color, guides) = (first, 0)
    for group in self {
      let own = guides..<guides + group.mask.guides.count
      color = group.evaluate(
        color, first: first, at: place, in: grid,
        lines: grid.flatMap { own.upperBound <= $0.edges.count ? $0.edges[own] : nil })
      guides = own.upperBound
    }
    return color
  }

  /// A field that needs of a picture what the groups need together; nil if that is nothing.
  ///
  /// It is never run: the fields and masks of groups, which all stand at one place of a plan, share its grids.
  package var measuredField: Field? {
    let fields = flatMap(\.fields)
    let guides = flatMap(\.mask.guides)
    guard !fields.isEmpty || !guides.isEmpty else { return nil }
    var shared = Field(local: fields.compactMap(\.local).first)
    shared.texture = fields.compactMap(\.texture).first
    // Only one that removes haze has to tell that there is none.
    let hazes = fields.compactMap(\.haze)
    shared.haze = hazes.first { $0.removes } ?? hazes.first
    shared.origin = (fields.map(\.origin) + map(\.origin)).compactMap { $0 }.first
    shared.guides = guides
    return shared
  }
}
