import FrameCore

extension AudioSynchronizer {
  /// The seconds in which an offset is brought to a third, by a slightly different rate.
  private static let followingTime = 0.5
  /// The largest change of the rate to bring an offset back: 9 cents of pitch.
  private static let largestSlew = 0.005
  /// Larger offsets, in seconds, come from lost sound and are spliced.
  private static let largestSlewedOffset = 0.03
  private static let fade = 0.005
  /// Seconds that are inserted or taken out at once.
  private static let longestSplice = 5.0
  /// Output samples before the first that only fill the filter.
  private static let leadIn = 64

  private var inputRate: Double { Double(configuration.format.sampleRate) }

  /// Gives out everything that is ready.
  func drain(_ emit: (AudioBuffer) throws -> Void) throws {
    while let begin, nextSample < endSample ?? .max {
      let block = Int64(configuration.outputRate / 100)
      let count = Int(min(block, (endSample ?? .max) - nextSample))
      guard let buffer = try produce(count, from: begin) else { break }
      if let reason = buffer.silence {
        statistics.samples[reason] += Int64(count)
      } else {
        statistics.samples.captured += Int64(count)
      }
      nextSample += Int64(count)
      try emit(buffer)
    }
    if isFinished, nextSample >= endSample ?? .max { converter = nil }
    forget()
  }

  private var isFinished: Bool { endSample != nil }

  /// The moment that a sample shows.
  func time(of sample: Int64, from begin: Timestamp) -> Timestamp {
    let nanoseconds = SampleTime.nanoseconds(sample, rate: configuration.outputRate)
    return Timestamp(nanoseconds: begin.nanoseconds + nanoseconds)
  }

  /// Returns the next `count` samples; nil if not all of them are there yet.
  private func produce(_ count: Int, from begin: Timestamp) throws -> AudioBuffer? {
    guard clock.isLocked else {
      // Nothing was ever captured.
      guard isFinished else { return nil }
      return silentBuffer(count, from: begin)
    }
    guard let converter = try begun(count, from: begin) else { return nil }
    guard isFinished || reach(of: converter, count) <= readableEnd else { return nil }
    guard try steer(converter, count, from: begin) else { return nil }
    let first = Double(converterStart) + converter.position
    let samples = try samples(count, of: converter)
    let last = Double(converterStart) + converter.position
    return AudioBuffer(
      format: outputFormat, samples: samples, time: time(of: nextSample, from: begin),
      position: nextSample, silence: queue.silence(from: first, to: last))
  }

  private func silentBuffer(_ count: Int, from begin: Timestamp) -> AudioBuffer {
    AudioBuffer(
      format: outputFormat, samples: [Float](repeating: 0, count: count * outputFormat.channelCount),
      time: time(of: nextSample, from: begin), position: nextSample, silence: .disconnected)
  }

  /// The end of what may be given out. Beyond a splice nothing is known until the device's clock is locked
  /// again.
  private var readableEnd: Int64 {
    splice.map { min($0, queue.end) } ?? queue.end
  }

  /// The end of the input that the next `count` samples need, and the step of the rate's correction more.
  private func reach(of converter: RateConverter, _ count: Int) -> Int64 {
    let length = Double(count) * converter.ratio * 1.02
    return converterStart + Int64(converter.position + length) + Int64(2 * converter.reach)
  }

  /// The converter, which begins where the stream does as soon as that was captured.
  private func begun(_ count: Int, from begin: Timestamp) throws -> RateConverter? {
    if let converter { return converter }
    let moment = time(of: nextSample, from: begin)
    guard let position = clock.position(at: moment) else { return nil }
    let started = try makeConverter()
    let leadIn = Double(Self.leadIn)
    converterStart = Int64((position + Double(alignment) - leadIn * started.ratio).rounded())
    guard isFinished || reach(of: started, count + Self.leadIn) <= readableEnd else { return nil }
    try started.setDeviation(clock.rate / inputRate - 1)
    _ = try samples(Self.leadIn, of: started)
    converter = started
    return started
  }

  /// Sets the rate such that the offset goes away, or splices if it is too large for that.
  ///
  /// - Returns: false if the splice needs more of what comes.
  private func steer(_ converter: RateConverter, _ count: Int, from begin: Timestamp) throws
    -> Bool
  {
    guard var lag = lag(converter, from: begin) else { return true }
    if abs(lag) > Self.largestSlewedOffset * inputRate {
      guard let spliced = spliceAhead(of: converter, Int64(lag.rounded())) else { return false }
      lag -= Double(spliced)
      guard isFinished || reach(of: converter, count) <= readableEnd else { return false }
    }
    statistics.offset = lag / inputRate * 1e3
    statistics.largestOffset = max(statistics.largestOffset, abs(statistics.offset))
    let wanted = lag / (Self.followingTime * inputRate)
    let slew = min(max(wanted, -Self.largestSlew), Self.largestSlew)
    try converter.setDeviation(clock.rate / inputRate - 1 + slew)
    return true
  }

  /// Takes `lag` samples out of what comes next, or inserts as many.
  ///
  /// - Returns: how many were taken out; negative for inserted ones; nil if not all that is to be taken out
  ///   is there.
  private func spliceAhead(of converter: RateConverter, _ lag: Int64) -> Int64? {
    let head = converterStart + converter.fed
    let fade = Int64(Self.fade * inputRate)
    let ahead = queue.end - head
    guard head >= queue.start else { return 0 }
    if lag > 0 {
      let wanted = min(lag, Int64(Self.longestSplice * inputRate))
      guard ahead >= wanted + fade || isFinished else { return nil }
      let count = min(wanted, ahead - fade)
      guard count > 0 else { return 0 }
      queue.remove(Int(count), at: head, fade: Int(fade))
      alignment -= count
      statistics.splices += 1
      return count
    }
    guard ahead >= 2 * fade else { return isFinished ? 0 : nil }
    // Hours of silence are inserted in pieces, the next one when this one has gone out.
    guard ahead < Int64(Self.longestSplice * inputRate) else { return 0 }
    let count = min(-lag, Int64(Self.longestSplice * inputRate))
    queue.insertSilence(Int(count), at: head, fade: Int(fade))
    alignment += count
    statistics.splices += 1
    return -count
  }

  /// Converts `count` samples per channel.
  private func samples(_ count: Int, of converter: RateConverter) throws -> [Float] {
    let channels = converter.channelCount
    var failure: (any Error)?
    let samples = [Float](unsafeUninitializedCapacity: count * channels) { memory, initialized in
      memory.initialize(repeating: 0)
      initialized = count * channels
      var done = 0
      do {
        while done < count {
          let needed =
            converter.position + Double(count - done) * converter.ratio * 1.01 + Double(converter.reach)
          let missing = max(16, Int(needed) - Int(converter.fed))
          let rest = UnsafeMutableBufferPointer(rebasing: memory[(done * channels)...])
          done += try queue.read(from: converterStart + converter.fed, count: missing) { input in
            Result { try converter.convert(input, into: rest) }
          }.get()
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return samples
  }

  /// Lets go of samples that nothing will need.
  private func forget() {
    var first = queue.end - Int64(configuration.history * inputRate)
    if let converter {
      first = converterStart + Int64(converter.position) - Int64(4 * converter.reach)
    } else if !clock.isLocked {
      first = queue.end - Int64(10 * inputRate)
    }
    queue.drop(before: first)
  }
}
