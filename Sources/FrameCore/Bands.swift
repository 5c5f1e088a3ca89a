/// Divides a picture into bands of rows that are processed one after another.
package enum Bands {
  /// The height of a band of about half a megapixel: enough work for all cores, little memory.
  package static func rows(of size: PixelSize) -> Int {
    min(size.height, max(64, 524_288 / size.width / 64 * 64))
  }

  /// The bands of a picture, from top to bottom.
  package static func of(_ size: PixelSize) -> [Range<Int>] {
    let height = rows(of: size)
    return stride(from: 0, to: size.height, by: height).map { $0..<min($0 + height, size.height) }
  }
}
