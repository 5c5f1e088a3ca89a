import Files
import FilterGraph
import Filters
import FrameCore

/// A look that was read from a file of another program, or from a recipe.
///
///     let look = try ImportedLook(contentsOf: "Portra.xmp")
///     print(look.name, look.settings.ignored.map(\.text))
public struct ImportedLook: Sendable {
  /// The program whose file it is.
  public enum Program: String, Sendable, Codable, CaseIterable {
    case lightroom, darktable
    case captureOne = "capture-one"
    case safelight
  }

  public let program: Program
  /// The display name in the file, or the file's own; it may not be usable for a preset.
  public let name: String
  /// The group that it is in; empty if in none.
  public let group: String
  /// The filters, their files loaded; without crops and turns.
  public let recipe: Recipe
  /// What became of the settings in the file; of recipes nothing, since all of them is used.
  public let settings: ImportedSettings

  /// The extensions of files that are read.
  public static let fileExtensions: Set<String> = [
    "xmp", "lrtemplate", "dtstyle", "costyle", "copreset", "json",
  ]

  /// - Parameter path: of a file whose extension is one of `fileExtensions`.
  /// - Throws: `SafelightError` that names the file if it cannot be read, or holds nothing that Safelight has.
  public init(contentsOf path: String) throws {
    let ending = path.split(separator: ".").last?.lowercased() ?? ""
    guard Self.fileExtensions.contains(ending) else {
      throw SafelightError(
        .unsupported, "\(path) is no file of looks that is read",
        remedy: "give " + Self.fileExtensions.sorted().map { "." + $0 }.joined(separator: ", "))
    }
    guard ending != "json" else {
      let recipe = try Recipe(contentsOf: path).locatingFiles(besideRecipe: path)
      var look = recipe
      look.filters.removeAll { type(of: $0).phase.isGeometry }
      try self.init(.safelight, recipe.name, in: "", look, ImportedSettings(), file: path)
      return
    }
    try self.init(FileContents.read(path, .fileOrPipe, atMost: XMLLimits.packet.bytes), file: path)
  }

  /// - Parameters:
  ///   - bytes: the contents of a file other than a recipe.
  ///   - file: its name, whose extension says what it is.
  init(_ bytes: [UInt8], file: String) throws {
    switch file.split(separator: ".").last?.lowercased() {
    case "lrtemplate":
      let template = try LightroomTemplate(bytes, file: file)
      let result = try AdobeImport(look: template.settings)
      try self.init(
        .lightroom, template.name, in: Self.lastName(of: FolderListing.parent(of: file)), result.recipe,
        result.report, file: file)
    case "dtstyle":
      let style = try DarktableStyle(style: bytes, file: file)
      let result = DarktableImport(style)
      try self.init(.darktable, style.name, in: "", result.recipe, result.report, file: file)
    case "costyle", "copreset":
      let style = try CaptureOneStyle(bytes, file: file)
      let result = try CaptureOneImport(style)
      try self.init(
        .captureOne, style.values["Name"] ?? "", in: Self.lastName(of: FolderListing.parent(of: file)),
        result.recipe, result.report, file: file)
    default: try self.init(packet: bytes, file: file)
    }
  }

  /// Settings of Lightroom, or else the history of darktable.
  private init(packet: [UInt8], file: String) throws {
    let properties = try XMPProperties(packet: packet, file: file, repeatable: AdobeSettings.descriptions)
    let style = try DarktableStyle(properties, file: file)
    guard properties.values.keys.contains(where: { $0.namespace == AdobeSettings.namespace }) || style == nil
    else {
      let result = style.map { DarktableImport($0) }
      try self.init(
        .darktable, "", in: "", result?.recipe ?? Recipe(), result?.report ?? ImportedSettings(), file: file)
      return
    }
    let settings = try AdobeSettings(properties, file: file)
    let result = try AdobeImport(look: settings)
    var report = result.report
    if style != nil {
      report.ignored.append(
        ImportedSettings.Setting(
          name: "darktable:history", value: "", reason: "the settings of Lightroom are taken"))
    }
    try self.init(
      .lightroom, settings.localized("Name"), in: settings.localized("Group"), result.recipe, report,
      file: file)
  }

  private init(
    _ program: Program, _ name: String, in group: String, _ recipe: Recipe, _ settings: ImportedSettings,
    file: String
  ) throws {
    guard !recipe.filters.isEmpty else {
      let names = settings.ignored.prefix(5).map(\.name).joined(separator: ", ")
      throw SafelightError(
        .unsupported,
        "\(file) holds nothing that Safelight has" + (names.isEmpty ? "" : "; not used: \(names)")
          + (settings.ignored.count > 5 ? " and \(settings.ignored.count - 5) more" : ""),
        remedy: "export the look as a .cube table there, and keep that with “presets save”")
    }
    (self.program, self.settings) = (program, settings)
    let stem = Self.lastName(of: file).split(separator: ".").dropLast().joined(separator: ".")
    let trimmed = Self.trimmed(name)
    self.name = trimmed.isEmpty ? stem : trimmed
    self.group = Self.trimmed(group)
    var look = recipe
    if program != .safelight {
      look.labels.tags = [program.rawValue]
      look.labels.family = String((PresetFolder.id(for: self.group) ?? "").prefix(RecipeLabels.longestTag))
    }
    // What cannot be planned is not kept.
    do {
      _ = try Plan(
        look, input: PlanInput(size: PixelSize(width: 64, height: 64)), output: PlanOutput(), optimized: false
      )
    } catch let error as SafelightError {
      throw SafelightError(error.code, "\(file): \(error.problem)", remedy: error.remedy)
    }
    self.recipe = look
  }

  private static func lastName(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? ""
  }

  private static func trimmed(_ text: String) -> String {
    let visible = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    let start = visible.drop { $0.isWhitespace }
    return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
  }
}

extension AdobeSettings {
  /// A text in several languages, of which the first is taken; empty if there is none.
  fileprivate func localized(_ name: String) -> String {
    switch values[name] {
    case .text(let text)?: text
    case .list(let texts)?: texts.first ?? ""
    case .structure, .structures, nil: ""
    }
  }
}
