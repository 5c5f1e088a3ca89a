import Safelight

/// What is found in a photo at the press of a button. Nothing is changed by it.
struct StudioFinding: Sendable {
  enum Kind: String, Sendable, CaseIterable {
    case straighten, exposure
    case whiteBalance = "white-balance"
    case tone, all
    case uprightAuto = "upright-auto"
    case uprightVertical = "upright-vertical"
    case uprightLevel = "upright-level"
    case uprightFull = "upright-full"
    case lens
    /// The balance that makes a place grey.
    case greyPoint = "grey-point"

    fileprivate var auto: Set<AutoValues.Kind> {
      switch self {
      case .exposure: [.exposure]
      case .whiteBalance: [.whiteBalance]
      case .tone: [.tone]
      case .all: Set(AutoValues.Kind.allCases)
      case .straighten, .uprightAuto, .uprightVertical, .uprightLevel, .uprightFull, .lens, .greyPoint: []
      }
    }

    fileprivate var upright: Upright? {
      switch self {
      case .uprightAuto: .auto
      case .uprightVertical: .vertical
      case .uprightLevel: .level
      case .uprightFull: .full
      case .straighten, .exposure, .whiteBalance, .tone, .all, .lens, .greyPoint: nil
      }
    }
  }

  /// By the parameters' flags.
  let values: [String: ParameterValue]
  /// What was found, or why nothing was, as a sentence.
  let summary: String
  /// Lines by which a photo was levelled or made upright, as the page draws them.
  let lines: [Line]

  /// A line in 0…1 of the picture: turned, mirrored and projected, but not straightened or cropped.
  struct Line: Sendable, Hashable {
    var from, to: SIMD2<Double>
    var role: HorizonEvidence.Role
  }

  private init(_ values: [String: ParameterValue], _ summary: String, _ lines: [Line] = []) {
    (self.values, self.lines) = (values, lines)
    self.summary = summary.prefix(1).uppercased() + summary.dropFirst()
  }

  /// What is asked for.
  struct Question: Sendable {
    var kind: Kind
    /// Of a grey point: 0…1 of the photo as displayed, without any edit.
    var place = SIMD2(0.5, 0.5)

    init(_ kind: Kind, at place: SIMD2<Double>? = nil) {
      self.kind = kind
      if let place { self.place = place }
    }
  }

  /// Finds values in a photo.
  ///
  /// - Parameter recipe: the edit that they are for, without values of this kind.
  /// - Throws: `SafelightError` if the photo cannot be read, or if its lens is to be found and Lensfun is missing.
  init(_ question: Question, in photo: String, joining recipe: Recipe) throws {
    try self.init(question, in: PhotoSample(contentsOf: photo), joining: recipe)
  }

  /// Finds values in a sample, such as that of a live frame.
  ///
  /// - Throws: `SafelightError` if the edit does not fit it.
  init(_ question: Question, in sample: PhotoSample, joining recipe: Recipe) throws {
    let kind = question.kind
    switch kind {
    case .greyPoint:
      let found = try GreyPoint(at: question.place, in: sample)
      self.init(
        found.whiteBalance.map {
          ["temperature": .number(Self.decimal($0.temperature)), "tint": .number(Self.decimal($0.tint))]
        } ?? [:], found.summary)
    case .straighten: self = try Self.level(sample, recipe)
    case .lens: self = try Self.lens(sample, recipe)
    case .uprightAuto, .uprightVertical, .uprightLevel, .uprightFull:
      self = try Self.upright(kind.upright ?? .auto, sample, recipe)
    case .exposure, .whiteBalance, .tone, .all:
      let found = try Edit(auto: kind.auto).resolve(sample, onto: recipe).found
      let values = found?.values ?? [:]
      let reasons = (found?.reasons ?? [:]).sorted { $0.key < $1.key }.map(\.value).filter { !$0.isEmpty }
      self.init(
        values.mapValues { .number($0) },
        values.isEmpty
          ? (["Left as it is"] + reasons).joined(separator: ": ") : reasons.joined(separator: "; "))
    }
  }

  private static func level(_ sample: PhotoSample, _ recipe: Recipe) throws -> StudioFinding {
    let horizon = PhotoHorizon(sample)
    let levelling = AutoStraightening(horizon.horizon, joining: recipe)
    // The whole turn, where a part of it was there before.
    let turn = levelling.joined(to: recipe).filters.lazy.compactMap { $0 as? Straighten }.first?.angle
    let values: [String: ParameterValue] =
      levelling.angle == nil ? [:] : ["straighten": .number(decimal(turn ?? 0))]
    return StudioFinding(values, levelling.summary, try drawn(horizon.evidence, sample, through: recipe))
  }

