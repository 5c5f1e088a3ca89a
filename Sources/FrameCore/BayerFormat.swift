/// The layout of a sensor's mosaic in memory, as V4L2's raw Bayer formats have it.
///
/// | packing | V4L2, for rggb · grbg · gbrg · bggr |
/// |---|---|
/// | `bits8` | `RGGB` `GRBG` `GBRG` `BA81` |
/// | `bits10` | `RG10` `BA10` `GB10` `BG10` |
/// | `bits10Packed` | `pRAA` `pgAA` `pGAA` `pBAA` |
/// | `bits12` | `RG12` `BA12` `GB12` `BG12` |
/// | `bits12Packed` | `pRCC` `pgCC` `pGCC` `pBCC` |
/// | `bits14` | `RG14` `GR14` `GB14` `BG14` |
/// | `bits14Packed` | `pREE` `pgEE` `pGEE` `pBEE` |
/// | `bits16` | `RG16` `GR16` `GB16` `BYR2` |
///
/// Sources: linux/videodev2.h; Linux kernel, Documentation/userspace-api/media/v4l, pixfmt-srggb8, -10, -10p,
/// -12, -12p, -14, -14p and -16.
public struct BayerFormat: Sendable, Hashable, Codable {
  /// The colours of the two first pixels of the two first rows.
  public enum Pattern: String, Sendable, Hashable, CaseIterable, Codable {
    case rggb, grbg, gbrg, bggr

    /// The colours, row by row: 0 is red, 1 green, 2 blue.
    public var channels: [UInt8] {
      switch self {
      case .rggb: [0, 1, 1, 2]
      case .grbg: [1, 0, 2, 1]
      case .gbrg: [1, 2, 0, 1]
      case .bggr: [2, 1, 1, 0]
      }
    }

    /// Returns the colour of a pixel: 0 is red, 1 green, 2 blue.
    public func channel(x: Int, y: Int) -> Int { Int(channels[2 * (y & 1) + (x & 1)]) }
  }

  /// How samples lie in a row. Unpacked samples of more than 8 bits are 16-bit numbers, least significant
  /// byte first, whose upper bits are 0. Packed ones share bytes: first the upper eight bits of each sample
  /// of a group, then the lower bits of all of them, those of the first sample in the lowest place.
  public enum Packing: String, Sendable, Hashable, CaseIterable, Codable {
    case bits8
    case bits10
    /// Four samples in five bytes.
    case bits10Packed
    case bits12
    /// Two samples in three bytes.
    case bits12Packed
    case bits14
    /// Four samples in seven bytes.
    case bits14Packed
    case bits16

    /// The significant bits of a sample.
    public var bits: Int {
      switch self {
      case .bits8: 8
      case .bits10, .bits10Packed: 10
      case .bits12, .bits12Packed: 12
      case .bits14, .bits14Packed: 14
      case .bits16: 16
      }
    }

    /// The smallest number of samples that fill whole bytes, and these bytes.
    public var group: (samples: Int, bytes: Int) {
      switch self {
      case .bits8: (1, 1)
      case .bits10, .bits12, .bits14, .bits16: (1, 2)
      case .bits10Packed: (4, 5)
      case .bits12Packed: (2, 3)
      case .bits14Packed: (4, 7)
      }
    }
  }

  public var pattern: Pattern
  public var packing: Packing

  public init(_ pattern: Pattern, _ packing: Packing) {
    self.pattern = pattern
    self.packing = packing
  }

  /// The largest value of a sample.
  public var maximum: Int { 1 << packing.bits - 1 }

  /// Returns the bytes of a row without padding; a group of packed samples that the row does not fill counts
  /// whole.
  public func rowBytes(width: Int) -> Int {
    let group = packing.group
    return (width + group.samples - 1) / group.samples * group.bytes
  }
}
