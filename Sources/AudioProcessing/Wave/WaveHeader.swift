import FrameCore

/// What stands before the samples of a WAV file, always of the same length: RIFF or BW64, room for the sizes
/// of 64 bits, the format, and the beginning of the data.
///
/// Sources: Microsoft, Multiple Channel Audio Data and WAVE Files, 2007; ITU-R BS.2088-1 (BW64); EBU Tech
/// 3306v2, whose `JUNK` chunk becomes `ds64` when the file grows beyond 4 GiB; R. Dobson, The AMB Ambisonic
/// File Format, 2001.
struct WaveHeader {
  let format: AudioFormat
  let sampleFormat: WaveSampleFormat
  /// The largest size of a file, less 8, whose sizes are those of 32 bits.
  var largestPlainSize: Int64 = 0xFFFF_FFFF

  /// The parts of KSDATAFORMAT_SUBTYPE_PCM and _IEEE_FLOAT after the tag, and of FuMa's.
  static let standardSubformat: [UInt8] = [
    0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71,
  ]
  static let fuMaSubformat: [UInt8] = [
    0x00, 0x00, 0x21, 0x07, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0x00, 0x00, 0x00,
  ]
  static let extensibleTag: UInt16 = 0xFFFE

  /// Bytes of a sample on all channels.
  var frameBytes: Int { format.channelCount * sampleFormat.bitsPerSample / 8 }

  private var tag: UInt16 {
    switch sampleFormat {
    case .int16, .int24: 1
    case .float32: 3
    }
  }

  /// The plain form is defined for 16 bits of mono and stereo.
  private var isExtensible: Bool {
    switch format.layout {
    case .mono, .stereo: sampleFormat != .int16
    case .ambiX, .fuMa, .discrete: true
    }
  }

  /// The loudspeakers of the channels; 0 where they stand for none.
  private var channelMask: UInt32 {
    switch format.layout {
    case .mono: 0x4
    case .stereo: 0x3
    case .ambiX, .fuMa, .discrete: 0
    }
  }

  /// The number of bytes before the first sample.
  var length: Int { bytes(dataBytes: 0).count }

  /// - Parameters:
  ///   - dataBytes: of all samples.
  ///   - trailing: of chunks behind them.
  func bytes(dataBytes: Int64, trailing: Int64 = 0) -> [UInt8] {
    let chunk = formatChunk
    let fact = sampleFormat == .float32 ? 12 : 0
    let length = 12 + 36 + 8 + chunk.count + fact + 8
    let size = Int64(length) + dataBytes + dataBytes % 2 + trailing - 8
    let isLarge = size > largestPlainSize
    let frames = dataBytes / Int64(frameBytes)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    func append32(_ value: Int64) {
      bytes.appendLittleEndian(isLarge ? 0xFFFF_FFFF : UInt32(truncatingIfNeeded: value))
    }
    bytes += Array((isLarge ? "BW64" : "RIFF").utf8)
    append32(size)
    bytes += Array((isLarge ? "WAVEds64" : "WAVEJUNK").utf8)
    bytes.appendLittleEndian(28 as UInt32)
    for value in [size, dataBytes, frames] { bytes.appendLittleEndian(isLarge ? value : 0) }
    bytes.appendLittleEndian(0 as UInt32)
    bytes += Array("fmt ".utf8)
    bytes.appendLittleEndian(UInt32(chunk.count))
    bytes += chunk
    if fact > 0 {
      bytes += Array("fact".utf8)
      bytes.appendLittleEndian(4 as UInt32)
      append32(frames)
    }
    bytes += Array("data".utf8)
    append32(dataBytes)
    return bytes
  }

  private var formatChunk: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(isExtensible ? Self.extensibleTag : tag)
    bytes.appendLittleEndian(UInt16(format.channelCount))
    bytes.appendLittleEndian(UInt32(format.sampleRate))
    bytes.appendLittleEndian(UInt32(format.sampleRate * frameBytes))
    bytes.appendLittleEndian(UInt16(frameBytes))
    bytes.appendLittleEndian(UInt16(sampleFormat.bitsPerSample))
    guard isExtensible else { return bytes }
    bytes.appendLittleEndian(22 as UInt16)
    bytes.appendLittleEndian(UInt16(sampleFormat.bitsPerSample))
    bytes.appendLittleEndian(channelMask)
    bytes.appendLittleEndian(tag)
    return bytes + (format.layout == .fuMa ? Self.fuMaSubformat : Self.standardSubformat)
  }
}
