/// The marks in a WAV file: its chunk `cue `, which most programs put behind the samples.
///
/// Source: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0, 1991, chapter 3.
enum WaveCuePoints {
  /// Bytes of a point: its number, its place in a playlist, the name of the chunk that it points into, that
  /// chunk's place, the block's place, and the sample in it.
  private static let pointBytes = 24
  private static let mostPoints = 65_536

  /// Returns the samples per channel at which the points are, in ascending order, each once. Points into
  /// other chunks than the samples are left out. Sizes are believed only as far as the file reaches.
  ///
  /// - Parameters:
  ///   - length: of the file in bytes.
  ///   - data: where the samples are, because a file above 4 GiB does not say their size in their chunk.
  ///   - read: returns up to so many bytes at an offset; fewer at the end.
  static func read(
    length: Int64, data: WaveLayout, _ read: (_ offset: Int64, _ count: Int) throws -> [UInt8]
  ) throws -> [Int64] {
    var position: Int64 = 12
    for _ in 0..<WaveLayout.mostChunks {
      let head = try read(position, 8)
      guard head.count == 8 else { return [] }
      var size = Int64(WaveLayout.number(head, 4, 4))
      if WaveLayout.name(head, 0) == "cue " {
        return points(try read(position + 8, Int(min(size, Int64(4 + mostPoints * pointBytes)))))
      }
      if position + 8 == data.offset, size == 0 || size == 0xFFFF_FFFF {
        // The size of 64 bits, or a file whose writer did not live to state it.
        size = data.frameCount * Int64(data.frameBytes)
      }
      guard size <= length - position - 8 else { return [] }
      position += 8 + size + size % 2
    }
    return []
  }

  /// The chunk for marks, in samples per channel; nothing for none.
  static func bytes(_ marks: [Int64]) -> [UInt8] {
    let marks = marks.prefix(mostPoints)
    guard !marks.isEmpty else { return [] }
    var bytes = Array("cue ".utf8)
    bytes.appendLittleEndian(UInt32(4 + marks.count * pointBytes))
    bytes.appendLittleEndian(UInt32(marks.count))
    for (index, mark) in marks.enumerated() {
      bytes.appendLittleEndian(UInt32(index + 1))
      // Without a playlist the order of playing is that of the samples.
      bytes.appendLittleEndian(UInt32(truncatingIfNeeded: mark))
      bytes += Array("data".utf8)
      bytes.appendLittleEndian(0 as UInt32)
      bytes.appendLittleEndian(0 as UInt32)
      bytes.appendLittleEndian(UInt32(truncatingIfNeeded: mark))
    }
    return bytes
  }

  private static func points(_ chunk: [UInt8]) -> [Int64] {
    guard chunk.count >= 4 else { return [] }
    let present = (chunk.count - 4) / pointBytes
    let count = min(Int(WaveLayout.number(chunk, 0, 4)), present)
    let places = (0..<count).compactMap { index -> Int64? in
      let point = 4 + index * pointBytes
      guard WaveLayout.name(chunk, point + 8) == "data" else { return nil }
      return Int64(WaveLayout.number(chunk, point + 20, 4))
    }
    return Set(places).sorted()
  }
}
