import ArgumentParser
import Safelight

struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edits a photo and writes the result.",
    discussion: """
      The original is never touched unless --in-place is given, and no other file is
      replaced unless --overwrite is. The output's name determines its format;
      --format does so for a name without an extension.

      Automatic values are found on a small version of the photo as it is stored,
      and printed as flags. They replace the recipe's values of the same kinds, so
      finding them again changes nothing; a value given by its own flag overrides
      them. Without a recipe, the printed flags give the same result.

      A preset stays unchanged: it is part of the look, and values are found without
      it. A written recipe contains its values as its own.

      Examples:
        safelight edit in.jpg -o warm.jpg --preset warm-film --strength 70
        safelight edit in.jpg -o print.tiff --exposure 0.4 --color-space adobe-rgb
        safelight edit in.jpg -o level.jpg --straighten -1.5 --crop 16:9@0.5,0.3
        safelight edit in.jpg -o look.jpg --lut film.cube --strength 60
        safelight edit in.jpg -o both.jpg --preset faded --compare split --split 0.4
        safelight edit in.jpg -o web.jpg --max-size 2048 --color-space srgb
        safelight edit in.jpg --in-place --recipe mine.json --resize 50%
        safelight edit in.jpg -o better.jpg --auto all --straighten auto
        safelight edit in.jpg -o lit.jpg --auto tone --write-recipe found.json
        safelight edit in.jpg -o sky.jpg --masked 'linear 0,0.6 0,0.3: exposure -1'
        safelight edit in.jpg -o gpu.jpg --preset faded --backend vulkan
        safelight edit in.jpg -o straight.jpg --lens auto
        safelight edit in.jpg -o proof.png --proof matte.icc --gamut-warning
      """)

  @Argument(
    help: ArgumentHelp(
      "The photo to edit: JPEG, PNG, TIFF, WebP, HEIC, AVIF, JPEG XL, GIF",
      valueName: "in"), completion: .file())
  var input: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write: .jpg, .png, .tiff, .webp, .heic, .avif or .jxl", valueName: "out"),
    completion: .file())
  var output: String?

  @Flag(help: "Replace the original with the result")
  var inPlace = false

  @OptionGroup
  var files: OverwriteOption

  @OptionGroup(title: "Edit")
  var edit: PhotoEditOptions

  @OptionGroup(title: "Before and after")
  var comparison: ComparisonOptionGroup

  @OptionGroup(title: "Result")
  var results: ResultOptions<PlainResultFlags>

  @OptionGroup(title: "Soft proof")
  var proof: ProofOptions

  @OptionGroup
  var sampling: InterpolationOption

  @OptionGroup
  var backend: BackendOptions

  @Option(
    help: ArgumentHelp(
      "Also write the edit as a recipe, with all values as plain numbers", valueName: "file.json"),
    completion: .file())
  var writeRecipe: String?

  @Flag(help: "Print what was done as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    guard output != nil || inPlace else {
      throw ValidationError("Missing the output; give -o OUT, or --in-place to replace the original.")
    }
    guard output == nil || !inPlace else {
      throw ValidationError("--in-place and -o exclude each other; give one of them.")
    }
    guard output != "-" else {
      throw ValidationError(
        "Results are written as whole files, not to standard output; name one, ./- for a file of that name.")
    }
    try results.checkFormat(of: output ?? input)
    if let writeRecipe, !writeRecipe.lowercased().hasSuffix(".json") {
      throw ValidationError(
        "--write-recipe names \(writeRecipe), which is not a .json file; give it a .json name.")
    }
  }

  /// Refuses folders and videos, and says which command takes them.
  private func checkInput() throws {
    if FileContents.kind(of: input) == .folder {
      throw SafelightError(
        .file, "Cannot read \(input): it is a folder", remedy: "edit the photos in it with safelight batch")
    }
    guard VideoNames.isOne(input), FileContents.isRegular(input) else { return }
    do {
      _ = try PhotoHeader.read(input)
    } catch let error as SafelightError where error.code != .file {
      throw SafelightError(
        .unsupported, "Cannot read \(input): it is not a photo",
        remedy: "use safelight live --source \(input)")
    }
  }

  func run() throws {
    try checkInput()
    let target = output ?? input
    if !inPlace, FileContents.areSame(input, target) {
      throw SafelightError(
        .invalidValue, "\(target) is the original itself",
        remedy: "write to another name, or give --in-place to replace it")
    }
    var outputs = OutputFiles(overwrite: files.overwrite)
    outputs.read(input, "the original")
    outputs.read(edit.edit.recipe, "the recipe of this edit")
    outputs.read(proof.file, "the profile of the proof")
    // --in-place is the one way to replace what is read.
    if !inPlace { try outputs.write(target, "-o") }
    if let writeRecipe { try outputs.write(writeRecipe, "--write-recipe") }
    var export = results.export
    export.overwrite = inPlace || files.overwrite
    export.interpolation = sampling.interpolation
    export.comparison = comparison.options
    export.proof = try proof.proof()
    let renderer = try backend.request.makeRenderer()
    let recipeFile = try writeRecipe.map { try TextFile(to: $0, overwrite: files.overwrite) }
    let snapshot = FileSnapshot.telling
    let (recipe, found) = try edit.asked.resolve(input, in: snapshot)
    outputs.read(snapshot, recipe: edit.edit.recipe)
    try outputs.check()
    // Written before the photo, which may replace the original, and named after it: a recipe that cannot be written stops
    // the edit, and one whose edit fails does not appear.
    try recipeFile?.write(recipe.namingFilesAbsolutely.json())
    // Before the result may replace the original.
    let beyond = proof.gamutWarning ? try export.shareBeyondGamut(input, through: recipe) : nil
    let report = try export.run(input, through: recipe, to: target, renderer: renderer)
    try recipeFile?.commit()
    let warnings = report.warnings + (recipeFile?.warnings ?? []) + renderer.takeBackendNotes()
    if json {
      try Output.json(
        EditReport(
          report, of: input, writtenTo: target, found: found, fallback: renderer.backendReport.fallback,
          warnings: warnings, beyondGamut: beyond))
    } else {
      found?.printNotes()
      if let beyond { Output.note(proof.sentence(on: beyond)) }
      for warning in warnings { Output.warning(warning) }
      let quality = report.quality.map { "quality \($0)  " } ?? ""
      Output.detail(
        report.plan.description + "backend  \(report.backend.text) (\(CPURenderer.instructionSet))")
      Output.done(
        "\(target)  \(report.outputSize)  \(ByteText.text(report.bytes))  \(quality)"
          + Output.steps(report.steps, total: report.seconds))
    }
  }
}
