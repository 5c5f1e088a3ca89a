import Files
import ColorScience
import FilterGraph
import FrameCore
import PhotoIO
import Rendering

/// Edits a photo from file to file.
///
/// Decoding, rendering and encoding run concurrently on bands of rows: a band is rendered as soon as its source
/// rows are decoded, and encoded while the next one is rendered.
public struct PhotoExport: Sendable {
  /// 1…100, for JPEG, WebP, HEIC, AVIF and JPEG XL; see `PhotoWriter` for its meaning in each.
  public var quality = 92
  /// The file's maximum size; formats with a quality are written at a lower one to keep to it. Nil sets no limit.
  public var maximumBytes: Int?
  /// The output format; nil derives it from the file name extension.
  public var format: PhotoFileFormat?
  /// The box that the result must fit into; smaller results are not enlarged. Nil sets no limit.
  public var maximumSize: PixelSize?
  /// The colour space of the result.
  public var colorSpace = OutputColorSpace.keep
  /// Writes the picture as a device would reproduce it, for judging it on a screen; nil writes it as it is.
  public var proof: SoftProof?
  /// The interpolation of rotations and enlargements.
  public var interpolation = Interpolation.sharp
  /// Which metadata of the original are written.
  public var metadata = MetadataPolicy.keep
  /// The text for EXIF's Copyright; nil keeps the existing one.
  public var copyright: String?
  /// Whether an existing file at the output path is replaced; otherwise it is an error.
  public var overwrite = false
  /// If the output path is a symbolic link, whether its target is replaced rather than the link itself.
  public var followsLinks = true
  /// Whether decoding, rendering and encoding take turns on the caller's thread: for many photos at once, each on
  /// its own core. The renderer should then have one thread.
  public var isSequential = false
  /// A before/after picture instead of the edited one.
  public var comparison: ComparisonOptions?
  /// The text for EXIF's Software, if metadata are written.
  package var software = SafelightVersion.software
  /// Ends the export early; nil if it cannot be cancelled.
  package var cancellation: WorkCancellation?

  /// How a before/after picture is laid out.
  public struct ComparisonOptions: Sendable {
    /// Which geometry the original is shown with.
    public enum Geometry: String, Sendable, CaseIterable {
      /// Both sides have the edit's rotation and crop.
      case edited
      /// The original keeps its own geometry, turned the right way up.
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

  /// The result of an export.
  public struct Report: Sendable {
    public let plan: Plan
    public let outputSize: PixelSize
    /// The length of the file.
    public let bytes: Int
    /// The quality used; nil if the format has none.
    public let quality: Int?
    /// Steps in the order in which they began, each timed on its own thread, excluding waits. Decoding, rendering
    /// and encoding overlap, so their sum may exceed `seconds`.
    public let steps: [Stopwatch.Step]
    /// From opening the source to the finished file.
    public let seconds: Double
    /// What was lost or replaced, one sentence each.
    public let warnings: [String]
    /// The engine that rendered.
    public let backend: BackendReport
  }

  public init() {}

  /// Everything that determines the file's contents, for `Recipe.fingerprint`: all properties except those for how
  /// the work is done and whether a file is replaced. New properties are included automatically.
  package var fingerprintOptions: [String] {
    var export = self
    let plain = PhotoExport()
    (export.overwrite, export.followsLinks) = (plain.overwrite, plain.followsLinks)
    (export.isSequential, export.cancellation) = (plain.isSequential, nil)
    return ["\(export)"]
  }

  /// Edits a photo. A photo that would be replaced by an unchanged edit of itself is left as it is, since
  /// recompressing it would only lose quality.
  ///
  /// - Parameter bakes: tables shared by several photos with one edit: reused from earlier photos, and extended
  ///   here.
  /// - Throws: `SafelightError`; then nothing is left at `output`, and an existing file is untouched. This
  ///   includes a photo edited in place that another program modifies meanwhile.
  package func run(
    _ input: String, through recipe: Recipe, to output: String, renderer: any Renderer = CPURenderer(),
    bakes: BakeCache? = nil
  ) throws -> Report {
    // Taken before reading, to detect later changes.
    let replaced = overwrite && FileContents.areSame(input, output) ? FileVersion(output) : nil
    var watch = Stopwatch()
    let photo = try watch.measure("open") { try PhotoFile(input) }
    return try run(
      photo, through: recipe, to: output, replacing: replaced, renderer: renderer, bakes: bakes, timing: watch
    )
  }

