import FrameCore

/// Cuts rows off the bottom of a JPEG without touching its coded data.
///
/// The data are those of whole rows of blocks: a picture may end anywhere within the last of them, and the
/// header alone says where (ITU-T T.81, annexes A.2.3 and B.2.2).
struct JPEGCrop {
  let size: PixelSize
  /// The height of a row of blocks of all components, in pixels.
  private let blockRows: Int
  /// Where the height is in the JPEG.
  private let heightPlace: Int

  /// - Throws: `SafelightError(.corruptData)` if the header of the frame is missing or damaged.
  init(_ picture: [UInt8]) throws {
    let frame = picture.withUnsafeBytes { bytes in
      // All kinds of frames; C4, C8 and CC are other segments.
      (try? JPEGSegments(bytes))?.segments.first {
        (0xC0...0xCF).contains($0.marker) && ![0xC4, 0xC8, 0xCC].contains($0.marker)
      }
    }
    guard let payload = frame?.payload, payload.count >= 6,
      payload.count >= 6 + 3 * Int(picture[payload.lowerBound + 5])
    else {
      throw SafelightError(
        .corruptData, "The camera's frame is damaged: it has no frame header", remedy: "take the photo again")
    }
    let start = payload.lowerBound
    func number(_ place: Int) -> Int { Int(picture[start + place]) << 8 | Int(picture[start + place + 1]) }
    size = PixelSize(width: number(3), height: number(1))
    let components = Int(picture[start + 5])
    let steps = (0..<components).map { Int(picture[start + 7 + 3 * $0] & 0xF) }
    // A single component is not interleaved: its blocks come one after the other, whatever its sampling.
    blockRows = 8 * (components == 1 ? 1 : max(1, steps.max() ?? 1))
    heightPlace = start + 1
  }

  /// Makes the picture end before rows that complete its last row of blocks.
  ///
  /// - Returns: false if these are not all that distinguishes it from `expected`.
  func end(before expected: PixelSize, in picture: inout [UInt8]) -> Bool {
    guard size.width == expected.width, size.height > expected.height, expected.height > 0,
      (size.height - 1) / blockRows == (expected.height - 1) / blockRows
    else { return false }
    picture.replaceSubrange(heightPlace..<heightPlace + 2, with: BigEndian.bytes(expected.height, 2))
    return true
  }
}
