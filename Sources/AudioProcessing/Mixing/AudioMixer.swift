import FrameCore

/// Lays sounds over a recording's, such as a voice-over: each with its gain, in step by their positions, and
/// together within full scale.
///
/// Source 0 is the recording and drives: its positions and times are those of the output. Another source
/// counts from its first buffer to `end`; in between it is waited for up to a second, and what has not come
/// by then is silence and counted. The sum passes a `PeakLimiter`. One thread at a time; gains may be set
/// from any.
public final class AudioMixer {
  public struct Statistics: Sendable, Hashable {
    /// Samples per channel that the limiter has made softer.
    public var limited: Int64 = 0
    /// How far it has gone, in dB; 0 if nothing was limited.
    public var largestReduction = 0.0
    /// Samples per channel of other sources that came too late or not at all while they were running.
    public var missing: Int64 = 0
  }

  public let format: AudioFormat
  /// One for each source.
  public let gains: [AudioGain]
  public private(set) var statistics = Statistics()

  private struct Source {
    var queue: SampleQueue
    var ramp: AudioGain.Ramp
    var isRunning = false
  }
  private var sources: [Source]
  /// Buffers of the recording whose samples are still in the limiter.
  private var pending: [(time: Timestamp, position: Int64, count: Int, silence: SilenceReason?)] = []
  private var limiter: PeakLimiter
  /// Samples that have left the limiter, from the first pending buffer on.
  private var mixed: [Float] = []
  /// Samples of the limiter that are from before the first.
  private var leadIn: Int
  private var buffers: [AudioBuffer] = []

  /// - Parameter sourceCount: the recording and those laid over it.
  public init(format: AudioFormat, sourceCount: Int = 2) {
    precondition(sourceCount >= 1)
    self.format = format
    gains = (0..<sourceCount).map { _ in AudioGain() }
    limiter = PeakLimiter(format: format)
    leadIn = limiter.delay
    sources = (0..<sourceCount).map { _ in
      Source(queue: SampleQueue(channelCount: format.channelCount), ramp: AudioGain.Ramp(format: format))
    }
  }

  /// Takes sound of a source, whose `position` is its place in the recording, and gives out what is ready.
  ///
  /// - Throws: `SafelightError(.invalidValue)` if the rate or the channels are not the mixer's; errors of
  ///   `emit`.
  public func add(_ buffer: AudioBuffer, source: Int = 0, _ emit: (AudioBuffer) throws -> Void) throws {
    guard buffer.format == format else {
      throw SafelightError(
        .invalidValue, "Sound of \(buffer.format) cannot be laid over sound of \(format)",
        remedy: "convert its rate and channels before")
    }
    if source == 0 { buffers.append(buffer) } else { enqueue(buffer, source) }
    try drain(emit)
  }

  /// Tells that nothing more of a source will come; what has come is still mixed.
  public func end(source: Int, _ emit: (AudioBuffer) throws -> Void) throws {
    sources[source].isRunning = false
    try drain(emit)
  }

  /// Gives out the rest.
  public func finish(_ emit: (AudioBuffer) throws -> Void) throws {
    for index in sources.indices { sources[index].isRunning = false }
    try drain(emit)
    var rest = [Float](repeating: 0, count: limiter.delay * format.channelCount)
    pass(&rest)
    try deliver(emit)
  }

  private func enqueue(_ buffer: AudioBuffer, _ index: Int) {
    var queue = sources[index].queue
    sources[index].queue = SampleQueue(channelCount: format.channelCount)
    defer { sources[index].queue = queue }
    if !sources[index].isRunning, queue.count == 0 { queue.restart(at: buffer.position) }
    sources[index].isRunning = true
    let gap = buffer.position - queue.end
    if gap > 0 { queue.appendSilence(Int(gap), .overrun) }
    // What overlaps was mixed, or is there already.
    let skipped = min(max(0, -gap), Int64(buffer.frameCount))
    queue.append(buffer.samples.dropFirst(Int(skipped) * format.channelCount), silence: buffer.silence)
  }

  private func drain(_ emit: (AudioBuffer) throws -> Void) throws {
    while let next = buffers.first, isReady(next) {
      buffers.removeFirst()
      mix(next)
      try deliver(emit)
    }
  }

  private func isReady(_ buffer: AudioBuffer) -> Bool {
    let end = buffer.position + Int64(buffer.frameCount)
    let waiting = buffers.reduce(0) { $0 + $1.frameCount }
    return waiting > format.sampleRate
      || sources.dropFirst().allSatisfy { !$0.isRunning || $0.queue.end >= end }
  }

  private func mix(_ buffer: AudioBuffer) {
    var samples = buffer.samples
    sources[0].ramp.apply(gains[0].factor, to: &samples)
    var isHeard = buffer.silence == nil
    for index in sources.indices.dropFirst() {
      let end = buffer.position + Int64(buffer.frameCount)
      let (first, last) = (sources[index].queue.start, sources[index].queue.end)
      if sources[index].isRunning { statistics.missing += max(0, end - max(last, buffer.position)) }
      guard first < end, last > buffer.position else { continue }
      isHeard = true
      var added = sources[index].queue.read(from: buffer.position, count: buffer.frameCount) { Array($0) }
      sources[index].ramp.apply(gains[index].factor, to: &added)
      for place in samples.indices { samples[place] += added[place] }
      sources[index].queue.drop(before: end)
    }
    pending.append(
      (buffer.time, buffer.position, buffer.frameCount, silence: isHeard ? nil : buffer.silence))
    pass(&samples)
  }

  private func pass(_ samples: inout [Float]) {
    limiter.process(&samples)
    let skipped = min(leadIn, samples.count / format.channelCount)
    leadIn -= skipped
    mixed += samples.dropFirst(skipped * format.channelCount)
    statistics.limited = limiter.limited
    statistics.largestReduction = limiter.largestReduction
  }

  private func deliver(_ emit: (AudioBuffer) throws -> Void) throws {
    while let next = pending.first, mixed.count >= next.count * format.channelCount {
      pending.removeFirst()
      let samples = Array(mixed.prefix(next.count * format.channelCount))
      mixed.removeFirst(samples.count)
      try emit(
        AudioBuffer(
          format: format, samples: samples, time: next.time, position: next.position, silence: next.silence))
    }
  }
}
