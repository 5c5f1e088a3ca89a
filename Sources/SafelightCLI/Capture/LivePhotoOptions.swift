import ArgumentParser
import Safelight

/// Whether photos of `capture` get the seconds around them.
struct LivePhotoOptions: ParsableArguments {
  @Flag(
    name: .customLong("live-photo"),
    help: "Add a movie of the 1.5 s before and after each photo: NAME.MP.jpg, a Motion Photo")
  var isAsked = false

  @Flag(
    name: .customLong("apple-pair"),
    help: "With --live-photo, write the movie beside the photo as Apple does: NAME.jpg, NAME.mov")
  var isPair = false

  @Option(
    help: ArgumentHelp(
      "Sound of --live-photo: default, none, or a microphone's name or id (default: none)",
      valueName: "name"),
    completion: .list(["default", "none", "synthetic"]))
  var microphone: String?

  mutating func validate() throws {
    guard !isAsked else { return }
    let useless = [("--apple-pair", isPair), ("--microphone", microphone != nil)].filter(\.1).map(\.0)
    guard useless.isEmpty else {
      let verb = useless.count == 1 ? "has" : "have"
      throw ValidationError(
        "\(useless.joined(separator: " and ")) \(verb) no effect without --live-photo; give that too.")
    }
  }

  /// Nil if no movies are asked for.
  var form: LivePhotoForm? { isAsked ? isPair ? .applePair : .motionPhoto : nil }
}

extension CaptureCommand {
  /// Rejects what a photo with a movie cannot be: a JPEG of one press, with the look of its movie.
  func checkLivePhoto() throws {
    guard let form = live.form else { return }
    let isJPEG =
      try PhotoNames(output, format: results.format.fileFormat ?? .jpeg, isDNG: isDNG).format == .jpeg
    let others = [
      ("--format and names of other formats", !isJPEG || isDNG), ("--burst", shutter.burst != nil),
      ("--burst-while", shutter.burstWhile != nil), ("--bracket", shutter.bracket != nil),
      ("--deferred", shutter.deferred), ("--recipe-only", recipeOnly),
      ("--max-bytes", results.maxBytes != nil && form == .motionPhoto),
      ("--auto and --straighten auto", edit.asked.needsPhoto),
    ].filter(\.1).map(\.0)
    guard others.isEmpty else {
      throw ValidationError(
        "--live-photo takes single JPEGs with the same look as their movie; leave out "
          + "\(others.joined(separator: ", ")).")
    }
  }
}
