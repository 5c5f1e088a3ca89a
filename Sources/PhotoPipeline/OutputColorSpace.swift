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

  /// Returns the colour space for a photo tagged `original`.
  public func space(original: ColorTags) throws -> ColorSpace {
    switch self {
    case .keep: original.isWorkingSpace ? .sRGB : try ColorSpace(tags: original)
    case .sRGB: .sRGB
    case .displayP3: .displayP3
    case .adobeRGB: .adobeRGB
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
  var isWorkingSpace: Bool { self == .linearRec2020 }
}
