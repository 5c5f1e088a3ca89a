import FrameCore
import Libc
import Synchronization

/// A simulated microphone with all properties known: a beep of 1 kHz, 50 ms and −12 dBFS at each whole second
/// of `Timestamp` (`SyntheticBeat`), over noise of −50 dBFS (RMS) that differs from channel to channel.
///
/// Ambisonic sound has its source in the horizontal plane, at `azimuth(at:)`; other layouts have the same
/// beep in all channels. The same source with the same start time gives the same samples in every run.
public final class SyntheticAudio: AudioInput {
  /// The format, if a request does not specify another.
  public let format: AudioFormat
  public let seed: UInt32
  /// Whether sound arrives in its time, as from a microphone. Otherwise it comes on request, in simulated
  /// time.
  public let isPaced: Bool
  /// The time of the first sample, if the source is not paced; nil is when it is first opened.
  public let startTime: Timestamp?
  /// Seconds after the first opening at which the source ends; nil for never.
  public let duration: Double?
  public let faults: SyntheticAudioFaults

  /// Accepted rates in samples per second.
  public static let sampleRates = 8_000...192_000
  /// Accepted numbers of channels.
  public static let channelCounts = 1...64
  /// The noise's root mean square: −50 dB below full scale.
  public static let noiseLevel: Float = 0.003_162_277_7
  /// Seconds that the source of ambisonic sound takes for a circle.
  public static let circle = 10.0

  public let name = "Synthetic sound"
  public var id: String { "synthetic sound" }

  /// The simulated world, which outlasts streams.
  struct World {
    /// When the source was first opened.
    var start: Timestamp?
    /// The present of an unpaced source.
    var now: Timestamp?
    var streams: UInt32 = 0
  }
  let world = Mutex(World())
  private let pacer = FramePacer()

  /// - Throws: `SafelightError(.invalidValue)` if a value is out of range.
  public init(
    format: AudioFormat = AudioFormat(sampleRate: 48_000, layout: .stereo), seed: UInt32 = 1,
    paced: Bool = true, startTime: Timestamp? = nil, duration: Double? = nil,
    faults: SyntheticAudioFaults = SyntheticAudioFaults()
  ) throws {
    self.format = format
    self.seed = seed
    isPaced = paced
    self.startTime = startTime
    self.duration = duration
    self.faults = faults
    try validate()
  }

  /// Returns the direction of ambisonic sound in radians, counterclockwise from the front, in 0 ..< 2π.
  public static func azimuth(at time: Timestamp) -> Double {
    let circle = Int64(circle * 1e9)
    let rest = (time.nanoseconds % circle + circle) % circle
    return 2 * .pi * Double(rest) / Double(circle)
  }

  public func openStream(_ request: AudioRequest) throws -> any AudioStream {
    let format = try agreedFormat(request)
    let opening = world.withLock { world -> (start: Timestamp, now: Timestamp, number: UInt32) in
      let now = isPaced ? Timestamp.now : world.now ?? startTime ?? .now
      let start = world.start ?? now
      world.start = start
      world.now = now
      world.streams += 1
      return (start, now, world.streams)
    }
    guard absence(at: opening.now, since: opening.start) == nil else { throw Self.unplugged }
    return SyntheticAudioStream(
      self, format: format, number: opening.number, sceneStart: opening.start, start: opening.now)
  }

  public func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool {
    guard failure.reason != .unsupported else { return false }
    let present = world.withLock { (start: $0.start, now: isPaced ? Timestamp.now : $0.now ?? .now) }
    guard let start = present.start, let end = absence(at: present.now, since: start) else { return true }
    if !isPaced {
      world.withLock { $0.now = end }
      return true
    }
    return pacer.wait(for: end, until: deadline) == .due
  }

  static let unplugged = CaptureFailure(
    .disconnected,
    SafelightError(.device, "Synthetic sound was unplugged", remedy: "it comes back as its faults say"))

  /// Returns the end of the span without a device that contains `now`; nil if there is none.
  private func absence(at now: Timestamp, since start: Timestamp) -> Timestamp? {
    faults.unplugged.lazy
      .map { start.advanced(bySeconds: $0.lowerBound)..<start.advanced(bySeconds: $0.upperBound) }
      .first { $0.contains(now) }?.upperBound
  }

  private func agreedFormat(_ request: AudioRequest) throws -> AudioFormat {
    var agreed = format
    agreed.sampleRate = request.sampleRate ?? format.sampleRate
    if let count = request.channelCount, count != format.channelCount {
      agreed.layout = ChannelLayout(channelCount: count)
    }
    do {
      try Self.validate(agreed)
    } catch let error as SafelightError {
      throw CaptureFailure(.unsupported, error)
    }
    return agreed
  }

  private static func validate(_ format: AudioFormat) throws {
    guard sampleRates.contains(format.sampleRate) else {
      throw SafelightError(
        .invalidValue, "Synthetic sound does not come with \(format.sampleRate) Hz",
        remedy: "ask for \(sampleRates.lowerBound) to \(sampleRates.upperBound)")
    }
    guard channelCounts.contains(format.channelCount) else {
      throw SafelightError(
        .invalidValue, "Synthetic sound does not come with \(format.channelCount) channels",
        remedy: "ask for \(channelCounts.lowerBound) to \(channelCounts.upperBound)")
    }
  }

  private func validate() throws {
    func check(_ value: Double, _ name: String, in range: ClosedRange<Double>) throws {
      guard range.contains(value) else {
        throw SafelightError(
          .invalidValue, "The synthetic sound's \(name) is \(value)",
          remedy: "give a value from \(range.lowerBound) to \(range.upperBound)")
      }
    }
    try Self.validate(format)
    guard startTime == nil || !isPaced else { throw SyntheticBeat.pacedStartTime(of: "sound") }
    if let duration { try check(duration, "duration", in: 0...1e6) }
    try check(faults.drift, "drift", in: -100_000...100_000)
    try check(faults.jitter, "jitter", in: 0...1)
    try check(faults.spikeRate, "rate of spikes", in: 0...1)
    try check(faults.spike, "spike", in: 0...1)
    for span in faults.overruns + faults.unplugged {
      try check(span.lowerBound, "span of a fault", in: 0...1e6)
      try check(span.upperBound, "span of a fault", in: 0...1e6)
    }
  }
}
