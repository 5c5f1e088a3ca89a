import Safelight

/// What is found in a photo at the press of a button. Nothing is changed by it.
struct StudioFinding: Sendable {
  enum Kind: String, Sendable, CaseIterable {
    case straighten, exposure
    case whiteBalance = "white-balance"
    case tone, all

    fileprivate var auto: Set<AutoValues.Kind> {
      switch self {
      case .straighten: []
      case .exposure: [.exposure]
      case .whiteBalance: [.whiteBalance]
      case .tone: [.tone]
      case .all: Set(AutoValues.Kind.allCases)
      }
    }
  }

  /// By the parameters' flags.
  let values: [String: Double]
  /// What was found, or why nothing was, as a sentence.
  let summary: String
  /// Lines by which a photo was levelled.
  let evidence: HorizonEvidence?
  /// The size of the photo turned upright, in whose long edges the lines are.
  let size: PixelSize
  /// The turns and mirrorings of the edit, which the page shows the lines behind.
  private let moves: [any Filter]

  /// Finds values in a photo.
  ///
  /// - Parameter recipe: the edit that they are for, without values of this kind.
  /// - Throws: `SafelightError` if the photo cannot be read.
  init(_ kind: Kind, in photo: String, joining recipe: Recipe) throws {
    try self.init(kind, in: PhotoSample(contentsOf: photo), joining: recipe)
  }

  /// Finds values in a sample, such as that of a live frame.
  ///
  /// - Throws: `SafelightError` if the edit does not fit it.
  init(_ kind: Kind, in sample: PhotoSample, joining recipe: Recipe) throws {
    size = sample.size
    moves = recipe.filtersInPlanOrder.filter { $0 is Rotate || $0 is Flip }
    guard kind == .straighten else {
      let found = try Edit(auto: kind.auto).resolve(sample, onto: recipe).found
      values = found?.values ?? [:]
      let reasons = (found?.reasons ?? [:]).sorted { $0.key < $1.key }.map(\.value).filter { !$0.isEmpty }
      summary =
        values.isEmpty
        ? (["Left as it is"] + reasons).joined(separator: ": ") : reasons.joined(separator: "; ")
      evidence = nil
      return
    }
    let horizon = PhotoHorizon(sample)
    let levelling = AutoStraightening(horizon.horizon, joining: recipe)
    // The whole turn, where a part of it was there before.
    let turn = levelling.joined(to: recipe).filters.lazy.compactMap { $0 as? Straighten }.first?.angle
    values = levelling.angle == nil ? [:] : ["straighten": Double("\(turn ?? 0)") ?? 0]
    summary = levelling.summary
    evidence = horizon.evidence
  }

  /// Returns the place that a point of the upright photo has when it is turned and mirrored, in 0…1 of the picture.
  private func place(_ point: SIMD2<Double>) -> SIMD2<Double> {
    let edge = Double(size.longEdge)
    var place = SIMD2(point.x * edge / Double(size.width), point.y * edge / Double(size.height))
    for move in moves {
      switch (move as? Rotate)?.turn {
      case .clockwise?: place = SIMD2(1 - place.y, place.x)
      case .halfTurn?: place = 1 - place
      case .counterclockwise?: place = SIMD2(place.y, 1 - place.x)
      case Rotate.Turn.none?, nil: break
      }
      switch (move as? Flip)?.axis {
      case .horizontal?: place.x = 1 - place.x
      case .vertical?: place.y = 1 - place.y
      case Flip.Axis.none?, nil: break
      }
    }
    return place
  }

  /// The fields of the message to the page: lines in 0…1 of the picture, turned and mirrored but not straightened.
  var fields: [String: JSONValue] {
    func line(_ line: HorizonEvidence.Line) -> JSONValue {
      let (from, to) = (place(line.from), place(line.to))
      return .object([
        "x1": .number(from.x), "y1": .number(from.y), "x2": .number(to.x), "y2": .number(to.y),
        "kind": .string(line.role.rawValue),
      ])
    }
    let used = evidence.map { found in
      Array(found.lines.filter { $0.role != .other }.prefix(40)) + [found.boundary].compactMap { $0 }
    }
    return [
      "found": .bool(!values.isEmpty), "values": .object(values.mapValues { .number($0) }),
      "summary": .string(summary.prefix(1).uppercased() + summary.dropFirst()),
      "evidence": .array((used ?? []).map(line)),
    ]
  }

  /// The fields with what they are the answer to.
  func message(_ request: Int, photo: String) -> [String: JSONValue] {
    fields.merging(["request": .number(request), "photo": .string(photo)]) { first, _ in first }
  }
}
