import FrameCore
import PhotoIO
import TestSupport
import Testing

@testable import Safelight

@Suite("Memory of an edit")
struct EditMemoryTests {
  private let size = PixelSize(width: 4000, height: 3000)

  @Test("What is kept to be written again is counted, with its depth", arguments: [(8, 4), (16, 8)])
  func kept(bits: Int, bytesPerPixel: Int) {
    func bytes(isKept: Bool) -> Int {
      LocalBatchEditor.memory(source: size, bitsPerSample: bits, result: size, isKept: isKept)
    }
    #expect(bytes(isKept: true) - bytes(isKept: false) == bytesPerPixel * size.pixelCount)
  }

  @Test("What the decoder takes is counted, and a bound of the file's length, when a photo is examined")
  func examined() throws {
    let scratch = try Scratch()
    var file = DNGFile(width: 64, height: 48) { _, _, _ in 0.2 }
    file.neutral = [0.5, 1, 0.7]
    let path = scratch("photo.dng")
    try scratch.write(file.bytes, to: "photo.dng")
    func bytes(_ export: PhotoExport) throws -> Int {
      let editor = LocalBatchEditor(.init(export: export, format: .jpeg) { _ in Recipe() })
      return try editor.examine(path).memory
    }
    var bounded = PhotoExport()
    bounded.maximumBytes = 1 << 20
    let small = PixelSize(width: 64, height: 48)
    let decoding = try PhotoHeader.read(path).decodingMemory
    // The mosaic and the developed picture, ten bytes a pixel, and LibRaw's tile of AHD.
    #expect(decoding == 10 * small.pixelCount + 26 * 512 * 512)
    #expect(
      try bytes(PhotoExport())
        == LocalBatchEditor.memory(source: small, bitsPerSample: 16, result: small, decoding: decoding))
    #expect(try bytes(bounded) - bytes(PhotoExport()) == 8 * small.pixelCount)
  }
}
