import ArgumentParser
import Safelight

/// The prefix of the flags of `ResultOptions`.
protocol ResultFlagNames: Sendable {
  static var prefix: String { get }
  /// Whether results may be a sensor's own samples.
  static var allowsDNG: Bool { get }
}

extension ResultFlagNames {
  static var allowsDNG: Bool { false }
}

/// For photos of a camera.
enum CaptureResultFlags: ResultFlagNames {
  static let prefix = ""
  static let allowsDNG = true
}

/// For commands whose purpose is writing the files.
enum PlainResultFlags: ResultFlagNames {
  static let prefix = ""
}

/// For the stills of a live run, beside the flags of its movies and streams.
enum StillFlags: ResultFlagNames {
  static let prefix = "still-"
}

/// `--format`.
enum ResultFormat: String, ExpressibleByArgument, CaseIterable {
  case keep, jpeg, png, tiff, webp, heic, avif, jxl
  /// A sensor's own samples, where `ResultFlagNames.allowsDNG`.
  case dng

  static let allValueStrings = allCases.filter { $0 != .dng }.map(\.rawValue)

  /// Accepts names and file extensions in any case: `JPG`, `tif`.
  init?(argument: String) {
    let word = argument.lowercased()
    self.init(rawValue: PhotoFileFormat(pathExtension: word)?.rawValue ?? word)
  }

  /// nil keeps the format of each photo, or follows the file name.
  var fileFormat: PhotoFileFormat? { PhotoFileFormat(rawValue: rawValue) }
}

extension MetadataPolicy: ExpressibleByArgument {
  public init?(argument: String) { self.init(name: argument) }
}
extension OutputColorSpace: ExpressibleByArgument {
  /// In any case; `p3` is Display P3, `prophoto-rgb` ProPhoto RGB.
  public init?(argument: String) {
    let word = argument.lowercased()
    self.init(rawValue: ["p3": "display-p3", "prophoto-rgb": "prophoto", "bt2020": "rec2020"][word] ?? word)
  }
}

/// The options for how pictures are written, defined once for all commands that write photos.
struct ResultOptions<Names: ResultFlagNames>: ParsableArguments {
  @Option(
    name: Self.name("format"),
    help: ArgumentHelp(
      "Format of the results" + (Names.allowsDNG ? "; dng keeps the samples of a camera's sensor" : ""),
      valueName: "format"))
  var format: ResultFormat = .keep

  @Option(
    name: Self.name("quality"),
    help: ArgumentHelp(
      "Quality of JPEG, WebP, HEIC, AVIF and JPEG XL (1…100; 100 is lossless in WebP and JPEG XL)",
      valueName: "number"))
  var quality: Int = 92

  @Option(
    name: Self.name("max-bytes"),
    help: ArgumentHelp(
      "Lower the quality if a file would be larger than this, such as 2MB", valueName: "size"),
    transform: BatchOptionText.bytes)
  var maxBytes: Int?

  @Option(
    name: Self.name("max-size"), parsing: .unconditional,
    help: ArgumentHelp(
      "Shrink larger results to a long edge or to fit into a box; never enlarges",
      valueName: "EDGE|WxH"), transform: SizeText.box)
  var maxSize: PixelSize?

  @Option(
    name: Self.name("metadata"),
    help: ArgumentHelp(
      "What to keep of EXIF, XMP and IPTC; strip-location (formerly strip-gps) removes coordinates and place names",
      valueName: "policy"))
  var metadata: MetadataPolicy = .keep

  @Option(
    name: Self.name("copyright"),
    help: ArgumentHelp("Copyright notice to write into the results", valueName: "text"))
  var copyright: String?

  @Option(
    name: Self.name("color-space"),
    help: ArgumentHelp("Colour space of the results; keep gives camera raws sRGB", valueName: "space"))
  var colorSpace: OutputColorSpace = .keep

  private static func name(_ name: String) -> NameSpecification { .customLong(Names.prefix + name) }

  mutating func validate() throws {
    guard format != .dng || Names.allowsDNG else {
      throw ValidationError(
        "A DNG holds the samples of a camera's sensor, which an edited picture is not; choose another --\(Names.prefix)format, such as tiff."
      )
    }
    guard (1...100).contains(quality) else {
      throw ValidationError(
        "\(Names.prefix)quality is \(quality), outside its range; give a value in 1…100.")
    }
  }

  /// How files are written.
  var export: PhotoExport {
    var export = PhotoExport()
    export.format = format.fileFormat
    export.quality = quality
    export.maximumBytes = maxBytes
    export.maximumSize = maxSize
    export.metadata = metadata
    export.copyright = copyright
    export.colorSpace = colorSpace
    return export
  }

  /// The flags whose value is not the default.
  var givenNames: [String] {
    [
      ("format", format != .keep), ("quality", quality != 92), ("max-bytes", maxBytes != nil),
      ("max-size", maxSize != nil), ("metadata", metadata != .keep), ("copyright", copyright != nil),
      ("color-space", colorSpace != .keep),
    ].filter(\.1).map { "--" + Names.prefix + $0.0 }
  }

  /// Rejects a file name without a known format if no flag names one, and a flag that contradicts the name.
  func checkFormat(of path: String) throws {
    guard let format = format.fileFormat else {
      let name = path.fileName
      let hasExtension = name.dropFirst().dropLast().contains(".")
      guard hasExtension || path.isEmpty || path.hasSuffix("/") || FileContents.kind(of: path) == .folder
      else {
        throw ValidationError(
          "The name \(path) has no extension that names a format; add one, such as .jpg, or give --\(Names.prefix)format."
        )
      }
      return
    }
    guard let named = try? PhotoFileFormat(forWritingTo: path), named != format else { return }
    throw ValidationError(
      "--\(Names.prefix)format asks for \(format.name), but \(path) is the name of a \(named.name) file; leave the flag out, or give a name with .\(format.pathExtensions.first ?? format.rawValue)."
    )
  }
}
