import FilterGraph
import Filters
import FrameCore
import LookLibrary

/// The files of `presets/`, which are inside the program, under names that work in every recipe and on the command
/// line: `safelight:luts/noir.cube`.
public enum ShippedFiles {
  /// What their names begin with. A file of one's own whose name begins so is reached as `./safelight:…`.
  public static let prefix = "safelight:"

  /// The names of the shipped tables, in alphabetical order.
  public static var tables: [String] {
    files.map { prefix + String(cString: $0.path) }.filter { $0.hasPrefix(prefix + "luts/") }.sorted()
  }

  /// - Parameter name: with its prefix.
  /// - Throws: `SafelightError` that names the nearest table where nothing of this name is shipped.
  public static func contents(_ name: String) throws -> [UInt8] {
    guard let file = files.first(where: { prefix + String(cString: $0.path) == name }) else {
      throw NearestName.error(unknown: "shipped file", name, among: tables)
    }
    return Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
  }

  private static var files: UnsafeBufferPointer<safelight_embedded_file> {
    var count = 0
    return UnsafeBufferPointer(start: safelight_look_library(&count), count: count)
  }
}

extension Preset {
  /// The recipe with its tables named as `ShippedFiles` names them, so that its JSON works wherever it is saved.
  public var portableRecipe: Recipe {
    var portable = recipe
    portable.filters = recipe.filters.map { filter in
      // Shipped looks name their tables relative to `presets/looks`.
      guard var lut = filter as? LUT, lut.file.hasPrefix("../") else { return filter }
      lut.file = ShippedFiles.prefix + lut.file.dropFirst(3)
      return lut
    }
    return portable
  }
}
