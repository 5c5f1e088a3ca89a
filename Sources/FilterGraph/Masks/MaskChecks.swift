import FrameCore

extension Mask {
  /// Throws an error that names the mask, its value and the range, if a value is out of its range, contradicts another
  /// one or is not a number.
  public func validate() throws {
    var parts = 0
    try validate(depth: 1, count: &parts)
    let points = pointCount
    guard points <= Self.pointLimit else { throw Self.tooManyPoints(points) }
  }

  static func tooManyPoints(_ count: Int) -> SafelightError {
    SafelightError(
      .tooLarge, "The masks have \(count) points, more than \(pointLimit)",
      remedy: "leave out points that lie close to each other")
  }

  private func validate(depth: Int, count: inout Int) throws {
    count += 1
    guard depth <= Self.depthLimit else {
      throw SafelightError(
        .tooLarge, "Masks are nested more than \(Self.depthLimit) deep",
        remedy: "add, intersect and subtract take lists")
    }
    guard count <= Self.partLimit else {
      throw SafelightError(
        .tooLarge, "A mask combines more than \(Self.partLimit) masks",
        remedy: "use one brush with several strokes")
    }
    switch self {
    case .linear(let from, let to):
      try checkPlaces([from, to])
      guard from != to else {
        throw wrong(
          "begins and ends at the same place", "give two places: it grows from the first to the second")
      }
    case .radial(let center, let radiusX, let radiusY, let angle, let feather):
      try checkPlaces([center])
      for radius in [radiusX, radiusY] { try check(radius, "radius", in: 0.0001...10) }
      try check(angle, "angle", in: -360...360)
      try check(feather, "feather", in: 0...1)
    case .luminance(let from, let to, let softness):
      try check(from, "from", in: 0...1)
      try check(to, "to", in: 0...1)
      try check(softness, "softness", in: 0...1)
      guard from <= to else {
        throw wrong(
          "goes from \(PlainNumber.text(from)) to \(PlainNumber.text(to))",
          "write the darker end first; for all but a range, invert it")
      }
    case .color(_, let range, let softness):
      try check(range, "range", in: 0...1)
      try check(softness, "softness", in: 0...1)
    case .brush(let strokes): try check(strokes)
    case .polygon(let points):
      guard points.count >= 3 else {
        throw wrong("has \(points.count) \(points.count == 1 ? "point" : "points")", "give three or more")
      }
      try checkPlaces(points)
    case .add, .intersect, .subtract, .invert:
      guard !parts.isEmpty else { throw wrong("has no masks", "list the masks that it combines") }
    case .feather(let mask, let radius, _):
      try check(radius, "radius", in: 0...1)
      try mask.checkFeathered()
    }
    for part in parts { try part.validate(depth: depth + 1, count: &count) }
  }

  private func check(_ strokes: [BrushStroke]) throws {
    guard !strokes.isEmpty else { throw wrong("has no strokes", "draw one") }
    for stroke in strokes {
      guard !stroke.points.isEmpty else { throw wrong("has a stroke without points", "give one or more") }
      try checkPlaces(stroke.points)
      try check(stroke.radius, "radius", in: 0.0001...1)
      try check(stroke.hardness, "hardness", in: 0...1)
      try check(stroke.flow, "flow", in: 0...1)
    }
  }

  /// Throws if this mask or one in it is made of colours, which have no edge in the picture.
  private func checkFeathered() throws {
    switch self {
    case .luminance, .color:
      throw SafelightError(
        .invalidValue, "A feather cannot soften a \(kind) mask, which has no outline",
        remedy: "give it a larger softness instead")
    case .feather(_, _, edges: true):
      throw SafelightError(
        .invalidValue,
        "A feather cannot soften a feather mask that follows edges, which are those of each picture",
        remedy: "feather inside of it, or give it a larger radius")
    case .linear, .radial, .brush, .polygon, .add, .intersect, .subtract, .invert, .feather:
      for part in parts { try part.checkFeathered() }
    }
  }

  private func check(_ value: Double, _ name: String, in range: ClosedRange<Double>) throws {
    // NaN is in no range.
    guard range.contains(value) else {
      throw wrong(
        "has the \(name) \(PlainNumber.text(value))",
        "give \(PlainNumber.text(range.lowerBound))…\(PlainNumber.text(range.upperBound))")
    }
  }

  private func checkPlaces(_ points: [MaskPoint]) throws {
    for point in points {
      guard MaskPoint.range.contains(point.x), MaskPoint.range.contains(point.y) else {
        throw wrong(
          "has the place \(PlainNumber.text(point.x)),\(PlainNumber.text(point.y))",
          "give x and y in -10…10; the picture is 0…1")
      }
    }
  }

  private func wrong(_ problem: String, _ remedy: String) -> SafelightError {
    SafelightError(.invalidValue, "The \(kind) mask \(problem)", remedy: remedy)
  }
}
