import Safelight

/// The JSON form of edits: `{ "base": [filters], "look": {"preset", "strength"}, "values": {by flag}, "groups": [filters] }`.
/// Every key may be missing.
extension StudioEdit {
  /// - Throws: `SafelightError` that names the place in the text.
  init(_ json: JSONValue) throws {
    self.init()
    var object = try JSONObject(json, path: "edit")
    base = try Self.recipe(
      object.array("base") ?? [], isListed: object.bool("listed") ?? false, at: "edit.base")
    if let value = object.value("look") {
      var fields = try JSONObject(value, path: "edit.look")
      let id = try fields.string("preset") ?? ""
      guard PresetLibrary.ids.contains(id) || PresetFolder.standard?.id(named: id) == id else {
        throw NearestName.error(
          unknown: "preset", id, among: PresetLibrary.ids + (PresetFolder.standard?.ids ?? []))
      }
      look = Look(preset: id, strength: try fields.number("strength") ?? 100)
      try fields.refuseUnknownKeys()
    }
    if let value = object.value("values") {
      guard case .object(let fields) = value else {
        throw SafelightError(.corruptData, "edit.values is not a JSON object", remedy: "write { … }")
      }
      for (flag, value) in fields {
        switch value {
        case .number(let number): values.values[flag] = .number(number)
        case .string(let text): values.values[flag] = .text(text)
        case .object, .array, .bool, .null:
          throw SafelightError(
            .corruptData, "edit.values: “\(flag)” must be a number or a string")
        }
      }
    }
    for filter in try Self.recipe(object.array("groups") ?? [], isListed: false, at: "edit.groups").filters {
      guard let group = filter as? Group else {
        throw SafelightError(.corruptData, "edit.groups has a filter that is no group")
      }
      groups.append(group)
    }
    try object.refuseUnknownKeys()
  }

  private static func recipe(_ filters: [JSONValue], isListed: Bool, at path: String) throws -> Recipe {
    let order = (isListed ? Recipe.Order.listed : .canonical).rawValue
    return try Recipe(
      .object([
        "safelight": .number(Double(Recipe.formatVersion)), "order": .string(order),
        "filters": .array(filters),
      ]), at: path, catalog: .standard)
  }

  /// The edit as JSON, as `init(_:)` reads it.
  var json: JSONValue {
    get throws {
      var fields: [String: JSONValue] = [
        "base": try Self.filters(of: base), "groups": try Self.filters(of: Recipe(filters: groups)),
        "values": .object(
          values.values.mapValues { value in
            if case .number(let number) = value { .number(number) } else { .string(value.description) }
          }),
        "look": look.map { .object(["preset": .string($0.preset), "strength": .number($0.strength)]) }
          ?? .null,
      ]
      if base.order == .listed { fields["listed"] = .bool(true) }
      return .object(fields)
    }
  }

  private static func filters(of recipe: Recipe) throws -> JSONValue {
    guard case .object(let fields) = try JSONValue(parsing: Array(recipe.json().utf8), file: "recipe") else {
      return .array([])
    }
    return fields["filters"] ?? .array([])
  }
}

extension JSONObject {
  /// Returns a truth value; nil if there is none.
  mutating func bool(_ key: String) throws -> Bool? {
    switch value(key) {
    case nil: nil
    case .bool(let bool)?: bool
    default: throw SafelightError(.corruptData, "\(path): “\(key)” must be true or false")
    }
  }
}
