import FrameCore
import Libc

/// A run of sound from a PCM.
///
/// The hardware runs on when nobody reads in time: then its position tells exactly how many samples were
/// overwritten. PCMs that stop instead are started again, and the loss is the time in between.
final class MicrophoneStream: AudioStream {
  let format: AudioFormat
  var isPaced: Bool { true }

  private let device: String
  private let wakeSignal: WakeSignal
  private let configuration: PCMConfiguration
  private let sampleFormat: AudioSampleFormat
  /// Nil after `close`.
  private var pcm: (any PCM)?
  /// As the device stores samples.
  private let bytes: UnsafeMutableRawBufferPointer
  private var timeline: CaptureTimeline
  /// The event to return after the last one.
  private var pending: AudioEvent?
  private var isSuspended = false
  /// What the device had captured when its position last changed, and when that was; nil after a restart.
  private var progress: (available: Int, at: Timestamp)?

  /// The most periods delivered at once, after the reader was late.
  private static let mostPeriods = 4
  /// A device that has delivered nothing for this long is broken.
  private static let stallSeconds = 1.0
  /// The seconds between two attempts where nothing tells of a change.
  private static let retryInterval = 0.05
  /// Beyond this difference from now a time cannot be one of CLOCK_MONOTONIC.
  private static let plausibleSeconds = 10.0

  /// - Parameter pcm: configured but not started. It is closed with the stream, and by the caller if this
  ///   throws.
  init(_ pcm: any PCM, _ configuration: PCMConfiguration, device: String) throws {
    guard let sampleFormat = configuration.sampleFormats.first else {
      throw SoundErrors.noSampleFormat(device)
    }
    self.device = device
    self.configuration = configuration
    self.sampleFormat = sampleFormat
    format = AudioFormat(
      sampleRate: configuration.sampleRate, layout: ChannelLayout(channelCount: configuration.channelCount))
    wakeSignal = try WakeSignal()
    timeline = CaptureTimeline(rate: configuration.sampleRate)
    let frames = configuration.period * Self.mostPeriods
    bytes = .allocate(
      byteCount: frames * configuration.channelCount * sampleFormat.bytes, alignment: 16)
    try pcm.prepare()
    try pcm.start()
    self.pcm = pcm
  }

  deinit {
    close()
    bytes.deallocate()
  }

  func wake() { wakeSignal.signal() }

  func close() {
    guard let pcm else { return }
    self.pcm = nil
    pending = nil
    pcm.drop()
    pcm.close()
  }

  func next(until deadline: Timestamp) throws -> AudioEvent {
    if let event = pending {
      pending = nil
      return event
    }
    while let pcm {
      do throws(PCMError) {
        if isSuspended {
          guard try resume(pcm, until: deadline) else { return .idle }
        }
        if let event = try take(pcm) { return event }
      } catch {
        try recover(pcm, from: error)
        continue
      }
      try checkForStall(pcm.now)
      if try wait(pcm, until: deadline) { return .idle }
    }
    return .finished
  }

  // MARK: Sound

  /// Returns the next event from what the hardware has captured, or nil if that is less than a period.
  private func take(_ pcm: any PCM) throws(PCMError) -> AudioEvent? {
    // A conversion or a sound server delays sound, which the delay says; hardware's is what it has captured.
    let position = try pcm.position(withDelay: !configuration.isHardware)
    let now = pcm.now
    let stamp =
      position.time.flatMap { abs($0.seconds(since: now)) < Self.plausibleSeconds ? $0 : nil } ?? now
    guard position.available >= configuration.period else {
      if progress?.available != position.available { progress = (position.available, now) }
      return nil
    }
    progress = nil
    let captured = max(position.available, configuration.isHardware ? 0 : position.delay)
    let start = timeline.start(unread: captured, at: stamp)
    guard position.available <= configuration.buffer else {
      return try overrun(pcm, captured: position.available, from: start)
    }
    let frames = min(position.available / configuration.period, Self.mostPeriods) * configuration.period
    let count = try pcm.read(frames, into: bytes)
    guard count > 0 else { return nil }
    let lost = timeline.resume(at: start)
    let sound = AudioBuffer(
      format: format, samples: samples(count), time: start, position: timeline.deliver(count, at: start))
    guard let lost, lost.count > 0 else { return .sound(sound) }
    pending = .sound(sound)
    return .lost(count: lost.count, reason: lost.reason, at: lost.at)
  }

