import FrameCore
import Libc

/// A run of a `SyntheticAudio`. Samples are numbered from its opening; each has its true time.
final class SyntheticAudioStream: AudioStream {
  let format: AudioFormat
  var isPaced: Bool { input.isPaced }
  private let input: SyntheticAudio
  private let pacer = FramePacer()
  /// When sample 0 was captured.
  private let start: Timestamp
  /// Samples per second of true time.
  private let rate: Double
  private let block: Int64
  private let seed: UInt32
  /// Samples that the device loses.
  private let overruns: [Range<Int64>]
  /// The first sample that is not captured, since the device was unplugged or the source ends; nil for never.
  private let unplugged: Int64?
  private let end: Int64?
  /// The next sample.
  private var position: Int64 = 0

  init(
    _ input: SyntheticAudio, format: AudioFormat, number: UInt32, sceneStart: Timestamp, start: Timestamp
  ) {
    self.input = input
    self.format = format
    self.start = start
    let rate = Double(format.sampleRate) * (1 + input.faults.drift * 1e-6)
    self.rate = rate
    block = Int64((Double(format.sampleRate) / 100).rounded())
    seed = SceneNoise.hash(input.seed &+ SceneNoise.hash(number))
    /// The first sample at a number of seconds after the scene's start, or after it.
    func sample(at seconds: Double) -> Int64 {
      let time = sceneStart.advanced(bySeconds: seconds)
      // Times are whole nanoseconds: a sample that is due then must not be missed by rounding.
      return Int64((time.seconds(since: start) * rate - 1e-6).rounded(.up))
    }
    overruns = input.faults.overruns.map {
      max(0, sample(at: $0.lowerBound))..<max(0, sample(at: $0.upperBound))
    }
    .filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
    unplugged = input.faults.unplugged.map { sample(at: $0.lowerBound) }.filter { $0 >= 0 }.min()
    end = input.duration.map { max(0, sample(at: $0)) }
  }

  func wake() { pacer.wake() }

  func close() {}

  func next(until deadline: Timestamp) throws -> AudioEvent {
    if let end, position >= end { return .finished }
    if let unplugged, position >= unplugged {
      guard arrives(unplugged, by: deadline) else { return .idle }
      throw SyntheticAudio.unplugged
    }
    var limit = min(end ?? .max, unplugged ?? .max)
    if let overrun = overruns.first(where: { $0.contains(position) }) {
      limit = min(limit, overrun.upperBound)
      guard arrives(limit, by: deadline) else { return .idle }
      let count = Int(limit - position)
      let time = stamp(position)
      position = limit
      return .lost(count: count, reason: .overrun, at: time)
    }
    if let overrun = overruns.first(where: { $0.lowerBound > position }) {
      limit = min(limit, overrun.lowerBound)
    }
    let next = min(position + block, limit)
    guard arrives(next, by: deadline) else { return .idle }
    let samples = samples(position..<next)
    defer { position = next }
    return .sound(
      AudioBuffer(format: format, samples: samples, time: stamp(position), position: position))
  }

  /// Waits until the samples before `sample` were captured; an unpaced source makes that the present.
  private func arrives(_ sample: Int64, by deadline: Timestamp) -> Bool {
    let moment = time(of: sample)
    if isPaced { return pacer.wait(for: moment, until: deadline) == .due }
    input.world.withLock { $0.now = moment }
    return true
  }

  private func time(of sample: Int64) -> Timestamp {
    start.advanced(by: Int64((Double(sample) / rate * 1e9).rounded()))
  }

  /// Returns the time that the device tells for a sample.
  private func stamp(_ sample: Int64) -> Timestamp {
    let faults = input.faults
    guard faults.jitter > 0 || faults.spikeRate > 0 else { return time(of: sample) }
    func uniform(_ salt: UInt32) -> Double {
      let bits = SceneNoise.hash(UInt32(truncatingIfNeeded: sample) ^ SceneNoise.hash(seed ^ salt))
      return (Double(bits) + 0.5) / 4_294_967_296
    }
    // Box and Muller, 1958.
    let normal = (-2 * log(uniform(1))).squareRoot() * cos(2 * .pi * uniform(2))
    let late = uniform(3) < faults.spikeRate ? faults.spike : 0
    return time(of: sample).advanced(bySeconds: normal * faults.jitter + late)
  }

  private func samples(_ range: Range<Int64>) -> [Float] {
    let channels = format.channelCount
    let step = 1e9 / rate
    let first = time(of: range.lowerBound)
    var phase = Double(SyntheticBeat.phase(of: first))
    let weights = weights(at: first)
    // A uniform distribution's root mean square is its bound divided by √3.
    let bound = SyntheticAudio.noiseLevel * Float(3).squareRoot()
    let key = SceneNoise.hash(seed)
    return [Float](unsafeUninitializedCapacity: range.count * channels) { out, count in
      for frame in 0..<range.count {
        let beep = phase < Double(SyntheticBeat.duration) ? SyntheticBeat.sample(at: phase) : 0
        let number = UInt32(truncatingIfNeeded: range.lowerBound &+ Int64(frame)) &* UInt32(channels)
        for channel in 0..<channels {
          let bits = SceneNoise.hash((number &+ UInt32(channel)) ^ key)
          let noise = (Float(bits >> 8) * 0x1p-23 - 1) * bound
          out[frame &* channels &+ channel] = beep * weights[channel] + noise
        }
        phase += step
        if phase >= 1e9 { phase -= 1e9 }
      }
      count = range.count * channels
    }
  }

  /// The beep's gain in each channel. Source of the ambisonic ones: AmbiX (SN3D, W, Y, Z, X) and
  /// Furse–Malham.
  private func weights(at time: Timestamp) -> [Float] {
    let azimuth = SyntheticAudio.azimuth(at: time)
    let (x, y) = (Float(cos(azimuth)), Float(sin(azimuth)))
    return switch format.layout {
    case .mono, .stereo, .discrete: [Float](repeating: 1, count: format.channelCount)
    case .ambiX: [1, y, 0, x]
    case .fuMa: [Float(0.5).squareRoot(), x, y, 0]
    }
  }
}
