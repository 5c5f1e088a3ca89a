import ArgumentParser
import Safelight

/// The live source that pages are taken from.
struct ScanSourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Take pages that lie still before a camera: default, /dev/videoN, an id, a video file, synthetic:pages",
      valueName: "source"),
    completion: .file())
  var source: String?

  @OptionGroup
  var requested: RequestOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop after this many pages (default: 1; of a PDF, all until Ctrl-C)", valueName: "number"),
    transform: LiveOptionText.count)
  var pages: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stop after this time, with what was taken", valueName: "time"),
    transform: LiveOptionText.seconds)
  var seconds: Double?

  @Flag(help: "Show the picture in the terminal, with the page and what to do; q quits")
  var preview = false

  /// The options other than the source that were given.
  var givenNames: [String] {
    [
      ("--size", requested.size != nil), ("--fps", requested.fps != nil),
      ("--source-format", requested.format != nil),
      ("--pages", pages != nil), ("--seconds", seconds != nil), ("--preview", preview),
    ].filter(\.1).map(\.0)
  }
}
