import ArgumentParser
import Safelight

struct ScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Makes pages in photos or before a camera look like scans, and several a PDF.",
    usage: "safelight scan [<options>] [<photo> ...] -o <out>",
    discussion: """
      The page is found by its four edges, shown straight on in its own proportions
      and, with --even, on white paper without shadows. Proportions near A4, Letter
      or a card are taken for these; what was measured is printed. If no page is
      found, --corners says where it is.

      A PDF has a page for each photo, in their order.

      With --source, frames of a camera or a file are watched, and a page is taken
      by itself once it lies still and is sharp; what to do is told meanwhile. It is
      taken once, until it was taken away. A PDF takes pages until Ctrl-C, unless
      --pages says how many.

      Exit codes: 0; 1 if a photo cannot be read, or shows no page, or if no page was
      taken: nothing is written then; 1 also if fewer pages were taken than --pages.

      Examples:
        safelight scan receipt.jpg -o receipt.png --even
        safelight scan letter-*.jpg -o letter.pdf --paper A4 --black-and-white
        safelight scan board.jpg -o board.jpg --paper 16:9
        safelight scan page.jpg -o page.png --corners '0.1,0.1 0.9,0.1 0.9,0.9 0,1'
        safelight scan --source default -o page.png --even --preview
        safelight scan --source /dev/video0 --size 1920x1080 -o book.pdf --pages 12
        safelight scan --source synthetic:pages -o page.png --paper A4 --even
      """)

  @Argument(help: ArgumentHelp("Photos of a page each", valueName: "photo"), completion: .file())
  var inputs: [String] = []

  @OptionGroup(title: "Live source")
  var live: ScanSourceOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Where to write: .pdf for any number of photos; .png, .jpg, .tiff, .webp … for one", valueName: "out"),
    completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp("What the page is: auto, A4, letter, card or W:H", valueName: "paper"),
    completion: .list(["auto", "A4", "letter", "card"]), transform: ScanOptionText.paper)
  var paper: PageChoice = .automatic

  @Flag(help: "Take shadows and the tint of the paper away")
  var even = false

  @Flag(help: "Make ink black and paper white")
  var blackAndWhite = false

  @Option(
    help: ArgumentHelp(
      "The page's corners, clockwise from its top left, 0,0 top left … 1,1 bottom right",
      valueName: "'x,y x,y x,y x,y'"),
    transform: ScanOptionText.corners)
  var corners: [NormalizedPoint]?

  @OptionGroup
  var files: OverwriteOption

  @Flag(help: "Print what was done as JSON, a list of pages")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  private var isPDF: Bool { output.lowercased().hasSuffix(".pdf") }

  mutating func validate() throws {
    if even, blackAndWhite {
      throw ValidationError("--black-and-white evens pages out, too; leave --even out.")
    }
    guard output != "-" else {
      throw ValidationError(
        "Results are written as whole files, not to standard output; name one, ./- for a file of that name.")
    }
    if live.source == nil, inputs.isEmpty {
      throw ValidationError("Missing photos of pages; name some, or give --source default for the camera.")
    }
    if live.source != nil, !inputs.isEmpty {
      throw ValidationError("--source takes pages from live frames; leave the photos out, or --source.")
    }
    if live.source != nil, corners != nil {
      throw ValidationError("--corners is for a photo; leave it out with --source.")
    }
    if live.source == nil, let idle = live.givenNames.first {
      throw ValidationError("\(idle) has no effect without --source; give both or neither.")
    }
    if let pages = live.pages, pages > 1, !isPDF {
      throw ValidationError("\(pages) pages need a PDF; write -o \(output).pdf, or leave --pages out.")
    }
    if inputs.count > 1, !isPDF {
      throw ValidationError(
        "\(inputs.count) photos need a PDF; write -o \(output).pdf, or scan one at a time.")
    }
    if inputs.count > 1, corners != nil {
      throw ValidationError("--corners is for one photo; scan one at a time.")
    }
  }

  func run() throws {
    var outputs = OutputFiles(overwrite: files.overwrite)
    outputs.read(inputs, "a photo of the scan")
    try outputs.write(output, "-o")
    try outputs.check()
    if !isPDF { try PhotoFileFormat(forWritingTo: output).requireEncoder(toWrite: output) }
    let finish: DocumentScan.Finish = blackAndWhite ? .blackAndWhite : even ? .even : .photo
    let scan = DocumentScan(paper: paper, finish: finish, corners: corners)
    if live.source != nil { return try scanLive(scan) }
    let renderer = CPURenderer()
    var reports: [ScanReport] = []
    let pages = try ScannedPages(to: output, isPDF: isPDF, overwrite: files.overwrite)
    for (index, input) in inputs.enumerated() {
      let photo = try Photo(contentsOf: input)
      for warning in photo.warnings { Output.warning("\(input): \(warning)") }
      let page = try named(input) { try scan.scan(photo, renderer: renderer) }
      try pages.append(page, of: photo)
      reports.append(ScanReport(page, number: index + 1, of: input, writtenTo: output))
    }
    let bytes = try pages.finish()
    if !json { for report in reports { Output.note("\(report.input): \(report.words)") } }
    try tell(reports, bytes)
  }

  private func scanLive(_ scan: DocumentScan) throws {
    try OpenFileLimit.check()
    // Nobody is to hold a page still for nothing.
    try OutputFile(path: output, overwrite: files.overwrite).discard()
    // Before any thread is started.
    let signals = try Signals()
    var live = live
    // A picture has room for one page.
    if live.pages == nil, !isPDF { live.pages = 1 }
    let pages = try ScannedPages(to: output, isPDF: isPDF, overwrite: files.overwrite)
    try LiveScan(live, scan, to: pages, output: output, signals).run(tell: tell)
  }

  private func tell(_ reports: [ScanReport], _ bytes: Int) throws {
    if json { return try Output.json(reports) }
    let size = reports.count == 1 ? "\(reports[0].width)×\(reports[0].height)" : "\(reports.count) pages"
    Output.done("\(output)  \(size)  \(ByteText.text(bytes))")
  }

  /// Names the photo in errors about what is in it.
  private func named<Value>(_ input: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as SafelightError where !error.problem.contains(input) {
      throw SafelightError(error.code, "\(input): \(error.problem)", remedy: error.remedy)
    }
  }
}

/// Parsers for options of `scan`.
enum ScanOptionText {
  static func paper(_ text: String) throws -> PageChoice {
    do {
      return try PageChoice(text)
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
  }

  static func corners(_ text: String) throws -> [NormalizedPoint] {
    do {
      guard case .places(let places) = try Perspective.Corners(parameterText: text) else {
        throw ValidationError("four places are needed; write --corners 'x,y x,y x,y x,y'.")
      }
      return places.map { NormalizedPoint($0.x, $0.y) }
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
  }
}
