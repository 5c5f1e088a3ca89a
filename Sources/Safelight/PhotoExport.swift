import ColorScience
import Dispatch
import FilterGraph
import FrameCore
import PhotoIO
import Rendering
import Synchronization

/// Edits a photo from file to file.
///
/// Decoding, rendering and encoding run at the same time on bands of rows: a band is rendered as soon as the
/// source rows that it shows are decoded, and encoded while the next one is rendered.
public struct PhotoExport: Sendable {
  /// 1…100, for JPEG and WebP.
  public var quality = 92
  public var colorSpace = OutputColorSpace.keep
  /// Whether a file at the output path is replaced.
  public var overwrite = true
  /// A before/after picture instead of the edited one.
  public var comparison: ComparisonOptions?

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
    /// Steps in the order in which they began. They overlap, so their sum is more than `seconds`.
    public let steps: [Stopwatch.Step]
    /// From opening the source to the finished file.
    public let seconds: Double
    public let warnings: [String]
  }

  public init() {}

  /// - Throws: `SafelightError`; then nothing is left at `output`, and a file that was there is untouched.
  public func run(
    _ input: String, through recipe: Recipe, to output: String, renderer: any Renderer = CPURenderer()
  ) throws -> Report {
    var watch = Stopwatch()
    let reader = try watch.measure("open") { try PhotoReader(contentsOf: input) }
    let format = try PhotoFileFormat(forWritingTo: output)
    let (space, tags) = try colorSpace.resolve(original: reader.tags)
    let deep = reader.format == .rgba16 && comparison == nil && format.bitDepths.contains(16)
    let target = PlanOutput(format: deep ? .rgba16 : .rgba8, space: space)
    let planInput = PlanInput(
      size: reader.size, format: reader.format, space: try ColorSpace(tags: reader.tags),
      orientation: reader.orientation, alpha: reader.alpha)
    let metadata = reader.metadata
    let alpha = reader.alpha
    let storedFormat = reader.fileFormat
    let source = try PixelBuffer(size: reader.size, format: reader.format, tags: reader.tags, alpha: alpha)

    let decoding = BackgroundDecoding(reader, into: source)
    defer { decoding.stop() }
    let prepared = try watch.measure("plan") {
      try renderer.prepare(renderer.plan(recipe, input: planInput, output: target))
    }
    let plan = prepared.plan

    var warnings = plan.notes
    if let stored = storedFormat, stored != format, FileContents.areSame(input, output) {
      warnings.append("\(input) was a \(stored.name) file and is a \(format.name) file now, as its name says")
    }
    func makeWriter(_ size: PixelSize, alpha: AlphaMode) throws -> PhotoWriter {
      try PhotoWriter(
        to: output, format: format, size: size, bitsPerSample: deep ? 16 : 8, quality: quality, tags: tags,
        metadata: metadata.edited(size: size, colorSpace: space == .sRGB ? .sRGB : .other), alpha: alpha,
        overwrite: overwrite)
    }
    let size: PixelSize
    let writer: PhotoWriter
    if let comparison {
      try watch.measure("decode") { try decoding.progress.waitForEnd() }
      let picture = try watch.measure("render") {
        try compare(comparison, source, plan: plan, recipe: recipe, renderer: renderer)
      }
      size = picture.size
      writer = try makeWriter(size, alpha: picture.alpha)
      try watch.measure("encode") { try writer.write(picture) }
    } else {
      size = plan.outputSize
      writer = try makeWriter(size, alpha: plan.outputAlpha)
      try stream(source, prepared, renderer, decoding.progress, writer, &watch)
      try watch.measure("decode") { try decoding.progress.waitForEnd() }
    }
    // The file appears only after the whole source proved sound.
    try watch.measure("write") { try writer.finish() }
    warnings += decoding.warnings + writer.warnings
    return Report(plan: plan, outputSize: size, steps: watch.steps, seconds: watch.total, warnings: warnings)
  }

  private func compare(
    _ options: ComparisonOptions, _ source: PixelBuffer, plan: Plan, recipe: Recipe, renderer: any Renderer
  ) throws -> PixelBuffer {
    // An original in its own geometry is brought to the height of the edit, so that both weigh the same.
    let upright = plan.input.orientation.applied(to: plan.input.size)
    let scale = min(1, Double(plan.outputSize.height) / Double(upright.height))
    let before =
      options.geometry == .edited
      ? recipe.geometryOnly
      : Recipe(filters: [Resize(longEdge: max(1, Int((Double(upright.longEdge) * scale).rounded())))])
    let original = try renderer.render(
      source, through: renderer.plan(before, input: plan.input, output: plan.output))
    let edited = try renderer.render(source, through: plan)
    return try Comparison(original, edited, layout: options.layout, labels: options.labels).render()
  }

  /// Renders band after band on another thread while this one encodes.
  private func stream(
    _ source: PixelBuffer, _ prepared: PreparedPlan, _ renderer: any Renderer, _ progress: RowProgress,
    _ writer: PhotoWriter, _ watch: inout Stopwatch
  ) throws {
    let plan = prepared.plan
    let height = plan.outputSize.height
    // Bands of about a megapixel: enough work for all cores, little memory.
    let bandHeight = min(height, max(64, 1_048_576 / plan.outputSize.width / 64 * 64))
    let size = PixelSize(width: plan.outputSize.width, height: bandHeight)
    let alpha = plan.outputAlpha
    let buffers = try (0..<2).map { _ in try PixelBuffer(size: size, format: plan.output.format, alpha: alpha)
    }
    let bands = stride(from: 0, to: height, by: bandHeight).map { $0..<min($0 + bandHeight, height) }
    let free = DispatchSemaphore(value: buffers.count)
    let rendered = RowProgress()
    let abandoned = Atomic(false)
    let ended = DispatchSemaphore(value: 0)

    DispatchQueue.global().async {
      defer { ended.signal() }
      rendered.finish(
        Result {
          // A reduction reads the whole source before the first row.
          try progress.wait(for: plan.reduces ? source.height : plan.sourceRows(for: bands[0]).upperBound)
          let prepared = (plan: prepared, source: try renderer.prepare(source, for: prepared))
          for (index, rows) in bands.enumerated() {
            if !plan.reduces { try progress.wait(for: plan.sourceRows(for: rows).upperBound) }
            free.wait()
            if abandoned.load(ordering: .relaxed) { return }
            try renderer.render(
              prepared.source, through: prepared.plan, rows: rows, into: buffers[index % buffers.count])
            rendered.advance(to: rows.upperBound)
          }
        })
    }
    do {
      for (index, rows) in bands.enumerated() {
        try watch.measure("render") { try rendered.wait(for: rows.upperBound) }
        try watch.measure("encode") { try writer.write(buffers[index % buffers.count], rows: 0..<rows.count) }
        free.signal()
      }
      ended.wait()
    } catch {
      abandoned.store(true, ordering: .relaxed)
      progress.finish(.failure(error))
      free.signal()
      ended.wait()
      throw error
    }
  }
}

/// Decodes a photo on a thread of its own and says how far it is.
private final class BackgroundDecoding: Sendable {
  let progress = RowProgress()
  private let stopped = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)
  private let collected = Mutex<[String]>([])

  /// What the reader warned of; complete once the progress has ended.
  var warnings: [String] { collected.withLock { $0 } }

  init(_ reader: sending PhotoReader, into source: PixelBuffer) {
    let box = Mutex(Optional(reader))
    DispatchQueue.global().async { [self] in
      defer { ended.signal() }
      box.withLock { reader in
        guard let reader else { return }
        progress.finish(
          Result {
            while reader.position < reader.size.height, !stopped.load(ordering: .relaxed) {
              let count = min(64, reader.size.height - reader.position)
              try reader.read(into: source.band(rows: reader.position..<reader.position + count))
              progress.advance(to: reader.position)
            }
            try reader.finish()
          })
        collected.withLock { $0 = reader.warnings }
      }
    }
  }

  /// Ends decoding early; returns once the thread has let go of the buffer.
  func stop() {
    stopped.store(true, ordering: .relaxed)
    ended.wait()
    ended.signal()
  }
}
