import ColorScience
import FrameCore

/// What becomes of the colours of a photo between its decoder and its buffer.
struct DecodedColor {
  let format: PixelFormat
  let tags: ColorTags
  let warnings: [String]
  private let layout: SampleLayout

  /// Whether rows of four 8-bit samples are stored as they come.
  var isDirect: Bool { layout.samples == .uint8 && layout.model == .rgb && layout.bands == 4 }

  init(_ layout: SampleLayout, profile: [UInt8]?, declaresAdobeRGB: Bool, path: String) throws {
    self.layout = layout
    format = layout.samples == .uint8 ? .rgba8 : .rgba16
    if layout.colorBands == 4 {
      tags = .sRGB
      warnings = ["The picture is CMYK without a colour profile; its colours are approximate"]
    } else {
      let linear = ColorTags(primaries: .bt709, transfer: .linear)
      tags = profile.map(ColorTags.icc) ?? (layout.samples == .float32 ? linear : .sRGB)
      warnings = []
    }
  }

  func convert(_ row: UnsafeRawPointer, to rgba: UnsafeMutableRawPointer, width: Int, hasAlpha: Bool) {
    if layout.colorBands == 4 {
      layout.expandPlainCMYK(
        row.assumingMemoryBound(to: UInt8.self), to: rgba.assumingMemoryBound(to: UInt8.self), width: width)
    } else {
      layout.expand(row, to: rgba, width: width, hasAlpha: hasAlpha)
    }
  }

  static func embeddableProfile(for tags: ColorTags, path: String) throws -> [UInt8]? {
    tags.iccProfile?.bytes
  }
}
