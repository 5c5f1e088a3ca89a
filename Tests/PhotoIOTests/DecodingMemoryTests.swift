import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("Memory that decoders take")
struct DecodingMemoryTests {
  /// One kind of file with 4000×3000 pixels, and what editing it took.
  struct Measured: CustomTestStringConvertible {
    var name: String
    var format: FileSignature
    var bands = 3
    var sampleBytes = 1
    var isInterlaced = false
    /// Peak resident set, KiB, of `safelight batch --resize 512 --format jpeg --jobs 1 --no-isolate` as `/usr/bin/time`
    /// prints it: a reduction keeps no decoded row.
    var peak: Int
    /// Of the file, bytes.
    var length: Int
    var testDescription: String { name }
  }

  /// The same of a baseline JPEG, whose decoder keeps nothing: the program itself.
  private let program = 21_708

  static let measured: [Measured] = [
    Measured(name: "PNG", format: .photo(.png), peak: 57_892, length: 17_495_040),
    Measured(
      name: "interlaced PNG", format: .photo(.png), isInterlaced: true, peak: 84_920, length: 20_290_285),
    Measured(
      name: "interlaced PNG, 16 bits", format: .photo(.png), sampleBytes: 2, isInterlaced: true,
      peak: 123_360, length: 26_623_495),
    Measured(
      name: "interlaced PNG with alpha", format: .photo(.png), bands: 4, isInterlaced: true, peak: 97_288,
      length: 22_396_916),
    Measured(name: "TIFF of one strip", format: .photo(.tiff), peak: 68_240, length: 10_712_741),
    Measured(name: "TIFF of tiles", format: .photo(.tiff), peak: 63_464, length: 11_101_217),
    Measured(name: "WebP", format: .photo(.webp), peak: 139_060, length: 301_838),
    Measured(name: "lossless WebP", format: .photo(.webp), peak: 147_048, length: 7_717_842),
    Measured(name: "WebP with alpha", format: .photo(.webp), bands: 4, peak: 152_428, length: 302_178),
    Measured(name: "HEIC 4:2:0", format: .photo(.heic), peak: 124_988, length: 2_036_228),
    Measured(name: "HEIC with alpha", format: .photo(.heic), bands: 4, peak: 160_496, length: 2_056_478),
    Measured(
      name: "HEIC, 10 bits", format: .photo(.heic), sampleBytes: 2, peak: 229_756, length: 1_077_644),
    Measured(name: "AVIF 4:4:4", format: .photo(.avif), peak: 204_580, length: 186_859),
    Measured(
      name: "AVIF 4:4:4, 10 bits", format: .photo(.avif), sampleBytes: 2, peak: 352_500, length: 189_092),
    Measured(name: "JPEG XL", format: .photo(.jxl), peak: 118_052, length: 593_451),
    Measured(name: "lossless JPEG XL", format: .photo(.jxl), peak: 88_040, length: 7_046_903),
    Measured(
      name: "JPEG XL, 16 bits", format: .photo(.jxl), sampleBytes: 2, peak: 291_316, length: 600_202),
    Measured(
      name: "lossless JPEG XL, 16 bits", format: .photo(.jxl), sampleBytes: 2, peak: 332_352,
      length: 7_049_299),
    Measured(name: "GIF", format: .readOnly(.gif), peak: 109_060, length: 5_594_476),
    Measured(name: "JPEG 2000 of one tile", format: .readOnly(.jpeg2000), peak: 99_324, length: 590_003),
  ]

  @Test("No kind of file takes more than it is said to, nor half as much", arguments: measured)
  func libvips(file: Measured) {
    let estimate = DecodingMemory.libvips(
      file.format, size: PixelSize(width: 4000, height: 3000), bands: file.bands,
      sampleBytes: file.sampleBytes, isInterlaced: file.isInterlaced)
    let taken = 1024 * (file.peak - program) - file.length
    #expect(taken <= estimate)
    #expect(estimate < 2 * taken + 1 << 25)
  }

  /// Decoding took 70,912,000 bytes more of the progressive file with 4:4:4 than of the baseline one, and 34,652,160
  /// with 4:2:0: 12 megapixels of 6 and 3 bytes.
  @Test("Coefficients of progressive JPEG are told by the header")
  func progressive() throws {
    let scratch = try Scratch()
    // 4:2:0, two bytes a coefficient.
    let path = try scratch.write(Fixtures.progressiveJPEG, to: "progressive.jpg")
    #expect(try PhotoHeader.read(path).decodingMemory == 2 * 64 * 64 * 3 / 2)
    let buffer = try makeGradient(64, 64)
    try write(buffer, with: PhotoWriter(to: scratch("baseline.jpg"), size: buffer.size))
    #expect(try PhotoHeader.read(scratch("baseline.jpg")).decodingMemory == 0)
  }

  @Test("Interlaced PNG is told by the header")
  func interlaced() throws {
    let scratch = try Scratch()
    var bytes = Fixtures.palettePNG
    #expect(try !PNGChunks.isInterlaced(InputFile(path: scratch.write(bytes, to: "plain.png"))))
    bytes[28] = 1
    #expect(try PNGChunks.isInterlaced(InputFile(path: scratch.write(bytes, to: "interlaced.png"))))
  }
}
