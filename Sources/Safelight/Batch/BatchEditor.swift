import FilterGraph
import FrameCore
import PhotoIO
import Rendering

/// Edits one photo after the other, as a batch asks for. Belongs to one thread.
public protocol BatchEditor: AnyObject {
  /// Reads the header of a photo and plans its edit.
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
  /// Of the result, pixels.
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
}

/// Edits photos in this process.
public final class LocalBatchEditor: BatchEditor {
  /// How photos are edited and written. A value made from the same flags edits alike.
  public struct Settings: Sendable {
    /// The recipe for a photo; nil where every photo has the same.
    public var recipe: @Sendable (_ input: String) throws -> Recipe
    public var export: PhotoExport
    /// Of the results; nil keeps that of each photo.
    public var format: PhotoFileFormat?
    public var renderer: @Sendable () -> any Renderer

    public init(
      export: PhotoExport, format: PhotoFileFormat? = nil,
      renderer: @escaping @Sendable () -> any Renderer = { CPURenderer(threads: 1) },
      recipe: @escaping @Sendable (_ input: String) throws -> Recipe
    ) {
      self.export = export
      self.export.isSequential = true
      // What lies outside the folder of the results is none of the batch's.
      self.export.followsLinks = false
      self.format = format
      self.renderer = renderer
      self.recipe = recipe
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
    // Its size is what is asked for: tables are baked once, for the edit.
    let plan = try Plan(
      recipe, input: planInput, output: PlanOutput(format: planInput.format, space: planInput.space),
      optimized: false)
    examined = (input, recipe)
    return BatchExamination(
      width: header.size.width, height: header.size.height,
      memory: Self.memory(
        source: header.size, bitsPerSample: header.bitsPerSample, result: plan.outputSize,
        format: settings.format ?? header.fileFormat ?? .jpeg, isRaw: header.tags.isWorkingSpace,
        isCompared: settings.export.comparison != nil),
      resultWidth: plan.outputSize.width, resultHeight: plan.outputSize.height,
      facts: header.metadata.captureFacts)
  }

  public func edit(to output: String, overwrite: Bool) throws -> BatchResult {
    guard let (input, recipe) = examined else {
      throw SafelightError(.invalidValue, "No photo was examined before the edit")
    }
    var export = settings.export
    export.overwrite = overwrite
    let report = try export.run(input, through: recipe, to: output, renderer: renderer, bakes: bakes)
    return BatchResult(
      width: report.outputSize.width, height: report.outputSize.height,
      fingerprint: try FileFingerprint(contentsOf: output), seconds: report.seconds,
      warnings: report.warnings)
  }

  /// What an edit takes beyond the program itself, bytes: the whole source is decoded into one buffer, encoders other
  /// than JPEG's collect the whole result and take as much again or several times as much, and the file itself is mapped.
  ///
  /// For a camera raw, LibRaw holds the sensor's data besides, two bytes a pixel, and the developed picture, eight, and
  /// tiles of it while it interpolates.
  static func memory(
    source: PixelSize, bitsPerSample: Int, result: PixelSize, format: PhotoFileFormat = .jpeg,
    isRaw: Bool = false, isCompared: Bool = false
  ) -> Int {
    let sample = bitsPerSample > 8 ? 2 : 1
    // A comparison holds both sides, and is up to twice as wide.
    let pixels = source.pixelCount + (isCompared ? 5 : 1) * result.pixelCount
    let encoding = format.encodingBytesPerPixel * sample * result.pixelCount
    let developing = isRaw ? 10 * source.pixelCount + 16 << 20 : 0
    return 4 * sample * pixels + source.pixelCount + encoding + developing + 24 << 20
  }
}
