/// The samples of a track in the order of decoding: what the boxes in `stbl` say, gathered while they are
/// written.
///
/// Times are in ticks of the track. Runs of equal values are stored once, as in the file.
struct MP4SampleTable {
  struct Run {
    var count: UInt32
    var value: Int64
  }

  /// Samples that follow each other in the file.
  struct Chunk {
    /// From the start of the media, which may still be moved in the file.
    var offset: Int64
    var samples: UInt32
  }

  private(set) var count = 0
  private(set) var byteCount: Int64 = 0
  private(set) var sizes: [UInt32] = []
  private(set) var keys: [UInt32] = []
  private(set) var chunks: [Chunk] = []
  private var durations: [Run] = []
  private var shifts: [Run] = []
  /// Of the last sample, which the next one may correct.
  private var lastDuration: Int64 = 0
  private(set) var lastDecode: Int64 = 0
  private(set) var firstDecode: Int64 = 0
  private(set) var firstPresentation: Int64 = .max
  private(set) var endPresentation: Int64 = .min
  private(set) var largestSample: UInt32 = 0

  var isEmpty: Bool { count == 0 }
  /// The sum of all durations.
  var duration: Int64 { isEmpty ? 0 : lastDecode + lastDuration - firstDecode }

  /// About the bytes that the boxes of samples will take.
  var indexBytes: Int64 {
    let listedKeys = keys.count < count ? keys.count : 0
    let numbers = sizes.count + 2 * durations.count + 2 * shifts.count + listedKeys
    return 4 * Int64(numbers) + 20 * Int64(chunks.count)
  }

  mutating func beginChunk(at offset: Int64) { chunks.append(Chunk(offset: offset, samples: 0)) }

  /// Adds a sample to the current chunk.
  ///
  /// - Parameter duration: until the next sample is decoded, or what is presumed as long as there is none.
  mutating func append(size: UInt32, decode: Int64, presentation: Int64, duration: Int64, isKey: Bool) {
    if isEmpty {
      firstDecode = decode
    } else {
      Self.add(max(decode - lastDecode, 0), to: &durations)
    }
    count += 1
    byteCount += Int64(size)
    largestSample = max(largestSample, size)
    sizes.append(size)
    if isKey { keys.append(UInt32(truncatingIfNeeded: count)) }
    Self.add(presentation - decode, to: &shifts)
    chunks[chunks.count - 1].samples += 1
    (lastDecode, lastDuration) = (decode, duration)
    firstPresentation = min(firstPresentation, presentation)
    endPresentation = max(endPresentation, presentation + duration)
  }

  private static func add(_ value: Int64, to runs: inout [Run]) {
    if let last = runs.last, last.value == value, last.count < .max {
      runs[runs.count - 1].count += 1
    } else {
      runs.append(Run(count: 1, value: value))
    }
  }

  /// The boxes of `stbl` after `stsd`.
  ///
  /// - Parameters:
  ///   - mediaStart: the place of the media in the file.
  ///   - frameBytes: above 0 for PCM, whose samples are single moments of all channels: packets are chunks
  ///     then.
  ///   - roll: the samples to decode before one to hear it right, negative; nil if each stands alone.
  func write(
    into output: inout MP4Bytes, mediaStart: Int64, usesLongOffsets: Bool, frameBytes: Int, roll: Int?
  ) {
    output.reserve(4 * sizes.count + 16 * chunks.count + 8 * durations.count + 8 * shifts.count + 256)
    writeDurations(into: &output, frameBytes: frameBytes)
    if keys.count < count {
      output.fullBox("stss") {
        $0.u32(keys.count)
        for key in keys { $0.u32(key) }
      }
    }
    writeChunks(into: &output, frameBytes: frameBytes)
    output.fullBox("stsz") {
      if frameBytes > 0 {
        $0.u32(frameBytes)
        $0.u32(Int(byteCount) / frameBytes)
      } else {
        $0.u32(0)
        $0.u32(count)
        for size in sizes { $0.u32(size) }
      }
    }
    output.fullBox(usesLongOffsets ? "co64" : "stco") {
      $0.u32(chunks.count)
      for chunk in chunks {
        if usesLongOffsets {
          $0.u64(mediaStart + chunk.offset)
        } else {
          $0.u32(Int(mediaStart + chunk.offset))
        }
      }
    }
    if let roll, !isEmpty { writeRoll(roll, into: &output) }
  }

  private func writeDurations(into output: inout MP4Bytes, frameBytes: Int) {
    var runs = durations
    if !isEmpty { Self.add(lastDuration, to: &runs) }
    if frameBytes > 0 { runs = Self.frames(of: runs, sizes: sizes, frameBytes: frameBytes) }
    output.fullBox("stts") {
      $0.u32(runs.count)
      for run in runs {
        $0.u32(run.count)
        $0.u32(Int(run.value))
      }
    }
    guard frameBytes == 0, shifts.contains(where: { $0.value != 0 }) else { return }
    // Version 1 has signed values, which older readers do not know.
    output.fullBox("ctts", version: shifts.contains { $0.value < 0 } ? 1 : 0) {
      $0.u32(shifts.count)
      for run in shifts {
        $0.u32(run.count)
        $0.u32(Int(run.value))
      }
    }
  }

  /// Returns the durations of single PCM samples: a tick each. The last one of a packet lasts until the next
  /// packet.
  private static func frames(of runs: [Run], sizes: [UInt32], frameBytes: Int) -> [Run] {
    var frames: [Run] = []
    func add(_ count: Int64, _ value: Int64) {
      guard count > 0 else { return }
      if let last = frames.last, last.value == value, Int64(last.count) + count <= UInt32.max {
        frames[frames.count - 1].count += UInt32(count)
      } else {
        frames.append(Run(count: UInt32(clamping: count), value: value))
      }
    }
    var position = 0
    for run in runs {
      for size in sizes[position..<position + Int(run.count)] {
        let count = Int64(size) / Int64(frameBytes)
        add(count - 1, 1)
        add(1, max(run.value - count + 1, 0))
      }
      position += Int(run.count)
    }
    return frames
  }

  private func writeChunks(into output: inout MP4Bytes, frameBytes: Int) {
    var runs: [(first: Int, samples: Int)] = []
    var position = 0
    for (index, chunk) in chunks.enumerated() {
      var samples = Int(chunk.samples)
      if frameBytes > 0 {
        samples = sizes[position..<position + samples].reduce(0) { $0 + Int($1) } / frameBytes
      }
      position += Int(chunk.samples)
      if runs.last?.samples != samples { runs.append((index + 1, samples)) }
    }
    output.fullBox("stsc") {
      $0.u32(runs.count)
      for run in runs {
        $0.u32(run.first)
        $0.u32(run.samples)
        $0.u32(1)
      }
    }
  }

  /// Source: ISO/IEC 14496-12, section 10.1 (AudioRollRecoveryEntry).
  private func writeRoll(_ roll: Int, into output: inout MP4Bytes) {
    output.fullBox("sgpd", version: 1) {
      $0.code("roll")
      $0.u32(2)
      $0.u32(1)
      $0.u16(roll)
    }
    output.fullBox("sbgp") {
      $0.code("roll")
      $0.u32(1)
      $0.u32(count)
      $0.u32(1)
    }
  }
}
