import ArgumentParser
import Safelight

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Records a movie with sound from a camera, with any look.",
    discussion: """
      Pictures and sound keep step, however the microphone's clock drifts. The file
      plays at every moment: a crash or a power cut costs at most its last second.
      No file is replaced.

      Keys: r starts and ends a recording, p pauses, m marks a moment as a chapter,
      s takes a photo, b shows before or after, [ and ] change the strength, v turns
      a voice-over off and on, q ends.
      Without a terminal, Ctrl-C or SIGTERM ends a recording, SIGUSR1 works as r.

      With --standby nothing is recorded until r; --pre-roll then adds the seconds
      before it. A camera or microphone that is unplugged leaves a gap, and goes on
      when it is back.

      Examples:
        safelight record -o clip.mp4
        safelight record -o clip.mp4 --preset warm-film --microphone none
        safelight record -o take.mkv --codec ffv1 --audio-codec flac
        safelight record -o tour.mp4 --microphone Camera --voice-over Headset
        safelight record -o 'cam/{index:04}.mp4' --segment 10m --max-bytes 50GB
        safelight record -o clips/ --standby --pre-roll 5s
        safelight record --source clip.mp4 --exposure 0.5 -o graded.mp4
        safelight record --source synthetic --max-duration 10s -o test.mp4
      """)

  // MARK: Source

  @OptionGroup(title: "Source")
  var input: SourceOptions

  @OptionGroup(title: "Sound")
  var microphone: MicrophoneOptions

  @OptionGroup
  var voice: VoiceOverOptions

  // MARK: Result

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Where to write: a name in .mp4, .mov or .mkv, a folder, or a template", valueName: "out"),
    completion: .file())
  var output: String

  @OptionGroup(title: "Movie")
  var movie: MovieOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End after this time, such as 90s, 5m or 1h", valueName: "time"),
    transform: MovieOptionText.duration)
  var maxDuration: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End before the files are larger than this, such as 2GB", valueName: "size"),
    transform: BatchOptionText.bytes)
  var maxBytes: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Begin a new file after this time; no picture is lost", valueName: "time"),
    transform: MovieOptionText.duration)
  var segment: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With --standby, record from this time before the start", valueName: "time"),
    transform: MovieOptionText.duration)
  var preRoll: Double?

  @Flag(help: "Wait for the key r, or SIGUSR1, before recording")
  var standby = false

  // MARK: Edit

  @OptionGroup(title: "Edit")
  var edit: EditOptionGroup<LiveReservedFlags>

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Level the picture by degrees clockwise", valueName: "degrees"),
    transform: Straightening.init)
  var straighten: Straightening?

  @Option(
    help: ArgumentHelp("Turn the picture clockwise; auto: only as the source states", valueName: "degrees"))
  var rotate: LiveRotation = .auto

  @OptionGroup
  var sampling: InterpolationOption

  @OptionGroup
  var backend: BackendOptions

  // MARK: Run

  @Flag(help: "Report as JSON, one object per line")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    if preRoll != nil, !standby {
      throw ValidationError("--pre-roll has no effect without --standby; give both or neither.")
    }
    if let preRoll, preRoll > Self.longestPreRoll {
      throw ValidationError("--pre-roll is kept in memory; give at most \(Int(Self.longestPreRoll / 60))m.")
    }
    if let maxBytes, maxBytes < 100_000 {
      throw ValidationError("--max-bytes \(maxBytes) has no room for a movie; give 100kB or more.")
    }
    if case .automatic = straighten {
      throw ValidationError(
        "A movie is not levelled automatically; give degrees, or use live --straighten auto --to movie:FILE.")
    }
    do {
      try movie.check(MovieNames(output, isSegmented: segment != nil))
    } catch let error as SafelightError where error.code != .exists {
      throw ValidationError(error.description)
    } catch {}  // A file that is in the way is no mistake of usage: the run says so.
  }

  private static let longestPreRoll = 600.0

  /// The given options that a video file leaves without effect.
  var idleOnVideos: [String] {
    let all: [(String, Bool)] = [
      ("--size", input.size != nil), ("--fps", input.fps != nil), ("--source-format", input.format != nil),
    ]
    return all.filter(\.1).map(\.0) + microphone.idleWithoutMicrophone
  }

  /// How the movie is recorded.
  var settings: MovieSettings {
    var settings = movie.settings
    settings.segment = segment
    settings.preRoll = preRoll ?? 0
    settings.limits.duration = maxDuration
    settings.limits.bytes = maxBytes.map(Int64.init)
    return settings
  }

  func makeRecipe() throws -> Recipe {
    var asked = edit.edit
    asked.straighten = straighten
    return try asked.recipe(in: .telling)
  }

  func run() throws {
    try OpenFileLimit.check()
    // Before any thread is started.
    RecordToggles.block()
    let signals = try Signals()
    let toggles = try RecordToggles()
    try RecordRun(self).run(signals, toggles)
  }
}
