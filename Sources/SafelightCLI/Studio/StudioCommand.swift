import ArgumentParser
import Safelight
import Studio

struct StudioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Opens a page in the browser on which photos are edited.",
    usage: "safelight studio [<photos>] [--open] [<options>]",
    discussion: """
      Edits are saved beside the photos while you work, as “safelight recipe set”
      does; the photos themselves never change. Exports go into a folder “edited”
      beside them. Press ? on the page for its keys. Ctrl-C ends the studio.

      The address that is printed has a secret behind its #: whoever has it can edit
      the photos. It is a new one with every start.

      Examples:
        safelight studio harbour.jpg --open
        safelight studio shoot/
        safelight studio shoot/ --port 0
      """)

  @Argument(help: "A photo, or a folder of photos", completion: .file())
  var photos: String = "."

  @Option(
    help: ArgumentHelp("The port of the page; 0 takes any free one", valueName: "number"),
    transform: Self.port)
  var port: Int = 8555

  @Option(
    help: ArgumentHelp(
      "The address of this machine at which other machines reach the page, such as 0.0.0.0; without it only this one does",
      valueName: "address"))
  var host: String = "127.0.0.1"

  @Option(
    help: ArgumentHelp(
      "The address of a proxy with TLS in front of the studio, such as https://photos.example",
      valueName: "origin"))
  var publicOrigin: String?

  @Flag(help: "Open the page in the browser")
  var open = false

  @OptionGroup
  var verbosity: VerbosityOptions

  private static func port(_ text: String) throws -> Int {
    guard let number = Int(text), (0...65_535).contains(number) else {
      throw ValidationError("The port “\(text)” is not a number in 0…65535.")
    }
    return number
  }

  func run() throws {
    let signals = try Signals()
    var settings = StudioServer.Settings()
    (settings.host, settings.port, settings.publicOrigin) = (host, port, publicOrigin)
    settings.note = { Output.detail($0) }
    let studio = try StudioServer(photos, settings)
    let address = try studio.start()
    defer { studio.stop() }
    Output.line(address)
    try Output.finish()
    let link = open ? try BrowserLink(to: address) : nil
    defer { link?.remove() }
    if let link, !link.open() {
      Output.warning("No browser could be opened; install xdg-utils, or open the address above")
    }
    let count = studio.photoCount
    Output.note("\(count == 1 ? "1 photo" : "\(count) photos") · Ctrl-C ends the studio")
    while signals.wait(seconds: 3600) == nil {}
    signals.release()
  }
}
