import LibraryTestSupport
import Safelight
import FrameCore
import PhotoIO
import Synchronization
import Testing

@testable import PhotoPipeline
@testable import BatchEditing

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
    var encodings = 0
    func write(_ path: String, limit: Int?) throws -> (bytes: Int, quality: Int) {
      encodings = 0
      let writer = try BoundedWriter(limit: limit, quality: 92, picture: (size, .rgba8, .opaque)) {
        encodings += 1
        return try PhotoWriter(to: path, format: format, size: size, quality: $0)
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
    // Halving alone takes nine.
    #expect(encodings <= 7, "\(encodings)")
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

  @Test("What is encoded again and again, and slowly, is granted more time than what is decoded")
  func effort() {
    let size = PixelSize(width: 4000, height: 3000)
    func effort(_ format: PhotoFileFormat, _ isBounded: Bool, looked: Bool = false, result: PixelSize? = nil)
      -> Double
    {
      LocalBatchEditor.effort(
        source: size, result: result ?? size, format: format, isBounded: isBounded, isLookedAt: looked)
    }
    #expect(effort(.jpeg, false) == 24)
    #expect(effort(.jpeg, false, looked: true) == 36)
    #expect(effort(.jpeg, false, result: PixelSize(width: 400, height: 300)) == 12.12)
    // Without a quality there is nothing to look for.
    #expect(effort(.png, true) == effort(.png, false))
    // 12 MP of HEIC take up to 20 s each time; as slow a machine as half of this one is granted all of them.
    let bounds = IsolatedBatchEditor.Bounds()
    let granted = bounds.seconds + bounds.secondsPerMegapixel * effort(.heic, true)
    #expect(granted > 2 * 20 * Double(BoundedWriter.mostEncodings))
  }

  @Test("Photos are looked at when they are edited, and what that takes is part of the estimate")
  func looking() throws {
    let scratch = try Scratch()
    try makePicture(40, 30).write(to: scratch("a.jpg"))
    let looked = Mutex(0)
    let plain = LocalBatchEditor(.init(export: PhotoExport()) { _ in Recipe() })
    let editor = LocalBatchEditor(
      .init(
        export: PhotoExport(),
        finding: { _ in
          looked.withLock { $0 += 1 }
          return (Recipe(filters: [Resize(longEdge: 20)]), nil)
        }
      ) { _ in Recipe() })
    let photo = try editor.open(scratch("a.jpg"))
    let examination = photo.examination
    #expect(looked.withLock { $0 } == 0)
    #expect(examination.resultWidth == 40)
    #expect(try examination.memory > plain.open(scratch("a.jpg")).examination.memory)
    #expect(try photo.edit(to: scratch("b.jpg"), overwrite: false).width == 20)
    #expect(looked.withLock { $0 } == 1)
  }
}
