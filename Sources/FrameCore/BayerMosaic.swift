/// A frame as a camera's sensor has it: the samples of its mosaic, in memory that is kept as long as this value.
public struct BayerMosaic: Sendable {
  /// The samples, row by row in `format`.
  public let samples: EncodedPicture
  public let size: PixelSize
  public let format: BayerFormat
  /// The bytes from one row to the next.
  public let rowBytes: Int
  /// What the samples count: `.linear`, light; `.sRGB`, light encoded as in sRGB. As the driver states it; any
  /// other curve is taken for sRGB's.
  public let transfer: ColorTags.Transfer
  /// The sensor's colour of white that the frame was shown with, in linear light, its largest component 1; nil if
  /// none was known.
  public private(set) var neutral: SIMD3<Double>?

  /// - Throws: as `BayerPicture.init`, if `samples` are not such a mosaic.
  package init(
    _ samples: EncodedPicture, size: PixelSize, format: BayerFormat, rowBytes: Int,
    transfer: ColorTags.Transfer, neutral: SIMD3<Double>?
  ) throws {
    _ = try BayerPicture(samples.bytes, size: size, format: format, rowBytes: rowBytes)
    (self.samples, self.size, self.format, self.rowBytes) = (samples, size, format, rowBytes)
    (self.transfer, self.neutral) = (transfer == .linear ? .linear : .sRGB, neutral)
  }

  /// The same mosaic in other memory, which holds its bytes.
  package func moved(to samples: EncodedPicture) throws -> BayerMosaic {
    try BayerMosaic(
      samples, size: size, format: format, rowBytes: rowBytes, transfer: transfer, neutral: neutral)
  }

  /// The same mosaic, to be shown with another colour of white.
  package func balanced(by neutral: SIMD3<Double>?) -> BayerMosaic {
    var mosaic = self
    mosaic.neutral = neutral
    return mosaic
  }

  /// Calls `body` with the samples, which are valid until it returns.
  ///
  /// - Throws: what `body` throws.
  public func withPicture<Value>(_ body: (BayerPicture) throws -> Value) throws -> Value {
    defer { withExtendedLifetime(samples) {} }
    return try body(BayerPicture(samples.bytes, size: size, format: format, rowBytes: rowBytes))
  }
}