  private func samples(_ frames: Int) -> [Float] {
    let count = frames * configuration.channelCount
    return [Float](unsafeUninitializedCapacity: count) { samples, initialized in
      sampleFormat.decode(UnsafeRawBufferPointer(bytes), count: count, into: samples)
      initialized = count
    }
  }

  /// Continues with the newest half of the buffer: what is older has been overwritten, or is about to be.
  private func overrun(_ pcm: any PCM, captured: Int, from start: Timestamp) throws(PCMError) -> AudioEvent? {
    let lost = try pcm.skip(captured - configuration.buffer / 2)
    guard lost > 0 else { throw PCMError(code: EPIPE) }
    let next = start.advanced(bySeconds: Double(lost) / Double(configuration.sampleRate))
    let first = timeline.lose(lost, before: next)
    return .lost(count: lost, reason: .overrun, at: first)
  }

  // MARK: Interruptions

  /// - Throws: `CaptureFailure` for what the stream does not survive.
  private func recover(_ pcm: any PCM, from error: PCMError) throws {
    switch error.code {
    case EPIPE:
      timeline.interrupt(.overrun)
    case ESTRPIPE:
      timeline.interrupt(.disconnected)
      isSuspended = true
      return
    default:
      throw SoundErrors.failure(error, device, .capture)
    }
    try restart(pcm)
  }

  private func restart(_ pcm: any PCM) throws {
    isSuspended = false
    progress = nil
    do throws(PCMError) {
      try pcm.prepare()
      try pcm.start()
    } catch {
      throw SoundErrors.failure(error, device, .capture)
    }
  }

  /// Returns whether the device has come back from a suspension; waits for it until `deadline`.
  private func resume(_ pcm: any PCM, until deadline: Timestamp) throws(PCMError) -> Bool {
    while true {
      do throws(PCMError) {
        try pcm.resume()
        isSuspended = false
        progress = nil
        return true
      } catch {
        switch error.code {
        case EAGAIN: break
        // The driver cannot continue where it was.
        case ENOSYS, EINVAL: throw PCMError(code: EPIPE)
        default: throw error
        }
      }
      guard pcm.now < deadline else { return false }
      let end = min(deadline, pcm.now.advanced(bySeconds: Self.retryInterval))
      if pcm.rest(until: end, wake: wakeSignal) {
        wakeSignal.clear()
        return false
      }
    }
  }

  // MARK: Waiting

  private func checkForStall(_ now: Timestamp) throws {
    guard let progress, now.seconds(since: progress.at) > Self.stallSeconds else { return }
    throw SoundErrors.stalled(device, seconds: Self.stallSeconds)
  }

  /// Waits for the device; true if the deadline came or the stream was woken.
  private func wait(_ pcm: any PCM, until deadline: Timestamp) throws -> Bool {
    guard pcm.now < deadline else { return true }
    // A device that is gone without a sign is found by asking.
    let end = min(deadline, pcm.now.advanced(bySeconds: Self.stallSeconds / 4))
    let events: PCMEvents
    do throws(PCMError) {
      events = try pcm.wait(until: end, wake: wakeSignal)
    } catch {
      throw SoundErrors.failure(error, device, .capture)
    }
    if events.contains(.woken) {
      wakeSignal.clear()
      return true
    }
    // Some PCMs are ready before a period is complete; asking again at once would keep a processor busy.
    guard !events.isEmpty, try !hasPeriod(pcm) else { return false }
    let nap = pcm.now.advanced(bySeconds: Double(configuration.period) / Double(configuration.sampleRate) / 8)
    guard pcm.rest(until: min(deadline, nap), wake: wakeSignal) else { return false }
    wakeSignal.clear()
    return true
  }

  /// Whether there is something to read or to tell.
  private func hasPeriod(_ pcm: any PCM) throws -> Bool {
    guard let position = try? pcm.position(withDelay: false) else { return true }
    return position.available >= configuration.period
  }
}
