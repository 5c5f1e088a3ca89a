import LibraryTestSupport
import TestSupport
import Testing

@testable import Safelight

@Suite("Edits of camera raws", .libRawIsInstalled)
struct CameraRawTests {
  /// Grey of 0.18 and, in the upper left, a blown square; taken with the camera on its side.
  private func file() -> DNGFile {
    var file = DNGFile(width: 64, height: 40) { x, y, channel in
      x < 16 && y < 16 ? 1.2 : 0.18 * [0.5, 1, 0.7][channel]
    }
    (file.bits, file.black, file.orientation) = (14, 512, 6)
    file.neutral = [0.5, 1, 0.7]
    file.date = "2026:07:14 06:05:04"
    return file
  }

  @Test("A raw becomes sRGB unless another space is asked for, upright, with its depth and its metadata")
  func export() throws {
    let scratch = try Scratch()
    try scratch.write(file().bytes, to: "photo.dng")
    let input = scratch("photo.dng")
    for (name, format, gray) in [
      // The curve of docs/raws.md at 0.18 · 2^0.7, computed in Python: 0.32467; IEC 61966-2-1 of that.
      ("out.jpg", PixelFormat.rgba8, 0.60522), ("out.png", .rgba16, 0.60522), ("out.tif", .rgba16, 0.60522),
    ] {
      _ = try PhotoExport().run(input, through: Recipe(), to: scratch(name))
      let photo = try Photo(contentsOf: scratch(name))
      #expect(photo.buffer.format == format)
      #expect(photo.buffer.size == PixelSize(width: 40, height: 64))
      #expect(photo.orientation == .up)
      #expect(try ColorSpace(tags: photo.buffer.tags) == .sRGB, "\(name)")
      if name != "out.tif" { #expect(photo.metadata.captureFacts.camera == "Test Camera") }
      let scale = format == .rgba8 ? 255.0 : 65_535
      func sample(_ x: Int, _ y: Int) -> [Double] {
        withExtendedLifetime(photo.buffer) {
          (0..<3).map { channel in
            format == .rgba8
              ? Double(photo.buffer.row(y, as: UInt8.self)[4 * x + channel]) / scale
              : Double(photo.buffer.row(y, as: UInt16.self)[4 * x + channel]) / scale
          }
        }
      }
      // The blown corner is on the upper right of the upright picture.
      #expect(sample(35, 5).allSatisfy { $0 > 0.99 }, "\(name): \(sample(35, 5))")
      #expect(sample(10, 40).allSatisfy { abs($0 - gray) < 0.006 }, "\(name): \(sample(10, 40))")
    }
    var other = PhotoExport()
    other.colorSpace = .displayP3
    _ = try other.run(input, through: Recipe(), to: scratch("p3.jpg"))
    #expect(try ColorSpace(tags: PhotoHeader.read(scratch("p3.jpg")).tags).primaries == .displayP3)
  }

  @Test("A raw that was read is written as sRGB")
  func write() throws {
    let scratch = try Scratch()
    try scratch.write(file().bytes, to: "photo.dng")
    let photo = try Photo(contentsOf: scratch("photo.dng"))
    try photo.write(to: scratch("out.png"))
    let written = try Photo(contentsOf: scratch("out.png"))
    #expect(try ColorSpace(tags: written.buffer.tags) == .sRGB)
    #expect(written.buffer.format == .rgba16)
    #expect(written.buffer.size == PixelSize(width: 40, height: 64))
    let sample = Double(withExtendedLifetime(written.buffer) { $0.row(40, as: UInt16.self)[41] }) / 65_535
    #expect(abs(sample - 0.60522) < 0.001)
  }

  @Test("A folder's raws are photos of a batch, and no frames of a live picture sequence")
  func folders() throws {
    let scratch = try Scratch()
    try scratch.write(file().bytes, to: "a.DNG")
    let (raw, jpeg) = (scratch("a.DNG"), scratch("b.jpg"))
    _ = try PhotoExport().run(raw, through: Recipe(), to: jpeg)
    #expect(BatchInputs([scratch.path], recursive: false).photos.map(\.path) == [raw, jpeg])
    #expect(try ImageSequenceFiles.find(scratch.path) == [jpeg])
  }
}
