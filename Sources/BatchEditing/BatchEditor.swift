import Editing
import Files
import PhotoPipeline
import FilterGraph
import FrameCore
import PhotoIO
import Rendering

/// Edits photos one after the other, at a batch's request. Used by one thread.
public protocol BatchEditor: AnyObject {
  /// Opens a photo, reads its header and plans its edit; the photo is not decoded.
  ///
  /// The photo before must have been edited, or is given up.
  func open(_ input: String) throws -> any BatchPhoto
}

/// A photo of a batch, from its examination until its result is written. Used by one thread.
public protocol BatchPhoto: AnyObject {
  /// What is known before the photo is edited.
  var examination: BatchExamination { get }
  /// Edits the photo. Called once.
  ///
  /// - Parameter overwrite: whether a file at `output` is replaced.
  func edit(to output: String, overwrite: Bool) throws -> BatchResult
}

/// The properties of a photo known before it is edited.
public struct BatchExamination: Sendable, Hashable, Codable {
  /// The stored size of the photo, in pixels.
  public var width: Int
  public var height: Int
  /// An upper bound of the memory for the edit, in bytes.
  public var memory: Int
  /// The computing effort of the edit in units of decoding one megapixel: for a photo that is decoded once and
  /// becomes a JPEG file of the same size, twice its megapixels.
  public var effort: Double
  /// The size of the result, in pixels, without the effect of values found in the photo, such as a rotation that
  /// levels it.
  public var resultWidth: Int
  public var resultHeight: Int
  /// The capture date and the camera, for names.
  public var facts: CaptureFacts

  public init(
    width: Int, height: Int, memory: Int, effort: Double, resultWidth: Int, resultHeight: Int,
    facts: CaptureFacts
  ) {
    (self.width, self.height, self.memory, self.effort) = (width, height, memory, effort)
    (self.resultWidth, self.resultHeight, self.facts) = (resultWidth, resultHeight, facts)
  }
}

/// The result of editing one photo.
public struct BatchResult: Sendable, Hashable, Codable {
  /// The size of the result, in pixels.
  public var width: Int
  public var height: Int
  /// The length and the hash of the result's file.
  public var fingerprint: FileFingerprint
  /// The working time in seconds, without waiting for other photos.
  public var seconds: Double
  public var warnings: [String]
  /// The backend that rendered; nil if it is not known.
  public var backend: BackendReport?
  /// The values found in the photo; nil if none were to be found.
  public var found: FoundValues?

  public init(
    width: Int, height: Int, fingerprint: FileFingerprint, seconds: Double, warnings: [String],
    backend: BackendReport? = nil, found: FoundValues? = nil
  ) {
    (self.width, self.height, self.fingerprint) = (width, height, fingerprint)
    (self.seconds, self.warnings, self.backend, self.found) = (seconds, warnings, backend, found)
  }
}

/// Edits photos in this process.
public final class LocalBatchEditor: BatchEditor {
  /// How photos are edited and written. Settings made from the same flags give the same edits.
  public struct Settings: Sendable {
    /// Returns the recipe for a photo without decoding it.
    public var recipe: @Sendable (_ photo: PhotoFile) throws -> Recipe
    /// Returns the recipe with values found in the photo, and these values for the report; nil leaves it at `recipe`, and
    /// so does none. Called when the photo is edited, once its memory has been granted.
    public var recipeFinding:
      (@Sendable (_ photo: PhotoFile) throws -> (recipe: Recipe, found: FoundValues?)?)?
    /// Whether `recipeFinding` decodes the photo, and not only reads its header.
    public var looksAtPixels = true
    var isLookedAt: Bool { recipeFinding != nil && looksAtPixels }
    public var export: PhotoExport
    /// The format of the results; nil keeps that of each photo.
    public var format: PhotoFileFormat?
    public var renderer: @Sendable () -> any Renderer

    public init(
      export: PhotoExport, format: PhotoFileFormat? = nil,
      renderer: @escaping @Sendable () -> any Renderer = { CPURenderer(threads: 1) },
      finding recipeFinding: (
        @Sendable (_ photo: PhotoFile) throws -> (recipe: Recipe, found: FoundValues?)?
      )? =
        nil,
      recipe: @escaping @Sendable (_ photo: PhotoFile) throws -> Recipe
    ) {
      self.export = export
      self.export.isSequential = true
      // The batch must not write outside the output folder.
      self.export.followsLinks = false
      self.format = format
      self.renderer = renderer
      self.recipeFinding = recipeFinding
      self.recipe = recipe
    }

    /// The export with the format of the results; `export` itself takes that from the name of each result.
    var formattedExport: PhotoExport {
      var export = export
      export.format = format ?? export.format
      return export
    }
  }

  let settings: Settings
  let renderer: any Renderer
  /// Shared because photos of one camera mostly need the same table.
  let bakes = BakeCache()

  public init(_ settings: Settings) {
    self.settings = settings
    renderer = settings.renderer()
  }

  public func open(_ input: String) throws -> any BatchPhoto { try LocalBatchPhoto(input, self) }

  /// The memory for an edit, in bytes. It consists of the part of the source that is kept, the encoder's memory
  /// (encoders other than JPEG's collect the whole result and take as much again or several times as much), the
  /// mapped file, and the program.
  ///
  /// - Parameters:
  ///   - keptRows: the rows of the source that are in memory at a time; nil means all.
  ///   - decoding: the additional memory for decoding, in bytes.
  ///   - isKept: whether the whole result is kept because it may have to be encoded again.
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
    // Decoding for the analysis ends before the edit decodes; only a small picture and its analyses are kept.
    let sampleEdge = 2 * PhotoSample.longEdge
    let looking = isLookedAt ? 4 * sample * min(source.pixelCount, sampleEdge * sampleEdge) + 32 << 20 : 0
    return 4 * sample * pixels + source.pixelCount + encoding + decoding + looking + 24 << 20
  }

  /// The computing effort of an edit, in units of decoding one megapixel.
  ///
  /// - Parameter isBounded: whether the file may have to be encoded repeatedly until it is small enough.
  static func effort(
    source: PixelSize, result: PixelSize, format: PhotoFileFormat, isBounded: Bool = false,
    isLookedAt: Bool = false
  ) -> Double {
    let encodings = isBounded && format.hasQuality ? BoundedWriter.mostEncodings : 1
    let encoding = Double(encodings) * format.encodingEffort * Double(result.pixelCount)
    return (Double(isLookedAt ? 2 : 1) * Double(source.pixelCount) + encoding) / 1e6
  }
}
