import CLittleCMS
import FrameCore

/// The information about a picture in an ICC profile.
public struct ICCProfile: Hashable, Sendable {
  /// The meaning of the picture's channels.
  public enum ColorModel: String, Hashable, Sendable {
    case rgb = "RGB"
    case gray = "grey"
    case cmyk = "CMYK"
    case lab = "Lab"
    /// A model that no supported photo format uses.
    case other = "another colour model"
  }

  public let data: ICCProfileData
  public let colorModel: ColorModel
  /// The profile's own description, in English if available; may be empty.
  public let description: String
  /// The space, around D65, of an RGB profile with a matrix and three curves; nil for every other profile. Tables
  /// (A2B tags) take precedence over the matrix, so this is nil for profiles with both.
  public let colorSpace: ColorSpace?

  /// Parses a profile.
  ///
  /// - Throws: `SafelightError`: `corruptData` if the bytes are not a profile; `unsupported` if the profile is for
  ///   device links, effects or named colours, and so does not describe a picture.
  public static func parse(_ data: ICCProfileData) throws -> ICCProfile {
    let context = try LittleCMSContext()
    return try context.withProfile(data) { profile in
      let deviceClass = cmsGetDeviceClass(profile)
      let classes = [cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass]
      let description = Self.description(of: profile)
      guard classes.contains(deviceClass) else {
        throw SafelightError(
          .unsupported,
          "The ICC profile \"\(description)\" is not one for a camera, display, printer or colour space",
          remedy: "strip or replace the picture's profile")
      }
      let colorModel = ColorModel(cmsGetColorSpace(profile))
      let usesTables =
        cmsIsCLUT(profile, UInt32(INTENT_PERCEPTUAL), UInt32(LCMS_USED_AS_INPUT)) != 0
      let matrixProfile =
        colorModel == .rgb && !usesTables ? ICCMatrixProfile(profile, description: description) : nil
      return ICCProfile(
        data: data, colorModel: colorModel, description: description, colorSpace: matrixProfile?.colorSpace)
    }
  }

  private static func description(of profile: cmsHPROFILE) -> String {
    let bytes = cmsGetProfileInfo(profile, cmsInfoDescription, "en", "US", nil, 0)
    guard bytes > 0 else { return "" }
    // LittleCMS stores one UTF-16 unit in each wchar_t.
    var units = [UInt32](repeating: 0, count: Int(bytes) / MemoryLayout<UInt32>.size + 1)
    units.withUnsafeMutableBytes {
      _ = cmsGetProfileInfo(
        profile, cmsInfoDescription, "en", "US", $0.baseAddress?.assumingMemoryBound(to: wchar_t.self),
        bytes)
    }
    let text = units.prefix { $0 != 0 }.map { UInt16(truncatingIfNeeded: $0) }
    return String(decoding: text, as: UTF16.self)
  }
}

extension ICCProfile.ColorModel {
  fileprivate init(_ signature: cmsColorSpaceSignature) {
    switch signature {
    case cmsSigRgbData: self = .rgb
    case cmsSigGrayData: self = .gray
    case cmsSigCmykData: self = .cmyk
    case cmsSigLabData: self = .lab
    default: self = .other
    }
  }
}
