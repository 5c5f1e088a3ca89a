import ArgumentParser
import Safelight

struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract:
      "Applies an edit to live frames from a camera, a file or a scene, for a screen, a stream or a virtual "
      + "camera.",
    discussion: """
      Frames that arrive too late are dropped, and every drop is counted with its
      reason. Ctrl-C ends a run.

      Keys in the preview: q quits, b shows before or after, [ and ] change the
      strength, s takes a photo with the look, in the working folder.

      stdout:y4m and stdout:rgb have a constant rate: if a clip's rate varies,
      pictures are repeated or left out to keep its timing. frames:DIR gets every
      frame once. With a video file, --fps is their rate. A truncated video file is
      an error after its last frame.

      Examples:
        safelight live --to preview --preset teal-orange
        safelight live --source synthetic --to preview --straighten auto
        safelight live --size 1280x720 --preset noir --to virtual:/dev/video9
        safelight live --preset warm-film --to stream:8080 --to preview
        safelight live --preset noir --to stream:8080 --shutter
        safelight live --source clip.mp4 --exposure 0.5 --to movie:graded.mp4
        safelight live --source clip.mp4 --preset noir --to stdout:y4m |
          ffmpeg -i - -i clip.mp4 -map 0:v -map '1:a?' graded.webm
        safelight live --and /dev/video2 --layout pip --to stream:8080
        safelight live --source 'frames/*.jpg' --preset faded --to frames:out
        safelight live --source synthetic --to null --seconds 5 --json
        safelight live --preset noir --to stream:8080 --backend vulkan --gpu 1
        safelight live --to preview --analyze motion,focus --overlay
        safelight live --to null --analyze motion --on motion:start './notify me'
        safelight live --to movie:clips/ --analyze motion --on motion:start record
      """)

  // MARK: Source

  @OptionGroup(title: "Source")
  var input: SourceOptions

  @Flag(help: "Withhold the black and unsettled frames that a camera starts with")
  var settle = false

  @Flag(help: "Restart a file at its end")
  var loop = false

  @Flag(help: "Read a file or the scene as fast as its frames are used, not at its own rate")
  var unpaced = false

  // MARK: Edit

  @OptionGroup(title: "Edit")
  var edit: EditOptionGroup<LiveReservedFlags>

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Level the picture by degrees clockwise, or automatically by its horizon", valueName: "degrees|auto"),
    completion: .list(["auto"]), transform: Straightening.init)
  var straighten: Straightening?

  @Option(
    help: ArgumentHelp("Turn the picture clockwise; auto: only as the source states", valueName: "degrees")
  )
  var rotate: LiveRotation = .auto

  @Option(
    help: ArgumentHelp(
      "Mirror left and right; auto: for a front camera that is shown only in the preview",
      valueName: "when"))
  var mirror: LiveMirroring = .auto

  @OptionGroup
  var sampling: InterpolationOption

  @OptionGroup
  var backend: BackendOptions

  // MARK: Targets

  @Option(
    name: .customLong("to"), parsing: .singleValue,
    help: ArgumentHelp(
      "Where pictures go: preview, virtual:/dev/videoN, stdout:y4m, stdout:rgb, stream:PORT, frames:DIR, movie:FILE, null; may be repeated",
      valueName: "target"),
    completion: .list([
      "preview", "virtual:/dev/video", "stdout:y4m", "stdout:rgb", "stream:", "frames:", "movie:", "null",
    ]), transform: LiveOptionText.target)
  var targets: [SinkSpecification] = []

  @OptionGroup(title: "Movie, with --to movie:FILE")
  var movie: MovieOptions

  @OptionGroup(title: "Sound of a camera's movie")
  var microphone: MicrophoneOptions

  @OptionGroup(title: "Second camera")
  var second: SecondCameraOptions

  @Flag(help: "Give the page of stream:PORT a shutter button, which takes photos into the working folder")
  var shutter = false

  @OptionGroup(title: "What is seen")
  var sight: LiveSightOptions

  @OptionGroup(title: "Stills, with the key s in the preview, --shutter or --on EVENT capture")
  var stills: ResultOptions<StillFlags>

  // MARK: Run

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Stop after this many pictures", valueName: "number"),
    transform: LiveOptionText.count)
  var frames: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Stop after this many seconds", valueName: "time"),
    transform: LiveOptionText.seconds)
  var seconds: Double?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How often to report (default: 1s)", valueName: "time"),
    transform: LiveOptionText.seconds)
  var stats: Double?

  @Flag(help: "Report as JSON, one object per line")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  @Flag(help: ArgumentHelp("Print when the steps of the start were done", visibility: .hidden))
  var startupTimes = false

  mutating func validate() throws {
    guard !targets.isEmpty else {
      throw ValidationError(
        "Missing where pictures go; give --to preview, stream:PORT, virtual:/dev/videoN, stdout:y4m, frames:DIR, movie:FILE or null."
      )
    }
    do {
      try SinkSpecification.checkTogether(targets)
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
    if shutter, !hasStream {
      throw ValidationError("--shutter has no effect without --to stream:PORT; give both or neither.")
    }
    if !takesStills, let idle = stills.givenNames.first {
      throw ValidationError(
        "\(idle) has no effect without --to preview, --shutter or --on EVENT capture; give one of these, or leave it out."
      )
    }
    if microphone.microphone.map({ $0 != "none" }) == true, !hasMovie {
      throw ValidationError("--microphone has no effect without --to movie:FILE; give both or neither.")
    }
    if !hasMovie, let idle = (movie.givenNames + microphone.idleWithoutMicrophone).first {
      throw ValidationError("\(idle) has no effect without --to movie:FILE; give both or neither.")
    }
    for case .movie(let path) in targets {
      do {
        try movie.check(MovieNames(path))
      } catch let error as SafelightError where error.code != .exists {
        throw ValidationError(error.description)
      } catch {}  // A file that is in the way is no mistake of usage: the run says so.
    }
    try sight.check(hasMovie: hasMovie)
    if frames != nil, seconds != nil {
      throw ValidationError("--frames and --seconds exclude each other; give one of them.")
    }
  }

  func run() throws {
    try OpenFileLimit.check()
    // Before any thread is started.
    let signals = try Signals()
    var startup = StartupTimes()
    startup.mark(\.arguments)
    let run = try LiveRun(self, startup: startup)
    try run.run(signals)
    if startupTimes { try Output.jsonLine(run.finishedStartup) }
  }

  /// The edit, including the flags that `live` declares itself.
  func makeRecipe() throws -> Recipe {
    var asked = edit.edit
    asked.straighten = straighten
    return try asked.recipe(in: .telling)
  }

  /// How pictures are turned and mirrored on their way to the pipeline.
  ///
  /// All targets get the same pictures, so a front camera is mirrored automatically only if nobody but the
  /// person in front of it is watching.
  var connection: Connection {
    Connection(
      rotation: rotate.connectionRotation,
      mirroring: mirror == .on ? .on : mirror == .off ? .off : .automatic)
  }

  /// The purpose of the pictures.
  var purpose: OutputPurpose { targets.allSatisfy { $0 == .preview || $0 == .null } ? .preview : .data }

  /// How movies are compressed, and how much is kept from before an event that begins one.
  var movieSettings: MovieSettings {
    var settings = movie.settings
    if sight.has(.record) { settings.preRoll = sight.preRoll ?? 3 }
    return settings
  }

  private var hasStream: Bool { targets.contains { if case .stream = $0 { true } else { false } } }

  var hasMovie: Bool { targets.contains { if case .movie = $0 { true } else { false } } }

  /// Whether something takes photos: the key s of the preview, the stream's page, or an event.
  var takesStills: Bool { targets.contains(.preview) || shutter || sight.has(.capture) }

  /// Whether pictures go to standard output; reports cannot go there then.
  var writesToStandardOutput: Bool {
    targets.contains { if case .standardOutput = $0 { true } else { false } }
  }

  /// Whether a movie keeps the sound of the source.
  func keepsSound(of source: LiveSource) -> Bool { source.isVideo && microphone.microphone != "none" }

  /// Where the run ends by itself. Where every frame is written, seconds are those of what is written.
  func limit(_ source: LiveSource) -> LivePipeline.Limit {
    let isFootage = losesNothing(source) && targets.contains { $0 != .null }
    return LivePipeline.Limit(
      frames: frames, seconds: isFootage ? nil : seconds, footage: isFootage ? seconds : nil)
  }

  /// Whether every frame is written, however long it takes: if neither the source nor a target is live. Two sources are
  /// paired by time, so they always are.
  func losesNothing(_ source: LiveSource) -> Bool {
    (source.isFile || unpaced) && second.source == nil
      && targets.allSatisfy {
        switch $0 {
        case .standardOutput, .frames, .movie, .null: true
        case .preview, .stream, .virtualCamera: false
        }
      }
  }
}
