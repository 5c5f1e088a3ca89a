import Safelight

/// The colours that a page can show: those of its screen, as far as its browser's canvas holds them.
enum StudioScreen: String, Sendable, Hashable, CaseIterable {
  case sRGB = "srgb"
  case displayP3 = "display-p3"

  var space: ColorSpace {
    switch self {
    case .sRGB: .sRGB
    case .displayP3: .displayP3
    }
  }

  /// What pictures say of their space. Browsers take those without a profile for sRGB.
  var profile: ICCProfileData? {
    get throws {
      switch self {
      case .sRGB: nil
      case .displayP3: try Self.displayP3Profile.get()
      }
    }
  }

  /// Made once: each picture has it.
  private static let displayP3Profile = Result { try ColorSpace.displayP3.iccProfile() }
}
