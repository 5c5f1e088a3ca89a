import ColorScience
import FilterGraph
import FrameCore

/// The colour space that an edited photo is written in.
public enum OutputColorSpace: String, Sendable, Hashable, CaseIterable {
  /// The original's space and profile. A camera raw is developed into linear light, which no program expects in a
  /// photo and 8 bits cannot hold, so it becomes sRGB.
  case keep
  case sRGB = "srgb"
  case displayP3 = "display-p3"
  case adobeRGB = "adobe-rgb"
  case rec2020
  case proPhoto = "prophoto"

  /// Whether the space is so wide that 8 bits leave steps that may be seen.
  public var isWide: Bool {
    switch self {
    case .rec2020, .proPhoto: true
    case .keep, .sRGB, .displayP3, .adobeRGB: false
    }
  }

  /// Returns the colour space for a photo tagged `original`.
  public func space(original: ColorTags) throws -> ColorSpace {
    switch self {
    case .keep: original.isWorkingSpace ? .sRGB : try ColorSpace(tags: original)
    case .sRGB: .sRGB
    case .displayP3: .displayP3
    case .adobeRGB: .adobeRGB
    case .rec2020: .rec2020
    case .proPhoto: .proPhoto
    }
  }

  /// Returns the space and the tags that declare it in a file: the original's own, or a profile made for the
  /// space.
  func resolve(original: ColorTags) throws -> (space: ColorSpace, tags: ColorTags) {
    let space = try space(original: original)
    return (space, self == .keep && !original.isWorkingSpace ? original : .icc(try space.iccProfile().bytes))
  }
}

extension ColorTags {
  /// Whether the samples are in the engine's working space, like those of camera raws; photos are not stored in
  /// it.
  var isWorkingSpace: Bool { scene != nil || self == .linearRec2020 }
}
