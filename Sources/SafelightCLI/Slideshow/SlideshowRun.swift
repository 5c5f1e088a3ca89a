import Libc
import Safelight

/// One run of `slideshow`.
struct SlideshowRun {
  private let command: SlideshowCommand
  private let paths: [String]

  init(_ command: SlideshowCommand) throws {
    self.command = command
    paths = try Self.pictures(command.inputs, command.order)
  }

  /// Returns the pictures that the arguments name, in the order in which they are shown.
  ///
  /// - Throws: `SafelightError(.file)` for an argument without pictures.
  static func pictures(_ inputs: [String], _ order: SlideshowOrder) throws -> [String] {
    let paths = try inputs.flatMap { try ImageSequenceFiles.find($0) }
    switch order {
    case .given: return paths
    // A shell puts 10 before 2.
    case .natural: return paths.sorted(by: naturallyPrecedes)
    }
  }

  func run() throws {
    // Whatever can be refused is refused before the long part.
    var fields = MovieNames.Fields()
    fields.stem = (command.voice ?? paths.first)?.fileStem
    fields.preset = command.edit.edit.name
    let names = try MovieNames(command.output, fields: fields)
    let settings = command.movie.settings
    var writer = try SlideshowWriter(settings, to: names)
    (writer.framesPerSecond, writer.fade) = (command.fps, command.fade ?? 0)
    let renderer = try command.backend.request.makeRenderer()
    let recipes = Recipes(command.edit.asked)
    let pictures = try SlideshowPictures(
      paths,
      form: SlideshowForm(
        size: command.size, fit: command.fit, interpolation: command.sampling.interpolation),
      settings: settings, renderer: renderer, recipe: recipes.recipe(for:))
    let voice = try command.voice.map { try SlideshowVoice($0, layout: command.spatial?.layout) }
    let timing = try SlideshowTiming(
      pictures: paths.count, cuts: command.cut, seconds: command.secondsPerPicture, voice: voice?.facts)
    try writer.check(timing)
    try names.makeFolder()

    try render(pictures)
    let result = try write(writer, pictures, timing, voice)
    let notes = (voice?.notes ?? []) + timing.notes
    let warnings = pictures.warnings + renderer.takeBackendNotes()
    renderer.endTrials()
    if command.json {
      return try Output.json(SlideshowReport(result, timing, paths, command, voice, notes: notes + warnings))
    }
    for note in notes { Output.note(note + ".") }
    for warning in warnings { Output.warning(warning) }
    for (number, path) in paths.enumerated() {
      Output.detail("\(PlainNumber.fixed(timing.span(of: number).lowerBound, 2).padded(to: 9)) s  \(path)")
    }
    Output.done(
      "\(result.path)  \(paths.count) picture\(paths.count == 1 ? "" : "s")  "
        + "\(PlainNumber.fixed(result.duration, 1)) s  \(ByteText.text(Int(result.bytes)))")
  }

  private func render(_ pictures: SlideshowPictures) throws {
    let progress = CountedProgress("rendered", of: paths.count)
    defer { progress.end() }
    try pictures.prepare { progress.advance($0) }
  }

  private func write(
    _ writer: SlideshowWriter, _ pictures: SlideshowPictures, _ timing: SlideshowTiming,
    _ voice: SlideshowVoice?
  ) throws -> SlideshowResult {
    let isShown = isatty(2) == 1 && !command.json
    var shown: Int?
    defer { if shown != nil { Output.statusLine("") } }
    return try writer.write(pictures, timing, voice: voice) { part in
      let percent = Int(100 * part)
      guard isShown, percent != shown else { return }
      shown = percent
      Output.statusLine("writing \(percent) %")
    }
  }
}

/// The edit of each picture, found once: a picture may be rendered twice. Used by one thread.
private final class Recipes {
  private let edit: Edit
  private let snapshot = FileSnapshot.telling
  private var found: [String: Recipe] = [:]

  init(_ edit: Edit) { self.edit = edit }

  func recipe(for path: String) throws -> Recipe {
    if let recipe = found[path] { return recipe }
    let (recipe, values) = try edit.resolve(path, in: snapshot)
    values?.printNotes(in: path)
    found[path] = recipe
    return recipe
  }
}

/// What a slideshow became, as JSON.
struct SlideshowReport: JSONReport {
  struct Picture: Codable, Sendable {
    var path: String
    /// In seconds from the start.
    var start: Double
    var end: Double
  }

  struct Voice: Codable, Sendable {
    var path: String
    var seconds: Double
    var sampleRate: Int
    var channels: Int
    var isAmbisonic: Bool
  }

  var path: String
  var seconds: Double
  var bytes: Int64
  var width: Int
  var height: Int
  /// Frames that were compressed.
  var frames: Int
  var cutAt: String
  var pictures: [Picture]
  var voice: Voice?
  var notes: [String]

  init(
    _ result: SlideshowResult, _ timing: SlideshowTiming, _ paths: [String], _ command: SlideshowCommand,
    _ voice: SlideshowVoice?, notes: [String]
  ) {
    (path, bytes, frames) = (result.path, result.bytes, result.frames)
    seconds = PlainNumber.rounded(result.duration)
    (width, height) = (command.size.width, command.size.height)
    cutAt = timing.basis.rawValue
    pictures = paths.enumerated().map { number, path in
      let span = timing.span(of: number)
      return Picture(
        path: path, start: PlainNumber.rounded(span.lowerBound), end: PlainNumber.rounded(span.upperBound))
    }
    self.voice = voice.map {
      Voice(
        path: $0.path, seconds: PlainNumber.rounded($0.facts.duration), sampleRate: $0.format.sampleRate,
        channels: $0.format.channelCount, isAmbisonic: $0.format.layout == .ambiX)
    }
    self.notes = notes
  }
}
