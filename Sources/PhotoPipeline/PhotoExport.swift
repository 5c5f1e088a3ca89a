import Files
import ColorScience
import FilterGraph
import FrameCore
import PhotoIO
import Rendering

/// Edits a photo from file to file.
///
/// Decoding, rendering and encoding run at the same time on bands of rows: a band is rendered as soon as the
/// source rows that it shows are decoded, and encoded while the next one is rendered.
public struct PhotoExport: Sendable {
  /// 1…100, for JPEG, WebP, HEIC, AVIF and JPEG XL; `PhotoWriter` says what it means in each.
  public var quality = 92
  /// Where the file would be larger, formats with a quality are written with less until it is not; nil sets no bound.
  public var maximumBytes: Int?
  /// Of the file; nil takes it from the extension of its name.
  public var format: PhotoFileFormat?
  /// The box that the result fits into; what is smaller is not enlarged. Nil sets no bound.
  public var maximumSize: PixelSize?
  public var colorSpace = OutputColorSpace.keep
  public var interpolation = Interpolation.sharp
  public var metadata = MetadataPolicy.keep
  /// For EXIF's Copyright; nil leaves what is there.
  public var copyright: String?
  /// Whether a file at the output path is replaced; else it is an error.
  public var overwrite = false
  /// Whether, where the output path is a symbolic link, the file that it leads to is replaced; else the link itself is.
  public var followsLinks = true
  /// Whether decoding, rendering and encoding take turns on the caller's thread: for many photos at once, each on a core
  /// of its own. The renderer should have one thread then.
  public var isSequential = false
  /// A before/after picture instead of the edited one.
  public var comparison: ComparisonOptions?
  /// For EXIF's Software, where metadata are written.
  package var software = SafelightVersion.software
  /// Ends the export early; nil where nobody can.
  package var cancellation: WorkCancellation?

  public struct ComparisonOptions: Sendable {
    public enum Geometry: String, Sendable, CaseIterable {
      /// Both sides are turned and cropped alike.
      case edited
      /// The original is shown as it was, the right way up.
      case original
    }
    public var layout: Comparison.Layout
    public var labels: Bool
    public var geometry: Geometry

    public init(layout: Comparison.Layout, labels: Bool = true, geometry: Geometry = .edited) {
      self.layout = layout
      self.labels = labels
      self.geometry = geometry
    }
  }

  /// What an export did.
  public struct Report: Sendable {
    public let plan: Plan
    public let outputSize: PixelSize
    /// Of the file.
    public let bytes: Int
    /// That it was written with; nil where its format has none.
    public let quality: Int?
    /// Steps in the order in which they began, each timed on its own thread without its waits. Decoding, rendering
    /// and encoding overlap, so the sum may be more than `seconds`.
    public let steps: [Stopwatch.Step]
    /// From opening the source to the finished file.
    public let seconds: Double
    public let warnings: [String]
    /// What rendered.
    public let backend: BackendReport
  }

  public init() {}

  /// All that decides what is in the file, for `Recipe.fingerprint`: every property but those that say how the work is done
  /// and whether a file is replaced. A property that is added counts by itself.
  package var fingerprintOptions: [String] {
    var export = self
    let plain = PhotoExport()
    (export.overwrite, export.followsLinks) = (plain.overwrite, plain.followsLinks)
    (export.isSequential, export.cancellation) = (plain.isSequential, nil)
    return ["\(export)"]
  }

