import Safelight

/// A part of an edit that can be copied by itself.
enum EditPart: String, Sendable, CaseIterable {
  /// The look, and filters that no control shows.
  case look
  case light, color, detail, effects
  /// The crop with the angle and the perspective that it was chosen at, the numbers of the lens, and the size of the result.
  case crop
  /// Quarter turns and mirroring.
  case rotation
  case masks

  /// - Throws: `SafelightError` if a name is unknown, or if there is none.
  static func parts(_ names: [JSONValue]) throws -> Set<EditPart> {
    let parts = try names.map { name in
      guard case .string(let text) = name else {
        throw SafelightError(.corruptData, "message: “parts” must be a list of names")
      }
      guard let part = EditPart(rawValue: text) else {
        throw NearestName.error(unknown: "part", text, among: allCases.map(\.rawValue))
      }
      return part
    }
    guard !parts.isEmpty else {
      throw SafelightError(.invalidValue, "message: “parts” is empty", remedy: "name what is to be pasted")
    }
    return Set(parts)
  }

  /// The part that a filter's values belong to.
  static func part(of filter: any Filter.Type) -> EditPart {
    switch filter.phase {
    case .orientation: .rotation
    case .lens, .perspective, .straighten, .crop, .resize: .crop
    case .noise, .detail: .detail
    case .whiteBalance, .color: .color
    case .exposure, .range, .tone: .light
    // Local contrast, and what looks like film.
    case .light: [Clarity.id, Texture.id, Dehaze.id].contains(filter.id) ? .detail : .effects
    case .look: .look
    case .group: .masks
    }
  }

  /// By the parameters' flags.
  fileprivate static let ofFlags: [String: EditPart] = {
    let pairs = FilterCatalog.standard.filters.flatMap { filter in
      filter.parameters.compactMap { parameter in parameter.flag.map { ($0, part(of: filter)) } }
    }
    return Dictionary(pairs) { first, _ in first }
  }()
}

extension StudioEdit {
  /// Returns this edit with parts of another: what the other leaves neutral in a part is neutral here, too.
  func taking(_ parts: Set<EditPart>, from other: StudioEdit) -> StudioEdit {
    var edit = self
    if parts.contains(.look) { (edit.look, edit.base) = (other.look, other.base) }
    if parts.contains(.masks) { edit.groups = other.groups }
    func isTaken(_ flag: String) -> Bool { EditPart.ofFlags[flag].map(parts.contains) ?? false }
    edit.values.values = values.values.filter { !isTaken($0.key) }
      .merging(other.values.values.filter { isTaken($0.key) }) { $1 }
    return edit
  }
}
