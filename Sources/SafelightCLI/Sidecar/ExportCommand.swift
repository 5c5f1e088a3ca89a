import ArgumentParser
import Safelight

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Renders the edits kept beside photos into a folder.",
    discussion: """
      Edits are made with “safelight recipe”. In folders, photos without an edit are
      skipped; a photo that is named must have one. A photo that has changed since
      its edit was made, even if only in its rating, is exported only with
      --accept-changed. Otherwise this works like “safelight batch”: originals are
      never touched, a bad photo does not stop the others, and --resume continues
      where the last run ended and repeats photos whose edits have changed. Files
      that “safelight batch” wrote to the folder count as foreign: --on-conflict
      decides.

      Exit codes: 0 all photos were exported or skipped, 1 some failed, 2 nothing
      could start, 130 stopped by Ctrl-C.

      Examples:
        safelight export harbour.jpg -o edited/
        safelight export shoot/ -o web/ --max-size 2048 --color-space srgb
        safelight export shoot/ -o edited/ --resume
        safelight export shoot/*.jpg -o edited/ --name '{stem}-edited{ext}'
      """)

  @Argument(
    help: ArgumentHelp("Photos, folders, patterns, or - for a list on standard input", valueName: "photo"),
    completion: .file())
  var inputs: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder to write to; created if missing", valueName: "dir"),
    completion: .directory)
  var output: String

  @Flag(help: "Include subfolders, and keep their structure")
  var recursive = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Long edge in pixels, box to fit into, or percentage, instead of the edit's own; may enlarge",
      valueName: Resize.Size.syntax), transform: Self.size)
  var resize: Resize.Size?

  @Flag(help: "Also export photos that have changed since their edits were made")
  var acceptChanged = false

  @OptionGroup(title: "Results")
  var results: ResultOptions<PlainResultFlags>

  @OptionGroup
  var sampling: InterpolationOption

  @OptionGroup(title: "Batch")
  var options: BatchOptions

  @OptionGroup
  var verbosity: VerbosityOptions

  private static func size(_ text: String) throws -> Resize.Size {
    do {
      let size = try Resize.Size(parameterText: text)
      guard size != .unchanged else {
        throw ValidationError("resize is 0, which keeps the size; leave the flag out for that.")
      }
      return size
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
  }

  func run() throws {
    let (acceptChanged, resize) = (acceptChanged, resize)
    var export = results.export
    export.interpolation = sampling.interpolation
    // The process that edits a photo checks whether it has changed, because that requires reading it.
    let looksAhead = options.dryRun && !acceptChanged
    try BatchSession(
      options: options, results: results, output: output, editName: nil,
      settings: { [export] _ in
        LocalBatchEditor.Settings(export: export, format: results.format.fileFormat) { photo in
          try RecipeSidecar.recipe(for: photo, acceptChanged: acceptChanged).resized(to: resize)
        }
      },
      fingerprint: { [export] _ in
        let texts = export.fingerprintOptions + [(resize ?? .unchanged).parameterText]
        return { photo in
          try RecipeSidecar.fingerprint(forPhoto: photo, acceptChanged: !looksAhead, options: texts)
        }
      },
      command: "export",
      otherInputs: inputs.contains("-")
        ? [.init(path: FileContents.standardInput, role: "the list of photos")] : [],
      companions: { photo in
        [RecipeSidecar.path(forPhoto: photo)] + ((try? RecipeSidecar.files(ofPhoto: photo)) ?? [])
      },
      editNameOfPhoto: { photo in
        // An unreadable sidecar is a failure, reported when its photo's turn comes.
        guard let recipe = (try? RecipeSidecar.read(forPhoto: photo))?.recipe, !recipe.name.isEmpty else {
          return nil
        }
        return recipe.name
      }
    ).run {
      var found = try BatchInputs(
        arguments: SidecarPhotos.photoNames(inputs), recursive: recursive, output: output)
      found.passOver { photo in
        guard !photo.isNamed else { return nil }
        guard RecipeSidecar.exists(forPhoto: photo.path) else { return "it has no edit" }
        // An unreadable sidecar is a failure, reported when its photo's turn comes.
        guard let sidecar = try? RecipeSidecar.read(forPhoto: photo.path), sidecar.recipe == nil else {
          return nil
        }
        return "its edit was removed"
      }
      return found
    }
  }
}

extension Recipe {
  /// Returns this recipe with results of a given size; nil leaves it unchanged.
  fileprivate func resized(to size: Resize.Size?) -> Recipe {
    guard let size else { return self }
    var resized = self
    resized.filters.removeAll { $0 is Resize }
    return resized.then(Recipe { Resize(size) })
  }
}
