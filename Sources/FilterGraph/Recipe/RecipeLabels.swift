import FrameCore

/// What helps to find a recipe among many; none of it changes a pixel.
///
///     "family": "slide", "use": "Landscapes under a clear sky.", "tags": ["vivid", "outdoors"]
public struct RecipeLabels: Sendable, Hashable {
  /// The most tags of a recipe.
  public static let tagLimit = 16
  /// The longest family and tag, in characters.
  public static let longestTag = 40

  /// What it is akin to, in kebab case; empty if it belongs nowhere.
  public var family: String
  /// One line: when to use it.
  public var use: String
  public var tags: [String]

  public init(family: String = "", use: String = "", tags: [String] = []) {
    (self.family, self.use, self.tags) = (family, use, tags)
  }

  /// Takes the labels of a recipe file.
  init(_ object: inout JSONObject, at file: String) throws {
    self.init(family: try object.string("family") ?? "", use: try object.string("use") ?? "")
    for tag in try object.array("tags") ?? [] {
      guard case .string(let text) = tag else {
        throw SafelightError(
          .corruptData, "\(file): “tags” must be a list of words", remedy: "write [\"outdoors\", \"soft\"]")
      }
      tags.append(text)
    }
    guard tags.count <= Self.tagLimit else {
      throw SafelightError(
        .tooLarge, "\(file) has \(tags.count) tags, more than \(Self.tagLimit)", remedy: "leave some out")
    }
    for text in tags + (family.isEmpty ? [] : [family]) where text.isEmpty || text.count > Self.longestTag {
      throw SafelightError(
        .corruptData,
        "\(file) has the tag or family “\(NearestName.shortened(text))” of \(text.count) characters",
        remedy: "give each 1…\(Self.longestTag) characters")
    }
  }

  /// The fields of a recipe file.
  var json: [String] {
    var fields: [String] = []
    if !family.isEmpty { fields.append("\"family\": \(JSONValue.quoted(family))") }
    if !use.isEmpty { fields.append("\"use\": \(JSONValue.quoted(use))") }
    if !tags.isEmpty {
      fields.append("\"tags\": [\(tags.map(JSONValue.quoted).joined(separator: ", "))]")
    }
    return fields
  }
}
