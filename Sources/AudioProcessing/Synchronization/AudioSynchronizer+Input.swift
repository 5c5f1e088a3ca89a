import FrameCore

extension AudioSynchronizer {
  /// Longer gaps in positions are not filled but measured by the clock.
  private static let longestGap = 1.0

  /// Puts a buffer into the queue and its time into the clock.
  func take(_ buffer: AudioBuffer) {
    guard buffer.frameCount > 0 else { return }
    checkPosition(buffer)
    let position = buffer.position + restartShift
    measure(buffer, at: position)
    queue.append(buffer.samples[...], silence: buffer.silence)
    expected = buffer.position + Int64(buffer.frameCount)
    statistics.driftPPM = clock.driftPPM
    statistics.jitter = clock.jitter * 1e3
  }

  private func checkPosition(_ buffer: AudioBuffer) {
    guard let expected else {
      queue.restart(at: buffer.position)
      return
    }
    let gap = buffer.position - expected
    guard gap != 0 else { return }
    if gap > 0, Double(gap) <= Self.longestGap * Double(configuration.format.sampleRate) {
      queue.appendSilence(Int(gap), .overrun)
    } else {
      // The device counts anew, or was gone for long: only its times tell for how long.
      restartShift -= gap
      beginSplice()
    }
  }

  private func beginSplice() {
    clock.relock()
    if splice == nil { splice = queue.end }
  }

  private func measure(_ buffer: AudioBuffer, at position: Int64) {
    switch buffer.silence {
    case .disconnected:
      isAway = true
      clock.assume(position: position, time: buffer.time)
    // The length of what was lost is a measurement, but its time is none.
    case .overrun: break
    case nil:
      if isAway {
        isAway = false
        beginSplice()
      }
      if firstMeasurement == nil { firstMeasurement = (position, buffer.time) }
      note(clock.update(position: position, time: buffer.time))
    }
  }

  private func note(_ event: ClockRecovery.Event) {
    statistics.isClockStopped = event == .clockStopped
    switch event {
    case .locked: align()
    case .jumped: statistics.clockJumps += 1
    // Sound is not thrown away because its times are worth nothing.
    case .clockStopped:
      if let firstMeasurement {
        clock.assume(position: firstMeasurement.position, time: firstMeasurement.time)
      }
    case .acquiring, .tracked, .outlier, .positionRepeated: break
    }
  }

  /// How much further in the queue the sound of the next sample is than what the converter will give out, in
  /// input samples; nil before anything runs.
  func lag(_ converter: RateConverter, from begin: Timestamp) -> Double? {
    clock.position(at: time(of: nextSample, from: begin)).map {
      $0 + Double(alignment) - (Double(converterStart) + converter.position)
    }
  }

  /// After a new lock: makes the silence before the returned sound as long as the device was away.
  func align() {
    guard let splice else { return }
    self.splice = nil
    guard let converter, let begin, let lag = lag(converter, from: begin) else { return }
    let head = max(converterStart + converter.fed, queue.start)
    let place = max(splice, head)
    let shift = Int64(lag.rounded())
    if shift > 0 {
      // If more silence has gone out than the device was away, the beginning of its sound comes too late.
      let silence = min(shift, max(0, splice - head))
      let sound = min(shift - silence, queue.end - place)
      guard silence + sound > 0 else { return }
      queue.remove(Int(silence + sound), at: place - silence, fade: 0)
      alignment -= silence + sound
    } else if shift < 0, queue.end >= place {
      let count = min(-shift, Int64(10 * configuration.format.sampleRate))
      queue.insertSilence(Int(count), at: place, fade: 0)
      alignment += count
    }
  }
}
