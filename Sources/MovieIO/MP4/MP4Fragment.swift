/// A movie fragment: `moof` and `mdat`, with offsets that count from itself, so that it may be moved.
///
/// Source: ISO/IEC 14496-12, section 8.8.
struct MP4Fragment {
  struct Sample {
    var bytes: [UInt8]
    /// In ticks of the track since the movie's start.
    var decode: Int64
    var presentation: Int64
    var duration: Int64
    var isKey: Bool
  }

  struct Run {
    var track: Int
    var id: Int
    /// The time in the track's media that is the movie's start.
    var mediaTime: Int64
    /// Not empty.
    var samples: [Sample]
  }

  private enum Flags {
    /// Depends on no other sample.
    static let key = 0x0200_0000
    /// Depends on others; decoding cannot begin here.
    static let other = 0x0101_0000
  }

  var sequence: Int
  var runs: [Run]

  /// Returns the bytes, and where the data of each run begin in them.
  func encoded() -> (bytes: [UInt8], dataStarts: [Int]) {
    let total = runs.reduce(0) { $0 + $1.samples.reduce(0) { $0 + $1.bytes.count } }
    var output = MP4Bytes()
    output.reserve(total + runs.reduce(1024) { $0 + 16 * $1.samples.count })
    var patches: [Int] = []
    output.box("moof") {
      $0.fullBox("mfhd") { $0.u32(sequence) }
      for run in runs { patches.append(write(run, into: &$0)) }
    }
    let isLong = total + 8 > Int(UInt32.max)
    if isLong {
      output.u32(1)
      output.code("mdat")
      output.u64(Int64(total) + 16)
    } else {
      output.u32(total + 8)
      output.code("mdat")
    }
    var dataStarts: [Int] = []
    for (run, patch) in zip(runs, patches) {
      dataStarts.append(output.bytes.count)
      output.patch(UInt32(truncatingIfNeeded: output.bytes.count), at: patch)
      for sample in run.samples { output.raw(sample.bytes) }
    }
    return (output.bytes, dataStarts)
  }

  /// Returns the place of the data's offset, which is known later.
  private func write(_ run: Run, into output: inout MP4Bytes) -> Int {
    let samples = run.samples
    let duration = Self.common(samples.map(\.duration))
    let size = Self.common(samples.map { Int64($0.bytes.count) })
    let isFirstKey = samples.first?.isKey ?? false
    let others = Self.common(samples.dropFirst().map { $0.isKey ? 1 : 0 })
    let isShifted = samples.contains { $0.presentation != $0.decode }
    // Flags differ from sample to sample only where keys lie within; else the first one's and the rest's
    // suffice.
    let hasOwnFlags = samples.count > 1 && others == nil
    let rest = others.map { $0 == 1 } ?? isFirstKey
    var place = 0
    output.box("traf") {
      $0.fullBox("tfhd", flags: 0x2_0000 | (duration == nil ? 0 : 0x8) | (size == nil ? 0 : 0x10) | 0x20) {
        $0.u32(run.id)
        if let duration { $0.u32(Int(duration)) }
        if let size { $0.u32(Int(size)) }
        $0.u32(rest ? Flags.key : Flags.other)
      }
      $0.fullBox("tfdt", version: 1) { $0.u64((samples.first?.decode ?? 0) + run.mediaTime) }
      var flags = 0x1 | (duration == nil ? 0x100 : 0) | (size == nil ? 0x200 : 0) | (isShifted ? 0x800 : 0)
      if hasOwnFlags { flags |= 0x400 } else if isFirstKey != rest { flags |= 0x4 }
      $0.fullBox("trun", version: 1, flags: flags) {
        $0.u32(samples.count)
        place = $0.bytes.count
        $0.u32(0)
        if flags & 0x4 != 0 { $0.u32(isFirstKey ? Flags.key : Flags.other) }
        for sample in samples {
          if duration == nil { $0.u32(Int(sample.duration)) }
          if size == nil { $0.u32(sample.bytes.count) }
          if hasOwnFlags { $0.u32(sample.isKey ? Flags.key : Flags.other) }
          if isShifted { $0.u32(Int(sample.presentation - sample.decode)) }
        }
      }
    }
    return place
  }

  /// Returns what all values are; nil if they differ or there are none.
  private static func common(_ values: [Int64]) -> Int64? {
    guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
    return first
  }
}
