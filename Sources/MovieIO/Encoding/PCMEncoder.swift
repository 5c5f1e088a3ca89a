import FrameCore

/// Stores samples as they are, in little-endian integers or floats.
final class PCMEncoder: SoundEncoding {
  let format: EncodedAudioFormat
  /// 20 ms, so that a packet is neither a burden of its own nor much to lose.
  let block: Int

  init(_ settings: AudioEncoderSettings) {
    block = max(1, settings.format.sampleRate / 50)
    format = EncodedAudioFormat(
      codec: .pcm, format: settings.format, configuration: [], samplesPerPacket: block,
      bitsPerSample: settings.bitsPerSample ?? 32)
  }

  func encode(_ samples: UnsafeBufferPointer<Float>, at time: Int64) -> [EncodedPacket] {
    let width = format.bitsPerSample / 8
    let bytes = [UInt8](unsafeUninitializedCapacity: samples.count * width) { out, count in
      let raw = UnsafeMutableRawBufferPointer(out)
      for (index, sample) in samples.enumerated() {
        let offset = index * width
        switch format.bitsPerSample {
        case 16:
          raw.storeBytes(
            of: Int16(truncatingIfNeeded: Self.integer(sample, bits: 16)).littleEndian, toByteOffset: offset,
            as: Int16.self)
        case 24:
          let value = Self.integer(sample, bits: 24)
          for byte in 0..<3 { raw[offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * Int32(byte))) }
        default:
          raw.storeBytes(of: sample.bitPattern.littleEndian, toByteOffset: offset, as: UInt32.self)
        }
      }
      count = samples.count * width
    }
    let duration = Int64(samples.count / format.format.channelCount)
    return [EncodedPacket(bytes: bytes, presentation: time, duration: duration)]
  }

  func finish() -> [EncodedPacket] { [] }

  /// Rounds to an integer; what is beyond full scale is clipped, and what is no number is silence.
  static func integer(_ sample: Float, bits: Int32) -> Int32 {
    guard !sample.isNaN else { return 0 }
    let scale = Float(1 << (bits - 1))
    let largest = Int32(1) << (bits - 1) - 1
    let scaled = (sample * scale).rounded(.toNearestOrEven)
    if scaled >= Float(largest) { return largest }
    return scaled <= -scale ? -largest - 1 : Int32(scaled)
  }
}
