import ArgumentParser
import Safelight

/// The options that say how results are written.
struct ResultOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Format of the results (keep|jpeg|png|tiff|webp|heic|avif|jxl)", valueName: "format"))
  var format: BatchFormat = .keep

  @Option(
    help: ArgumentHelp(
      "Quality of JPEG, WebP, HEIC, AVIF and JPEG XL (1…100; 100 is lossless in WebP and JPEG XL)",
      valueName: "number"))
  var quality: Int = 92

  @Option(
    help: ArgumentHelp(
      "Lower the quality where files would be larger, such as 2MB", valueName: "size"),
    transform: BatchOptionText.bytes)
  var maxBytes: Int?

  @Option(
    help: ArgumentHelp("What is kept of EXIF, XMP and IPTC (keep|strip-gps|strip)", valueName: "policy"))
  var metadata: MetadataPolicy = .keep

  @Option(help: ArgumentHelp("Write whose the photos are into them", valueName: "text"))
  var copyright: String?

  @Option(
    help: ArgumentHelp("Colour space of the results; keep makes camera raws sRGB", valueName: "space"))
  var colorSpace: OutputColorSpace = .keep

  @OptionGroup
  var sampling: InterpolationOption

  mutating func validate() throws {
    guard (1...100).contains(quality) else {
      throw ValidationError("quality is \(quality), outside its range; give a value in 1…100.")
    }
  }

  var export: PhotoExport {
    var export = PhotoExport()
    export.quality = quality
    export.colorSpace = colorSpace
    export.interpolation = sampling.interpolation
    export.maximumBytes = maxBytes
    export.metadata = metadata
    export.copyright = copyright
    return export
  }

  /// All that decides the files beside the recipe, for fingerprints.
  var texts: [String] {
    [
      format.rawValue, "\(quality)", "\(maxBytes ?? 0)", colorSpace.rawValue, metadata.rawValue,
      copyright ?? "", sampling.interpolation.rawValue,
    ]
  }
}
