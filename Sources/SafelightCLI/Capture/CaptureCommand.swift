import ArgumentParser
import Safelight

struct CaptureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Takes photos with a camera and any look, at the moment of the press.",
    discussion: """
      One photo is taken at once, or whenever the shutter is fired with --on. The
      newest frames are kept in memory, so that a photo shows the moment of the
      press although the press arrives later. The edit is applied to the frame at
      full quality. With --format dng, photos are the samples of the camera's
      sensor, unedited.

      Photos go into a folder, or by a name or a template with the fields of
      “safelight batch --name”: {stem}, {index}, {date}, {camera}, {preset}, {width},
      {height}. Nothing is replaced; a name that is taken gets a number.

      With --deferred a photo of one frame, the proxy, is there at once, and all
      frames are kept on the disk. The final photo, of the best quality unless told
      otherwise, takes its place in pauses between photos and before the command
      ends. Ctrl-C then, --no-finish or a crash leave it to “safelight finish”.

      With --live-photo a JPEG also holds a movie of the 1.5 s before and after it,
      with the same look; without --microphone it has no sound. The photo is there
      at once, and its file gets the movie when these seconds have passed.

      Examples:
        safelight capture -o photos/
        safelight capture -o me.jpg --preset warm-film --timer 3s
        safelight capture --source /dev/video2 --size 1920x1080 -o photos/ --on key
        safelight capture -o 'booth/{date}/{index:04}.jpg' --on signal:USR1
        safelight capture -o photos/ --on input:/dev/input/event3 --best-of 5
        safelight capture -o booth/ --on http:0.0.0.0:8080 --preset noir
        safelight capture -o race/ --burst 30 --straighten auto
        safelight capture -o window.jpg --bracket -2,0,2 --fuse
        safelight capture -o jump/ --burst-while space
        safelight capture -o lapse/ --interval 10s --count 100
        safelight capture -o photos/ --on key --deferred
        safelight capture -o me.jpg --live-photo --microphone default
        safelight capture -o raw/ --format dng --preset noir --recipe-only
        safelight capture --source synthetic -o scene.png --keep-original --json
      """)

  // MARK: Source

  @OptionGroup(title: "Source")
  var input: SourceOptions

  @OptionGroup(title: "Shutter")
  var shutter: ShutterOptions

  // MARK: Result

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write: a folder, a name, or a template", valueName: "out"),
    completion: .file())
  var output: String

  @OptionGroup(title: "Live Photo")
  var live: LivePhotoOptions

  @OptionGroup(title: "Edit")
  var edit: PhotoEditOptions

  @OptionGroup(title: "Result")
  var results: ResultOptions<CaptureResultFlags>

  @Flag(help: "Also write the unedited photo, as NAME-original")
  var keepOriginal = false

  @Flag(help: "Write the unedited photo, and the edit beside it as a recipe")
  var recipeOnly = false

  @OptionGroup
  var sampling: InterpolationOption

  @Flag(help: "Report each photo as JSON, one object per line")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    try edit.refuseLens()
    guard !keepOriginal || !recipeOnly else {
      throw ValidationError("--keep-original and --recipe-only exclude each other; give one of them.")
    }
    guard output != "-" else {
      throw ValidationError("Photos are written as whole files, not to standard output; name a folder.")
    }
    guard !output.isEmpty else {
      throw ValidationError("-o names nothing; give a folder, such as photos/, or . for this one.")
    }
    let isPlain =
      !output.contains("{") && !output.hasSuffix("/") && !output.fileName.dropFirst().contains(".")
    guard !isPlain || results.format != .keep || FileContents.kind(of: output) == .folder || output == "."
    else {
      throw ValidationError(
        "\(output) is neither a folder that exists nor the name of a photo; give \(output)/ for a folder, or \(output).jpg."
      )
    }
    try checkDNG()
    if !isDNG { try results.checkFormat(of: output.contains("{") ? "" : output) }
    do {
      _ = try PhotoNames(output, format: results.format.fileFormat ?? .jpeg, isDNG: isDNG)
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
    try checkLivePhoto()
  }

  /// How photos become files.
  func makeDelivery(camera: String) throws -> PhotoDelivery {
    let names = try PhotoNames(
      output, format: results.format.fileFormat ?? .jpeg, isDNG: isDNG, isSingle: shutter.isSingle,
      isMotionPhoto: live.form == .motionPhoto, companion: live.form == .applePair ? ".mov" : nil)
    var export = results.export
    export.interpolation = sampling.interpolation
    let files = FileSnapshot.telling
    var asked = edit.asked
    asked = try asked.checked(in: files)
    var delivery = PhotoDelivery(
      names: names, edit: asked, export: export,
      original: recipeOnly ? .withRecipe : keepOriginal ? .beside : .none, camera: camera, files: files)
    delivery.look = edit.edit.name
    return delivery
  }

  func run() throws {
    try OpenFileLimit.check()
    // Before any thread is started.
    ShutterPresses.block(shutter.trigger)
    let signals = try Signals()
    try CaptureRun(self, ShutterPresses(shutter.trigger, burstWhile: shutter.burstWhile), signals).run()
  }
}

extension Edit {
  /// The edit, once its files and values are known to be sound.
  fileprivate func checked(in files: FileSnapshot) throws -> Edit {
    _ = try recipe(in: files)
    return self
  }
}
