import Editing
import Files
import PhotoPipeline
import FilterGraph
import FrameCore
import PhotoIO
import Rendering

/// Edits one photo after the other, as a batch asks for. Belongs to one thread.
public protocol BatchEditor: AnyObject {
  /// Reads the header of a photo and plans its edit; the photo is not decoded.
  func examine(_ input: String) throws -> BatchExamination
  /// Edits the photo that was examined last.
  ///
  /// - Parameter overwrite: whether a file at `output` is replaced.
  func edit(to output: String, overwrite: Bool) throws -> BatchResult
}

/// What is known of a photo before it is edited.
public struct BatchExamination: Sendable, Hashable, Codable {
  /// Of the photo as stored, pixels.
  public var width: Int
  public var height: Int
  /// The most memory that the edit takes, bytes.
  public var memory: Int
  /// What the edit takes to compute, beside decoding a megapixel: of a photo that is decoded once and becomes a JPEG file
  /// of its size, twice its megapixels.
  public var effort: Double
  /// Of the result, pixels; without what is found in the photo, such as a turn that levels it.
  public var resultWidth: Int
  public var resultHeight: Int
  public var facts: CaptureFacts
}

/// What became of one photo.
public struct BatchResult: Sendable, Hashable, Codable {
  public var width: Int
  public var height: Int
  public var fingerprint: FileFingerprint
  /// Seconds of work, without waits for others.
  public var seconds: Double
  public var warnings: [String]
  /// What rendered; nil where that is not known.
  public var backend: BackendReport?
}

/// Edits photos in this process.
public final class LocalBatchEditor: BatchEditor {
  /// How photos are edited and written. A value made from the same flags edits alike.
  public struct Settings: Sendable {
    /// The recipe for a photo, known without decoding it.
    public var recipe: @Sendable (_ input: String) throws -> Recipe
    /// The recipe with values that are found in the photo's pixels; nil where none are. Called when the photo is edited,
    /// with what it takes granted.
    public var recipeFinding: (@Sendable (_ input: String) throws -> Recipe)?
    public var export: PhotoExport
    /// Of the results; nil keeps that of each photo.
    public var format: PhotoFileFormat?
    public var renderer: @Sendable () -> any Renderer

    public init(
      export: PhotoExport, format: PhotoFileFormat? = nil,
      renderer: @escaping @Sendable () -> any Renderer = { CPURenderer(threads: 1) },
      finding recipeFinding: (@Sendable (_ input: String) throws -> Recipe)? = nil,
      recipe: @escaping @Sendable (_ input: String) throws -> Recipe
    ) {
      self.export = export
      self.export.isSequential = true
      // What lies outside the folder of the results is none of the batch's.
      self.export.followsLinks = false
      self.format = format
      self.renderer = renderer
      self.recipeFinding = recipeFinding
      self.recipe = recipe
    }

    /// What the plan for a photo leads to, as its export makes it.
    func output(for header: PhotoHeader) throws -> PlanOutput {
      let format = format ?? header.fileFormat ?? .jpeg
      let isDeep = header.bitsPerSample > 8 && export.comparison == nil && format.bitDepths.contains(16)
      return PlanOutput(
        format: isDeep ? .rgba16 : .rgba8, space: try export.colorSpace.space(original: header.tags),
        maximumSize: export.maximumSize, interpolation: export.interpolation)
    }
  }

  private let settings: Settings
  private let renderer: any Renderer
  /// Photos of one camera mostly need the same table.
  private let bakes = BakeCache()
  private var examined: (input: String, recipe: Recipe)?

  public init(_ settings: Settings) {
    self.settings = settings
    renderer = settings.renderer()
  }

