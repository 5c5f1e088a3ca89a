import AudioProcessingTestSupport
import FrameCore
import Libc
import TestSupport
import Testing

@testable import AudioProcessing

@Suite("Bringing sound into step")
struct AudioSynchronizerTests {
  struct Run {
    var samples: [Float] = []
    var buffers: [AudioBuffer] = []
    mutating func add(_ buffer: AudioBuffer) {
      samples += buffer.samples
      buffers.append(buffer)
    }
  }

  static let start = Timestamp(nanoseconds: 5_000_000_000)

  private func synchronizer(_ microphone: DriftingMicrophone, outputRate: Int? = nil) throws
    -> AudioSynchronizer
  {
    try AudioSynchronizer(.init(format: microphone.format, outputRate: outputRate))
  }

  @Test(
    "a drift stays within 5 ms over 10 minutes from the first sample on, and nothing jumps",
    arguments: [100.0, -100, 500, -500], [1, 2] as [UInt64])
  func drift(ppm: Double, seed: UInt64) throws {
    let frequency = 50.0
    // The first sample of the stream is 0.4 s after the microphone's: the tone begins there with phase 0.
    var microphone = DriftingMicrophone(rate: 8000, driftPPM: ppm, start: Self.start, seed: seed) {
      Float(0.5 * sin(2 * .pi * frequency * ($0 - 0.4)))
    }
    microphone.addUsualJitter()
    let synchronizer = try synchronizer(microphone)
    try synchronizer.start(at: Self.start.advanced(bySeconds: 0.4))
    var run = Run()
    while microphone.moment(of: microphone.position) < 600.3 {
      try synchronizer.process(microphone.next()) { run.add($0) }
    }
    // The rest comes with the microphone's last buffers.
    for _ in 0..<20 { synchronizer.take(microphone.next()) }
    try synchronizer.finish(at: Self.start.advanced(bySeconds: 600.4)) { run.add($0) }
    #expect(run.samples.count == 600 * 8000)

    let offsets = ToneOffset.offsets(of: run.samples, rate: 8000, frequency: frequency, window: 160)
    let fromStart = offsets.map(abs).max() ?? 1
    let settled = offsets[50...].map(abs).max() ?? 1
    let later = offsets[1500...].map(abs).max() ?? 1
    #expect(fromStart < 5e-3, "\(fromStart * 1e3) ms")
    #expect(later < 1e-3, "\(later * 1e3) ms after 30 s")
    // A step of a sample would be 125 µs; between windows of 20 ms the largest change of the rate makes 100
    // µs.
    let steps = zip(offsets.dropFirst(), offsets).map { abs($0 - $1) }
    let step = steps.max() ?? 1
    #expect(step < 60e-6, "\(step * 1e6) µs")
    // The second difference of a sine is at most (2πf/r)² times its amplitude; a click is more.
    let bound = Float(0.5 * pow(2 * .pi * frequency / 8000, 2) * 1.02 + 2e-4)
    let worst = ToneOffset.largestSecondDifference(of: run.samples)
    #expect(worst < bound, "\(worst) of \(bound)")
    #expect(abs(synchronizer.statistics.driftPPM - ppm) < 10 && synchronizer.statistics.splices == 0)
    let report =
      "\(ppm) ppm, seed \(seed): from the start \(fromStart * 1e3), after 1 s \(settled * 1e3), "
      + "after 30 s \(later * 1e3) ms; step \(step * 1e6) µs a 20 ms"
    if getenv("SAFELIGHT_SHOW") != nil { print(report) }
  }

  @Test("48 kHz stereo of a device that claims 44.1 kHz comes out at 48 kHz without noise")
  func otherRate() throws {
    var microphone = DriftingMicrophone(rate: 44_100, channels: 2, driftPPM: 60, start: Self.start) {
      Float(0.5 * sin(2 * .pi * 1000 * ($0 - 0.5)))
    }
    let synchronizer = try synchronizer(microphone, outputRate: 48_000)
    try synchronizer.start(at: Self.start.advanced(bySeconds: 0.5))
    var run = Run()
    for _ in 0..<1000 { try synchronizer.process(microphone.next()) { run.add($0) } }
    #expect(run.buffers.allSatisfy { $0.format == AudioFormat(sampleRate: 48_000, layout: .stereo) })
    let left = stride(from: 0, to: run.samples.count, by: 2).map { run.samples[$0] }
    let offsets = ToneOffset.offsets(of: left, rate: 48_000, frequency: 1000, window: 480)
    #expect(offsets.map(abs).max() ?? 1 < 25e-6)
    // Against the tone that each window shows, noise and distortion are below -80 dB of full scale.
    for (index, offset) in offsets.enumerated() where index > 100 && index % 50 == 0 {
      for sample in index * 480..<index * 480 + 480 {
        let ideal = 0.5 * sin(2 * .pi * 1000 * (Double(sample) / 48_000 - offset))
        #expect(abs(Double(left[sample]) - ideal) < 1e-4)
      }
    }
  }

