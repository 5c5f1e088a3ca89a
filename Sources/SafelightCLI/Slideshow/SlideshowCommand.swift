import ArgumentParser
import Safelight

extension SlideshowFit: ExpressibleByArgument {}

struct SlideshowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "slideshow",
    abstract: "Makes a movie of stills with a voice-over, such as a storyboard.",
    discussion: """
      The pictures change at the marks of the voice, which the key m makes in
      “safelight record” and editors of sound as cue points; without marks, in equal
      parts. With --cut silence they change in its longest pauses. Without a voice,
      each picture is shown for 4 s, or as --seconds-per-picture says.

      The edit is the same for all pictures. Sound stays mono, stereo or ambisonic.
      Players list the pictures as chapters. No file is replaced.

      Examples:
        safelight slideshow panels/ --voice take.wav -o story.mp4
        safelight slideshow panels/*.jpg --voice take.wav --cut silence -o story.mp4
        safelight slideshow a.png b.png c.png --voice take.mka --cut 3.2,7.9 -o s.mkv
        safelight slideshow photos/ -o trip.mp4 --fade 0.5s --preset warm-film
        safelight slideshow panels/ --voice 3d.wav --spatial ambix -o story.mp4
      """)

  // MARK: Inputs

  @Argument(
    help: ArgumentHelp("The pictures: files, folders, or patterns such as 'panels/*.jpg'", valueName: "in"),
    completion: .file())
  var inputs: [String]

  @Option(help: "Order of the pictures: by their names, 2 before 10, or as they are given")
  var order: SlideshowOrder = .natural

  @Option(
    help: ArgumentHelp("The voice-over: WAV, or any file with sound", valueName: "file"), completion: .file())
  var voice: String?

  @Option(help: "What four channels of the voice are, if ambisonic: ambix or fuma")
  var spatial: SlideshowSpatial?

  // MARK: Times

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where pictures change: seconds such as 3.2,7.9, or marks, silence or equal", valueName: "where"),
    completion: .list(["marks", "silence", "equal"]), transform: SlideshowOptionText.cuts)
  var cut: SlideshowCuts = .automatic

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Time for each picture, such as 4 or 2.5s", valueName: "time"),
    transform: LiveOptionText.seconds)
  var secondsPerPicture: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Time in which a picture fades into the next, such as 0.5s", valueName: "time"),
    transform: LiveOptionText.seconds)
  var fade: Double?

  // MARK: Result

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Where to write: a name in .mp4, .mov or .mkv, a folder, or a template", valueName: "out"),
    completion: .file())
  var output: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Size of the movie", valueName: "WxH"),
    transform: SlideshowOptionText.size)
  var size = PixelSize(width: 1920, height: 1080)

  @Option(help: "How other proportions stand in it: inside, on black; fill cuts off")
  var fit: SlideshowFit = .inside

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Frames per second of fades", valueName: "rate"),
    transform: SlideshowOptionText.rate)
  var fps = 30.0

  @OptionGroup(title: "Movie")
  var movie: MovieOptions

  @OptionGroup(title: "Edit")
  var edit: PhotoEditOptions

  @OptionGroup
  var sampling: InterpolationOption

  @OptionGroup
  var backend: BackendOptions

  // MARK: Run

  @Flag(help: "Print what was done as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    if voice == nil {
      if spatial != nil {
        throw ValidationError("--spatial has no effect without --voice; give both or neither.")
      }
      switch cut {
      case .automatic, .times: break
      case .marks, .pauses, .equal:
        throw ValidationError(
          "Without --voice there is nothing to cut at; give --cut times in seconds, or --voice.")
      }
    } else if secondsPerPicture != nil {
      switch cut {
      case .automatic, .times: break
      case .marks, .pauses, .equal:
        throw ValidationError("--seconds-per-picture has no effect with this --cut; leave one of them out.")
      }
    }
    do {
      try movie.check(MovieNames(output))
    } catch let error as SafelightError where error.code != .exists {
      throw ValidationError(error.description)
    } catch {}  // A file that is in the way is no mistake of usage: the run says so.
  }

  func run() throws { try SlideshowRun(self).run() }
}
