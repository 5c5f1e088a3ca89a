import FoundationEssentials
import FrameCore
import Libc
import TestSupport
import Testing

@testable import Capture

/// ALSA's own library, with PCMs that are files in place of devices. Where it is not installed, these are
/// skipped.
///
/// One test after the other: the library reads its configuration from a variable of the process.
@Suite(
  "PCMs of ALSA", .serialized, .enabled(if: (try? ALSADriver.requireLibrary()) != nil, "needs libasound2"))
struct ALSAPCMTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(
      """
      pcm.silence { type null }
      pcm.take { type file slave.pcm silence file "/dev/null" infile "\(scratch("in"))" format raw }
      pcm.press { type file slave.pcm silence file "\(scratch("out"))" format raw }
      """, to: "asound.conf")
    setenv("ALSA_CONFIG_PATH", scratch("asound.conf"), 1)
  }

  private func input(_ name: String) throws -> MicrophoneInput {
    MicrophoneInput(try AudioDevice.device("alsa:" + name, .capture))
  }

  private func floats(_ bytes: [UInt8]) -> [Float] {
    bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  @Test("What the library reads is delivered, sample by sample, with positions and times")
  func recording() throws {
    let sent = (0..<48_000).map { Float($0) / 48_000 }
    try scratch.write(sent.withUnsafeBytes { Array($0) }, to: "in")
    let stream = try input("take").openStream(AudioRequest(sampleRate: 48_000, channelCount: 1))
    defer { stream.close() }
    #expect(stream.format == AudioFormat(sampleRate: 48_000, layout: .mono))
    var received: [Float] = []
    let before = Timestamp.now
    while received.count < sent.count {
      guard case .sound(let buffer) = try stream.next(until: .now.advanced(bySeconds: 5)) else { continue }
      #expect(Int(buffer.position) == received.count)
      #expect(buffer.time <= .now && buffer.time > before.advanced(bySeconds: -1))
      received += buffer.samples
    }
    #expect(Array(received.prefix(sent.count)) == sent)
  }

  @Test("The formats of a PCM are told, and requests are met or refused")
  func formats() throws {
    let device = try AudioDevice.device("alsa:silence", .capture)
    let formats = try device.formats(.capture)
    #expect(
      formats.sampleRates == AudioDeviceFormats.usualRates
        && formats.sampleFormats == AudioSampleFormat.allCases)
    #expect(formats.channelCounts == Array(1...32))
    let stream = try MicrophoneInput(device).openStream(AudioRequest(sampleRate: 96_000, channelCount: 4))
    #expect(stream.format == AudioFormat(sampleRate: 96_000, layout: .discrete(4)))
    stream.close()
    #expect(
      message { _ = try input("silence").openStream(AudioRequest(channelCount: 33)) }
        == "alsa:silence does not record 33 channels; ask for 1 to 32.")
  }

  @Test(
    "A PCM that does not exist, and a card that is not there, are refused by name",
    arguments: ["alsa:none", "hw:9,0"])
  func missing(name: String) throws {
    let device = try AudioDevice.device(name, .capture)
    #expect(
      message { _ = try MicrophoneInput(device).openStream(AudioRequest()) }
        == "There is no sound device \(name); connect it or name another one.")
    let report = AudioDeviceReport(device)
    #expect(report.sides.count == 1 && report.sides[0].formats == nil)
    #expect(report.sides[0].problem == "There is no sound device \(name); connect it or name another one.")
    #expect(throws: CaptureFailure.self) {
      _ = try AudioMonitor(
        AudioDevice.device(name, .playback), format: AudioFormat(sampleRate: 48_000, layout: .mono))
    }
  }

  @Test("Without any device the default one is missing, which the remedy says")
  func noDefault() throws {
    #expect(
      message { _ = try MicrophoneInput().openStream(AudioRequest()) }
        == "There is no default microphone; "
        + "connect one, or start the sound server (systemctl --user start pipewire).")
  }

  @Test("A monitor plays what it is given with its gain, on a thread that ends with it")
  func monitor() async throws {
    let format = AudioFormat(sampleRate: 48_000, layout: .mono)
    let monitor = try AudioMonitor(AudioDevice.device("alsa:press", .playback), format: format, gain: 0.5)
    let wrong = AudioBuffer(
      format: AudioFormat(sampleRate: 44_100, layout: .mono), samples: [1, 1], time: .now)
    monitor.play(wrong)
    #expect(monitor.statistics.skipped == 2)
    var heard = false
    for _ in 0..<1000 where !heard {
      let samples = [Float](repeating: 0.5, count: 480)
      monitor.play(AudioBuffer(format: format, samples: samples, time: .now.advanced(bySeconds: -0.01)))
      try await Task.sleep(for: .milliseconds(10))
      heard = floats((try? scratch.read("out")) ?? []).contains { abs($0 - 0.25) < 1e-4 }
    }
    #expect(heard && monitor.failure == nil)
    monitor.gain = .nan
    #expect(monitor.gain == 0)
    monitor.gain = 100
    #expect(monitor.gain == 16)
    monitor.stop()
    monitor.stop()
    let written = try scratch.read("out").count
    monitor.play(wrong)
    #expect(try scratch.read("out").count == written)
  }
}
