import ArgumentParser
import Safelight

struct RecipeImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Makes an edit from settings of Lightroom and Camera Raw, or an ASC CDL.",
    usage: "safelight recipe import [<options>] <from> [<photo>]",
    discussion: """
      Settings are read from an .xmp file, or from the XMP in a JPEG, TIFF or DNG.
      Used unchanged: exposure, crop and angle, the orientation of the photo. Used
      with the same numbers, but in Safelight's own way: contrast, highlights,
      shadows, whites, blacks, saturation, black and white, clarity, texture,
      dehaze, sharpening, noise reduction, vignette, grain; temperature and tint
      of rendered photos; curves, HSL, grading, calibration; gradients. Everything
      else that would change the picture is listed as not used. --json lists each setting as exact, approximate or ignored.

      A temperature in kelvins is relative to the camera's own, which the settings
      do not hold: read it in Lightroom with white balance set to “As Shot”, and
      give it with --as-shot.

      Of a .cc, .ccc or .cdl file, the correction that --id names, or the only one,
      becomes the grade of the photo; --encoding is what it was made on.

      Examples:
        safelight recipe import DSC_0061.xmp
        safelight recipe import DSC_0061.xmp --as-shot 5200,+8
        safelight recipe import DSC_0061.xmp DSC_0061-small.jpg
        safelight recipe import film-look.xmp harbour.jpg --json
        safelight recipe import shots.ccc harbour.jpg --id cc0002
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

  @Option(help: ArgumentHelp("Which correction of an ASC CDL", valueName: "id"))
  var id: String?

  @Option(
    help: ArgumentHelp(
      "Encoding of the samples that an ASC CDL was made on (default: srgb)", valueName: "encoding"),
    completion: .list(LUT.Encoding.allCases.map(\.parameterText)),
    transform: LUT.Encoding.init(parameterText:))
  var encoding: LUT.Encoding?

  @Flag(help: "Print the edit, and what was not used, as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  /// Whether the settings are a list of the ASC's.
  private var isList: Bool {
    ["cc", "ccc", "cdl"].contains(source.split(separator: ".").last?.lowercased() ?? "")
  }

  mutating func validate() throws {
    guard isList || id == nil && encoding == nil else {
      throw ValidationError("--id and --encoding are for .cc, .ccc and .cdl files; leave them out.")
    }
    guard !isList || photo != nil else {
      throw ValidationError("A list of the ASC's belongs to no photo; name the photo to grade after it.")
    }
    guard !isList || asShot == nil else {
      throw ValidationError("--as-shot is for settings of Lightroom; leave it out.")
    }
  }

  func run() throws {
    if isList, let photo { return try importList(onto: photo) }
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
        reports.append(SidecarReport(photo, sidecar, imported: result.report))
      }
      return
    }
    let report = result.report
    if !report.approximate.isEmpty {
      Output.warning(
        "\(source): approximated with Safelight's own curves: \(ImportText.list(report.approximate))")
    }
    if !report.ignored.isEmpty {
      Output.warning("\(source): not used: \(ImportText.list(report.ignored))")
    }
    Output.done("\(photo)  \(RecipeText.line(sidecar.recipe))")
  }

  private func importList(onto photo: String) throws {
    let decisions = try ColorDecision.read(FileContents.read(source), name: source)
    let ids = decisions.map(\.id)
    let chosen: ColorDecision?
    if let id {
      chosen = decisions.first { $0.id == id }
      guard chosen != nil else {
        throw NearestName.error(unknown: "correction in \(source)", id, among: ids)
      }
    } else {
      chosen = decisions.count == 1 ? decisions[0] : nil
    }
    guard let chosen else {
      throw SafelightError(
        .invalidValue, "\(source) holds \(decisions.count) corrections: \(ids.joined(separator: ", "))",
        remedy: "choose one with --id")
    }
    let recipe = Recipe(filters: [try CDL(chosen, encoding: encoding ?? .sRGB)])
    let sidecar = try RecipeSidecar.save(
      recipe, forPhoto: photo, .imported, source: source, warn: Output.warning)
    if json { return try SidecarReport.printing(true) { $0.append(SidecarReport(photo, sidecar)) } }
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
}
