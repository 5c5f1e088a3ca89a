import ArgumentParser
import Safelight

/// Sizes of pictures as flags take them: `1920x1080`.
enum SizeText {
  static func parse(_ text: String) throws -> PixelSize {
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 else {
      throw ValidationError("two positive whole numbers are needed; write it like 1920x1080.")
    }
    let size = PixelSize(width: width, height: height)
    try PixelBuffer.validate(size)
    return size
  }
}
