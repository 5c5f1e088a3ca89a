import CLibRaw
import FrameCore

/// The memory that decoders use, apart from the rows they deliver and the file itself, in bytes, rounded up.
///
/// Most formats deliver no row before the whole picture is decoded. Bytes per pixel were measured as the peak
/// memory of a 12-megapixel edit that keeps no decoded row, minus that of the program and the file, with libvips
/// 8.14, libheif 1.15, libde265 1.0, libaom 3.6, libjxl 0.7, libwebp 1.2 and LibRaw 0.20.
enum DecodingMemory {
  /// libvips itself, with the format's libraries and its threads' lines.
  private static let libvips = 28 << 20

  /// - Parameters:
  ///   - bands: channels, including alpha.
  ///   - sampleBytes: the size of a sample as libvips delivers it.
  ///   - isInterlaced: whether a PNG is interlaced.
  static func libvips(
    _ signature: FileSignature, size: PixelSize, bands: Int, sampleBytes: Int, isInterlaced: Bool
  ) -> Int {
    let stored = bands * sampleBytes
    let isDeep = sampleBytes > 1
    let bytesPerPixel: Int
    switch signature {
    case .photo(.png): bytesPerPixel = isInterlaced ? stored : 0
    // A file may be a single strip.
    case .photo(.tiff): bytesPerPixel = stored
    // Measured: 8.4; with alpha 9.5.
    case .photo(.webp): bytesPerPixel = 10
    // Measured for 4:2:0: 7, and 15 with 10 bits; 4:4:4 takes half as much again. Alpha is a separate picture.
    case .photo(.heic): bytesPerPixel = (isDeep ? 22 : 11) + (bands > 3 ? 4 * sampleBytes : 0)
    // Measured for 4:4:4: 14, and 27 with 10 bits.
    case .photo(.avif): bytesPerPixel = (isDeep ? 30 : 15) + (bands > 3 ? 4 * sampleBytes : 0)
    // Measured: 6.5, and 23 with 16 bits, which libjxl processes as floating point.
    case .photo(.jxl): bytesPerPixel = (isDeep ? 24 : 8) + (bands > 3 ? 4 * sampleBytes : 0)
    // Measured: 5.3 and 4.9.
    case .readOnly(.gif), .readOnly(.jpeg2000): bytesPerPixel = 6 * sampleBytes
    default: bytesPerPixel = stored
    }
    return libvips + bytesPerPixel * size.pixelCount
  }

  /// LibRaw holds the sensor's data (two bytes per pixel for a mosaic, up to eight for other sensors), the
  /// developed picture (eight bytes per pixel), and a tile for each interpolating thread: 26 · 512² bytes for AHD
  /// and 94 · 512² for X-Trans (`LIBRAW_AHD_TILE`, `xtrans_interpolate`), of which this counts one. For a
  /// 12-megapixel mosaic, 109 MB were measured; this gives 127.
  static func libRaw(_ info: clibraw_info) -> Int {
    let sensor = (info.has_mosaic ? 2 : 8) * Int(info.raw_width) * Int(info.raw_height)
    let tile = (info.is_x_trans ? 94 : 26) * 512 * 512
    return sensor + 8 * Int(info.width) * Int(info.height) + tile
  }
}
