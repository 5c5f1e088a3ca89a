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

  /// Finds values in a photo.
  ///
  /// - Parameter recipe: the edit that they are for, without values of this kind.
  /// - Throws: `SafelightError` if the photo cannot be read.
  init(_ kind: Kind, in photo: String, joining recipe: Recipe) throws {
    let sample = try PhotoSample(contentsOf: photo)
    size = sample.size
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

  /// The fields of the message to the page: lines in 0…1 of the picture.
  var fields: [String: JSONValue] {
    let edge = Double(size.longEdge)
    func line(_ line: HorizonEvidence.Line) -> JSONValue {
      func part(_ value: Double, _ length: Int) -> JSONValue { .number(value * edge / Double(length)) }
      return .object([
        "x1": part(line.from.x, size.width), "y1": part(line.from.y, size.height),
        "x2": part(line.to.x, size.width), "y2": part(line.to.y, size.height),
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
}
