import ArgumentParser
import Safelight

/// Picture sizes as flags take them: `1920x1080`.
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

  /// A box to fit into: `1600x1200`, or one edge for both, `2048`.
  static func box(_ text: String) throws -> PixelSize {
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    let edges = sides.compactMap(\.self)
    guard (1...2).contains(sides.count), edges.count == sides.count,
      edges.allSatisfy((1...65_535).contains)
    else {
      throw ValidationError(
        "a long edge or a box of 1…65535 px is needed; write it like 2048 or 1600x1200.")
    }
    return PixelSize(width: edges[0], height: edges[edges.count - 1])
  }
}
