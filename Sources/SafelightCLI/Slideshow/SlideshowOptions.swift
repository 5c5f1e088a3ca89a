import ArgumentParser
import Safelight

/// `--order`.
enum SlideshowOrder: String, ExpressibleByArgument, CaseIterable {
  /// By their paths, numbers in them by their value.
  case natural
  case given
}

/// `--spatial`: what four channels are.
enum SlideshowSpatial: String, ExpressibleByArgument, CaseIterable {
  case ambix, fuma

  var layout: ChannelLayout {
    switch self {
    case .ambix: .ambiX
    case .fuma: .fuMa
    }
  }
}

/// Parsers for options of `slideshow`.
enum SlideshowOptionText {
  /// `marks`, `silence`, `equal`, or seconds: `3.2,7.9s`.
  static func cuts(_ text: String) throws -> SlideshowCuts {
    switch text.lowercased() {
    case "marks": return .marks
    case "silence", "pauses": return .pauses
    case "equal": return .equal
    default:
      return .times(
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
          let digits = part.hasSuffix("s") ? part.dropLast() : part
          guard let seconds = Double(digits), seconds.isFinite, seconds > 0, seconds <= 31_536_000 else {
            throw ValidationError(
              "“\(part)” is no time; give seconds from the start, like 3.2,7.9, or marks, silence or equal.")
          }
          return seconds
        })
    }
  }

  static func size(_ text: String) throws -> PixelSize {
    let size = try SizeText.parse(text)
    guard size.width.isMultiple(of: 2), size.height.isMultiple(of: 2), size.longEdge <= 16_384 else {
      throw ValidationError("edges of a movie are even, 2…16384; write it like 1920x1080.")
    }
    return size
  }

  static func rate(_ text: String) throws -> Double {
    guard let rate = Double(text), (1...240).contains(rate) else {
      throw ValidationError("frames per second are needed, from 1 to 240; write it like 30 or 29.97.")
    }
    return rate
  }
}
