/// A sensor's mosaic in memory that belongs to somebody else, such as a driver.
///
/// It refers to its memory and does not keep it alive: use it only while that is valid.
public struct BayerPicture {
  public let size: PixelSize
  public let format: BayerFormat
  /// The bytes from one row to the next.
  public let rowBytes: Int
  private let bytes: UnsafeRawBufferPointer

  /// - Parameters:
  ///   - bytes: the rows from top to bottom; the padding of the last one may be missing.
  ///   - rowBytes: nil means without padding.
  /// - Throws: `SafelightError`: `.invalidValue` for less than two by two pixels, rows that are too short for
  ///   the size or fewer than it has; `.tooLarge` beyond `PixelBuffer`'s limits.
  public init(
    _ bytes: UnsafeRawBufferPointer, size: PixelSize, format: BayerFormat, rowBytes: Int? = nil
  ) throws {
    try PixelBuffer.validate(size)
    guard size.width >= 2, size.height >= 2 else {
      throw SafelightError(
        .invalidValue, "A mosaic of \(size) pixels does not have all colours",
        remedy: "capture at least 2×2 pixels")
    }
    let unpadded = format.rowBytes(width: size.width)
    let rowBytes = rowBytes ?? unpadded
    guard rowBytes >= unpadded, rowBytes <= Int(Int32.max) else {
      throw SafelightError(
        .invalidValue,
        "Rows of \(rowBytes) bytes do not hold \(size.width) pixels of \(format.packing.rawValue), which take \(unpadded)",
        remedy: "check the size and the format of the frame")
    }
    let needed = (size.height - 1) * rowBytes + unpadded
    guard bytes.count >= needed else {
      throw SafelightError(
        .invalidValue, "A mosaic of \(size) takes \(needed) bytes, and the frame has only \(bytes.count)",
        remedy: "take the photo again")
    }
    (self.bytes, self.size, self.format, self.rowBytes) = (bytes, size, format, rowBytes)
  }

  /// Unpacks a row into 16-bit samples, from 0 to the format's maximum.
  ///
  /// - Parameter samples: room for the width of the picture.
  public func unpack(row y: Int, into samples: UnsafeMutableBufferPointer<UInt16>) {
    precondition(y >= 0 && y < size.height && samples.count >= size.width, "a row outside of the mosaic")
    let start = y * rowBytes
    let row = UnsafeRawBufferPointer(rebasing: bytes[start..<start + format.rowBytes(width: size.width)])
    let width = size.width
    switch format.packing {
    case .bits8: for x in 0..<width { samples[x] = UInt16(row[x]) }
    case .bits10, .bits12, .bits14, .bits16:
      // Bits that a driver should have cleared are no part of the sample.
      let mask = UInt16(truncatingIfNeeded: format.maximum)
      for x in 0..<width {
        samples[x] = UInt16(littleEndian: row.loadUnaligned(fromByteOffset: 2 * x, as: UInt16.self)) & mask
      }
    case .bits10Packed: Self.unpackFours(row, width, lowBits: 2, samples)
    case .bits12Packed:
      for pair in 0..<width / 2 {
        let low = row[3 * pair + 2]
        samples[2 * pair] = UInt16(row[3 * pair]) << 4 | UInt16(low & 0xF)
        samples[2 * pair + 1] = UInt16(row[3 * pair + 1]) << 4 | UInt16(low >> 4)
      }
      // The last sample of an odd width shares its group with none.
      if width % 2 == 1 {
        samples[width - 1] = UInt16(row[row.count - 3]) << 4 | UInt16(row[row.count - 1] & 0xF)
      }
    case .bits14Packed: Self.unpackFours(row, width, lowBits: 6, samples)
    }
  }

  /// Unpacks groups of four upper bytes followed by the lower bits of all four samples.
  @inline(__always)
  private static func unpackFours(
    _ row: UnsafeRawBufferPointer, _ width: Int, lowBits: Int, _ samples: UnsafeMutableBufferPointer<UInt16>
  ) {
    let lowBytes = lowBits / 2
    let mask = UInt32(1) << UInt32(lowBits) - 1
    var place = 0
    for first in stride(from: 0, to: width, by: 4) {
      var low: UInt32 = 0
      for byte in 0..<lowBytes { low |= UInt32(row[place + 4 + byte]) << UInt32(8 * byte) }
      for index in 0..<min(4, width - first) {
        let high = UInt32(row[place + index]) << UInt32(lowBits)
        samples[first + index] = UInt16(truncatingIfNeeded: high | low & mask)
        low >>= UInt32(lowBits)
      }
      place += 4 + lowBytes
    }
  }
}
