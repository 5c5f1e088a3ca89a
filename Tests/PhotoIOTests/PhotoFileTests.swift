import Files
import FrameCore
import Libc
import TestSupport
import Testing

@testable import PhotoIO

@Suite("A photo file that is opened once")
struct PhotoFileTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func write(_ width: Int, _ height: Int, to name: String, quality: Int = 100) throws -> String {
    let picture = try PixelBuffer(size: PixelSize(width: width, height: height), format: .rgba8)
    var seed: UInt32 = 1
    for y in 0..<height {
      let row = picture.row(y, as: UInt8.self)
      for x in 0..<4 * width {
        seed = seed &* 1_664_525 &+ 1_013_904_223
        row[x] = x % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: seed >> 24)
      }
    }
    let writer = try PhotoWriter(to: scratch(name), size: picture.size, quality: quality)
    try writer.write(picture)
    try writer.finish()
    return scratch(name)
  }

  private func pixels(_ reader: PhotoReader) throws -> [[UInt8]] {
    let buffer = try PixelBuffer(size: reader.size, format: reader.format)
    try reader.read(into: buffer)
    try reader.finish()
    return (0..<buffer.height).map { Array(buffer.row($0, as: UInt8.self)[0..<4 * buffer.width]) }
  }

  @Test("Every reader gives the whole picture", arguments: ["a.jpg", "a.png", "a.tif"])
  func readers(name: String) throws {
    let path = try write(900, 700, to: name)
    let photo = try PhotoFile(path)
    #expect(try photo.header == PhotoHeader.read(path))
    let expected = try pixels(PhotoReader(contentsOf: path))
    for _ in 1...3 { #expect(try pixels(photo.reader()) == expected) }
    let half = try pixels(PhotoReader(contentsOf: path, scaledToLongEdge: 450))
    #expect(try pixels(photo.reader(scaledToLongEdge: 450)) == half)
    #expect(half.count == (name == "a.jpg" ? 350 : 700))
    #expect(try pixels(photo.reader()) == expected)
  }

  @Test("The beginning of a large file is read for its header, and the rest once for its pixels")
  func memory() throws {
    let path = try write(900, 700, to: "a.jpg")
    let file = try InputFile(path: path)
    #expect(file.byteCount > 600 << 10)
    let reader = try PhotoReader(file, headerOnly: true)
    #expect(file.bytesInMemory == 512 << 10)
    let expected = try pixels(PhotoReader(contentsOf: path))
    #expect(try pixels(reader) == expected)
    #expect(file.bytesInMemory == file.byteCount)
    let contents = try file.contents()
    #expect(try file.contents() === contents && file.contents(100) === contents)
    file.releaseContents()
    #expect(file.bytesInMemory == 0)
  }

  @Test("A file that ends where its header did when it is read is damaged")
  func truncated() throws {
    let path = try write(900, 700, to: "a.jpg")
    let reader = try PhotoFile(path).reader()
    #expect(truncate(path, 512 << 10) == 0)
    let error = #expect(throws: SafelightError.self) { try pixels(reader) }
    #expect(error?.problem == "Cannot read \(path): the JPEG data end early")
  }

  @Test("Another reader of a file that was modified is refused")
  func modified() throws {
    let path = try write(80, 60, to: "a.png")
    let photo = try PhotoFile(path)
    #expect(try photo.isUnchanged)
    _ = try pixels(photo.reader())
    let other = try scratch.read("a.png").count
    _ = try write(60, 40, to: "b.png")
    let bytes = try scratch.read("b.png")
    let file = try #require(fopen(path, "w"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count && bytes.count != other)
    fclose(file)
    #expect(try !photo.isUnchanged)
    let error = #expect(throws: SafelightError.self) { _ = try photo.reader() }
    #expect(error?.problem == "\(path) was written to while it was read")
  }

  @Test("The fingerprint is the file's, and reading it moves no reader")
  func fingerprint() throws {
    let path = try write(80, 60, to: "a.png")
    let photo = try PhotoFile(path)
    let expected = try pixels(PhotoReader(contentsOf: path))
    #expect(try photo.fingerprint() == FileFingerprint(contentsOf: path))
    #expect(try photo.byteCount == scratch.read("a.png").count)
    #expect(try pixels(photo.reader()) == expected)
  }
}
