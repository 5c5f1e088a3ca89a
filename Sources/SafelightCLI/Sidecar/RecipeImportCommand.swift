import ArgumentParser
import Safelight

struct RecipeImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Makes an edit from Lightroom or Camera Raw settings.",
    usage: "safelight recipe import [<options>] <from> [<photo>]",
    discussion: """
      Settings are read from an .xmp file, or from the XMP in a JPEG, TIFF or DNG.
      Used unchanged: exposure, crop and angle, the orientation of the photo. Used
      with the same numbers, but in Safelight's own way: contrast, highlights,
      shadows, whites, blacks, saturation, black and white, clarity, texture,
      dehaze, sharpening, noise reduction, vignette, grain; temperature and tint
      of rendered photos. Everything else that would change the picture is listed
      as not used.

      A temperature in kelvins is relative to the camera's own, which the settings
      do not hold: read it in Lightroom with white balance set to “As Shot”, and
      give it with --as-shot.

      Examples:
        safelight recipe import DSC_0061.xmp
        safelight recipe import DSC_0061.xmp --as-shot 5200,+8
        safelight recipe import DSC_0061.xmp DSC_0061-small.jpg
        safelight recipe import film-look.xmp harbour.jpg --json
      """)

  @Argument(
    help: ArgumentHelp("An .xmp file, or a photo that holds settings", valueName: "from"),
    completion: .file())
  var source: String

  @Argument(
    help: ArgumentHelp(
      "The photo to edit (default: the one beside the .xmp file, or the file itself)", valueName: "photo"),
    completion: .file())
  var photo: String?

  @Option(
    help: ArgumentHelp(
      "The camera's white balance as Lightroom shows it, with or without tint", valueName: "K,tint"),
    transform: Self.whiteBalance)
  var asShot: AdobeImport.AsShotWhiteBalance?

  @Flag(help: "Print the edit, and what was not used, as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  func run() throws {
    let settings = try AdobeSettings(contentsOf: source)
    let photo = try self.photo ?? AdobeSettings.photo(for: source)
    let header = try PhotoHeader.read(photo)
    let result = try AdobeImport(
      settings, size: header.size, orientation: header.orientation,
      isOwn: self.photo == nil || FileContents.areSame(source, photo) || isNamedAlike(photo), asShot: asShot)
    let sidecar = try RecipeSidecar.save(
      result.recipe, forPhoto: photo, .imported, source: source, warn: Output.warning)
    if json {
      try SidecarReport.printing(true) { reports in
        reports.append(SidecarReport(photo, sidecar, imported: result))
      }
      return
    }
    if !result.approximated.isEmpty {
      Output.warning("\(source): approximated with Safelight's own curves: \(Self.text(result.approximated))")
    }
    if !result.unused.isEmpty { Output.warning("\(source): not used: \(Self.text(result.unused))") }
    Output.done("\(photo)  \(RecipeText.line(sidecar.recipe))")
  }

  /// Whether the photo's name equals that of the `.xmp` file except for the extension.
  private func isNamedAlike(_ photo: String) -> Bool {
    guard source.lowercased().hasSuffix(".xmp") else { return false }
    let stem = source.dropLast(".xmp".count)
    return photo == stem || photo.lastIndex(of: ".").map { photo[..<$0] == stem } ?? false
  }

  /// `5200`, or `5200,+8`
  private static func whiteBalance(_ text: String) throws -> AdobeImport.AsShotWhiteBalance {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    guard (1...2).contains(numbers.count), (2000...50_000).contains(numbers[0]),
      (-150...150).contains(numbers.count == 2 ? numbers[1] : 0)
    else {
      throw ValidationError(
        "as-shot is “\(text)”; write it like 5200 or 5200,+8: Kelvin in 2000…50000 and tint in -150…150.")
    }
    return AdobeImport.AsShotWhiteBalance(kelvin: numbers[0], tint: numbers.count == 2 ? numbers[1] : 0)
  }

  private static func text(_ settings: [AdobeImport.Setting]) -> String {
    settings.map { RecipeText.visible($0.text) + ($0.reason.map { " (\($0))" } ?? "") }.joined(
      separator: ", ")
  }
}