  /// Edits a photo that is already open, as `run(_:through:to:renderer:bakes:)` does.
  ///
  /// - Parameters:
  ///   - draft: the plan of this edit before it is optimized, if it is already made.
  ///   - replaced: the version of the photo before it was opened, if the result replaces it.
  ///   - watch: has timed the opening.
  package func run(
    _ photo: PhotoFile, through recipe: Recipe, planned draft: Plan? = nil, to output: String,
    replacing replaced: FileVersion? = nil, renderer: any Renderer, bakes: BakeCache? = nil,
    timing watch: Stopwatch = Stopwatch()
  ) throws -> Report {
    var watch = watch
    let (input, header) = (photo.path, photo.header)
    let format = try format ?? PhotoFileFormat(forWritingTo: output)
    try format.requireEncoder(toWrite: output)
    let planInput = try header.planInput
    let (target, tags) = try planOutput(from: planInput.format, tags: header.tags, writing: format)
    let metadata = header.metadata
    let storedFormat = header.fileFormat

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
    // The geometry alone determines how much of the source must be in memory. Planning colours takes longer, so
    // decoding starts first.
    let draft =
      try planned(draft, from: planInput, to: target)
      ?? Plan(recipe, input: planInput, output: target, optimized: false)
    let renderer = renderer.chosenRenderer(for: draft)
    // In a pass of its own, before the one that renders: the light of the last rows tells on the first ones.
    // Comparisons have the whole picture, but find the light of JPEG data at a reduced size, as exports do: both show
    // the same.
    let light = try PhotoLight(
      photo, of: draft, in: comparison == nil || storedFormat == .jpeg ? planInput : nil,
      isAlone: isSequential)
    defer { light?.join() }
    let reader = try photo.reader()
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
    // Noise is removed from the whole picture, so that is in memory, and is measured first.
    var measured = draft
    if draft.denoising != nil, case .whole(let original) = decoding.picture.memory {
      try decoding.needAll()
      measured = try watch.measure("measure") {
        try Plan(recipe, input: planInput.measuringNoise(of: original), output: target, optimized: false)
      }
    }
    let prepared: any PreparedPlan = try watch.measure("plan") {
      try renderer.prepare(renderer.optimize(measured, options: PlanOptions(bakes: bakes)))
    }
    let plan = prepared.plan
    var proxy = try light?.proxy(&watch)
    if proxy == nil, plan.hasLocalLight, case .whole(let original) = decoding.picture.memory {
      try decoding.needAll()
      proxy = try watch.measure("light") {
        try LightProxy(original, input: planInput, isFine: plan.hasFineLight)
      }
    }

    var warnings = plan.notes + (proxy.map(plan.notes(on:)) ?? [])
    if let stored = storedFormat, stored != format, FileContents.areSame(input, output) {
      warnings.append("\(input) was a \(stored.name) file and is a \(format.name) file now, as its name says")
    }
    warnings += metadata.losses(under: self.metadata)
    if colorSpace.isWide, target.format == .rgba8 {
      warnings.append(
        "8 bits are few for \(target.space.name), whose colours lie far apart: gradients may show bands; write a TIFF or PNG"
      )
    }
    let facts = FileFacts(
      format: format, tags: tags, isSRGB: target.space == .sRGB, keepsLevel: plan.keepsLevel,
      metadata: metadata,
      replaced: replaced)
    let size: PixelSize
    let writer: BoundedWriter
    if let comparison, case .whole(let original) = decoding.picture.memory {
      try decoding.needAll()
      watch.add(decoding.seconds, to: "decode")
      let picture = try watch.measure("render") {
        try compare(comparison, original, plan: plan, recipe: recipe, litBy: proxy, renderer: renderer)
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
      let lit = try proxy.map(prepared.lit(by:)) ?? prepared
      let bands = BandRendering(decoding, through: lit)
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
    // The file appears only after the whole source has proved intact.
    try watch.measure("write") { try writer.finish() }
    warnings += decoding.warnings + writer.warnings
    return Report(
      plan: plan, outputSize: size, bytes: writer.bytes, quality: format.hasQuality ? writer.quality : nil,
      steps: watch.steps, seconds: watch.total, warnings: warnings,
      backend: renderer.backendReport)
  }

  /// Decodes, renders and takes each band in turn; returns the time spent rendering.
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
    // Checks that the photo is intact to its last row, including rows that no band shows.
    try rendering.rows.needAll()
    return rendering.seconds
  }
}
