import FrameCore
import Libc

/// Finds where a voice pauses, from its level in blocks of 20 ms.
///
/// A block is silent if it is below a level a third of the way, in dB, from the noise of the room to the
/// voice. The noise is the level below which a tenth of the blocks are, the voice the one above which a tenth
/// are: so neither the gain of the microphone nor a hum matters.
struct VoicePauses {
  /// Pauses that are shorter, in seconds, are those between words.
  static let shortest = 0.2

  /// Blocks per second.
  private static let rate = 50
  /// Levels below this, in dB below full scale, are one: a gate leaves digital silence, which is no noise of
  /// a room.
  private static let quietest = -90.0
  /// If voice and noise are closer than this, in dB, there is no telling them apart.
  private static let leastContrast = 12.0
  /// The threshold is at least this far above the noise, in dB, which wavers.
  private static let leastMargin = 6.0
  /// A noise within a pause, such as a click, may have this many blocks.
  private static let longestClick = 2

  private let channels: Int
  /// Samples per channel of a block.
  private let block: Int
  private var sum = 0.0
  private var filled = 0
  /// In dB below full scale, one for each block.
  private(set) var levels: [Double] = []
  private let sampleRate: Int

  init(_ format: AudioFormat) {
    (channels, sampleRate) = (format.channelCount, format.sampleRate)
    block = max(1, format.sampleRate / Self.rate)
  }

  /// Adds interleaved samples, which follow those before.
  mutating func add(_ samples: [Float]) {
    for first in stride(from: 0, to: samples.count - channels + 1, by: channels) {
      for sample in samples[first..<first + channels] { sum += Double(sample) * Double(sample) }
      filled += 1
      if filled == block { endBlock() }
    }
  }

  private mutating func endBlock() {
    let mean = sum / Double(filled * channels)
    levels.append(mean > 0 ? max(Self.quietest, 10 * log10(mean)) : Self.quietest)
    (sum, filled) = (0, 0)
  }

  /// Returns the pauses of at least `shortest` in seconds, in ascending order, without the silence at the
  /// start and the end. A last block that is not full counts as speech.
  func find() -> [ClosedRange<Double>] {
    guard let threshold else { return [] }
    var runs: [Range<Int>] = []
    for (index, level) in levels.enumerated() where level < threshold {
      if let last = runs.last, index - last.upperBound <= Self.longestClick {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    let least = Int((Self.shortest * Double(Self.rate)).rounded())
    let seconds = Double(block) / Double(sampleRate)
    return runs.filter { $0.count >= least && $0.lowerBound > 0 && $0.upperBound < levels.count }
      .map { Double($0.lowerBound) * seconds...Double($0.upperBound) * seconds }
  }

  /// The level below which a block is silent; nil if nothing stands out.
  private var threshold: Double? {
    guard !levels.isEmpty else { return nil }
    let sorted = levels.sorted()
    let (noise, voice) = (sorted[sorted.count / 10], sorted[sorted.count - 1 - sorted.count / 10])
    guard voice - noise >= Self.leastContrast else { return nil }
    return noise + max(Self.leastMargin, (voice - noise) / 3)
  }
}
