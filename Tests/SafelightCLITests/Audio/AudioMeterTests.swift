import Foundation
import Libc
import LibraryTestSupport
import Safelight
import Testing

@Suite("safelight audio meter and monitor")
struct AudioMeterTests {
  /// Writes a sine of 1 kHz.
  private func sine(
    decibels: Double, seconds: Int, _ layout: ChannelLayout, to name: String, in scratch: Scratch,
    channels: Set<Int>
  ) throws {
    let format = AudioFormat(sampleRate: 48_000, layout: layout)
    let writer = try WaveFileWriter(path: scratch(name), format: format, sampleFormat: .float32)
    let amplitude = pow(10, decibels / 20)
    var samples: [Float] = []
    for frame in 0..<seconds * 48_000 {
      let value = Float(amplitude * sin(2 * .pi * Double(frame % 48) / 48))
      for channel in 0..<layout.channelCount { samples.append(channels.contains(channel) ? value : 0) }
    }
    try writer.write(samples)
    try writer.finish()
  }

  private func loudness(_ text: String) throws -> [String: Any] {
    try #require(try JSONReport(text)["loudness"] as? [String: Any])
  }

  /// Source: EBU Tech 3341 (2016), minimum requirements test signal 1: ±0.1 LU.
  @Test("measures the EBU's first test signal as the EBU has it")
  func stereoFile() throws {
    let scratch = try Scratch()
    try sine(decibels: -23, seconds: 20, .stereo, to: "sine.wav", in: scratch, channels: [0, 1])
    let run = try Program.run(["audio", "meter", "sine.wav", "--json"], in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    let values = try loudness(run.output)
    for key in ["momentary", "shortTerm", "integrated", "largestMomentary", "largestShortTerm"] {
      let value = try #require(values[key] as? Double, "\(key)")
      #expect(abs(value + 23) <= 0.1, "\(key): \(value)")
    }
    #expect(values["seconds"] as? Double == 20 && (values["range"] as? Double ?? 9) < 0.1)
    let text = try Program.run(["audio", "meter", "sine.wav"], in: scratch)
    #expect(text.output.contains("integrated  −23.0 LUFS\n"), "\(text.output)")
  }

  @Test("counts of ambisonics only what a listener in the middle hears, where it is told so")
  func ambisonicFile() throws {
    let scratch = try Scratch()
    try sine(decibels: -23, seconds: 5, .ambiX, to: "room.wav", in: scratch, channels: [0, 3])
    let run = try Program.run(["audio", "meter", "room.wav", "--spatial", "ambix", "--json"], in: scratch)
    let plain = try Program.run(["audio", "meter", "room.wav", "--json"], in: scratch)
    // One channel has half of the power of two.
    let value = try #require(try loudness(run.output)["integrated"] as? Double)
    #expect(abs(value + 26) <= 0.1, "\(value)")
    let both = try #require(try loudness(plain.output)["integrated"] as? Double)
    #expect(abs(both + 23) <= 0.1, "\(both)")
  }

  @Test("says of silence that it has no loudness")
  func silence() throws {
    let scratch = try Scratch()
    try sine(decibels: -23, seconds: 2, .mono, to: "silence.wav", in: scratch, channels: [])
    let run = try Program.run(["audio", "meter", "silence.wav", "--json"], in: scratch)
    let values = try loudness(run.output)
    #expect(values["integrated"] is NSNull && values["momentary"] is NSNull, "\(run.output)")
    #expect((values["truePeak"] as? [Any])?.first is NSNull)
  }

  @Test("measures no more of a file than asked")
  func part() throws {
    let scratch = try Scratch()
    try sine(decibels: -23, seconds: 5, .stereo, to: "sine.wav", in: scratch, channels: [0, 1])
    let run = try Program.run(["audio", "meter", "sine.wav", "--seconds", "2", "--json"], in: scratch)
    #expect(try loudness(run.output)["seconds"] as? Double == 2)
  }

  @Test("measures a microphone for as long as asked, and reports each second")
  func live() throws {
    let run = try Program.run(
      ["audio", "meter", "--microphone", "synthetic", "--seconds", "2.5", "--json"], in: Scratch())
    #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
    let lines = run.output.split(separator: "\n").map(String.init)
    let events = try lines.map { try JSONReport($0)["event"] as? String }
    // On a busy machine the run takes longer than its sound.
    #expect(events.count >= 3 && events.last == "end", "\(run.output)")
    #expect(events.dropLast().allSatisfy { $0 == "level" }, "\(run.output)")
    let values = try loudness(try #require(lines.last))
    #expect(values["seconds"] as? Double == 2.5)
    let peaks = try #require(values["truePeak"] as? [Double])
    // The beep's −12 dBFS, with the noise. Sound that begins or ends within a beep has a step there, which
    // interpolation between samples overshoots by about a decibel.
    #expect(peaks.allSatisfy { (-12.5 ... -10.2).contains($0) }, "\(peaks)")
  }

  @Test(
    "refuses what cannot be measured or heard, with the remedy",
    arguments: [
      (["meter", "missing.wav"], "Cannot read missing.wav"),
      (["meter", "text.wav"], "text.wav"),
      (["meter", "text.wav", "--microphone", "synthetic"], "A file is measured as it is"),
      (["meter", "--spatial", "ambix", "--channels", "2"], "Ambisonics have four channels"),
      (["meter", "--microphone", "nobody"], "Unknown microphone “nobody”"),
      (["monitor", "--microphone", "synthetic", "--output", "nobody"], "Unknown loudspeaker “nobody”"),
      (["monitor", "--spatial", "ambix", "--channels", "2"], "record stereo"),
    ])
  func refusals(arguments: [String], words: String) throws {
    let scratch = try Scratch()
    try scratch.write("no sound at all", to: "text.wav")
    let run = try Program.run(["audio"] + arguments, in: scratch)
    #expect(run.exitCode != 0)
    #expect(run.errors.contains(words), "\(run.errors)")
  }
}
