import FrameCore
import Libc

extension PlanBuilder {
  /// Appends filters that act where a mask is, on scene-linear RGB of `workingSpace`; nothing if they are neutral.
  ///
  ///     out = in + opacity · mask · (filters(in) − in)
  ///
  /// Ranges of colours, highlights and shadows, clarity, texture and dehazing read what reaches the first of the groups
  /// that follow each other: `MaskedGroup`.
  ///
  /// - Parameters:
  ///   - filters: they act in the order of their phases, but local light acts first: exposure and white balance, which
  ///     it follows elsewhere, commute with it. Each must be such light or a function of a pixel's own colour.
  ///   - mask: nil is everywhere.
  ///   - opacity: 0…1.
  /// - Throws: `SafelightError` if a filter cannot be in a group, or the mask is wrong.
  public mutating func group(_ filters: [any Filter], mask: Mask?, opacity: Double) throws {
    let (fields, stages) = try lowered(filters)
    try mask?.validate()
    guard opacity != 0, unusable == nil, !fields.isEmpty || !stages.isEmpty else { return }
    let program =
      try mask.map {
        try MaskCanvas(
          size: upright.size, toPicture: placeMap.then(upright.map.inverse),
          stored: (sourceSize, upright.map.inverse)
        ).program($0)
      } ?? MaskProgram([.constant(1)])
    try check(guides: program.guides.count)
    let group = MaskedGroup(
      mask: program, opacity: opacity, fields: fields, origin: program.guides.isEmpty ? nil : origin,
      stages: stages)
    guard group.hasFiniteNumbers else {
      unusable = "has a number that is infinite or NaN"
      return
    }
    let places = placed?.isAffine ?? true ? size : sourceSize
    guard program.bounds(in: places).upperBound > 0 else {
      notes.append("The mask of a group lies outside the picture, so the group has no effect")
      return
    }
    enter(Self.workingSpace)
    append(group)
  }

  /// Throws if masks of all groups so far and of the next one follow edges too often.
  private func check(guides next: Int) throws {
    let count = stages.reduce(next) { $0 + ($1.gridField?.guides.count ?? 0) }
    guard count <= MaskGuide.limit else {
      throw SafelightError(
        .tooLarge, "The masks of a recipe follow edges \(count) times, more than \(MaskGuide.limit)",
        remedy: "combine masks first, and let the whole follow edges: feather 0.02 edges (A + B)")
    }
  }

  /// Lowers the filters of a group.
  private mutating func lowered(_ filters: [any Filter]) throws -> (fields: [Field], stages: [Stage]) {
    guard !isInGroup else {
      throw SafelightError(
        .unsupported, "A group is in a group",
        remedy: "put its filters beside the group in a group of their own, and intersect both masks")
    }
    var inner = PlanBuilder(groupIn: self)
    let ordered = filters.enumerated().sorted {
      (type(of: $0.element).phase, $0.offset) < (type(of: $1.element).phase, $1.offset)
    }
    for (index, filter) in ordered {
      guard !type(of: filter).phase.isGeometry else { throw Self.refused(filter, "moves pixels") }
      try inner.lower(filter, number: index + 1)
      guard inner.size == size, !inner.actsElsewhere, inner.stages.allSatisfy(\.fitsInGroup) else {
        throw Self.refused(filter, "acts on the whole picture")
      }
    }
    inner.enter(Self.workingSpace)
    notes += inner.notes
    var optimizer = Optimizer()
    return (
      inner.fields, try optimizer.run(Optimizer.algebraicPasses, on: inner.stages.filter(\.isPointwise))
    )
  }

  /// The fields of a group, told how bright the stages ahead of each of them make its light.
  private var fields: [Field] {
    stages.indices.compactMap { index in
      guard case .field(var field, _) = stages[index] else { return nil }
      let grey = SIMD3(repeating: LocalLight.middleGrey)
      let ahead = stages[..<index].reduce(grey) { $1.isPointwise ? $1.evaluate($0) : $0 }
      if ahead != grey {
        field.local?.shift = log2(max(LocalLight.norm(ahead), LocalLight.floor) / LocalLight.middleGrey)
      }
      return field
    }
  }

  private static func refused(_ filter: any Filter, _ why: String) -> SafelightError {
    SafelightError(
      .unsupported, "The filter “\(type(of: filter).id)” \(why), so it cannot be in a group",
      remedy: "use it outside the group")
  }
}

extension Stage {
  fileprivate var fitsInGroup: Bool {
    if case .field(let field, _) = self { field.fitsInGroup } else { isPointwise }
  }
}
