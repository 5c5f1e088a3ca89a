import ArgumentParser
import Safelight

struct RateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rate",
    abstract: "Prints or sets the stars, flags and colours of photos.",
    usage: "safelight rate <photo> ... [--stars <number>] [--flag <flag>] [<options>]",
    discussion: """
      They are kept as XMP beside the photos, where darktable, digiKam, Lightroom
      and Bridge find them. An existing .xmp file keeps all else that it holds; a
      new one is harbour.jpg.xmp, or DSC_0061.xmp for camera raws. The photos
      themselves never change. A rejected photo keeps its stars.

      Examples:
        safelight rate shoot/
        safelight rate shoot/0061.jpg --stars 4 --flag pick
        safelight rate shoot/*.NEF --color red
        safelight rate shoot/0062.jpg --stars 0 --flag none --color none
        safelight rate shoot/ --json
      """)

  @OptionGroup
  var photos: SidecarPhotos

  @Option(
    help: ArgumentHelp("Stars, 0 to 5; 0 for a photo that is not rated", valueName: "number"),
    transform: Self.stars)
  var stars: Int?

  @Option(help: "Whether the photo is chosen")
  var flag: PhotoMark.Flag?

  @Option(help: "A colour label")
  var color: PhotoMark.Color?

  @Flag(help: "Print the marks as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  func run() throws {
    let change = PhotoMark.Change(rating: stars, flag: flag, color: color)
    var reports: [MarkReport] = []
    let outcome = Result {
      try photos.each { photo in
        let mark =
          change.isEmpty
          ? try PhotoMark.read(forPhoto: photo)
          : try PhotoMark.change(forPhoto: photo, change, warn: Output.warning)
        reports.append(MarkReport(photo, mark))
        guard !json else { return }
        // What was asked for is told even with --quiet.
        if change.isEmpty {
          Output.line("\(Self.text(mark))  \(photo)")
        } else {
          Output.done("\(Self.text(mark))  \(photo)")
        }
      }
    }
    if json { try Output.json(reports) }
    try outcome.get()
  }

  /// `★★★★☆  pick    red   `, in columns.
  private static func text(_ mark: PhotoMark) -> String {
    func column(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    let stars = String(repeating: "★", count: mark.rating) + String(repeating: "☆", count: 5 - mark.rating)
    let flag = mark.flag == .none ? "-" : mark.flag.rawValue
    let color = mark.color == .none ? "-" : mark.color.rawValue
    return "\(stars)  \(column(flag, 6))  \(column(color, 6))"
  }

  private static func stars(_ text: String) throws -> Int {
    guard let number = Int(text), PhotoMark.ratings.contains(number) else {
      throw ValidationError("The stars are “\(text)”; give a number in 0…5.")
    }
    return number
  }
}

extension PhotoMark.Flag: ExpressibleByArgument {}
extension PhotoMark.Color: ExpressibleByArgument {}
