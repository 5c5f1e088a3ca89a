import Foundation
import LibraryTestSupport
import Safelight
import Testing

@testable import SafelightCLI

@Suite("Texts of safelight audio")
struct AudioTextTests {
  private func report(_ json: String) throws -> AudioDeviceReport {
    try JSONDecoder().decode(AudioDeviceReport.self, from: Data(json.utf8))
  }

  private static let problem = "There is no sound device Default; connect it or name another one."

  private func nothing() throws -> AudioDeviceReport {
    try report(
      """
      {"id": "default", "name": "Default", "pcm": "default", "sides": [
        {"direction": "capture", "holders": [], "problem": "\(Self.problem)"},
        {"direction": "playback", "holders": [], "problem": "\(Self.problem)"}]}
      """)
  }

  private func yeti() throws -> AudioDeviceReport {
    try report(
      """
      {"id": "usb-Blue_Yeti-00#0", "name": "Yeti", "pcm": "hw:1,0", "deviceNumber": 0,
        "card": {"index": 1, "id": "Yeti", "name": "Yeti", "longName": "Blue Yeti at usb"}, "sides": [
        {"direction": "capture", "holders": ["obs (process 4711)"], "problem": "Yeti (hw:1,0) is busy",
          "use": {"sampleRate": 48000, "channelCount": 2, "sampleFormat": "S16_LE"}},
        {"direction": "playback", "holders": [], "formats": {"sampleRates": [44100, 48000],
          "lowestRate": 44100, "highestRate": 48000, "channelCounts": [1, 2], "sampleFormats": ["S16_LE"]}}]}
      """)
  }

  @Test("Without a device, one sentence says why and what to do")
  func noDevice() throws {
    let sentence = try #require(AudioDevicesCommand.nothing(in: [try nothing()]))
    #expect(sentence.hasPrefix("No microphone or loudspeaker can be used. \(Self.problem) "))
    #expect(sentence.contains("--microphone synthetic"))
    #expect(AudioDevicesCommand.nothing(in: [try nothing(), try yeti()]) == nil)
  }

  @Test("A device has its id, its formats, and who uses it")
  func device() throws {
    #expect(
      try yeti().text == """
        Yeti  hw:1,0
          id          usb-Blue_Yeti-00#0
          microphone  formats are not known
            in use by obs (process 4711) at 48000 Hz, 2 channels, S16_LE
          loudspeaker 44100, 48000 Hz · 1, 2 channels · S16_LE
        """)
  }

  @Test("The list of devices is JSON that programs can read")
  func json() throws {
    let run = try Program.run(["audio", "devices", "--json"], in: Scratch())
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(try JSONReport.list(run.output).first?["id"] as? String == "default")
  }

  @Test("The status line has time, size, levels and loudness, and what went wrong only where something did")
  func statusLine() {
    var status = TakeStatus(format: AudioFormat(sampleRate: 48_000, layout: .stereo))
    (status.frames, status.bytes) = (83 * 48_000, 12_000_000)
    status.peaks = [-18, -27.6]
    (status.momentary, status.shortTerm) = (-23.14, -.infinity)
    #expect(
      TakeReporter.line(status)
        == "● 0:01:23 · 12.0 MB · ▮▮▮▮▮▮▯▯ ▮▮▮▮▮▯▯▯ −18 dB · M −23.1 S – LUFS")
    status.clipped = 3
    status.silence = TakeSilence(disconnected: 19_200, disk: 480)
    #expect(TakeReporter.line(status).hasSuffix(" · clipped 3 · silence 0.4 s"))
    #expect(
      TakeReporter.silence(status)
        == "Silence stands in for sound: 0.4 s while the device was away, "
        + "10.0 ms where the disk was too slow."
    )
    status.isPaused = true
    #expect(TakeReporter.line(status).hasPrefix("‖ 0:01:23 · 12.0 MB · clipped 3"))
  }

  @Test("Levels of many channels have a mark each")
  func manyChannels() {
    #expect(LevelText.bars([-2, -20, -.infinity, -60]) == "█▆▁▁ −2 dB")
    #expect(LevelText.bars([-.infinity]) == "▯▯▯▯▯▯▯▯ silent")
  }

  @Test("What is monitored says how late it is heard")
  func monitoring() throws {
    var statistics = MonitorStatistics()
    #expect(AudioMonitorRun.line(statistics, []).hasSuffix("not heard yet"))
    statistics.latency = try JSONDecoder().decode(
      MonitorLatency.self, from: Data(#"{"capture": 0.0081, "playback": 0.0061}"#.utf8))
    statistics.underruns = 1
    #expect(
      AudioMonitorRun.summary(statistics)
        == "heard after 14.2 ms: 8.1 ms from the microphone, 6.1 ms to the loudspeaker; 1 interruption")
  }
}
