import FrameCore
import PixelKernels

/// Develops a stream of mosaics to pictures in sRGB, at full size: colours are interpolated where the sensor has none,
/// balanced for white (`BayerWhiteBalance`) and encoded (`BayerCurves`).
///
/// Each stream has its own, used by one thread at a time. Nothing is allocated after the first frame.
final class BayerDeveloper {
  let size: PixelSize
  let format: BayerFormat
  let transfer: ColorTags.Transfer
  private let interpolation: BayerInterpolation
  private let light: [Float]
  private var whiteBalance = BayerWhiteBalance()
  private var tables: [UInt8]
  /// The white that `tables` are for.
  private var shown: SIMD3<Double>?
  /// Two rows for the estimate of white.
  private let rows: UnsafeMutableBufferPointer<UInt16>

  /// - Parameter transfer: as `BayerMosaic.transfer`.
  init(size: PixelSize, format: BayerFormat, transfer: ColorTags.Transfer) {
    (self.size, self.format, self.transfer) = (size, format, transfer)
    interpolation = BayerInterpolation(size: size, format: format)
    light = BayerCurves.light(of: format, transfer)
    tables = [UInt8](repeating: 0, count: 3 * light.count)
    rows = .allocate(capacity: 2 * size.width)
    BayerCurves.fill(&tables, light: light, gains: BayerCurves.gains(nil))
  }

  deinit { rows.deallocate() }

  /// Develops a picture into `target`, an `rgba8` buffer of its size.
  ///
  /// - Returns: the sensor's colour of white that it is shown with; nil if none is known yet.
  func develop(_ picture: BayerPicture, into target: PixelBuffer) -> SIMD3<Double>? {
    whiteBalance.frame(BayerWhiteBalance.estimate(picture, light: light, rows: rows))
    if whiteBalance.neutral != shown {
      shown = whiteBalance.neutral
      BayerCurves.fill(&tables, light: light, gains: BayerCurves.gains(shown))
    }
    let (count, plane) = (light.count, target.planes[0])
    tables.withUnsafeBufferPointer { tables in
      withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: 3) { channels in
        for channel in 0..<3 { channels[channel] = tables.baseAddress.map { $0 + channel * count } }
        interpolation.forEachRow(of: picture) { y, row in
          sl_bayer_store8(
            row.red, row.green, row.blue, channels.baseAddress, size.width,
            plane.row(y).assumingMemoryBound(to: UInt8.self))
        }
      }
    }
    return shown
  }
}

extension BayerMosaic {
  /// Develops the mosaic at full size and 16 bits, as the live picture of the same frame but for its depth:
  /// interpolated by Hamilton and Adams's method, with the white balance of `neutral` (none if that is nil), on the
  /// assumption that the sensor's colours are sRGB's primaries and that its black level is 0. No driver tells what
  /// they are; colours are less saturated than they were, and shifted, as with every sensor that is not calibrated.
  ///
  /// - Returns: opaque `rgba16` in sRGB, in the orientation of the sensor; 8 bytes a pixel.
  /// - Throws: `SafelightError(.noMemory)`.
  public func developed() throws -> PixelBuffer {
    let buffer = try PixelBuffer(size: size, format: .rgba16, tags: .sRGB, alpha: .opaque)
    let light = BayerCurves.light(of: format, transfer)
    let tables = BayerCurves.tables16(light: light, gains: BayerCurves.gains(neutral))
    let plane = buffer.planes[0]
    try withPicture { picture in
      tables.withUnsafeBufferPointer { tables in
        withUnsafeTemporaryAllocation(of: UnsafePointer<UInt16>?.self, capacity: 3) { channels in
          for channel in 0..<3 { channels[channel] = tables.baseAddress.map { $0 + channel * light.count } }
          BayerInterpolation(size: size, format: format).forEachRow(of: picture) { y, row in
            sl_bayer_store16(
              row.red, row.green, row.blue, channels.baseAddress, size.width,
              plane.row(y).assumingMemoryBound(to: UInt16.self))
          }
        }
      }
    }
    return buffer
  }
}
