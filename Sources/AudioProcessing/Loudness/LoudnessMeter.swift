import FrameCore
import Libc

/// Loudness, its range, and peaks of a stream of sound, as EBU R128 has them.
///
/// Mono and discrete channels count as front channels. Of ambisonics only the omnidirectional channel counts,
/// which is what a listener in the middle receives; that is our choice, since BS.1770 does not speak of
/// ambisonics. Memory does not grow with time. One thread at a time.
///
/// Sources: ITU-R BS.1770-4 (2015), EBU R128 (2020), EBU Tech 3341 (2016), EBU Tech 3342 (2016).
public struct LoudnessMeter {
  /// One channel in the last complete 100 ms, for a level display. In dB of full scale; -∞ is silence.
  public struct ChannelLevel: Sendable, Hashable {
    /// A sine of full scale has -3.01.
    public var rms: Double
    public var peak: Double
  }

  public let format: AudioFormat
  /// Of each channel, in the last complete 100 ms.
  public private(set) var levels: [ChannelLevel]

  // Blocks of 100 ms; the last 30 make up the 3 s of short-term loudness.
  private let blockLength: Int
  private var blocks: [Double] = []
  private var blocksDone = 0
  private var filled = 0
  private var blockEnergy = 0.0
  private var blockSquares: [Double]
  private var blockPeaks: [Float]

  private let filter: KWeighting
  private var filterStates: [KWeighting.State]
  private var interpolation: TruePeak
  private let weights: [Double]
  private var samplePeaks: [Float]
  private var truePeaks: [Float]
  private var gated = EnergyHistogram()
  private var shortTerm = EnergyHistogram()

  public init(format: AudioFormat) {
    self.format = format
    let channels = format.channelCount
    weights =
      switch format.layout {
      case .mono, .stereo, .discrete: [Double](repeating: 1, count: channels)
      case .ambiX: [1, 0, 0, 0]
      // FuMa's W is 3 dB lower.
      case .fuMa: [2, 0, 0, 0]
      }
    filter = KWeighting(sampleRate: Double(format.sampleRate))
    interpolation = TruePeak(sampleRate: format.sampleRate, channelCount: channels)
    blockLength = (format.sampleRate + 5) / 10
    filterStates = [KWeighting.State](repeating: KWeighting.State(), count: channels)
    blockSquares = [Double](repeating: 0, count: channels)
    blockPeaks = [Float](repeating: 0, count: channels)
    samplePeaks = blockPeaks
    truePeaks = blockPeaks
    levels = [ChannelLevel](
      repeating: ChannelLevel(rms: -.infinity, peak: -.infinity), count: channels)
  }

  /// The loudness of the last 400 ms in LUFS; -∞ before they are over, and of silence.
  public var momentary: Double { loudness(blocks: 4) }

  /// The loudness of the last 3 s in LUFS; -∞ before they are over, and of silence.
  public var shortTermLoudness: Double { loudness(blocks: 30) }

  /// The loudness of everything so far in LUFS, without what is below -70 LUFS or 10 LU below the rest; -∞ if
  /// that is all.
  public var integrated: Double { gated.gatedMean(10).map(EnergyHistogram.loudness) ?? -.infinity }

  /// How far soft and loud parts lie apart, in LU: between the 10th and the 95th percentile of short-term
  /// loudness.
  public var range: Double {
    guard let bounds = shortTerm.gatedPercentiles(20, [0.1, 0.95]) else { return 0 }
    return EnergyHistogram.loudness(bounds[1]) - EnergyHistogram.loudness(bounds[0])
  }

  /// The largest value between samples so far, of each channel in dBTP; -∞ is silence.
  public var truePeak: [Double] { zip(truePeaks, samplePeaks).map { Self.decibels(Double(max($0, $1))) } }

  /// The largest sample so far, of each channel in dB of full scale; -∞ is silence.
  public var samplePeak: [Double] { samplePeaks.map { Self.decibels(Double($0)) } }

  /// Seconds of sound so far, in whole blocks of 100 ms.
  public var duration: Double { Double(blocksDone * blockLength) / Double(format.sampleRate) }

  /// Takes a buffer; its time does not matter.
  ///
  /// - Precondition: it has the meter's number of channels.
  public mutating func process(_ buffer: AudioBuffer) { process(buffer.samples) }

  /// Takes interleaved samples.
  public mutating func process(_ samples: [Float]) {
    let channels = format.channelCount
    precondition(samples.count.isMultiple(of: channels))
    samples.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      var first = 0
      let count = samples.count / channels
      while first < count {
        let part = min(blockLength - filled, count - first)
        for channel in 0..<channels { measure(base + first * channels + channel, part, channel) }
        first += part
        filled += part
        if filled == blockLength { endBlock() }
      }
    }
  }

  private mutating func measure(_ samples: UnsafePointer<Float>, _ count: Int, _ channel: Int) {
    let stride = format.channelCount
    if weights[channel] > 0 {
      blockEnergy +=
        weights[channel] * filter.energy(of: samples, count: count, stride: stride, &filterStates[channel])
    }
    var (squares, peak) = (0.0, blockPeaks[channel])
    for index in 0..<count {
      let value = samples[index * stride]
      squares += Double(value) * Double(value)
      peak = max(peak, abs(value))
    }
    blockSquares[channel] += squares
    blockPeaks[channel] = peak
    samplePeaks[channel] = max(samplePeaks[channel], peak)
    let between = interpolation.peak(of: samples, count: count, stride: stride, channel: channel)
    truePeaks[channel] = max(truePeaks[channel], between)
  }

  private mutating func endBlock() {
    blocks.append(blockEnergy)
    if blocks.count > 30 { blocks.removeFirst() }
    blocksDone += 1
    for channel in levels.indices {
      let mean = blockSquares[channel] / Double(blockLength)
      levels[channel] = ChannelLevel(
        rms: Self.decibels(mean.squareRoot()), peak: Self.decibels(Double(blockPeaks[channel])))
      blockSquares[channel] = 0
      blockPeaks[channel] = 0
    }
    (filled, blockEnergy) = (0, 0)
    // Gating blocks overlap by three quarters, short-term ones of the range by two thirds.
    if let energy = energy(blocks: 4) { gated.add(energy) }
    if blocksDone >= 30, (blocksDone - 30).isMultiple(of: 10), let energy = energy(blocks: 30) {
      shortTerm.add(energy)
    }
  }

  private func energy(blocks count: Int) -> Double? {
    guard blocks.count >= count else { return nil }
    return blocks.suffix(count).reduce(0, +) / Double(count * blockLength)
  }

  private func loudness(blocks count: Int) -> Double {
    energy(blocks: count).map(EnergyHistogram.loudness) ?? -.infinity
  }

  private static func decibels(_ value: Double) -> Double { value > 0 ? 20 * log10(value) : -.infinity }
}
