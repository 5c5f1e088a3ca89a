import Files
import FilterGraph
import Filters
import FrameCore

/// The JSON form of sidecars: sorted keys, one filter per line.
///
///     {
///       "engine": "0.1.0",
///       "history": [
///         { "action": "set", "time": "2026-11-21T12:20:19Z" }
///       ],
///       "photo": { "bytes": 4034432, "hash": "0f1e…" },
///       "recipe": {
///         "filters": [
///           { "filter": "exposure", "stops": 0.3 }
///         ],
///         "safelight": 1
///       },
///       "safelight-sidecar": 1
///     }
///
/// Unknown keys, filters and versions, and values out of range, are errors naming the file and the place in it.
extension RecipeSidecar {
  private static let versionKey = "safelight-sidecar"

  /// - Parameters:
  ///   - file: the name of the file, for errors.
  ///   - catalog: the filters that its recipes may use.
  /// - Throws: `SafelightError`: one sentence naming the file.
  public init(json: [UInt8], file: String, catalog: FilterCatalog = .standard) throws {
    var object = try JSONObject(JSONValue(parsing: json, file: file), path: file)
    guard let version = try object.number(Self.versionKey) else {
      throw SafelightError(
        .corruptData, "\(file) has no “\(Self.versionKey)” key, so it is not the edit of a photo",
        remedy: "make one with “safelight recipe set”; give a recipe by itself with --recipe")
    }
    guard version == Double(Self.formatVersion) else {
      throw SafelightError(
        .unsupported, "\(file) is of sidecar format \(PlainNumber.text(version))",
        remedy:
          "this build reads \"\(Self.versionKey)\": \(Self.formatVersion); use the Safelight that wrote it")
    }
    try self.init(&object, catalog: catalog)
    try object.refuseUnknownKeys()
  }

  /// Takes the keys that a sidecar has in common with the report of one.
  init(_ object: inout JSONObject, catalog: FilterCatalog) throws {
    let file = object.path
    let engine = try object.string("engine") ?? ""
    photo = try Self.fingerprint(object.value("photo"), at: "\(file): photo")
    recipe = try object.value("recipe").map {
      try Recipe($0, at: "\(file): recipe", catalog: catalog)
    }
    history = try Self.changes("history", of: &object, catalog: catalog)
    undone = try Self.changes("undone", of: &object, catalog: catalog)
    self.engine = engine
  }

  private static func changes(_ key: String, of object: inout JSONObject, catalog: FilterCatalog) throws
    -> [Change]
  {
    let file = object.path
    let entries = try object.array(key) ?? []
    guard entries.count <= historyLimit else {
      throw SafelightError(
        .corruptData, "\(file): “\(key)” has \(entries.count) changes, more than \(historyLimit)",
        remedy: "remove the first of them")
    }
    return try entries.enumerated().map {
      try change($0.element, at: "\(file): \(key)[\($0.offset)]", catalog: catalog)
    }
  }

  private static func fingerprint(_ value: JSONValue?, at path: String) throws -> FileFingerprint {
    var object = try JSONObject(value ?? .null, path: path)
    let bytes = try object.count("bytes")
    let hash = try object.string("hash")
    try object.refuseUnknownKeys()
    guard let bytes, let hash, hash.utf8.count == 32, hash.allSatisfy({ "0123456789abcdef".contains($0) })
    else {
      throw SafelightError(
        .corruptData, "\(path) does not say which photo the edit is for",
        remedy: "it needs the “bytes” of the file and its “hash”, 32 hexadecimal digits")
    }
    return FileFingerprint(bytes: bytes, hash: hash)
  }

  private static func change(_ value: JSONValue, at path: String, catalog: FilterCatalog) throws -> Change {
    var object = try JSONObject(value, path: path)
    let time = try object.string("time") ?? ""
    guard UTCTime.isValid(time) else {
      throw SafelightError(
        .corruptData, "\(path): “time” is not a time", remedy: "write it like 2026-11-21T12:20:19Z")
    }
    let name = try object.string("action") ?? ""
    guard let action = Action(rawValue: name) else {
      throw NearestName.error(unknown: "action", name, among: Action.allCases.map(\.rawValue)).at(path)
    }
    let source = try object.string("source")
    let replaced = try object.value("replaced").map {
      try Recipe($0, at: "\(path): replaced", catalog: catalog)
    }
    let photo = try object.value("photo").map { try fingerprint($0, at: "\(path): photo") }
    try object.refuseUnknownKeys()
    return Change(time: time, action: action, source: source, replaced: replaced, photo: photo)
  }

  /// Returns text that reads back as an equal sidecar; old history is dropped if it is too long.
  ///
  /// - Throws: `SafelightError(.tooLarge)` if it would be too large to read back even without history.
  public func json() throws -> String {
    var changes = try history.map(Self.value)
    var undone = try self.undone.map(Self.value)
    while true {
      var fields: [String: JSONValue] = [
        Self.versionKey: .number(Double(Self.formatVersion)), "engine": .string(engine),
        "photo": Self.value(photo), "history": .array(changes),
      ]
      if let recipe { fields["recipe"] = try Self.value(recipe) }
      // Older builds read sidecars in which nothing is undone.
      if !undone.isEmpty { fields["undone"] = .array(undone) }
      let text = JSONValue.object(fields).text
      if text.utf8.count <= Self.sizeLimit { return text }
      if !undone.isEmpty {
        undone.removeFirst((undone.count + 1) / 2)
        continue
      }
      guard !changes.isEmpty else {
        throw SafelightError(
          .tooLarge,
          "The edit takes \(text.utf8.count) bytes, more than the \(Self.sizeLimit >> 20) MiB of a sidecar",
          remedy: "use fewer filters")
      }
      changes.removeFirst((changes.count + 1) / 2)
    }
  }

  static func value(_ recipe: Recipe) throws -> JSONValue {
    try JSONValue(parsing: Array(recipe.json().utf8), file: "recipe")
  }

  private static func value(_ photo: FileFingerprint) -> JSONValue {
    .object(["bytes": .number(Double(photo.bytes)), "hash": .string(photo.hash)])
  }

  static func value(_ change: Change) throws -> JSONValue {
    var fields: [String: JSONValue] = [
      "time": .string(change.time), "action": .string(change.action.rawValue),
    ]
    if let source = change.source { fields["source"] = .string(source) }
    if let replaced = change.replaced { fields["replaced"] = try value(replaced) }
    if let photo = change.photo { fields["photo"] = value(photo) }
    return .object(fields)
  }
}
