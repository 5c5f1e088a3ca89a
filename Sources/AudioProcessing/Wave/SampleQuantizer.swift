import FrameCore

/// Floats to the bytes of a file.
///
/// Samples that lie on the grid of integers stay exactly as they are, so 16-bit sound of a device comes
/// through untouched, and silence stays silence. Others are dithered: triangular noise of ±1 step makes the
/// error of rounding noise that does not depend on the sound (Lipshitz, Wannamaker, Vanderkooy, JAES 40/5,
/// 1992).
struct SampleQuantizer {
  let format: WaveSampleFormat
  /// Samples beyond ±1 so far, which integers cut off.
  private(set) var clipped: Int64 = 0
  /// xorshift64*, which is enough for noise. Source: S. Vigna, TOMS 42/4, 2016.
  private var state: UInt64 = 0x5AFE_1167_C0DE_CAFE

  init(_ format: WaveSampleFormat) { self.format = format }

  mutating func append(_ samples: [Float], to bytes: inout [UInt8]) {
    switch format {
    case .int16: appendIntegers(samples, bytes: 2, to: &bytes)
    case .int24: appendIntegers(samples, bytes: 3, to: &bytes)
    case .float32:
      samples.withUnsafeBytes { raw in
        #if _endian(little)
          bytes.append(contentsOf: raw)
        #else
          for value in samples { bytes.appendLittleEndian(value.bitPattern) }
        #endif
      }
    }
  }

  private mutating func appendIntegers(_ samples: [Float], bytes count: Int, to bytes: inout [UInt8]) {
    let scale = Float(1 << (8 * count - 1))
    let largest = Int32(1 << (8 * count - 1)) - 1
    bytes.reserveCapacity(bytes.count + samples.count * count)
    for sample in samples {
      if !(abs(sample) <= 1) { clipped += 1 }
      let value = sample.isFinite ? min(max(sample, -2), 2) * scale : 0
      let isOnGrid = value == value.rounded()
      // In double: 24 bits and the noise do not fit into a float.
      let noisy = isOnGrid ? Double(value) : Double(value) + noise()
      let integer = min(max(Int32(noisy.rounded()), -largest - 1), largest)
      for byte in 0..<count { bytes.append(UInt8(truncatingIfNeeded: integer >> (8 * Int32(byte)))) }
    }
  }

  /// The sum of two uniform values, within ±1.
  private mutating func noise() -> Double {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    let bits = state &* 0x2545_F491_4F6C_DD1D
    return Double(bits >> 32) * 0x1p-32 - Double(bits & 0xFFFF_FFFF) * 0x1p-32
  }
}

extension [UInt8] {
  mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
