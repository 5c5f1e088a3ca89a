import BatchEditing
import PhotoPipeline
import FilterGraph
import Filters
import FoundationEssentials
import FrameCore
import PhotoIO
import Rendering

// Convenience methods that take a file's `URL` instead of its path, for the most used functions. `URL` is the same
// type as Foundation's.

extension URL {
  /// The path of the file.
  ///
  /// - Throws: `SafelightError(.invalidValue)` if it is not a file URL.
  fileprivate var filePath: String {
    get throws {
      guard isFileURL else {
        throw SafelightError(
          .invalidValue, "\(absoluteString) is not the URL of a file",
          remedy: "load it first, and give its file")
      }
      return path(percentEncoded: false)
    }
  }
}

extension Photo {
  /// Reads a photo.
  public init(contentsOf file: URL) throws { try self.init(contentsOf: file.filePath) }

  /// As `write(to:quality:overwrite:)` with a path.
  @discardableResult
  public func write(to file: URL, quality: Int = 92, overwrite: Bool = false) throws -> [String] {
    try write(to: file.filePath, quality: quality, overwrite: overwrite)
  }
}

extension PhotoHeader {
  /// Reads the header of a photo.
  public static func read(_ file: URL) throws -> PhotoHeader { try read(file.filePath) }
}

extension Comparison {
  /// As `write(to:quality:overwrite:)` with a path.
  @discardableResult
  public func write(to file: URL, quality: Int = 92, overwrite: Bool = false) throws -> [String] {
    try write(to: file.filePath, quality: quality, overwrite: overwrite)
  }
}

extension Recipe {
  /// As `init(contentsOf:in:catalog:)` with a path.
  public init(contentsOf file: URL, catalog: FilterCatalog = .standard) throws {
    try self.init(contentsOf: file.filePath, catalog: catalog)
  }
}

extension LUT {
  /// Reads a table from a file of any format that `LUT` reads.
  public init(
    contentsOf file: URL, strength: Float = 100, encoding: Encoding = .sRGB, output: Output = .automatic
  ) throws {
    try self.init(contentsOf: file.filePath, strength: strength, encoding: encoding, output: output)
  }
}

extension PhotoExport {
  /// As `run` with paths.
  public func run(
    _ input: URL, through recipe: Recipe, to output: URL, renderer: any Renderer = CPURenderer(),
    bakes: BakeCache? = nil
  ) async throws -> Report {
    try await run(
      input.filePath, through: recipe, to: output.filePath, renderer: renderer, bakes: bakes)
  }
}

extension Batch {
  /// As `init(_:through:to:)` with paths.
  ///
  /// - Throws: `SafelightError(.invalidValue)` if one is not a file URL.
  public init(_ photos: [URL], through recipe: Recipe, to folder: URL) throws {
    self.init(try photos.map { try $0.filePath }, through: recipe, to: try folder.filePath)
  }
}
