import ArgumentParser
import Safelight

struct RecipeImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Makes an edit from the settings of Lightroom or Camera Raw.",
    discussion: """
      Settings are read from an .xmp file, or from the XMP in a JPEG, TIFF or DNG.
      Used as they are: exposure, crop and angle, the turn of the photo, black and white.
      Used at the same number, on curves of Safelight's own: contrast, highlights, shadows,
      whites, blacks, saturation; temperature and tint of rendered photos.
      Everything else that would change the picture is listed as not used.

      Examples:
        safelight recipe import DSC_0061.xmp
        safelight recipe import DSC_0061.xmp DSC_0061-small.jpg
        safelight recipe import film-look.xmp harbour.jpg --json
      """)

  @Argument(help: ArgumentHelp("An .xmp file, or a photo that holds settings", valueName: "from"))
  var source: String

  @Argument(
    help: ArgumentHelp(
      "The photo to edit (default: the one beside the .xmp file, or itself)", valueName: "photo"))
  var photo: String?

  @Flag(help: "Print the edit, and what was not used, as JSON")
  var json = false

  func run() throws {
    let settings = try AdobeSettings(contentsOf: source)
    let photo = try self.photo ?? AdobeSettings.photo(for: source)
    let header = try PhotoHeader.read(photo)
    let result = try AdobeImport(
      settings, size: header.size, orientation: header.orientation,
      isOwn: self.photo == nil || FileContents.areSame(source, photo) || isNamedAlike(photo))
    let sidecar = try RecipeSidecar.save(result.recipe, forPhoto: photo, .imported, source: source)
    if json {
      try SidecarReport.printing(true) { reports in
        var report = try SidecarReport(photo, sidecar)
        report.add("approximated", Self.list(result.approximated))
        report.add("notUsed", Self.list(result.unused))
        reports.append(report)
      }
      return
    }
    if !result.approximated.isEmpty {
      Output.warning("\(source): on curves of Safelight's own: \(Self.text(result.approximated))")
    }
    if !result.unused.isEmpty { Output.warning("\(source): not used: \(Self.text(result.unused))") }
    Output.line("\(photo)  \(RecipeText.line(sidecar.recipe))")
  }

  /// Whether the photo's name is that of the `.xmp` file but for its ending.
  private func isNamedAlike(_ photo: String) -> Bool {
    guard source.lowercased().hasSuffix(".xmp") else { return false }
    let stem = source.dropLast(".xmp".count)
    return photo == stem || photo.lastIndex(of: ".").map { photo[..<$0] == stem } ?? false
  }

  private static func text(_ settings: [AdobeImport.Setting]) -> String {
    settings.map { $0.text + ($0.reason.map { " (\($0))" } ?? "") }.joined(separator: ", ")
  }

  private static func list(_ settings: [AdobeImport.Setting]) -> JSONValue {
    .array(
      settings.map { setting in
        var fields: [String: JSONValue] = ["name": .string(setting.name), "value": .string(setting.value)]
        if let reason = setting.reason { fields["reason"] = .string(reason) }
        return .object(fields)
      })
  }
}