  /// Upright lines take the place of all perspective that the edit has.
  private static func upright(_ kind: Upright, _ sample: PhotoSample, _ recipe: Recipe) throws
    -> StudioFinding
  {
    var plain = recipe
    plain.filters.removeAll { $0 is Perspective }
    let found = AutoUpright(sample, kind, joining: plain)
    var (values, summary): ([String: ParameterValue], String) = ([:], found.summary)
    if let turn = found.turn {
      summary = told(turn)
      values["keystone-vertical"] = .number(decimal(turn.keystone.vertical))
      values["keystone-horizontal"] = .number(decimal(turn.keystone.horizontal))
      values["keystone-focal-length"] = .number(decimal(turn.keystone.focalLength))
      values["straighten"] = .number(decimal(turn.straighten))
      values["perspective"] = .text(Perspective.Corners.none.parameterText)
    }
    let lines = try drawn(PhotoHorizon(sample).evidence, sample, through: found.joined(to: plain))
    return StudioFinding(values, summary, lines)
  }

  /// What was done, in the words of the page's controls.
  private static func told(_ turn: AutoUpright.Turn) -> String {
    func degrees(_ name: String, _ angle: Float) -> String? {
      angle == 0 ? nil : "\(name) \(PlainNumber.text(decimal(angle)))°"
    }
    let turns = [
      degrees("vertical", turn.keystone.vertical), degrees("horizontal", turn.keystone.horizontal),
      degrees("straightened by", turn.straighten),
    ].compactMap { $0 }
    let isTurned = turn.keystone.vertical != 0 || turn.keystone.horizontal != 0
    let lens =
      isTurned ? ", for a lens of \(PlainNumber.text(decimal(turn.keystone.focalLength))) mm" : ""
    return "made upright: " + turns.joined(separator: ", ") + lens
  }

  private static func lens(_ sample: PhotoSample, _ recipe: Recipe) throws -> StudioFinding {
    var edit = Edit()
    edit.lens = .automatic
    let (corrected, found) = try edit.resolve(sample, onto: recipe)
    var values: [String: ParameterValue] = [:]
    if let lens = corrected.filters.lazy.compactMap({ $0 as? Lens }).last {
      for parameter in Lens.parameters {
        if let flag = parameter.flag { values[flag] = parameter.value(in: lens) }
      }
    }
    return StudioFinding(values, found?.lens?.summary ?? "")
  }

  /// As written on command lines, without what single precision adds.
  private static func decimal(_ value: Float) -> Double { Double("\(value)") ?? 0 }

  /// Returns the lines where the picture has them once it is turned, mirrored and projected.
  private static func drawn(_ evidence: HorizonEvidence, _ sample: PhotoSample, through recipe: Recipe) throws
    -> [Line]
  {
    var moves = recipe.geometryOnly
    moves.filters.removeAll { $0 is Straighten || $0 is Crop || $0 is Resize }
    // Between a picture as stored and as displayed there is the same turn of the size both ways.
    let stored = sample.orientation.applied(to: sample.size)
    let places = try Plan(
      moves, input: PlanInput(size: stored, orientation: sample.orientation), output: PlanOutput(),
      optimized: false
    ).places
    let edge = Double(sample.size.longEdge)
    let scale = SIMD2(edge / Double(sample.size.width), edge / Double(sample.size.height))
    func place(_ point: SIMD2<Double>) -> SIMD2<Double> {
      let found = places.inverse(point.x * scale.x, point.y * scale.y)
      return SIMD2(found.x, found.y)
    }
    let used = evidence.lines.filter { $0.role != .other }.prefix(40) + [evidence.boundary].compactMap { $0 }
    return used.map { Line(from: place($0.from), to: place($0.to), role: $0.role) }
      .filter { line in [line.from.x, line.from.y, line.to.x, line.to.y].allSatisfy(\.isFinite) }
  }

  /// The fields of the message to the page.
  var fields: [String: JSONValue] {
    [
      "found": .bool(!values.isEmpty),
      "values": .object(
        values.mapValues { value in
          if case .number(let number) = value { .number(number) } else { .string(value.description) }
        }),
      "summary": .string(summary),
      "evidence": .array(
        lines.map { line in
          func number(_ value: Double) -> JSONValue { .number(PlainNumber.rounded(value, 6)) }
          return .object([
            "x1": number(line.from.x), "y1": number(line.from.y), "x2": number(line.to.x),
            "y2": number(line.to.y), "kind": .string(line.role.rawValue),
          ])
        }),
    ]
  }

  /// The fields with what they are the answer to.
  func message(_ request: Int, photo: String) -> [String: JSONValue] {
    fields.merging(["request": .number(request), "photo": .string(photo)]) { first, _ in first }
  }
}
