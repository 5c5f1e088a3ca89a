import Safelight

/// The `--json` output of commands on sidecars: a list with an object for each photo.
struct SidecarReport {
  private var fields: [String: JSONValue]

  /// - Parameter sidecar: nil if there is none any more.
  init(_ photo: String, _ sidecar: RecipeSidecar?, isChanged: Bool = false) throws {
    fields = ["file": .string(photo)]
    guard let sidecar else {
      fields["recipe"] = .null
      return
    }
    if case .object(let own) = try sidecar.jsonValue { fields.merge(own) { old, _ in old } }
    fields["sidecar"] = .string(RecipeSidecar.path(forPhoto: photo))
    fields["photoChanged"] = .bool(isChanged)
    fields["flags"] = sidecar.recipe.flatMap(RecipeText.flags).map(JSONValue.string) ?? .null
  }

  mutating func add(_ key: String, _ value: JSONValue) { fields[key] = value }

  /// Runs `body`, then prints what it reported, even if it failed for some photos.
  static func printing(_ isAsked: Bool, _ body: (inout [SidecarReport]) throws -> Void) throws {
    var reports: [SidecarReport] = []
    defer {
      if isAsked { Output.jsonText(JSONValue.array(reports.map { .object($0.fields) }).text) }
    }
    try body(&reports)
  }

  /// Warns if a photo is not the one that its edit was made for.
  @discardableResult
  static func warnIfChanged(_ photo: String, _ sidecar: RecipeSidecar) throws -> Bool {
    guard try !sidecar.isMade(forPhoto: photo) else { return false }
    Output.warning("\(photo) has changed since its edit was made; check that it still fits")
    return true
  }
}
