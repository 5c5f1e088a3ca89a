import FilterGraph
import FrameCore
import PhotoIO
import PhotoPipeline

/// How the files of a deferred photo are written, as in its manifest.
struct StoredExport: Sendable, Hashable, Codable {
  var quality: Int
  var maximumBytes: Int?
  var format: String
  var maximumSize: PixelSize?
  var colorSpace: String
  var interpolation: String
  var metadata: MetadataPolicy
  var copyright: String?

  init(_ export: PhotoExport) {
    (quality, maximumBytes, maximumSize) = (export.quality, export.maximumBytes, export.maximumSize)
    format = (export.format ?? .jpeg).rawValue
    (colorSpace, interpolation) = (export.colorSpace.rawValue, export.interpolation.rawValue)
    (metadata, copyright) = (export.metadata, export.copyright)
  }

  var pathExtension: String { PhotoFileFormat(rawValue: format)?.pathExtensions.first ?? format }

  /// Nil if files cannot be written like this.
  var export: PhotoExport? {
    guard (1...100).contains(quality), maximumBytes ?? 1 > 0,
      maximumSize.map({ $0.width > 0 && $0.height > 0 }) ?? true,
      let format = PhotoFileFormat(rawValue: format), let colorSpace = OutputColorSpace(rawValue: colorSpace),
      let interpolation = Interpolation(rawValue: interpolation)
    else { return nil }
    var export = PhotoExport()
    (export.quality, export.maximumBytes, export.maximumSize) = (quality, maximumBytes, maximumSize)
    (export.format, export.colorSpace, export.interpolation) = (format, colorSpace, interpolation)
    (export.metadata, export.copyright) = (metadata, copyright)
    return export
  }
}