  /// Edits a photo. One that is replaced by its own edit, and that nothing changes, is left as it is: to compress it anew
  /// would only take quality from it.
  ///
  /// - Parameter bakes: tables of photos before, and where to leave those of this one; for many photos with one edit.
  /// - Throws: `SafelightError`; then nothing is left at `output`, and a file that was there is untouched. Also where a
  ///   photo that is edited in its place is changed by another program meanwhile.
  public func run(
    _ input: String, through recipe: Recipe, to output: String, renderer: any Renderer = CPURenderer(),
    bakes: BakeCache? = nil
  ) throws -> Report {
    var watch = Stopwatch()
    // Before anything of it is read.
    let replaced = overwrite && FileContents.areSame(input, output) ? FileVersion(output) : nil
    let reader = try watch.measure("open") { try PhotoReader(contentsOf: input) }
    let format = try format ?? PhotoFileFormat(forWritingTo: output)
    try format.requireEncoder(toWrite: output)
    let (space, tags) = try colorSpace.resolve(original: reader.tags)
    let deep = reader.format == .rgba16 && comparison == nil && format.bitDepths.contains(16)
    let target = PlanOutput(
      format: deep ? .rgba16 : .rgba8, space: space, maximumSize: maximumSize, interpolation: interpolation)
    let planInput = PlanInput(
      size: reader.size, format: reader.format, space: try ColorSpace(tags: reader.tags),
      orientation: reader.orientation, alpha: reader.alpha)
    let metadata = reader.metadata
    let storedFormat = reader.fileFormat

    var upright = planInput
    upright.orientation = .up
    if let replaced, storedFormat == format, isPlain,
      try renderer.plan(recipe, input: upright, output: target).stages.isEmpty
    {
      let plan = try renderer.plan(recipe, input: planInput, output: target)
      return Report(
        plan: plan, outputSize: plan.outputSize, bytes: replaced.length, quality: nil, steps: watch.steps,
        seconds: watch.total, warnings: ["\(output) was left as it is, since the edit changes nothing"],
        backend: renderer.backendReport)
    }
    // The geometry says how much of the source has to be in memory; colours take longer to plan, and decoding begins.
    let draft = try Plan(recipe, input: planInput, output: target, optimized: false)
    let renderer = renderer.chosenRenderer(for: draft)
    let threaded: PhotoDecoding?
    let decoding: any DecodedRows
    if !isSequential { reader.developingThreads = nil }
    let isInParts =
      comparison == nil
      && DecodedPicture.isInParts(
        draft, fileFormat: reader.fileFormat, decodingMemory: reader.decodingMemory, renderer: renderer)
    if isInParts {
      (threaded, decoding) = (nil, PhotoDecodingInParts(reader, for: draft))
    } else {
      let picture =
        comparison != nil
        ? try DecodedPicture(wholeOf: reader)
        : try DecodedPicture(for: draft, of: reader, renderer: renderer, isSequential: isSequential)
      if isSequential {
        (threaded, decoding) = (nil, PhotoDecodingInTurn(reader, into: picture))
      } else {
        let decoder = try PhotoDecoding(reader, into: picture)
        (threaded, decoding) = (decoder, decoder)
      }
    }
    defer { threaded?.stop() }
    let handler = try cancellation?.add { decoding.cancel() }
    defer { cancellation?.remove(handler) }
    let prepared = try watch.measure("plan") {
      try renderer.prepare(renderer.plan(recipe, input: planInput, output: target, bakes: bakes))
    }
    let plan = prepared.plan

    var warnings = plan.notes
    if let stored = storedFormat, stored != format, FileContents.areSame(input, output) {
      warnings.append("\(input) was a \(stored.name) file and is a \(format.name) file now, as its name says")
    }
    warnings += metadata.losses(under: self.metadata)
    let facts = FileFacts(
      format: format, tags: tags, isSRGB: space == .sRGB, keepsLevel: plan.keepsLevel, metadata: metadata,
      replaced: replaced)
    let size: PixelSize
    let writer: BoundedWriter
    if let comparison, case .whole(let original) = decoding.picture.memory {
      try decoding.needAll()
      watch.add(decoding.seconds, to: "decode")
      let picture = try watch.measure("render") {
        try compare(comparison, original, plan: plan, recipe: recipe, renderer: renderer)
      }
      size = picture.size
      writer = try makeWriter((size, .rgba8, picture.alpha), facts, to: output)
      try watch.measure("encode") { try writer.write(picture, rows: picture.height) }
    } else {
      size = plan.outputSize
      writer = try makeWriter((size, target.format, plan.outputAlpha), facts, to: output)
      var (rendering, encoding) = (0.0, Stopwatch())
      func encode(_ band: PixelBuffer, _ rows: Int) throws {
        try cancellation?.check()
        try encoding.measure("encode") { try writer.write(band, rows: rows) }
      }
      let bands = BandRendering(decoding, through: prepared, renderer: renderer)
      if isSequential {
        rendering = try renderInTurn(bands, encode)
      } else {
        let pipeline = try BandPipeline(bands)
        try pipeline.run(encode)
        rendering = pipeline.seconds
      }
      watch.add(decoding.seconds, to: "decode")
      watch.add(rendering, to: "render")
      for step in encoding.steps { watch.add(step.seconds, to: step.name) }
    }
    try cancellation?.check()
    // The file appears only after the whole source proved sound.
    try watch.measure("write") { try writer.finish() }
    warnings += decoding.warnings + writer.warnings
    return Report(
      plan: plan, outputSize: size, bytes: writer.bytes, quality: format.hasQuality ? writer.quality : nil,
      steps: watch.steps, seconds: watch.total, warnings: warnings,
      backend: renderer.backendReport)
  }

  /// Decodes, renders and takes band after band; returns the time spent rendering.
  private func renderInTurn(_ rendering: BandRendering, _ take: (PixelBuffer, _ rows: Int) throws -> Void)
    throws
    -> Double
  {
    var rendering = rendering
    let plan = rendering.plan.plan
    let size = PixelSize(
      width: plan.outputSize.width, height: Bands.rows(of: plan.outputSize))
    let band = try PixelBuffer(size: size, format: plan.output.format, alpha: plan.outputAlpha)
    for rows in Bands.of(plan.outputSize) {
      try rendering.render(rows, into: band)
      try take(band, rows.count)
    }
    // Sound to the last row, also those that no band shows.
    try rendering.rows.needAll()
    return rendering.seconds
  }
}
