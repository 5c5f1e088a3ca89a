import Safelight

/// What a page asks for about many photos. `docs/studio-protocol.md` describes all messages.
enum LibraryRequest: Sendable {
  case mark(request: Int?, photos: [String], PhotoMark.Change)
  case sight(photos: [String], size: Int)
  case paste(request: Int, photos: [String], StudioEdit, Set<EditPart>)
  case stepOfPaste(request: Int, isUndo: Bool, photos: [String], steps: [String: Int])
  case exportAll(request: Int, photos: [String], StudioExport)
  case cancel(request: Int)

  static let names = ["mark", "sight", "paste", "undo-paste", "redo-paste", "export-all", "cancel"]

  /// Reads a message.
  ///
  /// - Returns: nil if it is of another type.
  /// - Throws: `SafelightError` if a field is missing or wrong.
  init?(_ type: String, _ fields: inout JSONObject) throws {
    func request(_ fields: inout JSONObject) throws -> Int {
      try StudioRequest.required(fields.count("request"), "request")
    }
    switch type {
    case "mark":
      let change = try PhotoMark.Change(StudioRequest.required(fields.value("mark"), "mark"))
      self = .mark(
        request: try fields.count("request"), photos: try StudioRequest.photos(&fields, atMost: 1000), change)
    case "sight":
      self = .sight(
        photos: try StudioRequest.photos(&fields, atMost: 1000),
        size: try StudioRequest.thumbnailSize(&fields))
    case "paste":
      self = .paste(
        request: try request(&fields), photos: try StudioRequest.photos(&fields, atMost: 100_000),
        try StudioEdit(StudioRequest.required(fields.value("edit"), "edit")),
        try EditPart.parts(fields.array("parts") ?? []))
    case "undo-paste", "redo-paste":
      self = .stepOfPaste(
        request: try request(&fields), isUndo: type == "undo-paste",
        photos: try StudioRequest.photos(&fields, atMost: 100_000), steps: try Self.steps(&fields))
    case "export-all":
      self = .exportAll(
        request: try request(&fields), photos: try StudioRequest.photos(&fields, atMost: 100_000),
        try StudioExport(fields.value("options")))
    case "cancel": self = .cancel(request: try request(&fields))
    default: return nil
    }
  }
}

extension LibraryRequest {
  /// `{id: steps of its history}`.
  fileprivate static func steps(_ fields: inout JSONObject) throws -> [String: Int] {
    guard case .object(let values)? = fields.value("steps") else {
      throw SafelightError(.corruptData, "message: “steps” must have a number for each photo")
    }
    return try values.mapValues { value in
      guard case .number(let number) = value, let count = Int(exactly: number), count >= 0 else {
        throw SafelightError(.corruptData, "message: “steps” must be whole numbers")
      }
      return count
    }
  }
}

extension StudioRequest {
  /// The ids in a list, each once.
  ///
  /// - Throws: `SafelightError` if there is something else, or more than are allowed.
  static func photos(_ fields: inout JSONObject, _ key: String = "photos", atMost limit: Int) throws
    -> [String]
  {
    var seen: Set<String> = []
    let photos = try (fields.array(key) ?? []).map { value in
      guard case .string(let id) = value else {
        throw SafelightError(.corruptData, "message: “\(key)” must be a list of ids")
      }
      return id
    }
    guard photos.count <= limit else {
      throw SafelightError(
        .tooLarge, "message: “\(key)” names more than \(limit)", remedy: "ask for those in sight")
    }
    return photos.filter { seen.insert($0).inserted }
  }
}

extension PhotoMark.Change {
  /// Reads `{"rating": 0…5, "flag": …, "color": …}`; keys that are absent leave what was said.
  ///
  /// - Throws: `SafelightError` if a value is out of range or unknown.
  init(_ json: JSONValue) throws {
    var fields = try JSONObject(json, path: "mark")
    self.init()
    if let number = try fields.count("rating") {
      guard PhotoMark.ratings.contains(number) else {
        throw SafelightError(.invalidValue, "A photo cannot have \(number) stars", remedy: "give 0 to 5")
      }
      rating = number
    }
    flag = try Self.choice("flag", &fields)
    color = try Self.choice("color", &fields)
    try fields.refuseUnknownKeys()
  }

  private static func choice<Value: RawRepresentable & CaseIterable>(
    _ key: String, _ fields: inout JSONObject
  ) throws -> Value? where Value.RawValue == String {
    guard let text = try fields.string(key) else { return nil }
    guard let known = Value(rawValue: text) else {
      throw NearestName.error(unknown: key, text, among: Value.allCases.map(\.rawValue))
    }
    return known
  }
}

extension PhotoMark {
  var json: JSONValue {
    .object([
      "rating": .number(rating), "flag": .string(flag.rawValue), "color": .string(color.rawValue),
    ])
  }
}
