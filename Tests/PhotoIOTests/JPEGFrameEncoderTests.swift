import FrameCore
import PhotoIO
import TestSupport
import Testing

@Suite("JPEG frames in memory")
struct JPEGFrameEncoderTests {
  @Test("are the bytes that a file would hold, one picture after the other, small and large")
  func sameAsFile() throws {
    let encoder = try JPEGFrameEncoder(quality: 85)
    var random = SystemRandomNumberGenerator()
    // 700 × 500 of noise outgrows the first memory.
    for (width, height) in [(16, 16), (700, 500), (33, 17), (1, 1), (700, 500)] {
      let buffer = try PixelBuffer(size: PixelSize(width: width, height: height), format: .rgba8)
      for y in 0..<height {
        for index in 0..<4 * width {
          buffer.row(y, as: UInt8.self)[index] = .random(in: 0...255, using: &random)
        }
      }
      let scratch = try Scratch()
      let writer = try PhotoWriter(to: scratch("frame.jpg"), size: buffer.size, quality: 85)
      try writer.write(buffer)
      try writer.finish(durable: false)
      let bytes = try encoder.encode(buffer) { Array($0) }
      #expect(bytes == (try scratch.read("frame.jpg")), "\(buffer.size)")
    }
  }

  @Test("are refused in other formats and qualities, and the encoder lives on")
  func refusals() throws {
    #expect(throws: SafelightError.self) { try JPEGFrameEncoder(quality: 0) }
    let encoder = try JPEGFrameEncoder()
    let deep = try PixelBuffer(size: PixelSize(width: 8, height: 8), format: .rgba16)
    #expect(throws: SafelightError.self) { try encoder.encode(deep) { $0.count } }
    let wide = try PixelBuffer(size: PixelSize(width: 65_535, height: 1), format: .rgba8)
    #expect { try encoder.encode(wide) { $0.count } } throws: {
      "\($0)".hasPrefix("libjpeg does not encode this picture (")
    }
    let sound = try PixelBuffer(size: PixelSize(width: 8, height: 8), format: .rgba8)
    #expect(try encoder.encode(sound) { $0.count } > 100)
  }
}
