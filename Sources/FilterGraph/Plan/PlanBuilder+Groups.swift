import FrameCore

extension PlanBuilder {
  /// Appends filters that act where a mask is, on scene-linear RGB of `workingSpace`; nothing if they are neutral.
  ///
  ///     out = in + opacity · mask · (filters(in) − in)
  ///
  /// Ranges of colours read what reaches the first of the groups that follow each other.
  ///
  /// - Parameters:
  ///   - filters: they act in the order of their phases. Each must be a function of a pixel's own colour.
  ///   - mask: nil is everywhere.
  ///   - opacity: 0…1.
  /// - Throws: `SafelightError` if a filter cannot be in a group, or the mask is wrong.
  public mutating func group(_ filters: [any Filter], mask: Mask?, opacity: Double) throws {
    let lowered = try stages(of: filters)
    try mask?.validate()
    guard opacity != 0, unusable == nil, !lowered.isEmpty else { return }
    let program =
      try mask.map {
        try MaskCanvas(size: upright.size, toPicture: (placed?.map ?? .identity).then(upright.map.inverse))
          .program($0)
      } ?? MaskProgram([.constant(1)])
    let group = MaskedGroup(mask: program, opacity: opacity, stages: lowered)
    guard group.hasFiniteNumbers else {
      unusable = "has a number that is infinite or NaN"
      return
    }
    guard program.bounds(in: size).upperBound > 0 else {
      notes.append("The mask of a group lies outside the picture, so the group has no effect")
      return
    }
    enter(Self.workingSpace)
    append(group)
  }

  /// Lowers the filters of a group.
  private mutating func stages(of filters: [any Filter]) throws -> [Stage] {
    guard !isInGroup else {
      throw SafelightError(
        .unsupported, "A group is in a group",
        remedy: "put its filters beside the group in a group of their own, and intersect both masks")
    }
    var inner = PlanBuilder(size: size, space: Self.workingSpace, isInGroup: true)
    let ordered = filters.enumerated().sorted {
      (type(of: $0.element).phase, $0.offset) < (type(of: $1.element).phase, $1.offset)
    }
    for (index, filter) in ordered {
      guard !type(of: filter).phase.isGeometry else { throw Self.refused(filter, "moves pixels") }
      let known = inner.stages.count
      try inner.lower(filter, number: index + 1)
      guard inner.size == size, !inner.actsElsewhere, inner.stages[known...].allSatisfy(\.isPointwise) else {
        throw Self.refused(filter, "depends on more than the colour of each pixel")
      }
    }
    inner.enter(Self.workingSpace)
    notes += inner.notes
    var optimizer = Optimizer()
    return try optimizer.run(Optimizer.algebraicPasses, on: inner.stages)
  }

  private static func refused(_ filter: any Filter, _ why: String) -> SafelightError {
    SafelightError(
      .unsupported, "The filter “\(type(of: filter).id)” \(why), so it cannot be in a group",
      remedy: "use it outside the group")
  }
}
