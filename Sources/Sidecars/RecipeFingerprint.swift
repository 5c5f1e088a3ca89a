import Files
import FilterGraph
import Filters
import FrameCore

extension Recipe {
  /// Returns a hash that identifies an edit: equal for equal recipes in this version of the engine, and different
  /// for recipes that give different pixels, even if only the contents of a file they name differ. Files count by
  /// their contents, not their names; the recipe's own name and description do not count.
  ///
  /// - Parameters:
  ///   - options: whatever else determines the result, such as the quality of the file.
  ///   - files: the snapshot from which to read files whose contents the filters do not provide; nil reads the
  ///     current files.
  /// - Throws: `SafelightError` if such a file cannot be read.
  package func fingerprint(options: [String], in files: FileSnapshot? = nil) throws -> String {
    var told = try mapFilters { filter in
      let loaded = try filter.fileContents.map { try FileFingerprint(of: $0).hash }
      return try filter.mapFiles { name in
        if let loaded { return loaded }
        // The engine's version covers the files that ship with it.
        guard !name.hasPrefix(ShippedFiles.prefix) else { return name }
        let hash =
          try files.map { try FileFingerprint(of: $0.readRegular(name)) }
          ?? FileFingerprint(contentsOf: name)
        // A file's type may follow from its extension.
        let ending = name.split(separator: "/").last?.split(separator: ".").dropFirst().last ?? ""
        return "\(hash.hash).\(ending)"
      }
    }
    (told.name, told.description) = ("", "")
    let text = ([SafelightVersion.current, told.json()] + options).joined(separator: "\n")
    return try FileFingerprint(of: Array(text.utf8)).hash
  }
}
