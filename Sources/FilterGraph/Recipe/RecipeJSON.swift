import FrameCore

/// The JSON form of recipes.
///
///     {
///       "safelight": 1,
///       "name": "Warm Film",
///       "filters": [
///         { "filter": "exposure", "stops": 0.3 },
///         { "filter": "lut", "file": "../luts/warm-film.cube", "strength": 80 }
///       ]
///     }
///
/// Recipes with groups are of format 2:
///
///     { "filter": "group", "mask": { "kind": "linear", "from": [0.5, 0.6], "to": [0.5, 0.3] }, "opacity": 80,
///       "filters": [{ "filter": "exposure", "stops": -1 }] }
///
/// `description`, `family`, `use`, `tags` and `order` may be left out (`RecipeLabels`, `Order`).
///
/// Unknown keys are errors that suggest the nearest known one; omitted parameters are neutral.
extension Recipe {
  /// The newest version of the format, which has groups; recipes without are written as version 1, which older builds
  /// read too.
  package static let formatVersion = 2

  /// Decodes a recipe.
  ///
  /// - Parameters:
  ///   - json: UTF-8 text.
  ///   - file: the name of its file, for errors.
  ///   - catalog: the filters that it may name.
  /// - size: returns the size in bytes of a file that the recipe names, if known without reading it.
  /// - pictures: decodes pictures that hold tables; nil refuses them.
  /// - read: reads a file that the recipe names, relative to the recipe itself.
  /// - Throws: `SafelightError` that names the file and the place in it.
  package init(
    json: [UInt8], file: String, catalog: FilterCatalog, size: @escaping (String) -> Int? = { _ in nil },
    pictures: FilterFiles.PictureDecoder? = nil, read: @escaping (String) throws -> [UInt8]
  ) throws {
    let files = FilterFiles(size: size, pictures: pictures, read)
    self = try Recipe.decode(JSONValue(parsing: json, file: file), at: file, catalog: catalog) {
      try $0.loadFiles(from: files)
    }
  }

  /// Decodes a recipe that is part of a larger JSON text; the files that it names are not read.
  ///
  /// - Parameter path: the name of the file and the place in it, for errors.
  package init(_ json: JSONValue, at path: String, catalog: FilterCatalog) throws {
    self = try Recipe.decode(json, at: path, catalog: catalog) { _ in }
  }

  private static func decode(
    _ json: JSONValue, at file: String, catalog: FilterCatalog,
    loadFiles: (inout any Filter) throws -> Void
  ) throws -> Recipe {
    var object = try JSONObject(json, path: file)
    guard let version = try object.number("safelight") else {
      throw SafelightError(
        .corruptData, "\(file) has no “safelight” key, the version of the recipe format",
        remedy: "write \"safelight\": 1, or \(formatVersion) for a recipe with groups")
    }
    guard version == 1 || version == Double(formatVersion) else {
      throw SafelightError(
        .unsupported, "\(file) is of recipe format \(PlainNumber.text(version))",
        remedy: "this build reads \"safelight\": 1 and \(formatVersion)"
          + (version > Double(formatVersion) ? "; use a newer Safelight" : ""))
    }
    let name = try object.string("name") ?? ""
    let description = try object.string("description") ?? ""
    let labels = try RecipeLabels(&object, at: file)
    var order = Order.canonical
    if let text = try object.string("order") {
      guard let known = Order(rawValue: text) else {
        throw NearestName.error(unknown: "order", text, among: Order.allCases.map(\.rawValue)).at(file)
      }
      order = known
    }
    let entries = try object.array("filters") ?? []
    try object.refuseUnknownKeys()
    var count = 0
    let filters = try decode(
      entries, in: "\(file): ", count: &count, tooMany: { tooManyFilters($0).at(file) }, catalog: catalog,
      loadFiles: loadFiles)
    let recipe = Recipe(
      name: name, description: description, labels: labels, order: order, filters: filters)
    try recipe.checkPoints()
    guard version >= Double(recipe.leastFormatVersion) else {
      throw SafelightError(
        .unsupported, "\(file) is of recipe format \(PlainNumber.text(version)), which has no groups",
        remedy: "write \"safelight\": \(recipe.leastFormatVersion)")
    }
    return recipe
  }

