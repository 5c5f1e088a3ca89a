import CLittleCMS
import FrameCore

/// Converts rows of pixels from any ICC profile to an RGB colour space, as 16-bit R, G, B, A.
///
/// For pictures whose profile is not a matrix with curves: tables, grey, CMYK. Perceptual intent with black point
/// compensation. Several threads may use one transform at the same time.
public final class ICCTransform: Sendable {
  /// The memory layout of the source's samples, interleaved; 16-bit samples are in the machine's byte order.
  public enum SourceLayout: String, Hashable, Sendable, CaseIterable {
    case rgba8, rgba16, gray8, gray16
    /// 255 is full ink.
    case cmyk8
    /// 0 is full ink, as in Adobe's JPEG files.
    case cmyk8Inverted

    public var bytesPerPixel: Int {
      switch self {
      case .gray8: 1
      case .gray16: 2
      case .rgba8, .cmyk8, .cmyk8Inverted: 4
      case .rgba16: 8
      }
    }

    public var hasAlpha: Bool { self == .rgba8 || self == .rgba16 }

    /// The colour model required of a profile for this layout.
    public var colorModel: ICCProfile.ColorModel {
      switch self {
      case .rgba8, .rgba16: .rgb
      case .gray8, .gray16: .gray
      case .cmyk8, .cmyk8Inverted: .cmyk
      }
    }

    fileprivate var layout: UInt32 {
      switch self {
      case .rgba8: CLittleCMSLayoutRGBA8
      case .rgba16: CLittleCMSLayoutRGBA16
      case .gray8: CLittleCMSLayoutGray8
      case .gray16: CLittleCMSLayoutGray16
      case .cmyk8: CLittleCMSLayoutCMYK8
      case .cmyk8Inverted: CLittleCMSLayoutCMYK8Inverted
      }
    }
  }

  public let sourceLayout: SourceLayout
  /// The space of the converted samples.
  public let destination: ColorSpace

  private let context: LittleCMSContext
  /// Immutable once created, and created with cmsFLAGS_NOCACHE: LittleCMS's condition for sharing.
  nonisolated(unsafe) private let transform: cmsHTRANSFORM

  /// - Throws: `SafelightError`: `corruptData` if the profile is damaged or lacks the tags for a conversion,
  ///   `invalidValue` if its colour model does not match the layout.
  public init(from source: ICCProfileData, sourceLayout: SourceLayout, to destination: ColorSpace) throws {
    let profile = try ICCProfile.parse(source)
    guard profile.colorModel == sourceLayout.colorModel else {
      throw SafelightError(
        .invalidValue,
        "The ICC profile \"\(profile.description)\" is for \(profile.colorModel.rawValue), but the picture is "
          + sourceLayout.colorModel.rawValue, remedy: "strip or replace the picture's profile")
    }
    let context = try LittleCMSContext()
    let destinationData = try destination.iccProfile()
    let transform = try context.withProfile(source) { sourceProfile in
      try context.withProfile(destinationData) { destinationProfile in
        cmsCreateTransformTHR(
          context.raw, sourceProfile, sourceLayout.layout, destinationProfile, CLittleCMSLayoutRGBA16,
          UInt32(INTENT_PERCEPTUAL),
          CLittleCMSPhotoFlags | (sourceLayout.hasAlpha ? UInt32(cmsFLAGS_COPY_ALPHA) : 0))
      }
    }
    guard let transform else {
      throw SafelightError(
        .corruptData,
        "The ICC profile \"\(profile.description)\" cannot be converted from\(context.lastMessage)",
        remedy: "strip or replace the picture's profile")
    }
    self.sourceLayout = sourceLayout
    self.destination = destination
    self.context = context
    self.transform = transform
  }

  deinit { cmsDeleteTransform(transform) }

  /// Converts `rows` rows of `width` pixels to 16-bit R, G, B, A; alpha is copied, or set to full if the source
  /// has none.
  ///
  /// - Parameters:
  ///   - source: the first row; `width` × `sourceLayout.bytesPerPixel` bytes of each row are read.
  ///   - sourceRowBytes: the distance between rows of the source.
  ///   - destination: the first row, aligned to 2 bytes; `width` × 8 bytes of each row are written. Must not overlap
  ///     the source.
  ///   - destinationRowBytes: the distance between rows of the destination.
  public func convert(
    rows: Int, width: Int, from source: UnsafeRawPointer, sourceRowBytes: Int,
    to destination: UnsafeMutableRawPointer, destinationRowBytes: Int
  ) {
    guard rows > 0, let pixels = UInt32(exactly: width), pixels > 0 else { return }
    for row in 0..<rows {
      let output = destination + row * destinationRowBytes
      cmsDoTransform(transform, source + row * sourceRowBytes, output, pixels)
      if sourceLayout.hasAlpha { continue }
      // LittleCMS leaves the fourth channel untouched.
      for pixel in 0..<width { output.storeBytes(of: .max, toByteOffset: pixel * 8 + 6, as: UInt16.self) }
    }
  }
}
