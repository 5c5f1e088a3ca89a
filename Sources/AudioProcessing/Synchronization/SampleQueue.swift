import FrameCore

/// Captured samples that are waiting, by their position, and which of them are silence that stands for lost
/// ones.
struct SampleQueue {
  struct Silence {
    var positions: Range<Int64>
    var reason: SilenceReason
  }

  let channelCount: Int
  private var samples: [Float] = []
  /// Samples per channel at the beginning of `samples` that are no longer in the queue.
  private var taken = 0
  /// The position of the first sample in the queue.
  private(set) var start: Int64 = 0
  /// The position of the first sample that was ever in the queue.
  private var origin: Int64 = 0
  private(set) var silences: [Silence] = []

  init(channelCount: Int) { self.channelCount = channelCount }

  var count: Int { samples.count / channelCount - taken }
  var end: Int64 { start + Int64(count) }

  /// Empties the queue; the next sample has this position.
  mutating func restart(at position: Int64) {
    samples.removeAll(keepingCapacity: true)
    taken = 0
    start = position
    origin = position
    silences = []
  }

  mutating func append(_ new: ArraySlice<Float>, silence: SilenceReason?) {
    let first = end
    samples.append(contentsOf: new)
    guard let silence, first < end else { return }
    if let last = silences.last, last.reason == silence, last.positions.upperBound == first {
      silences[silences.count - 1].positions = last.positions.lowerBound..<end
    } else {
      silences.append(Silence(positions: first..<end, reason: silence))
    }
  }

  mutating func appendSilence(_ count: Int, _ reason: SilenceReason) {
    append(ArraySlice(repeatElement(0, count: count * channelCount)), silence: reason)
  }

  /// Forgets samples before a position.
  mutating func drop(before position: Int64) {
    let count = Int(min(max(position - start, 0), Int64(self.count)))
    taken += count
    start += Int64(count)
    silences.removeAll { $0.positions.upperBound <= start }
    // Moved to the front when that costs less than what was appended since.
    if taken * channelCount > samples.count / 2 {
      samples.removeSubrange(..<(taken * channelCount))
      taken = 0
    }
  }

  /// Why all the samples from `first` up to `last` are silence; nil if one is not. Where the queue had none
  /// yet, or has none any more, there was no device.
  func silence(from first: Double, to last: Double) -> SilenceReason? {
    if last <= Double(origin) || first >= Double(end) { return .disconnected }
    return silences.first {
      Double($0.positions.lowerBound) <= first && last <= Double($0.positions.upperBound)
    }?.reason
  }

  /// Calls `body` with `count` samples per channel from a position on. Those before the queue are silence,
  /// those beyond its end too.
  func read<Result>(from position: Int64, count: Int, _ body: (UnsafeBufferPointer<Float>) -> Result)
    -> Result
  {
    let offset = Int(position - start)
    if offset >= 0, offset + count <= self.count {
      return samples.withUnsafeBufferPointer {
        let first = (taken + offset) * channelCount
        return body(UnsafeBufferPointer(rebasing: $0[first..<first + count * channelCount]))
      }
    }
    var copy = [Float](repeating: 0, count: count * channelCount)
    for index in max(0, -offset)..<max(max(0, -offset), min(count, self.count - offset)) {
      for channel in 0..<channelCount {
        copy[index * channelCount + channel] = samples[(taken + offset + index) * channelCount + channel]
      }
    }
    return copy.withUnsafeBufferPointer(body)
  }

  /// Makes later samples come earlier: takes `count` out at a position, and lets what was before fade into
  /// what comes after over `fade` samples.
  ///
  /// - Precondition: `count + fade` samples follow the position.
  mutating func remove(_ count: Int, at position: Int64, fade: Int) {
    let first = (taken + Int(position - start)) * channelCount
    for index in 0..<fade * channelCount {
      let weight = Float(index / channelCount + 1) / Float(fade + 1)
      let (old, new) = (samples[first + index], samples[first + index + count * channelCount])
      samples[first + index] = old + weight * (new - old)
    }
    let end = first + fade * channelCount
    samples.removeSubrange(end..<end + count * channelCount)
    move(silencesAfter: position + Int64(fade), by: -Int64(count))
  }

  /// Makes later samples come later: fades out over `fade` samples from a position, inserts silence, and
  /// fades in.
  ///
  /// - Precondition: `2 * fade` samples follow the position.
  mutating func insertSilence(_ count: Int, at position: Int64, fade: Int) {
    let first = (taken + Int(position - start)) * channelCount
    for index in 0..<fade * channelCount {
      let weight = Float(index / channelCount + 1) / Float(fade + 1)
      samples[first + index] *= 1 - weight
      samples[first + fade * channelCount + index] *= weight
    }
    samples.insert(
      contentsOf: repeatElement(0, count: count * channelCount), at: first + fade * channelCount)
    move(silencesAfter: position + Int64(fade), by: Int64(count))
  }

  private mutating func move(silencesAfter position: Int64, by count: Int64) {
    func moved(_ bound: Int64) -> Int64 { bound < position ? bound : max(position, bound + count) }
    silences = silences.map {
      Silence(positions: moved($0.positions.lowerBound)..<moved($0.positions.upperBound), reason: $0.reason)
    }
  }
}
