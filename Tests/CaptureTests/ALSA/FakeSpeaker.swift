import FrameCore
import Libc
import TestSupport

@testable import Capture

/// A loudspeaker and the microphone whose sound it plays, each with a clock of its own, in a time that only
/// the fake moves.
final class FakeSpeaker: PCM {
  /// What the microphone hears at a time in seconds, left and right the same.
  var signal: (Double) -> Float = { _ in 0 }
  /// The microphone's rate and the loudspeaker's over their nominal ones.
  var captureRatio = 1.0
  var playbackRatio = 1.0
  /// The largest error of the microphone's times, and the largest delay of its chunks' arrival, in seconds.
  var jitter = 0.0
  var arrivalDelay = 0.0
  /// The microphone is silent, its chunks late or the player asleep in these seconds.
  var captureGap: ClosedRange<Double>?
  /// Chunks of the microphone in seconds.
  var chunk = 0.01
  var random = SeededRandom(seed: 7)
  var unpluggedAt = Double.infinity

  let ring: MonitorRing
  let captureRate: Int
  /// Everything that was written, one channel.
  private(set) var played: [Float] = []
  private(set) var configuration: PCMConfiguration
  private(set) var skipped = 0

  private var clock = Timestamp(nanoseconds: 5_000_000_000)
  private let origin = Timestamp(nanoseconds: 5_000_000_000)
  private var startedAt: Timestamp?
  private var written = 0
  private var captured = 0
  private var nextArrival = 0.0

  init(captureRate: Int, playbackRate: Int, format: AudioSampleFormat = .float32) {
    self.captureRate = captureRate
    ring = MonitorRing(sampleRate: captureRate, seconds: 0.25)
    let period = Int(MonitorOutput.period * Double(playbackRate))
    configuration = PCMConfiguration(
      sampleRate: playbackRate, channelCount: 2, sampleFormats: [format], period: period,
      buffer: period * MonitorOutput.periods, isHardware: true)
    nextArrival = chunk
  }

  var now: Timestamp { clock }
  var seconds: Double { clock.seconds(since: origin) }

  /// Moves the time, and lets the microphone's chunks arrive.
  func advance(to time: Timestamp) {
    while true {
      let arrival = origin.advanced(bySeconds: nextArrival)
      guard arrival <= time else { break }
      clock = max(clock, arrival)
      deliver()
    }
    clock = max(clock, time)
  }

  func sleep(_ seconds: Double) { advance(to: clock.advanced(bySeconds: seconds)) }

  private func deliver() {
    let count = Int((chunk * Double(captureRate)).rounded())
    let rate = Double(captureRate) * captureRatio
    let first = Double(captured) / rate
    let samples = (0..<count).map { signal(first + Double($0) / rate) }
    captured += count
    // The next chunk is complete when its last frame is captured.
    let complete = Double(captured + count) / rate
    nextArrival = complete + (arrivalDelay == 0 ? 0 : Double.random(in: 0...arrivalDelay, using: &random))
    if let captureGap, captureGap.contains(first) { return }
    let error = jitter == 0 ? 0 : Double.random(in: -jitter...jitter, using: &random)
    let buffer = AudioBuffer(
      format: AudioFormat(sampleRate: captureRate, layout: .mono), samples: samples,
      time: origin.advanced(bySeconds: first + error))
    if !ring.write(buffer) { skipped += count }
  }

  /// Frames that the loudspeaker has played since it was started.
  private var consumed: Int {
    guard let startedAt else { return 0 }
    return Int(clock.seconds(since: startedAt) * Double(configuration.sampleRate) * playbackRatio)
  }

  /// When a frame of `played` is heard, if the loudspeaker was started once; seconds.
  func heard(_ frame: Int) -> Double {
    (startedAt?.seconds(since: origin) ?? 0)
      + Double(frame) / (Double(configuration.sampleRate) * playbackRatio)
  }

  private func check() throws(PCMError) {
    if seconds >= unpluggedAt { throw PCMError(code: ENODEV) }
  }

  func position(withDelay: Bool) throws(PCMError) -> PCMPosition {
    try check()
    if startedAt != nil, consumed > written { throw PCMError(code: EPIPE) }
    let queued = written - consumed
    return PCMPosition(state: .running, available: configuration.buffer - queued, time: clock, delay: queued)
  }

  func write(_ frames: Int, from bytes: UnsafeRawBufferPointer) throws(PCMError) -> Int {
    try check()
    for frame in 0..<frames { played.append(bytes.load(fromByteOffset: 8 * frame, as: Float.self)) }
    written += frames
    return frames
  }

  func prepare() throws(PCMError) {
    try check()
    startedAt = nil
    written = 0
  }
  func start() throws(PCMError) { startedAt = clock }
  func drop() {}
  func close() {}
  func resume() throws(PCMError) { throw PCMError(code: ENOSYS) }
  func formats() throws(PCMError) -> AudioDeviceFormats { throw PCMError(code: EINVAL) }
  func configure(_ wanted: PCMConfiguration, freeRunning: Bool) throws(PCMError) -> PCMConfiguration {
    wanted
  }
  func read(_ frames: Int, into bytes: UnsafeMutableRawBufferPointer) throws(PCMError) -> Int { 0 }
  func skip(_ frames: Int) throws(PCMError) -> Int { 0 }
  func wait(until deadline: Timestamp, wake: WakeSignal) throws(PCMError) -> PCMEvents { [] }
  func rest(until deadline: Timestamp, wake: WakeSignal) -> Bool {
    advance(to: deadline)
    return false
  }
}
