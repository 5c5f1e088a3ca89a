import Safelight

/// A meter of EBU R128 that also keeps the largest momentary and short-term loudness.
struct LoudnessReading {
  private(set) var meter: LoudnessMeter
  /// In LUFS; -∞ while there is none.
  private(set) var largestMomentary = -Double.infinity
  private(set) var largestShortTerm = -Double.infinity

  init(format: AudioFormat) { meter = LoudnessMeter(format: format) }

  /// Takes interleaved samples, in pieces of 100 ms at most, so that no maximum is missed.
  ///
  /// - Precondition: whole samples for all channels.
  mutating func process(_ samples: [Float]) {
    let channels = meter.format.channelCount
    let piece = max(1, meter.format.sampleRate / 10) * channels
    guard samples.count > piece else { return processPiece(samples) }
    for start in stride(from: 0, to: samples.count, by: piece) {
      processPiece(Array(samples[start..<min(start + piece, samples.count)]))
    }
  }

  private mutating func processPiece(_ samples: [Float]) {
    meter.process(samples)
    largestMomentary = max(largestMomentary, meter.momentary)
    largestShortTerm = max(largestShortTerm, meter.shortTermLoudness)
  }
}

/// What a meter has measured, as JSON; a value that does not exist, such as the loudness of silence, is null.
struct LoudnessReport: JSONReport, Hashable {
  /// Measured sound, in whole blocks of 100 ms.
  var seconds: Double
  /// In LUFS.
  @OrNull var momentary: Double?
  @OrNull var shortTerm: Double?
  @OrNull var integrated: Double?
  @OrNull var largestMomentary: Double?
  @OrNull var largestShortTerm: Double?
  /// In LU.
  var range: Double
  /// Of each channel in dBTP.
  var truePeak: [Double?]

  init(_ reading: LoudnessReading) {
    let meter = reading.meter
    seconds = PlainNumber.rounded(meter.duration, 1)
    range = PlainNumber.rounded(meter.range, 2)
    truePeak = meter.truePeak.map(Self.known)
    _momentary = OrNull(wrappedValue: Self.known(meter.momentary))
    _shortTerm = OrNull(wrappedValue: Self.known(meter.shortTermLoudness))
    _integrated = OrNull(wrappedValue: Self.known(meter.integrated))
    _largestMomentary = OrNull(wrappedValue: Self.known(reading.largestMomentary))
    _largestShortTerm = OrNull(wrappedValue: Self.known(reading.largestShortTerm))
  }

  private static func known(_ value: Double) -> Double? {
    value.isFinite ? PlainNumber.rounded(value, 2) : nil
  }
}
