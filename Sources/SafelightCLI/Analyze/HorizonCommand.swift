import ArgumentParser
import Safelight

struct HorizonCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "horizon",
    abstract: "Measures how photos are tilted, and shows the evidence.",
    usage: "safelight horizon [<options>] <photo> ...",
    discussion: """
      The angle is the clockwise turn that levels the photo, as --straighten of
      “safelight edit” takes it, ± its standard deviation. The confidence, 0…1, is
      how likely it is right to a degree.

      An answer is sure if its confidence is at least \(PlainNumber.text(Horizon.acceptance)), beyond 20° a
      hundredth more for each degree, and if it is exact to ± \(PlainNumber.text(Horizon.largestDeviation))° or better
      unless the camera's own level agrees with it. --straighten auto acts on sure
      answers only, and leaves a photo unchanged that leans by less than 0.1° or by
      less than the uncertainty of the angle.

      Exit codes: 0; 1 if a photo cannot be read, after looking at the others;
      with --strict, 3 if the horizon of a photo is not sure.

      Examples:
        safelight horizon harbour.jpg
        safelight horizon harbour.jpg --draw evidence.jpg
        safelight horizon photos/*.jpg --draw evidence/
        safelight horizon photos/*.jpg --json --strict
      """)

  @Argument(
    help: ArgumentHelp("The photos; names that begin with - go after --", valueName: "photo"),
    completion: .file())
  var photos: [String]

  @Option(
    help: ArgumentHelp(
      "Draw the evidence on the photo: a .jpg, .png … or, for several photos, a folder", valueName: "out"),
    completion: .file())
  var draw: String?

  @OptionGroup
  var files: OverwriteOption

  @Flag(help: "End with exit code 3 if the horizon of a photo is not sure")
  var strict = false

  @Flag(help: "Print everything as a JSON list, with the evidence")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  func run() throws {
    let target = draw.map {
      PictureTarget(flag: "--draw", suffix: "-horizon.jpg", path: $0, overwrite: files.overwrite)
    }
    let pictures = try target?.paths(for: photos)
    let width = photos.count > 1 ? min(photos.map(\.count).max() ?? 0, 40) : 0
    var batch = PhotoBatch(photos)
    var reports: [HorizonReport] = []
    var isSure = true
    batch.forEach { index, photo in
      guard FileContents.kind(of: photo) != .folder else {
        throw SafelightError(
          .file, "Cannot read \(photo): it is a folder",
          remedy: "name photos in it, or use safelight analyze, which takes folders")
      }
      let sample = try PhotoSample(contentsOf: photo)
      let found = PhotoHorizon(sample)
      if let pictures {
        try HorizonDrawing(sample, found).render().write(to: pictures[index], overwrite: files.overwrite)
          .forEach(Output.warning)
      }
      isSure = isSure && found.horizon.isConfident
      if json {
        reports.append(HorizonReport(photo, sample, found, drawing: pictures?[index]))
        return
      }
      for warning in sample.warnings { Output.warning("\(photo): \(warning)") }
      Output.line("\(photo.padded(to: width, left: true))  \(HorizonText.answer(found.horizon))")
      if photos.count == 1 {
        Output.line("  " + HorizonText.evidence(found))
        if let pictures { Output.line("  drawn to \(pictures[index])") }
      }
    } failed: { photo, error in
      reports.append(HorizonReport(photo, error: error))
    }
    if json { try Output.json(reports) }
    if photos.count > 1, !json, let target { Output.line("drawings in \(target.path)") }
    try batch.finish()
    guard strict, !isSure else { return }
    try Output.finish()
    throw ExitCode(3)
  }
}