  public func examine(_ input: String) throws -> BatchExamination {
    examined = nil
    let header = try PhotoHeader.read(input)
    let recipe = try settings.recipe(input)
    let planInput = try header.planInput
    // Its size is what is asked for, and who renders it, which decides about memory: tables are baked once, for the edit.
    let plan = try Plan(
      recipe, input: planInput, output: settings.output(for: header), optimized: false)
    examined = (input, recipe)
    let format = settings.format ?? header.fileFormat ?? .jpeg
    let isLookedAt = settings.recipeFinding != nil
    return BatchExamination(
      width: header.size.width, height: header.size.height,
      memory: Self.memory(
        source: header.size, keptRows: settings.export.comparison == nil ? keptRows(header, plan) : nil,
        bitsPerSample: header.bitsPerSample, result: plan.outputSize, format: format,
        decoding: header.decodingMemory, isCompared: settings.export.comparison != nil,
        isKept: settings.export.maximumBytes != nil, isLookedAt: isLookedAt),
      effort: Self.effort(
        source: header.size, result: plan.outputSize, format: format,
        isBounded: settings.export.maximumBytes != nil, isLookedAt: isLookedAt),
      resultWidth: plan.outputSize.width, resultHeight: plan.outputSize.height,
      facts: header.metadata.captureFacts)
  }

  public func edit(to output: String, overwrite: Bool) throws -> BatchResult {
    guard let (input, planned) = examined else {
      throw SafelightError(.invalidValue, "No photo was examined before the edit")
    }
    let recipe = try settings.recipeFinding?(input) ?? planned
    var export = settings.export
    export.overwrite = overwrite
    let report = try export.run(input, through: recipe, to: output, renderer: renderer, bakes: bakes)
    return BatchResult(
      width: report.outputSize.width, height: report.outputSize.height,
      fingerprint: try FileFingerprint(contentsOf: output), seconds: report.seconds,
      warnings: report.warnings + renderer.takeBackendNotes(), backend: report.backend)
  }

  /// Rows of the source that are in memory at a time while it is rendered.
  private func keptRows(_ header: PhotoHeader, _ plan: Plan) -> Int {
    // A reduction leaves a picture of eight bytes a pixel, or sixteen, which counts as rows of the source here.
    let reduced = plan.reduces ? 2 * plan.outputSize.pixelCount / header.size.width + 1 : 0
    return reduced
      + DecodedPicture.rowsInMemory(
        for: plan, fileFormat: header.fileFormat, decodingMemory: header.decodingMemory,
        renderer: renderer.chosenRenderer(for: plan),
        isSequential: settings.export.isSequential)
  }

  /// What an edit takes, bytes: what is kept of the source, encoders other than JPEG's collect the whole result and take
  /// as much again or several times as much, the file itself is mapped, and the program is in memory.
  ///
  /// - Parameters:
  ///   - keptRows: rows of the source that are in memory at a time; nil: all.
  ///   - decoding: what decoding takes besides, bytes.
  ///   - isKept: whether the result is kept as a whole, since it may have to be written again.
  static func memory(
    source: PixelSize, keptRows: Int? = nil, bitsPerSample: Int, result: PixelSize,
    format: PhotoFileFormat = .jpeg,
    decoding: Int = 0, isCompared: Bool = false, isKept: Bool = false, isLookedAt: Bool = false
  ) -> Int {
    let sample = bitsPerSample > 8 ? 2 : 1
    // A comparison holds both sides, and is up to twice as wide.
    let kept = source.width * (keptRows ?? source.height)
    let pixels = kept + ((isCompared ? 5 : 1) + (isKept ? 1 : 0)) * result.pixelCount
    let encoding = format.encodingBytesPerPixel * sample * result.pixelCount
    // Decoding for a look is done with before the edit decodes; what is kept of it is a small picture and its analyses.
    let sampleEdge = 2 * PhotoSample.longEdge
    let looking = isLookedAt ? 4 * sample * min(source.pixelCount, sampleEdge * sampleEdge) + 32 << 20 : 0
    return 4 * sample * pixels + source.pixelCount + encoding + decoding + looking + 24 << 20
  }

  /// What an edit takes to compute, beside decoding a megapixel.
  ///
  /// - Parameter isBounded: whether the file may have to be encoded again and again, until it is small enough.
  static func effort(
    source: PixelSize, result: PixelSize, format: PhotoFileFormat, isBounded: Bool = false,
    isLookedAt: Bool = false
  ) -> Double {
    let encodings = isBounded && format.hasQuality ? BoundedWriter.mostEncodings : 1
    let encoding = Double(encodings) * format.encodingEffort * Double(result.pixelCount)
    return (Double(isLookedAt ? 2 : 1) * Double(source.pixelCount) + encoding) / 1e6
  }
}
