import ArgumentParser
import Safelight

struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Measures photos, says what is wrong with them, and finds codes, faces, text, pages.",
    usage: "safelight analyze [<options>] <in> ...",
    discussion: """
      One photo is reported as a block of lines; several, or a folder, as a line each,
      with verdicts in words, and a summary.

      verdict    blurred: no edge is sharp, and it shows at any size; soft: it
                 shows at 100 % only; underexposed, overexposed;
                 highlights clipped, shadows clipped; noisy; same name as …
      edges      how many pixels the sharpest edges take to rise, at 100 %, in the
                 worst direction: 1 to 2 in sharp photos, more than 2.75 in soft
                 ones; blurred: wider than a thousandth of the diagonal as well
      exposure   average light above middle grey (0.18 of white), in EV
      lightness  histogram of OKLab L, black at the left, white at the right
      contrast   standard deviation of OKLab L, 0…0.5
      range      OKLab L from the 1st to the 99th percentile
      clipping   highlights: pixels with a channel at full scale;
                 shadows: pixels with all channels at zero;
                 large photos are measured smaller, where less is clipped
      cast       the light as --auto white-balance sees it: 6500 K and Duv 0 have
                 no cast, fewer kelvin are warm, a Duv above 0 is greenish,
                 below 0 pinkish
      noise      standard deviation at 640 pixels, in percent of full scale
      horizon    see “safelight help horizon”

      --flag lists only photos with one of these: \(AnalysisFlag.words).
      duplicate-names are files in different folders whose names differ at most in
      case, as from two cards: they collide when put into one folder. A raw and a JPEG of one picture have different names.

      --sort puts the worst first: wide edges, dark exposures, little contrast, much
      clipping or noise. Photos without that measurement come last.

      --find looks for things instead, and prints a line for each: its kind, how
      certain it is, its top left corner in fractions of the picture, and what it
      says. Nothing that a code says is ever run. codes are bar codes and QR codes
      in any direction; faces are upright ones that look at the camera; text is read
      line by line and takes seconds. “safelight vision” says what these need.
      document finds pages and cards, and needs nothing else. quality says in a word
      each what the measurements mean: sharp, soft or blurred; dark, good or bright;
      highlights and shadows good or clipped; clean or noisy.

      Exit codes: 0; 1 if a photo cannot be read or searched, or its scopes or
      drawing cannot be written, after the others.

      Examples:
        safelight analyze harbour.jpg
        safelight analyze harbour.jpg --scopes scopes.png
        safelight analyze shoot/ --sort sharpness
        safelight analyze card1/ card2/ --recursive --flag duplicate-names
        safelight analyze shoot/ --flag blurred,under --names
        safelight analyze shoot/*.jpg --json
        safelight analyze labels/*.jpg --find codes --json
        safelight analyze group.jpg --find faces,codes --draw found.jpg
        safelight analyze page.jpg --find text --language deu+eng
        safelight analyze shoot/ --find quality,faces --json
      """,
    aliases: ["analyse"])

  @Argument(
    help: ArgumentHelp("Photos, folders, patterns, or - for a list on standard input", valueName: "in"),
    completion: .file())
  var inputs: [String]

  @Flag(help: "Include subfolders")
  var recursive = false

  @Option(
    help: ArgumentHelp("List only photos with one of these verdicts, with commas", valueName: "list"),
    completion: .list(AnalysisFlag.allCases.map(\.rawValue)), transform: AnalysisFlag.list)
  var flag: [AnalysisFlag]?

  @Option(
    help: ArgumentHelp(
      "The order, worst first: \(AnalysisOrder.words) (default: as they are named)", valueName: "what"),
    completion: .list(AnalysisOrder.allCases.map(\.rawValue)), transform: AnalysisOrder.parse)
  var sort: AnalysisOrder?

  @Flag(help: "Reverse the order")
  var reverse = false

  @Flag(help: "Print only the names of the photos, or of those with findings")
  var names = false

  @Option(
    help: ArgumentHelp(
      "Draw histogram, waveform, RGB parade and vectorscope: a .png, .jpg … or, for several photos, a folder",
      valueName: "out"),
    completion: .file())
  var scopes: String?

  @OptionGroup
  var search: FindOptions

  @OptionGroup
  var files: OverwriteOption

  @Flag(help: "Print everything as a JSON list, with the histograms")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    if names, json {
      throw ValidationError("--names and --json exclude each other; give one of them.")
    }
    guard let find = search.find else { return }
    if names, find == [.quality] {
      throw ValidationError("--names names photos with findings, which quality is not; leave it out.")
    }
    for (name, isGiven) in [
      ("--flag", flag != nil), ("--sort", sort != nil), ("--reverse", reverse), ("--scopes", scopes != nil),
    ] where isGiven {
      throw ValidationError("\(name) has no effect with --find; give one of them.")
    }
  }

  func run() throws {
    let found = try BatchInputs(arguments: inputs, recursive: recursive, output: nil)
    guard !found.photos.isEmpty else {
      for problem in found.problems.dropFirst() { Output.note("Error: \(problem)") }
      throw found.problems.first
        ?? SafelightError(
          .file, "There are no photos among the inputs", remedy: "name photos or folders that contain some")
    }
    for note in found.notes { Output.warning(note) }
    if search.find != nil {
      return try FindRun(options: search, overwrite: files.overwrite, names: names, json: json).run(found)
    }
    let photos = found.photos.map(\.path)
    let target = scopes.map {
      PictureTarget(flag: "--scopes", suffix: "-scopes.png", path: $0, overwrite: files.overwrite)
    }
    let pictures = try target?.paths(for: photos)
    let isBlock = photos.count == 1 && inputs == photos && flag == nil && !json && !names
    let analyses = AnalyzedPhotos.measure(photos, scopes: pictures, overwrite: files.overwrite)
    for problem in found.problems { Output.note("Error: \(problem)") }
    let chosen = analyses.sorted(by: sort, reversed: reverse).filter { $0.matches(flag) }
    if json {
      try Output.json(chosen.map(\.report))
    } else if names {
      for photo in chosen where photo.error == nil { Output.entry(photo.path) }
    } else if isBlock, let photo = chosen.first, let analysis = photo.analysis {
      AnalysisText(photo.path, analysis).print()
      if let scopes = photo.scopes { Output.line("  scopes      \(scopes)") }
    } else if analyses.isAnyMeasured {
      let measured = chosen.filter { $0.analysis != nil }
      let table = AnalysisTable(measured.map(\.path))
      for photo in measured { table.print(photo) }
      if let target, analyses.isAnyDrawn { Output.line("scopes in \(target.path)") }
      Output.line(analyses.summary)
    }
    guard analyses.failures > 0 || !found.problems.isEmpty else { return }
    try Output.finish()
    throw ExitCode.failure
  }
}
