import FrameCore
import Libc
import TestSupport

@testable import Capture

/// A sound card with a clock of its own, in a time that only the fake moves.
///
/// Its captured samples count up, one step of 2⁻¹⁵ a frame, so that tests see which ones are missing.
final class FakeCard: PCMDriver, @unchecked Sendable {
  /// What happens to the card, at seconds since it was opened.
  enum Event {
    case unplugged(at: Double)
    /// The machine sleeps; the hardware stands still.
    case asleep(from: Double, to: Double, canResume: Bool)
    /// The hardware stops by itself although it runs freely, as sound servers do.
    case stops(at: Double)
    /// The hardware does not move any more, and says nothing.
    case freezes(at: Double)
  }

  var formats = AudioDeviceFormats(
    sampleRates: [44_100, 48_000], lowestRate: 44_100, highestRate: 48_000, channelCounts: [1, 2],
    sampleFormats: [.s16])
  var events: [Event] = []
  /// The hardware's rate over its nominal one.
  var rateRatio = 1.0
  /// The largest error of a time, in seconds; drawn evenly.
  var jitter = 0.0
  var random = SeededRandom(seed: 1)
  /// Whether the PCM is hardware: it runs on after an xrun, and its delay is what it has captured.
  var isHardware = true
  /// Frames between the program and the converter beyond the buffer, where the PCM is no hardware.
  var serverDelay = 0
  /// The errno that opening fails with.
  var openError: Int32?
  var smallestPeriod = 1
  /// What was opened, in this order.
  private(set) var opened: [String] = []
  private(set) var pcm: FakePCM?
  var clock = Timestamp(nanoseconds: 1_000_000_000_000)

  func open(_ name: String, _ direction: AudioDirection) throws -> any PCM {
    opened.append(name)
    if let openError { throw PCMError(code: openError) }
    let pcm = FakePCM(self)
    self.pcm = pcm
    return pcm
  }

  func sleep(_ seconds: Double) { clock = clock.advanced(bySeconds: seconds) }
}

final class FakePCM: PCM {
  let card: FakeCard
  private(set) var configuration = PCMConfiguration(
    sampleRate: 0, channelCount: 0, sampleFormats: [], period: 0, buffer: 0)
  private var freeRunning = false
  /// When the hardware was started; nil while it stands.
  private var startedAt: Timestamp?
  /// Frames of the hardware before it was started last; they count the time that it stood, too.
  private let origin: Timestamp
  private var hardwareBase = 0
  private var application = 0
  private var handled = 0
  private(set) var isClosed = false

  init(_ card: FakeCard) {
    self.card = card
    origin = card.clock
  }

  var now: Timestamp { card.clock }
  private var seconds: Double { card.clock.seconds(since: origin) }
  private var rate: Double { Double(configuration.sampleRate) * card.rateRatio }

  /// The number of the frame that the converter would have made by now, had it always run.
  private func worldFrame(at seconds: Double) -> Int { Int((seconds * rate).rounded(.down)) }

  /// Frames that the hardware has captured, in whole periods: it tells of no others.
  private func hardware() -> Int {
    guard let startedAt else { return hardwareBase }
    var end = seconds
    for case .freezes(let at) in card.events where at < end { end = at }
    let frames = worldFrame(at: end) - worldFrame(at: startedAt.seconds(since: origin))
    return hardwareBase + max(0, frames) / configuration.period * configuration.period
  }

  private func fault() -> Int32? {
    for event in card.events {
      switch event {
      case .unplugged(let at): if seconds >= at { return ENODEV }
      case .asleep(let from, let to, _):
        if seconds >= from, startedBefore(from) || seconds < to { return ESTRPIPE }
      case .stops(let at): if seconds >= at, startedBefore(at) { return EPIPE }
      case .freezes: break
      }
    }
    if !freeRunning || !card.isHardware, startedAt != nil, hardware() - application > configuration.buffer {
      return EPIPE
    }
    return nil
  }

  private func startedBefore(_ time: Double) -> Bool {
    startedAt.map { $0.seconds(since: origin) < time } ?? false
  }

  func formats() throws(PCMError) -> AudioDeviceFormats { card.formats }

  func configure(_ wanted: PCMConfiguration, freeRunning: Bool) throws(PCMError) -> PCMConfiguration {
    guard card.formats.sampleRates.contains(wanted.sampleRate) else {
      throw PCMError(code: EINVAL, step: .rate)
    }
    configuration = wanted
    configuration.sampleFormats = [card.formats.sampleFormats[0]]
    configuration.period = max(wanted.period, card.smallestPeriod)
    configuration.isHardware = card.isHardware
    self.freeRunning = freeRunning
    return configuration
  }

  func prepare() throws(PCMError) {
    if fault() == ENODEV { throw PCMError(code: ENODEV) }
    startedAt = nil
    (hardwareBase, application) = (0, 0)
  }

  func start() throws(PCMError) {
    if fault() == ENODEV { throw PCMError(code: ENODEV) }
    startedAt = card.clock
  }

  func resume() throws(PCMError) {
    for case .asleep(let from, let to, let canResume) in card.events where startedBefore(from) {
      if seconds < to { throw PCMError(code: EAGAIN) }
      guard canResume else { throw PCMError(code: ENOSYS) }
      startedAt = card.clock
      (hardwareBase, application) = (0, 0)
    }
  }

  func drop() { startedAt = nil }
  func close() { isClosed = true }

  func position(withDelay: Bool) throws(PCMError) -> PCMPosition {
    if let fault = fault() { throw PCMError(code: fault) }
    let frames = hardware()
    // The interrupt came when the last of these frames was captured.
    let started = startedAt?.seconds(since: origin) ?? 0
    let first = Double(worldFrame(at: started))
    let at = startedAt == nil ? seconds : (first + Double(frames - hardwareBase)) / rate
    let error = card.jitter == 0 ? 0 : Double.random(in: 0...card.jitter, using: &card.random)
    return PCMPosition(
      state: .running, available: frames - application, time: origin.advanced(bySeconds: at + error),
      delay: withDelay ? frames - application + card.serverDelay : 0)
  }

  func read(_ frames: Int, into bytes: UnsafeMutableRawBufferPointer) throws(PCMError) -> Int {
    if let fault = fault() { throw PCMError(code: fault) }
    let count = min(frames, hardware() - application)
    let first = worldFrame(at: startedAt?.seconds(since: origin) ?? 0) + application - hardwareBase
    for frame in 0..<count {
      for channel in 0..<configuration.channelCount {
        bytes.storeBytes(
          of: Int16(truncatingIfNeeded: first + frame),
          toByteOffset: 2 * (frame * configuration.channelCount + channel), as: Int16.self)
      }
    }
    application += count
    return count
  }

  func write(_ frames: Int, from bytes: UnsafeRawBufferPointer) throws(PCMError) -> Int { 0 }

  func skip(_ frames: Int) throws(PCMError) -> Int {
    application += frames
    return frames
  }

  func wait(until deadline: Timestamp, wake: WakeSignal) throws(PCMError) -> PCMEvents {
    if rest(until: now, wake: wake) { return .woken }
    // The clock moves in tenths of a millisecond, up to the next interrupt.
    while card.clock < deadline {
      if fault() != nil { return .failed }
      if hardware() - application >= configuration.period { return .ready }
      card.clock = min(deadline, card.clock.advanced(bySeconds: 0.0001))
    }
    return []
  }

  func rest(until deadline: Timestamp, wake: WakeSignal) -> Bool {
    var descriptor = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&descriptor, 1, 0) > 0 { return true }
    card.clock = max(card.clock, deadline)
    return false
  }
}
