import FrameCore

/// Brings captured sound into step with CLOCK_MONOTONIC: buffers with raw times in, one continuous stream at
/// exactly the nominal rate of that clock out.
///
/// The device's clock is recovered (`ClockRecovery`), and libswresample follows it with a rate that changes
/// by parts of a million, so nothing jumps. Sample n of the output shows the moment of the start + n / rate;
/// who records leaves pauses out afterwards. Where sound itself was lost and its times tell by how much, it
/// is spliced: silence of the missing length, or a cross-fade of 5 ms. One thread at a time.
public final class AudioSynchronizer {
  public struct Configuration: Sendable, Hashable {
    /// What comes in.
    public var format: AudioFormat
    /// Samples per second of what goes out.
    public var outputRate: Int
    /// Seconds of sound that are kept before the start, which may lie so far back.
    public var history = 2.0

    public init(format: AudioFormat, outputRate: Int? = nil) {
      self.format = format
      self.outputRate = outputRate ?? format.sampleRate
    }
  }

  /// How well sound is in step, and what was given out.
  public struct Statistics: Sendable, Hashable {
    /// How much faster than nominal the device runs, in parts per million.
    public var driftPPM = 0.0
    /// How late content comes against its time, in milliseconds, as far as the recovered clock tells.
    public var offset = 0.0
    /// The largest absolute value of `offset` so far.
    public var largestOffset = 0.0
    /// The standard deviation of the measured times, in milliseconds.
    public var jitter = 0.0
    /// How often lost or repeated sound was spliced because its times had jumped.
    public var splices = 0
    /// How often the measured times have moved for good against the positions.
    public var clockJumps = 0
    /// Whether measured times stand still while sound comes. It goes on at the last rate, or the nominal one.
    public var isClockStopped = false
    /// Samples given out, and why some are silence.
    public var samples = AudioStatistics()
  }

  public let configuration: Configuration
  public let outputFormat: AudioFormat
  public internal(set) var statistics = Statistics()

  var clock: ClockRecovery
  var queue: SampleQueue
  // Positions in the queue are those of buffers, plus what makes them continuous when a device starts anew
  // (`restartShift`, which the clock sees too), plus what was inserted and minus what was taken out
  // (`alignment`).
  var restartShift: Int64 = 0
  var alignment: Int64 = 0
  /// The position that the next buffer should have; nil before the first.
  var expected: Int64?
  /// The first measurement, for a clock that never runs.
  var firstMeasurement: (position: Int64, time: Timestamp)?
  var isAway = false
  /// Where sound begins again after the device was away, until the new lock tells when that was.
  var splice: Int64?

  /// The moment that the first sample shows; nil before the start.
  var begin: Timestamp?
  /// The sample after the last one; nil until the stream is finished.
  var endSample: Int64?
  var converter: RateConverter?
  /// The queue's position of the converter's first input sample.
  var converterStart: Int64 = 0
  /// The next sample to give out.
  var nextSample: Int64 = 0

  public init(_ configuration: Configuration) throws {
    self.configuration = configuration
    outputFormat = AudioFormat(sampleRate: configuration.outputRate, layout: configuration.format.layout)
    clock = ClockRecovery(nominalRate: configuration.format.sampleRate)
    queue = SampleQueue(channelCount: configuration.format.channelCount)
    // What the library refuses is known before anything is recorded.
    _ = try makeConverter()
  }

  func makeConverter() throws -> RateConverter {
    try RateConverter(
      channelCount: configuration.format.channelCount, from: configuration.format.sampleRate,
      to: configuration.outputRate)
  }

  /// The first moment that was not given out yet; nil before the first sample.
  var emittedUntil: Timestamp? {
    begin.flatMap { nextSample > 0 ? time(of: nextSample, from: $0) : nil }
  }

  /// The number of samples per channel given out.
  public var sampleCount: Int64 { nextSample }

  /// Begins the stream: its first sample shows this moment, such as the first picture's. Sound from before is
  /// kept for `history` seconds; what is missing at the moment is silence.
  ///
  /// - Throws: `SafelightError(.invalidValue)` if it has begun.
  public func start(at time: Timestamp) throws {
    guard begin == nil else { throw Self.misuse("has already begun", "begin a new one") }
    begin = time
  }

  /// Takes captured sound, and gives out what is ready, in pieces of 10 ms.
  ///
  /// Buffers come in the order of their positions. Missing positions are given out as silence (`overrun`).
  ///
  /// - Throws: `SafelightError(.invalidValue)` if the format is another one; errors of `emit`.
  public func process(_ buffer: AudioBuffer, _ emit: (AudioBuffer) throws -> Void) throws {
    guard buffer.format == configuration.format else {
      throw SafelightError(
        .invalidValue, "The format of sound has changed while it was recorded",
        remedy: "begin a new recording")
    }
    take(buffer)
    try drain(emit)
  }

  /// Ends the stream at a moment, to the sample, and gives out the rest. What was not captured by then is
  /// silence. If sound after that moment was given out already, the stream ends with that.
  ///
  /// - Returns: the moment of the end.
  /// - Throws: `SafelightError(.invalidValue)` if it does not run; errors of `emit`.
  @discardableResult
  public func finish(at time: Timestamp, _ emit: (AudioBuffer) throws -> Void) throws -> Timestamp {
    guard let begin, endSample == nil else { throw Self.misuse("is not running", "finish it while it runs") }
    let end = max(time, emittedUntil ?? time)
    guard end >= begin else { throw Self.misuse("cannot end before it begins", "finish it later") }
    endSample = SampleTime.samples(end.nanoseconds - begin.nanoseconds, rate: configuration.outputRate)
    if clock.lockNow() { align() }
    try drain(emit)
    return end
  }

  private static func misuse(_ what: String, _ remedy: String) -> SafelightError {
    SafelightError(.invalidValue, "The recording of sound \(what)", remedy: remedy)
  }
}
