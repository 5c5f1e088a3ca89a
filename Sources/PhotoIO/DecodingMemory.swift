import CLibRaw
import FrameCore

/// What decoders hold while they decode, besides the rows that they deliver and the file itself: bytes, rounded up.
///
/// Most formats deliver no row before the whole picture is decoded. Bytes a pixel were measured as the peak memory of an
/// edit of 12 megapixels that keeps no decoded row, less that of the program and of the file, with libvips 8.14, libheif
/// 1.15, libde265 1.0, libaom 3.6, libjxl 0.7, libwebp 1.2 and LibRaw 0.20.
enum DecodingMemory {
  /// libvips itself, with the libraries of a format and the lines that its threads have at work.
  private static let libvips = 28 << 20

  /// - Parameters:
  ///   - bands: channels, alpha among them.
  ///   - sampleBytes: of one sample as libvips delivers it.
  ///   - isInterlaced: of PNG.
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
    // 8.4, with alpha 9.5.
    case .photo(.webp): bytesPerPixel = 10
    // 7 of 4:2:0 and, with 10 bits, 15; 4:4:4 has half as much again. Alpha is a picture of its own.
    case .photo(.heic): bytesPerPixel = (isDeep ? 22 : 11) + (bands > 3 ? 4 * sampleBytes : 0)
    // 4:4:4: 14 and, with 10 bits, 27.
    case .photo(.avif): bytesPerPixel = (isDeep ? 30 : 15) + (bands > 3 ? 4 * sampleBytes : 0)
    // 6.5; 23 with 16 bits, which libjxl handles as floating point.
    case .photo(.jxl): bytesPerPixel = (isDeep ? 24 : 8) + (bands > 3 ? 4 * sampleBytes : 0)
    // 5.3 and 4.9.
    case .readOnly(.gif), .readOnly(.jpeg2000): bytesPerPixel = 6 * sampleBytes
    default: bytesPerPixel = stored
    }
    return libvips + bytesPerPixel * size.pixelCount
  }

  /// LibRaw holds the sensor's data, two bytes a pixel of a mosaic and up to eight of other sensors, the developed picture,
  /// eight, and for each thread a tile while it interpolates: 26 · 512² bytes by AHD and 94 · 512² of X-Trans
  /// (`LIBRAW_AHD_TILE`, `xtrans_interpolate`), of which this counts one.
  static func libRaw(_ info: clibraw_info) -> Int {
    let sensor = (info.has_mosaic ? 2 : 8) * Int(info.raw_width) * Int(info.raw_height)
    let tile = (info.is_x_trans ? 94 : 26) * 512 * 512
    return sensor + 8 * Int(info.width) * Int(info.height) + tile
  }
}
