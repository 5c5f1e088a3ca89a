import Files
import FilterGraph
import Filters
import FrameCore

/// A part of an edit that can be copied by itself: the studio's and the command line's words for it.
public enum EditPart: String, Sendable, Hashable, Codable, CaseIterable {
  /// The look: a preset, tables and films.
  case look
  case light, color, detail, effects
  /// The crop with the angle and the perspective that it was chosen at, the numbers of the lens, and the size of the result.
  case crop
  /// Quarter turns and mirroring.
  case rotation
  case masks

  /// Returns the parts that a list of words names: `light,color`.
  ///
  /// - Throws: `SafelightError` if a word is unknown, or if there is none.
  public init(named word: String) throws {
    guard let part = EditPart(rawValue: word) else {
      throw NearestName.error(unknown: "part", word, among: Self.allCases.map(\.rawValue))
    }
    self = part
  }

  /// The part that a filter's values belong to.
  public static func part(of filter: any Filter.Type) -> EditPart {
    switch filter.phase {
    case .orientation: .rotation
    case .lens, .perspective, .straighten, .crop, .resize: .crop
    case .noise, .detail: .detail
    case .input, .whiteBalance, .color, .gamut: .color
    case .exposure, .range, .toneMap, .tone: .light
    // Local contrast, and what looks like film.
    case .light: [Clarity.id, Texture.id, Dehaze.id].contains(filter.id) ? .detail : .effects
    case .look: .look
    case .group: .masks
    }
  }
}

extension EditPart {
  /// By the parameters' flags.
  fileprivate static let ofFlags: [String: EditPart] = {
    let pairs = FilterCatalog.standard.filters.flatMap { filter in
      filter.parameters.compactMap { parameter in parameter.flag.map { ($0, part(of: filter)) } }
    }
    return Dictionary(pairs) { first, _ in first }
  }()
}

extension PartedEdit {
  /// Returns this edit with parts of another: what the other leaves neutral in a part is neutral here, too.
  package func taking(_ parts: Set<EditPart>, from other: PartedEdit) -> PartedEdit {
    var edit = self
    if parts.contains(.look) { edit.look = other.look }
    if base.order == .canonical, other.base.order == .canonical {
      func isTaken(_ filter: any Filter) -> Bool { parts.contains(EditPart.part(of: type(of: filter))) }
      edit.base.filters = base.filters.filter { !isTaken($0) } + other.base.filters.filter(isTaken)
    } else if parts.contains(.look) {
      // Its order has no parts.
      edit.base = other.base
    }
    if parts.contains(.masks) { edit.groups = other.groups }
    func isTaken(_ flag: String) -> Bool { EditPart.ofFlags[flag].map(parts.contains) ?? false }
    edit.values.values = values.values.filter { !isTaken($0.key) }
      .merging(other.values.values.filter { isTaken($0.key) }) { $1 }
    return edit
  }
}

extension Recipe {
  /// Returns this recipe with parts of another: what the other leaves neutral in a part is neutral here, too.
  ///
  /// - Parameters:
  ///   - other: its files loaded, as those of this recipe, and their names relative to the working directory.
  ///   - files: keeps tables from call to call.
  /// - Throws: `SafelightError` if either recipe has an order of its own, of which no part can be taken.
  public func taking(
    _ parts: Set<EditPart>, from other: Recipe, in files: FileSnapshot = FileSnapshot()
  ) throws -> Recipe {
    guard order == .canonical, other.order == .canonical else {
      throw SafelightError(
        .unsupported, "A recipe with an order of its own has no parts that can be copied",
        remedy: "copy all of it, without --parts")
    }
    return try PartedEdit(self).taking(parts, from: PartedEdit(other)).recipe(in: files)
  }
}
