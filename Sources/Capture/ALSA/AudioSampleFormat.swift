import FrameCore
import Libc

/// The direction of sound.
public enum AudioDirection: String, Sendable, Hashable, Codable, CaseIterable {
  /// From the device to the program.
  case capture
  /// From the program to the device.
  case playback
}

/// How a device stores samples, the most exact first. The names are ALSA's.
public enum AudioSampleFormat: String, Sendable, Hashable, Codable, CaseIterable {
  case float32 = "FLOAT_LE"
  case s32 = "S32_LE"
  /// 24 bits in the lower three of four bytes.
  case s24 = "S24_LE"
  /// 24 bits in three bytes.
  case s24Packed = "S24_3LE"
  case s16 = "S16_LE"

  var bytes: Int {
    switch self {
    case .float32, .s32, .s24: 4
    case .s24Packed: 3
    case .s16: 2
    }
  }
}

extension AudioSampleFormat {
  /// Converts samples to float; 1.0 is full scale.
  ///
  /// Exact for all formats but `s32`, of which float keeps the upper 24 bits, rounded.
  ///
  /// - Parameter count: the number of samples, of all channels together.
  func decode(_ bytes: UnsafeRawBufferPointer, count: Int, into samples: UnsafeMutableBufferPointer<Float>) {
    precondition(bytes.count >= count * self.bytes && samples.count >= count)
    switch self {
    case .float32:
      for index in 0..<count {
        let bits = bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
        samples[index] = Float(bitPattern: UInt32(littleEndian: bits))
      }
    case .s32:
      for index in 0..<count {
        let value = bytes.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self)
        samples[index] = Float(Int32(littleEndian: value)) * 0x1p-31
      }
    case .s24:
      for index in 0..<count {
        let value = bytes.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self)
        // The upper byte is undefined.
        samples[index] = Float((Int32(littleEndian: value) << 8) >> 8) * 0x1p-23
      }
    case .s24Packed:
      for index in 0..<count {
        let (low, middle) = (Int32(bytes[3 * index]), Int32(bytes[3 * index + 1]))
        let high = Int32(Int8(bitPattern: bytes[3 * index + 2]))
        samples[index] = Float(high << 16 | middle << 8 | low) * 0x1p-23
      }
    case .s16:
      for index in 0..<count {
        let value = bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self)
        samples[index] = Float(Int16(littleEndian: value)) * 0x1p-15
      }
    }
  }

  /// Converts samples from float, rounded to the nearest value; what is beyond full scale is clipped, and NaN
  /// becomes silence.
  func encode(_ samples: UnsafeBufferPointer<Float>, count: Int, into bytes: UnsafeMutableRawBufferPointer) {
    precondition(bytes.count >= count * self.bytes && samples.count >= count)
    switch self {
    case .float32:
      for index in 0..<count {
        let value = Self.clipped(samples[index], 1, 1)
        bytes.storeBytes(of: value.bitPattern.littleEndian, toByteOffset: 4 * index, as: UInt32.self)
      }
    case .s32:
      for index in 0..<count {
        // The largest float below 2³¹.
        let value = Int32(Self.clipped(samples[index], 0x1p31, 0x1.fffffep30).rounded())
        bytes.storeBytes(of: value.littleEndian, toByteOffset: 4 * index, as: Int32.self)
      }
    case .s24:
      for index in 0..<count {
        let value = Int32(Self.clipped(samples[index], 0x1p23, 0x1p23 - 1).rounded())
        bytes.storeBytes(of: value.littleEndian, toByteOffset: 4 * index, as: Int32.self)
      }
    case .s24Packed:
      for index in 0..<count {
        let value = Int32(Self.clipped(samples[index], 0x1p23, 0x1p23 - 1).rounded())
        for part in 0..<3 { bytes[3 * index + part] = UInt8(truncatingIfNeeded: value >> Int32(8 * part)) }
      }
    case .s16:
      for index in 0..<count {
        let value = Int16(Self.clipped(samples[index], 0x1p15, 0x1p15 - 1).rounded())
        bytes.storeBytes(of: value.littleEndian, toByteOffset: 2 * index, as: Int16.self)
      }
    }
  }

  /// Returns `sample · scale`, at most `largest` and at least −scale.
  private static func clipped(_ sample: Float, _ scale: Float, _ largest: Float) -> Float {
    guard !sample.isNaN else { return 0 }
    return min(max(sample * scale, -scale), largest)
  }
}
