import FrameCore
import TestSupport
import Testing

@testable import Capture

@Suite("Formats of samples")
struct AudioSampleFormatTests {
  private func decoded(_ format: AudioSampleFormat, _ bytes: [UInt8]) -> [Float] {
    let count = bytes.count / format.bytes
    return [Float](unsafeUninitializedCapacity: count) { samples, initialized in
      bytes.withUnsafeBytes { format.decode($0, count: count, into: samples) }
      initialized = count
    }
  }

  private func encoded(_ format: AudioSampleFormat, _ samples: [Float]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xAA, count: samples.count * format.bytes)
    samples.withUnsafeBufferPointer { samples in
      bytes.withUnsafeMutableBytes { format.encode(samples, count: samples.count, into: $0) }
    }
    return bytes
  }

  @Test("Samples are read as ALSA's documentation lays them out")
  func layouts() {
    // Source: the description of snd_pcm_format_t: little-endian, full scale −2ⁿ⁻¹…2ⁿ⁻¹ − 1.
    let (step16, step24): (Float, Float) = (1 / 32_768, 1 / 8_388_608)
    #expect(decoded(.s16, [0x00, 0x80, 0xFF, 0x7F, 0x01, 0x00]) == [-1, 1 - step16, step16])
    #expect(decoded(.s24Packed, [0x00, 0x00, 0x80, 0xFF, 0xFF, 0xFF]) == [-1, -step24])
    // The upper byte is not part of the sample.
    #expect(decoded(.s24, [0x00, 0x00, 0x80, 0x00, 0x01, 0x00, 0x00, 0xAB]) == [-1, step24])
    #expect(decoded(.s32, [0x00, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x40]) == [-1, 0.5])
    #expect(decoded(.float32, [0x00, 0x00, 0x80, 0x3F, 0x00, 0x00, 0x00, 0xBF]) == [1, -0.5])
  }

  @Test("All samples of 16 bits, and many of 24, return from float as they were")
  func exactness() {
    let all = (Int(Int16.min)...Int(Int16.max)).flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    #expect(encoded(.s16, decoded(.s16, all)) == all)
    var random = SeededRandom(seed: 24)
    let many = (0..<30_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(encoded(.s24Packed, decoded(.s24Packed, many)) == many)
    // The same samples in four bytes, with the sign in the upper one.
    let wide = stride(from: 0, to: many.count, by: 3).flatMap { index -> [UInt8] in
      Array(many[index..<index + 3]) + [many[index + 2] & 0x80 == 0 ? 0 : 0xFF]
    }
    #expect(decoded(.s24, wide) == decoded(.s24Packed, many))
    #expect(encoded(.s24, decoded(.s24, wide)) == wide)
    #expect(
      encoded(.float32, decoded(.float32, encoded(.float32, [0.25, -1]))) == encoded(.float32, [0.25, -1]))
  }

  @Test("32 bits are rounded to the nearest float")
  func rounding() {
    var random = SeededRandom(seed: 32)
    for _ in 0..<1000 {
      let value = Int32.random(in: .min ... .max, using: &random)
      let bytes = withUnsafeBytes(of: value.littleEndian) { Array($0) }
      #expect(decoded(.s32, bytes) == [Float(Double(value) / 2_147_483_648)])
    }
  }

  @Test("What is beyond full scale is clipped, and what is no number is silence")
  func clipping() {
    let samples: [Float] = [2, -2, .infinity, -.infinity, .nan]
    #expect(encoded(.s16, samples) == [0xFF, 0x7F, 0x00, 0x80, 0xFF, 0x7F, 0x00, 0x80, 0, 0])
    #expect(
      encoded(.s24Packed, samples) == [0xFF, 0xFF, 0x7F, 0, 0, 0x80, 0xFF, 0xFF, 0x7F, 0, 0, 0x80, 0, 0, 0])
    #expect(decoded(.s32, encoded(.s32, samples)) == [0x1.fffffep-1, -1, 0x1.fffffep-1, -1, 0])
    #expect(decoded(.float32, encoded(.float32, samples)) == [1, -1, 1, -1, 0])
  }
}
