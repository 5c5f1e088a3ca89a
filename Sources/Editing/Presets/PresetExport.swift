import ColorScience
import Files
import FilterGraph
import Filters
import FrameCore
import Sidecars

/// Writes a preset, shipped or one's own, for other people and other programs.
///
///     let preset = try PresetLibrary.preset("noir", own: .standard)
///     let report = try PresetExport().write(preset, to: "noir.json")
public struct PresetExport: Sendable {
  /// The kinds of files, by their extensions.
  public enum Format: String, Sendable, Hashable, CaseIterable, Codable {
    /// A recipe, with its tables beside it.
    case json
    /// A table of its colours.
    case cube
    /// A preset of Lightroom and Camera Raw.
    case xmp
  }

  /// Whether existing files are replaced.
  public var overwrite: Bool
  /// Whether a table leaves out filters that depend on places or neighbours, which are refused otherwise.
  public var leavesOutLocal: Bool

  public init(overwrite: Bool = false, leavesOutLocal: Bool = false) {
    (self.overwrite, self.leavesOutLocal) = (overwrite, leavesOutLocal)
  }

  /// Returns the kind of file that a path asks for.
  ///
  /// - Throws: `SafelightError` listing the extensions if it has none of them.
  public static func format(of path: String) throws -> Format {
    try FileEnding.format(of: path, lack: "has no extension in which looks are written")
  }

  /// - Parameter path: of the file, whose extension is the format.
  /// - Throws: `SafelightError` as `format(of:)`, as `TableExport.write(_:to:overwrite:)`, and if a file cannot be written
  ///   or exists. Nothing is written then.
  public func write(_ preset: Preset, to path: String) throws -> PresetExportReport {
    var report = PresetExportReport(preset: preset.id, file: path, format: try Self.format(of: path))
    switch report.format {
    case .json: report.tables = try writeRecipe(preset, to: path)
    case .cube:
      var named = preset.recipe
      named.name = preset.name
      let table = try TableExport(leavesOutLocal: leavesOutLocal).write(named, to: path, overwrite: overwrite)
      report.leftOut = table.leftOut
    case .xmp:
      let export = AdobeExport(preset.recipe, name: preset.name)
      guard export.report.exact.count + export.report.approximate.count > 0 else {
        throw SafelightError(
          .unsupported, "Lightroom has nothing of the look \(preset.id)",
          remedy: "export it as .cube or .json")
      }
      try FileContents.write(export.xmp, to: path, overwrite: overwrite)
      report.settings = export.report
    }
    return report
  }

  /// Writes a recipe that names its tables beside it, and those.
  ///
  /// - Returns: the paths of the tables.
  private func writeRecipe(_ preset: Preset, to path: String) throws -> [String] {
    let folder = FolderListing.parent(of: path)
    let stem = path.split(separator: "/").last?.dropLast(".json".count).description ?? preset.id
    var outputs: [OutputFile] = []
    var tables: [String: String] = [:]
    var recipe = preset.portableRecipe
    recipe.name = preset.name
    recipe = try recipe.mapFiles { file in
      if let known = tables[file] { return known }
      let bytes = try ShippedFiles.contents(file) { try FileContents.read($0) }
      let name = Self.tableName(file, stem: stem, taken: Set(tables.values))
      let output = path.contains("/") ? FolderListing.path(name, in: folder) : name
      tables[file] = name
      // What is there already needs no writing.
      guard (try? FileContents.read(output)) != bytes else { return name }
      outputs.append(try Self.written(bytes, to: output, overwrite: overwrite))
      return name
    }
    let json = try Self.written(Array(recipe.json().utf8), to: path, overwrite: overwrite)
    for output in outputs { try output.commit() }
    // Last, so that it never names what is not there.
    try json.commit()
    return tables.values.sorted().map { path.contains("/") ? FolderListing.path($0, in: folder) : $0 }
  }

  private static func written(_ bytes: [UInt8], to path: String, overwrite: Bool) throws -> OutputFile {
    let output = try OutputFile(path: path, overwrite: overwrite)
    try output.write(bytes)
    return output
  }

  /// The table's own name, behind that of the recipe unless it begins with it.
  private static func tableName(_ file: String, stem: String, taken: Set<String>) -> String {
    let own = file.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? "table.cube"
    let name = own.hasPrefix(stem) ? own : "\(stem)-\(own)"
    guard taken.contains(name) else { return name }
    return (2...).lazy.map { "\($0)-\(name)" }.first { !taken.contains($0) } ?? name
  }
}

/// A preset that was written; `safelight presets export --json` prints a list of these.
public struct PresetExportReport: JSONReport, Hashable {
  /// The preset's name on command lines.
  public var preset: String
  /// The file's path.
  public var file: String
  public var format: PresetExport.Format
  /// The paths of the tables beside a recipe.
  public var tables: [String] = []
  /// The ids of filters that a table does not have.
  public var leftOut: [String] = []
  /// What became of each parameter in another program's format; nil in Safelight's own.
  public var settings: ImportedSettings?

  public init(preset: String, file: String, format: PresetExport.Format) {
    (self.preset, self.file, self.format) = (preset, file, format)
  }
}
