import Safelight
import WebServer

/// What a script asks for. `StudioAPI` describes it.
enum ScriptRequest: Sendable {
  case photo(String, ScriptCondition)
  case edit(String, ScriptEdit.Form, ScriptCondition)
  case change(String, ScriptEdit, ScriptCondition)
  case marks(String)
  case mark(String, PhotoMark.Change)
  case picture(String, ScriptPicture, ScriptCondition)
  case export([String], StudioExport)
  case progress(String)
  case end(String)
}

/// What is at an address for scripts.
enum ScriptPlace: Equatable {
  case photo(String)
  case recipe(String)
  case edit(String)
  case marks(String)
  case picture(String)
  case exports
  case export(String)

  /// - Parameter path: behind `/api/v1`.
  init?(_ path: some Sequence<String>) {
    let parts = Array(path)
    switch (parts.count, parts.first, parts.last) {
    case (1, "exports", _): self = .exports
    case (2, "exports", let id?): self = .export(id)
    case (2, "photos", let id?): self = .photo(id)
    case (3, "photos", "recipe"): self = .recipe(parts[1])
    case (3, "photos", "edit"): self = .edit(parts[1])
    case (3, "photos", "marks"): self = .marks(parts[1])
    case (3, "photos", "picture"): self = .picture(parts[1])
    case _: return nil
    }
  }

  var route: WebRoute {
    switch self {
    case .photo, .picture: WebRoute(.get)
    case .recipe: WebRoute(.get, .put, bodyLimit: Self.editLimit)
    case .edit: WebRoute(.get, .patch, bodyLimit: Self.editLimit)
    case .marks: WebRoute(.get, .put, .patch)
    case .exports: WebRoute(.post, bodyLimit: Self.listLimit)
    case .export: WebRoute(.get, .delete)
    }
  }

  /// In bytes: as large as the file beside a photo may be, and a list of 100,000 ids.
  private static let (editLimit, listLimit) = (4 << 20, 4 << 20)
}

extension ScriptRequest {
  /// - Throws: `ScriptRefusal` or `SafelightError` that says what is wrong with it.
  init(_ place: ScriptPlace, _ request: WebRequest) throws {
    let condition = ScriptCondition(request.fields)
    let isRead = request.method == .get
    if case .picture = place {} else { try Self.refuseQuery(request) }
    switch place {
    case .photo(let id): self = .photo(id, condition)
    case .recipe(let id):
      self =
        isRead
        ? .edit(id, .recipe, condition)
        : .change(id, .recipe(try Self.body(request, "recipe", ["application/json"])), condition)
    case .edit(let id):
      let types = ["application/merge-patch+json", "application/json"]
      self =
        isRead
        ? .edit(id, .values, condition)
        : .change(id, .patch(try Self.body(request, "edit", types)), condition)
    case .marks(let id):
      guard !isRead else {
        self = .marks(id)
        return
      }
      let isWhole = request.method == .put
      let types = (isWhole ? [] : ["application/merge-patch+json"]) + ["application/json"]
      self = .mark(id, try Self.marks(Self.body(request, "marks", types), isWhole: isWhole))
    case .picture(let id): self = .picture(id, try ScriptPicture(request.query), condition)
    case .exports:
      let (photos, options) = try Self.export(Self.body(request, "export", ["application/json"]))
      self = .export(photos, options)
    case .export(let id): self = isRead ? .progress(id) : .end(id)
    }
  }

  private static func refuseQuery(_ request: WebRequest) throws {
    guard let item = request.query.first else { return }
    throw ScriptRefusal(
      422,
      "This address takes no “\(NearestName.shortened(item.name))”; leave out what follows the question mark."
    )
  }

  /// - Parameter types: that the body may have, the usual one first.
  private static func body(_ request: WebRequest, _ name: String, _ types: [String]) throws -> JSONValue {
    guard let type = request.mediaType, types.contains(type) else {
      throw ScriptRefusal(415, "The body has no type that is known here; send it as \(types[0]).")
    }
    return try JSONValue(parsing: request.body, file: name)
  }

  /// - Parameter isWhole: whether what is not said is neutral, rather than as it was.
  private static func marks(_ json: JSONValue, isWhole: Bool) throws -> PhotoMark.Change {
    guard case .object(var fields) = json else { return try PhotoMark.Change(json) }
    // Null takes a mark away, as in any merge patch.
    let neutral: [String: JSONValue] = [
      "rating": .number(PhotoMark.neutral.rating), "flag": .string(PhotoMark.neutral.flag.rawValue),
      "color": .string(PhotoMark.neutral.color.rawValue),
    ]
    for (key, value) in neutral where isWhole ? fields[key] == nil : fields[key] == .null {
      fields[key] = value
    }
    return try PhotoMark.Change(.object(fields))
  }

  private static func export(_ json: JSONValue) throws -> (photos: [String], StudioExport) {
    guard case .object(var options) = json else {
      throw SafelightError(.corruptData, "export is not a JSON object", remedy: "write { \"photos\": [ … ] }")
    }
    var list = try JSONObject(
      .object(options.removeValue(forKey: "photos").map { ["photos": $0] } ?? [:]), path: "export")
    let photos = try StudioRequest.photos(&list, atMost: 100_000)
    guard !photos.isEmpty else {
      throw SafelightError(
        .invalidValue, "export names no photos", remedy: "list ids as GET /api/v1/photos gives them")
    }
    return (photos, try StudioExport(.object(options)))
  }
}
