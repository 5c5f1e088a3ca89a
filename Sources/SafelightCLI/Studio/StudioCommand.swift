import ArgumentParser
import Safelight
import Studio

struct StudioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Opens a page in the browser on which photos are taken and edited.",
    usage: "safelight studio [<photos-or-camera>] [--open] [<options>]",
    discussion: """
      Edits are saved beside the photos while you work, as “safelight recipe set”
      does; the photos themselves never change. Exports go into a folder “edited”
      beside them. Press ? on the page for its keys. Ctrl-C ends the studio.

      A camera is named as for “safelight live”: default, /dev/video0, a camera's
      id, a clip, or synthetic, a scene for trying it out. It runs only while the
      page shows it. Its photos are written unedited and in full quality, with the
      look of the moment as their edit beside them.

      The address that is printed has a secret behind its #: whoever has it can edit
      the photos and see what the camera sees. It is a new one with every start.

      If a studio of yours runs already that shows the same folder or camera, has
      the photo in its folder, or was started with a photo, its address is printed
      and nothing else is started; it opens on the photo. With --port, --host,
      --public-origin, --camera, --output or --proof a new studio is started all the
      same.

      Examples:
        safelight studio harbour.jpg --open
        safelight studio shoot/
        safelight studio default --open
        safelight studio synthetic --output tests/
        safelight studio shoot/ --camera /dev/video2
        safelight studio clip.mp4
        safelight studio shoot/ --proof matte.icc --open
      """)

  @Argument(
    help: ArgumentHelp(
      "A photo, a folder of photos, or what the camera shows: default, /dev/videoN, a camera's id, a clip, synthetic",
      valueName: "photos-or-camera"),
    completion: .file())
  var source: String?

  @Option(
    help: ArgumentHelp(
      "What the camera shows, beside a photo or a folder: default, /dev/videoN, a camera's id, a clip, synthetic",
      valueName: "source"),
    completion: .file())
  var camera: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Where the camera's photos and movies go; without it the folder of the photos, or Safelight in your pictures",
      valueName: "folder"),
    completion: .directory)
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The port of the page; 0 takes any free one; without it 8555, or the first free one of the next 19",
      valueName: "number"),
    transform: Self.port)
  var port: Int?

  @Option(
    help: ArgumentHelp(
      "The address of this machine at which other machines reach the page, such as 0.0.0.0; without it only this one does",
      valueName: "address"))
  var host: String?

  @Option(
    help: ArgumentHelp(
      "The address of a proxy with TLS in front of the studio, such as https://photos.example",
      valueName: "origin"))
  var publicOrigin: String?

  @Flag(help: "Open the page in the browser")
  var open = false

  @Flag(help: "End when the page has been closed for half a minute")
  var whileOpen = false

  @OptionGroup(title: "Soft proof")
  var proof: ProofOptions

  /// In seconds: a page that is loaded again is gone for a moment.
  private static let patience = 30.0

  @OptionGroup
  var verbosity: VerbosityOptions

  private static func port(_ text: String) throws -> Int {
    guard let number = Int(text), (0...65_535).contains(number) else {
      throw ValidationError("The port “\(text)” is not a number in 0…65535.")
    }
    return number
  }

  func validate() throws {
    if let output, FileContents.kind(of: output) == .file {
      throw ValidationError("\(output) is a file; name a folder for the camera's photos.")
    }
  }

  func run() throws {
    let signals = try Signals()
    var settings = StudioServer.Settings()
    (settings.port, settings.publicOrigin) = (port, publicOrigin)
    settings.host = host ?? settings.host
    settings.note = { Output.detail($0) }
    (settings.camera, settings.output) = (camera, output)
    settings.proof = try proof.proof()
    // Nobody has said that there are photos here.
    settings.mayBeEmpty = source == nil
    let source = source ?? "."
    let isCamera = try StudioServer.isCamera(source)
    guard camera == nil || !isCamera else {
      throw ValidationError("Both \(source) and --camera name a camera; give one of them.")
    }
    if isCamera { settings.camera = source }
    let handover = StudioHandover()
    if isPlain, let handover, let place = handover.place(for: StudioTarget(source, isCamera: isCamera)) {
      return try show(place, handover)
    }
    let studio = try StudioServer(isCamera ? nil : source, settings)
    let address = try studio.start()
    defer { studio.stop() }
    handover?.listen(for: studio)
    defer { handover?.close() }
    Output.line(address)
    try Output.finish()
    let link = try openBrowser(at: address)
    defer { link?.remove() }
    Output.note("\(Self.summary(studio)) · Ctrl-C ends the studio")
    while signals.wait(seconds: whileOpen ? 1 : 3600) == nil {
      if whileOpen, studio.isDeserted(seconds: Self.patience) { break }
    }
    signals.release()
  }

  /// Whether nothing is said of how a studio is to be served, so that one that runs serves as well.
  private var isPlain: Bool {
    port == nil && host == nil && publicOrigin == nil && camera == nil && output == nil && proof.file == nil
  }

  /// Leads to a studio that runs.
  private func show(_ place: StudioHandover.Place, _ handover: StudioHandover) throws {
    Output.line(place.address)
    try Output.finish()
    let link = try openBrowser(at: place.address)
    defer { link?.remove() }
    Output.note("Shown by the studio that runs as process \(place.process)")
    // The browser still needs the link.
    if link != nil { handover.waitForPage(at: place, seconds: Self.patience) }
  }

  /// With --open; what is returned is to be removed in the end.
  private func openBrowser(at address: String) throws -> BrowserLink? {
    guard open else { return nil }
    let link = try BrowserLink(to: address)
    if !link.open() {
      Output.warning("No browser could be opened; install xdg-utils, or open the address above")
    }
    return link
  }

  private static func summary(_ studio: StudioServer) -> String {
    let count = studio.photoCount
    let photos = count == 1 ? "1 photo" : "\(count) photos"
    guard let camera = studio.cameraName else { return photos }
    return "\(camera) · photos go to \(studio.outputFolder) · \(photos)"
  }
}
