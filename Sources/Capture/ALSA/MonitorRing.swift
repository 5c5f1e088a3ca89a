import FrameCore
import Synchronization

/// Stereo sound on its way from one thread to another, with the time of its capture. Neither thread ever
/// waits.
///
/// One thread writes, and one reads. Frames are numbered from 0 since the beginning.
final class MonitorRing: Sendable {
  /// In frames; a power of two.
  let capacity: Int
  let sampleRate: Int

  /// Left and right by turns.
  private nonisolated(unsafe) let storage: UnsafeMutablePointer<Float>
  private let writtenCount = Atomic<Int>(0)
  /// Frames that the reader does not need any more.
  private let releasedCount = Atomic<Int>(0)
  /// When frame 0 would have been captured, by the newest time that was written, in nanoseconds.
  private let origin = Atomic<Int64>(0)
  private let largestWrite = Atomic<Int>(0)

  /// - Parameter seconds: at least this much fits.
  init(sampleRate: Int, seconds: Double) {
    self.sampleRate = sampleRate
    let frames = max(64, Int(seconds * Double(sampleRate)))
    capacity = 1 << (Int.bitWidth - (frames - 1).leadingZeroBitCount)
    storage = .allocate(capacity: 2 * capacity)
    storage.initialize(repeating: 0, count: 2 * capacity)
  }

  deinit { storage.deallocate() }

  // MARK: Writing

  /// Appends sound, mixed to two channels; false, without a change, if there is no room for all of it.
  func write(_ buffer: AudioBuffer) -> Bool {
    let (count, first) = (buffer.frameCount, writtenCount.load(ordering: .relaxed))
    guard first + count - releasedCount.load(ordering: .acquiring) <= capacity else { return false }
    buffer.samples.withUnsafeBufferPointer { samples in
      mix(samples, buffer.format.layout, count: count, at: first)
    }
    let elapsed = Double(first) / Double(sampleRate) * 1e9
    origin.store(buffer.time.nanoseconds - Int64(elapsed.rounded()), ordering: .relaxed)
    largestWrite.max(count, ordering: .relaxed)
    writtenCount.store(first + count, ordering: .releasing)
    return true
  }

  private func mix(
    _ samples: UnsafeBufferPointer<Float>, _ layout: ChannelLayout, count: Int, at first: Int
  ) {
    let channels = layout.channelCount
    for frame in 0..<count {
      let target = 2 * ((first + frame) & (capacity - 1))
      let source = frame * channels
      switch layout {
      case .mono, .ambiX, .fuMa:
        // The first channel of ambisonics is what an omnidirectional microphone hears.
        (storage[target], storage[target + 1]) = (samples[source], samples[source])
      case .stereo:
        (storage[target], storage[target + 1]) = (samples[source], samples[source + 1])
      case .discrete:
        var sum: Float = 0
        for channel in 0..<channels { sum += samples[source + channel] }
        let mean = sum / Float(max(1, channels))
        (storage[target], storage[target + 1]) = (mean, mean)
      }
    }
  }

  // MARK: Reading

  /// The number of frames written since the beginning.
  var written: Int { writtenCount.load(ordering: .acquiring) }

  /// Returns the most frames that were written at once since the last call; 0 if there were none.
  func takeLargestChunk() -> Int { largestWrite.exchange(0, ordering: .relaxed) }

  /// Returns when a frame was captured, extrapolated from the newest measured time.
  func time(of frame: Double) -> Timestamp {
    Timestamp(nanoseconds: origin.load(ordering: .relaxed)).advanced(bySeconds: frame / Double(sampleRate))
  }

  /// Returns a sample that has been written and not released; `channel` is 0 or 1.
  @inline(__always)
  func sample(_ frame: Int, _ channel: Int) -> Float { storage[2 * (frame & (capacity - 1)) + channel] }

  /// Lets the writer have all frames before `frame`.
  func release(before frame: Int) {
    if frame > releasedCount.load(ordering: .relaxed) { releasedCount.store(frame, ordering: .releasing) }
  }
}