  /// The oldest version of the format that can hold this recipe.
  private var leastFormatVersion: Int {
    allFilters.contains { type(of: $0).phase == .group } ? Self.formatVersion : 1
  }

  /// The key for the filters that a filter holds.
  static let nestedFiltersKey = "filters"

  /// - Parameters:
  /// - place: the prefix of `filters[0]` in errors.
  /// - count: the number of filters of the recipe decoded so far.
  private static func decode(
    _ entries: [JSONValue], in place: String, count: inout Int, tooMany: (Int) -> SafelightError,
    catalog: FilterCatalog, loadFiles: (inout any Filter) throws -> Void
  ) throws -> [any Filter] {
    count += entries.count
    guard count <= filterLimit else { throw tooMany(count) }
    var filters: [any Filter] = []
    for (index, entry) in entries.enumerated() {
      let path = "\(place)filters[\(index)]"
      var fields = try JSONObject(entry, path: path)
      guard let id = try fields.string("filter") else {
        throw SafelightError(
          .corruptData, "\(path) has no “filter” key", remedy: "name the filter, such as \"exposure\"")
      }
      guard let type = catalog[id] else {
        throw NearestName.error(unknown: "filter", id, among: catalog.filters.map { $0.id.name }).at(path)
      }
      var filter: any Filter = try decode(type, from: &fields)
      if type.holdsFilters, let nested = try fields.array(nestedFiltersKey) {
        filter.nestedFilters = try decode(
          nested, in: path + ".", count: &count, tooMany: tooMany, catalog: catalog, loadFiles: loadFiles)
      }
      try fields.refuseUnknownKeys()
      do {
        try loadFiles(&filter)
      } catch let error as SafelightError {
        throw error.at(path)
      }
      filters.append(filter)
    }
    return filters
  }

  private static func decode<F: Filter>(_ type: F.Type, from fields: inout JSONObject) throws -> F {
    var filter = type.init()
    for parameter in type.parameters {
      guard let value = try fields.value(of: parameter) else { continue }
      do {
        try parameter.set(value, in: &filter)
      } catch let error as SafelightError {
        throw error.at(fields.path)
      }
    }
    return filter
  }

  /// Returns JSON text that decodes to an equal recipe; neutral parameters are omitted.
  public func json() -> String {
    var head = ["\"safelight\": \(leastFormatVersion)"]
    if !name.isEmpty { head.append("\"name\": \(JSONValue.quoted(name))") }
    if !description.isEmpty { head.append("\"description\": \(JSONValue.quoted(description))") }
    head += labels.json
    if order != .canonical { head.append("\"order\": \(JSONValue.quoted(order.rawValue))") }
    let lines = filters.map { "    " + $0.json }
    let body = lines.isEmpty ? "[]" : "[\n\(lines.joined(separator: ",\n"))\n  ]"
    head.append("\"filters\": \(body)")
    return "{\n  " + head.joined(separator: ",\n  ") + "\n}\n"
  }
}

extension Filter {
  /// The filter on one line.
  fileprivate var json: String {
    var fields = ["\"filter\": \(JSONValue.quoted(Self.id.name))"]
    for parameter in Self.parameters
    where !parameter.isNeutral(in: self) && parameter.value(in: self) != .text("") {
      fields.append("\(JSONValue.quoted(parameter.name)): \(parameter.value(in: self).json)")
    }
    if !nestedFilters.isEmpty {
      let nested = nestedFilters.map(\.json).joined(separator: ", ")
      fields.append("\(JSONValue.quoted(Recipe.nestedFiltersKey)): [\(nested)]")
    }
    return "{ \(fields.joined(separator: ", ")) }"
  }
}
