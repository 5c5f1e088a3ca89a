import FilterGraph
import FrameCore
import LookLibrary

/// A named recipe that ships with Safelight, applied with a strength.
public struct Preset: Sendable {
  /// The name on command lines: `teal-orange`.
  public let id: String
  public let recipe: Recipe

  /// The name for people: `Teal & Orange`.
  public var name: String { recipe.name }
  public var description: String { recipe.description }
}

/// The looks of `presets/`, embedded in the program.
public enum PresetLibrary {
  /// The ids of the shipped presets, in alphabetical order.
  public static var ids: [String] {
    files.compactMap { file in
      guard file.path.hasPrefix("looks/"), file.path.hasSuffix(".json") else { return nil }
      return String(file.path.dropFirst("looks/".count).dropLast(".json".count))
    }.sorted()
  }

  /// - Throws: `SafelightError` that names the nearest preset where there is none of this name.
  public static func preset(_ id: String) throws -> Preset {
    let path = "looks/\(id).json"
    guard let bytes = contents(of: path) else {
      throw NearestName.error(unknown: "preset", id, among: ids)
    }
    let recipe = try Recipe(json: bytes, file: path, catalog: FilterCatalog.all) { name in
      let resolved = name.hasPrefix("../") ? String(name.dropFirst(3)) : "looks/\(name)"
      guard let table = contents(of: resolved) else {
        throw SafelightError(.corruptData, "The preset \(id) names \(name), which is not shipped")
      }
      return table
    }
    return Preset(id: id, recipe: recipe)
  }

  public static func all() throws -> [Preset] { try ids.map(preset) }

  /// The JSON text of a shipped preset, as it stands in `presets/looks`.
  public static func json(of id: String) throws -> String {
    guard let bytes = contents(of: "looks/\(id).json") else {
      throw NearestName.error(unknown: "preset", id, among: ids)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private struct File {
    let path: String
    let bytes: UnsafeBufferPointer<UInt8>
  }

  private static var files: [File] {
    var count = 0
    guard let table = safelight_look_library(&count) else { return [] }
    return (0..<count).map { index in
      File(
        path: String(cString: table[index].path),
        bytes: UnsafeBufferPointer(start: table[index].bytes, count: table[index].length))
    }
  }

  private static func contents(of path: String) -> [UInt8]? {
    files.first { $0.path == path }.map { Array($0.bytes) }
  }
}