  /// A sawtooth: each sample tells the moment of its capture, as a part of its second.
  private func ramp(_ ppm: Double, rate: Int = 48_000) -> DriftingMicrophone {
    DriftingMicrophone(rate: rate, driftPPM: ppm, start: Self.start) { Float($0 - $0.rounded(.down) - 0.5) }
  }

  /// How far the moment that a sample tells is from a moment, in samples; 0 where the filter rings at a
  /// tooth.
  private func error(_ sample: Float, _ moment: Double, rate: Double = 48_000) -> Double {
    let part = moment - moment.rounded(.down)
    guard part > 2e-3, part < 1 - 2e-3 else { return 0 }
    return (Double(sample) + 0.5 - part) * rate
  }

  @Test("begins at the moment asked for, to the sample, and each buffer tells its moment")
  func start() throws {
    for moment in [0.4, 0.777_777_7, 1.234_567_891] {
      var microphone = ramp(80)
      let synchronizer = try synchronizer(microphone)
      try synchronizer.start(at: Self.start.advanced(bySeconds: moment))
      var run = Run()
      for _ in 0..<300 { try synchronizer.process(microphone.next()) { run.add($0) } }
      #expect(abs(error(run.samples[0], moment)) < 1, "\(moment)")
      for (index, buffer) in run.buffers.enumerated() {
        #expect(buffer.position == Int64(index * 480) && buffer.frameCount == 480 && buffer.silence == nil)
        let told = buffer.time.seconds(since: Self.start)
        #expect(abs(told - moment - Double(index) * 0.01) < 2e-9)
        #expect(abs(error(buffer.samples[0], told)) < 1.25)
      }
    }
  }

  @Test("what is missing before the microphone begins is silence of that length")
  func lateMicrophone() throws {
    var microphone = DriftingMicrophone(rate: 48_000, driftPPM: 0, start: Self.start) { _ in 0.5 }
    let synchronizer = try synchronizer(microphone)
    try synchronizer.start(at: Self.start.advanced(bySeconds: -0.35))
    var run = Run()
    for _ in 0..<100 { try synchronizer.process(microphone.next()) { run.add($0) } }
    let begin = try #require(run.samples.firstIndex { $0 > 0.25 })
    #expect(abs(begin - 16_800) <= 1)
    #expect(run.samples[..<(begin - 100)].allSatisfy { $0 == 0 })
    #expect(run.buffers[0].silence == .disconnected && run.buffers[60].silence == nil)
  }

  @Test("begins once and ends once, and not before it begins")
  func misuse() throws {
    var microphone = ramp(0)
    let synchronizer = try synchronizer(microphone)
    #expect(throws: SafelightError.self) { try synchronizer.finish(at: Self.start) { _ in } }
    try synchronizer.start(at: Self.start)
    #expect(throws: SafelightError.self) { try synchronizer.start(at: Self.start) }
    let early = Self.start.advanced(bySeconds: -1)
    #expect(throws: SafelightError.self) { try synchronizer.finish(at: early) { _ in } }
    for _ in 0..<200 { try synchronizer.process(microphone.next()) { _ in } }
    var count = synchronizer.sampleCount
    try synchronizer.finish(at: Self.start.advanced(bySeconds: 2.1)) { count += Int64($0.frameCount) }
    #expect(count == 100_800)
    #expect(throws: SafelightError.self) { try synchronizer.finish(at: Self.start) { _ in } }
  }

  @Test("a stream that is finished at a moment that was given out ends with that")
  func lateFinish() throws {
    var microphone = ramp(0)
    let synchronizer = try synchronizer(microphone)
    try synchronizer.start(at: Self.start)
    for _ in 0..<200 { try synchronizer.process(microphone.next()) { _ in } }
    let until = try #require(synchronizer.emittedUntil)
    var rest = 0
    let end = try synchronizer.finish(at: Self.start.advanced(bySeconds: 1)) { rest += $0.frameCount }
    #expect(end == until && rest == 0)
  }
}
