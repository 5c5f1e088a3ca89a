import Files
import FilterGraph
import Filters
import FrameCore

extension Recipe {
  /// Identifies an edit: equal for equal recipes in this version of the engine, unequal for recipes that give other pixels,
  /// also where only the contents of a file that they name differ. Files count by what they hold and not by their names,
  /// and the recipe's own name and description do not count.
  ///
  /// - Parameters:
  ///   - options: what else decides the result, such as the quality of the file.
  ///   - files: where files are read that filters have not told the contents of; nil reads those that are there now.
  /// - Throws: `SafelightError` where such a file cannot be read.
  public func fingerprint(options: [String], in files: FileSnapshot? = nil) throws -> String {
    var told = try mapFilters { filter in
      let loaded = try filter.fileContents.map { try FileFingerprint(of: $0).hash }
      return try filter.mapFiles { name in
        if let loaded { return loaded }
        // The version of the engine stands for what ships with it.
        guard !name.hasPrefix(ShippedFiles.prefix) else { return name }
        let hash =
          try files.map { try FileFingerprint(of: $0.readRegular(name)) }
          ?? FileFingerprint(contentsOf: name)
        // What a file is may follow from how its name ends.
        let ending = name.split(separator: "/").last?.split(separator: ".").dropFirst().last ?? ""
        return "\(hash.hash).\(ending)"
      }
    }
    (told.name, told.description) = ("", "")
    let text = ([SafelightVersion.current, told.json()] + options).joined(separator: "\n")
    return try FileFingerprint(of: Array(text.utf8)).hash
  }
}
