import FrameCore

/// Mixes two pictures of luma and colour differences, sample by sample.
enum PictureFade {
  /// Returns a new picture.
  ///
  /// - Parameters:
  ///   - first, second: 8-bit pictures of one size and format.
  ///   - share: how much of `second` there is, 0…256.
  /// - Throws: `SafelightError` if they differ in form, or memory is short.
  static func mix(_ first: PixelBuffer, _ second: PixelBuffer, share: Int) throws -> PixelBuffer {
    guard first.size == second.size, first.format == second.format, first.format.bitsPerSample == 8 else {
      throw SafelightError(
        .invalidValue,
        "A picture of \(first.size) in \(first.format.rawValue) cannot fade into one of \(second.size) in "
          + second.format.rawValue, remedy: "render both in one form")
    }
    let share = UInt16(max(0, min(256, share)))
    let result = try PixelBuffer(size: first.size, format: first.format, tags: first.tags)
    withExtendedLifetime((first, second, result)) {
      for plane in first.planes.indices {
        for y in 0..<first.planes[plane].rows {
          mix(
            first.row(y, of: plane, as: UInt8.self), second.row(y, of: plane, as: UInt8.self),
            into: result.row(y, of: plane, as: UInt8.self), share)
        }
      }
    }
    return result
  }

  private static func mix(
    _ first: UnsafeMutableBufferPointer<UInt8>, _ second: UnsafeMutableBufferPointer<UInt8>,
    into result: UnsafeMutableBufferPointer<UInt8>, _ share: UInt16
  ) {
    // 255 times 256 fits into 16 bits, with the half that rounds.
    let rest = 256 &- share
    for x in 0..<min(first.count, second.count, result.count) {
      let sum = UInt16(first[x]) &* rest &+ UInt16(second[x]) &* share &+ 128
      result[x] = UInt8(truncatingIfNeeded: sum &>> 8)
    }
  }
}
