import FrameCore

/// The white balance of a stream of mosaics: the picture is taken to be grey on average (`GreyWorld`), and the
/// balance follows slowly, so that colours do not flicker when something passes by.
///
/// A camera's own gains are no source: drivers apply them before the samples are sent.
struct BayerWhiteBalance {
  /// How much of the way to a frame's own white the balance goes with this frame.
  static let pace = 1.0 / 16
  /// Smaller changes of a component are not followed, since they cannot be seen.
  static let step = 1.0 / 256

  private var followed: SIMD3<Double>?
  /// The sensor's colour of white to show the frame with, its largest component 1; nil if none is known yet.
  private(set) var neutral: SIMD3<Double>?

  /// - Parameter estimate: the frame's white; nil if it is too dark or too bright to tell.
  mutating func frame(_ estimate: SIMD3<Double>?) {
    guard let estimate else { return }
    let next = followed.map { $0 + (estimate - $0) * Self.pace } ?? estimate
    followed = next
    let scaled = next / next.max()
    if let neutral, (0..<3).allSatisfy({ abs(scaled[$0] - neutral[$0]) < Self.step }) { return }
    neutral = scaled
  }

  /// The number of squares of two by two that are looked at along an edge of a picture, at most.
  private static let squares = 48

  /// Returns a picture's white, of squares of two by two all over it.
  ///
  /// - Parameters:
  ///   - light: linear light by sample.
  ///   - rows: memory for two rows of samples.
  static func estimate(
    _ picture: BayerPicture, light: [Float], rows: UnsafeMutableBufferPointer<UInt16>
  ) -> SIMD3<Double>? {
    let (width, height) = (picture.size.width, picture.size.height)
    let pattern = picture.format.pattern
    let first = UnsafeMutableBufferPointer(rebasing: rows[..<width])
    let second = UnsafeMutableBufferPointer(rebasing: rows[width..<2 * width])
    let isRedFirst = pattern == .rggb || pattern == .grbg
    let (redRow, blueRow) = isRedFirst ? (first, second) : (second, first)
    let redColumn = pattern == .rggb || pattern == .gbrg ? 0 : 1
    let (across, down) = (max(1, width / 2 / squares), max(1, height / 2 / squares))
    var world = GreyWorld()
    for y in Swift.stride(from: 0, to: height / 2, by: down) {
      picture.unpack(row: 2 * y, into: first)
      picture.unpack(row: 2 * y + 1, into: second)
      for x in Swift.stride(from: 0, to: width / 2, by: across) {
        let (red, blue) = (2 * x + redColumn, 2 * x + 1 - redColumn)
        let green = (light[Int(redRow[blue])] + light[Int(blueRow[red])]) / 2
        world.add(SIMD3(light[Int(redRow[red])], green, light[Int(blueRow[blue])]))
      }
    }
    return world.neutral
  }
}
