import ArgumentParser
import Safelight

struct MatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Finds the edit that takes photos near the look of another.",
    usage: "safelight match [<options>] <reference> <photo> ...",
    discussion: """
      Exposure, white balance, a curve, saturation and grading are found from the
      tones and colours of both photos, not from what is in them, and printed as
      flags of “safelight edit”. If the reference has an edit, its look is that of
      the edited photo.

      With --save they become part of each photo's edit, in place of such values
      there, and are found for the photo as the rest of its edit shows it; “recipe
      undo” restores what was there.

      With the best photo of a shoot as the reference, the others are evened out.

      Exit codes: 0; 1 if a photo cannot be read, after looking at the others.

      Examples:
        safelight match reference.jpg harbour.jpg
        safelight match reference.jpg shoot/*.jpg --save
        safelight match reference.jpg harbour.jpg --json
      """)

  @Argument(help: ArgumentHelp("The photo whose look is wanted", valueName: "reference"), completion: .file())
  var reference: String

  @Argument(
    help: ArgumentHelp("The photos to be edited; names that begin with - go after --", valueName: "photo"),
    completion: .file())
  var photos: [String]

  @Flag(help: "Keep what is found as the edits of the photos")
  var save = false

  @Flag(help: "Print everything as a JSON list")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  func run() throws {
    // A whole shoot may be named, the reference too.
    let photos = photos.filter { !FileContents.areSame($0, reference) }
    guard !photos.isEmpty else {
      throw SafelightError(
        .invalidValue, "\(reference) is the only photo", remedy: "name those that are to come near it")
    }
    let samples = PhotoSampleReader([reference] + photos)
    let wanted = try samples.sample(0)
    if !json { for warning in wanted.warnings { Output.warning("\(reference): \(warning)") } }
    let look =
      try Self.edit(of: reference).map { try LookReference(reference, through: $0) } ?? LookReference(wanted)
    var batch = PhotoBatch(photos)
    var reports: [MatchReport] = []
    batch.forEach { index, photo in
      guard FileContents.kind(of: photo) != .folder else {
        throw SafelightError(
          .file, "Cannot read \(photo): it is a folder", remedy: "name the photos in it: \(photo)/*.jpg")
      }
      let sample = try samples.sample(index + 1)
      let kept = save ? try Self.edit(of: photo).map { try LookMatch.kept(of: $0) } : nil
      let match = try LookMatch(of: sample, to: look, keeping: kept ?? Recipe())
      let flags = RecipeText.flags(match.recipe) ?? ""
      if save { try keep(match.recipe, for: photo) }
      guard !json else {
        reports.append(MatchReport(photo, match, flags: flags, warnings: sample.warnings))
        return
      }
      for warning in sample.warnings { Output.warning("\(photo): \(warning)") }
      Output.line(photos.count > 1 ? "\(photo)  \(flags)" : flags.isEmpty ? "looks like it already" : flags)
      Output.line("  \(Self.text(match))")
    } failed: { photo, error in
      reports.append(MatchReport(photo, error: error))
    }
    if json { try Output.json(reports) }
    try batch.finish()
  }

  /// The edit beside a photo; nil if it has none.
  private static func edit(of photo: String) throws -> Recipe? {
    try RecipeSidecar.read(forPhoto: photo)?.recipe?.loadingFiles(besidePhoto: photo)
  }

  /// Keeps an edit, in place of the values of its kinds that the photo's edit has.
  private func keep(_ recipe: Recipe, for photo: String) throws {
    try RecipeSidecar.save(forPhoto: photo, source: reference, warn: Output.warning) { there in
      let old = try there?.recipe?.loadingFiles(besidePhoto: photo) ?? Recipe()
      return (try LookMatch.kept(of: old).then(recipe), .copied)
    }
  }

  /// `tones 21 → 4 levels, colours 5.2 → 1.1`
  private static func text(_ match: LookMatch) -> String {
    func change(_ before: Double, _ after: Double) -> String {
      "\(PlainNumber.fixed(before, 1)) → \(PlainNumber.fixed(after, 1))"
    }
    return "tones \(change(match.before.tones, match.after.tones)) levels of 255, "
      + "colours \(change(match.before.colors, match.after.colors)) ΔE"
  }
}
