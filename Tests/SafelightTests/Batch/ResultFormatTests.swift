import FrameCore
import PhotoIO
import Testing

@testable import Safelight

@Suite(.everyFormatIsWritable) struct ResultFormatTests {
  private func name(_ input: String, format: PhotoFileFormat? = nil) throws -> String {
    try BatchNaming(template: NameTemplate("{stem}{ext}"), format: format)
      .output(for: BatchInputs.Photo(path: input, folder: ""), index: 1)
  }

  @Test("Photos keep their format and its name; what is only read becomes JPEG")
  func keep() throws {
    for name in ["a.heic", "a.HIF", "a.avif", "a.jxl", "a.tif", "a.webp", "a.PNG"] {
      #expect(try self.name(name) == name)
    }
    #expect(try name("a.gif") == "a.jpg")
    #expect(try name("a.jpg", format: .heic) == "a.heic")
    #expect(try name("a.heif", format: .heic) == "a.heif")
    #expect(try name("a.heic", format: .jxl) == "a.jxl")
  }

  @Test(
    "A file is kept below its bound in every format with a quality",
    arguments: PhotoFileFormat.allCases.filter(\.hasQuality))
  func bounded(format: PhotoFileFormat) throws {
    let scratch = try Scratch()
    let size = PixelSize(width: 96, height: 96)
    let picture = try PixelBuffer(size: size, format: .rgba8)
    for y in 0..<96 {
      for x in 0..<4 * 96 {
        picture.row(y, as: UInt8.self)[x] = x % 4 == 3 ? 255 : UInt8((x * 7 ^ y * 13) & 255)
      }
    }
    func write(_ path: String, limit: Int?) throws -> (bytes: Int, quality: Int) {
      let writer = try BoundedWriter(limit: limit, quality: 92, picture: (size, .rgba8, .opaque)) {
        try PhotoWriter(to: path, format: format, size: size, quality: $0)
      }
      try writer.write(picture, rows: 96)
      try writer.finish()
      return (try FileContents.read(path).count, writer.quality)
    }
    let free = try write(scratch("free"), limit: nil)
    let limit = free.bytes * 2 / 3
    let bounded = try write(scratch("bounded"), limit: limit)
    #expect(bounded.bytes <= limit && bounded.bytes > limit / 3)
    #expect(bounded.quality < 92)
    #expect(throws: SafelightError.self) { try write(scratch("none"), limit: 40) }
    #expect(try scratch.names == ["bounded", "free"])
  }

  @Test("What encoders take is part of what a photo is said to take")
  func memory() {
    let size = PixelSize(width: 4000, height: 3000)
    func bytes(_ format: PhotoFileFormat) -> Int {
      LocalBatchEditor.memory(source: size, bitsPerSample: 8, result: size, format: format)
    }
    // JPEG XL took 549 MB for 12 megapixels, 80 of them the picture and the program.
    #expect(bytes(.jxl) - bytes(.jpeg) > 450_000_000)
    #expect(bytes(.avif) > bytes(.heic) && bytes(.heic) > bytes(.png))
  }
}
