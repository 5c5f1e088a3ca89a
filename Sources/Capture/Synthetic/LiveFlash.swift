import FrameCore

/// A lamp in the upper right corner of live frames, by which the time of a frame can be told from its
/// picture: white while it flashes, otherwise black. The light of the scene does not change it.
struct LiveFlash {
  /// The part of the picture that the lamp covers: a quarter of the width, from an even column, and a fifth
  /// of the height, each rounded up.
  static func area(_ size: PixelSize) -> (columns: Range<Int>, rows: Range<Int>) {
    ((3 * size.width / 4) & ~1..<size.width, 0..<(size.height + 4) / 5)
  }

  private let columns: Range<Int>
  private let rows: Range<Int>

  init(size: PixelSize) { (columns, rows) = Self.area(size) }

  /// Paints over row `y`, in limited range.
  func paint(
    row y: Int, luma: UnsafeMutablePointer<UInt8>, chroma: UnsafeMutablePointer<UInt8>, isLit: Bool
  ) {
    guard rows.contains(y) else { return }
    for x in columns {
      luma[x] = isLit ? 235 : 16
      chroma[x] = 128
    }
  }
}
