import Libc
import LibraryTestSupport
import Safelight
import Testing

@Suite("safelight audio record")
struct AudioRecordTests {
  private static let synthetic = ["audio", "record", "--microphone", "synthetic"]

  private func record(_ arguments: [String], in scratch: Scratch) throws -> Program.Outcome {
    try Program.run(Self.synthetic + arguments, in: scratch)
  }

  /// The frames at which the left channel's beeps begin.
  private func beeps(_ reader: WaveFileReader) throws -> [Int] {
    let channels = reader.format.channelCount
    let samples = try reader.read(Int(reader.frameCount))
    var (found, quiet): ([Int], Int) = ([], 4800)
    for frame in 0..<samples.count / channels {
      // The beep has −12 dBFS, the noise −50.
      guard abs(samples[frame * channels]) > 0.05 else {
        quiet += 1
        continue
      }
      if quiet >= 4800 { found.append(frame) }
      quiet = 0
    }
    return found
  }

  @Test("writes exactly the time that was asked for, in the asked format, and no sample more")
  func duration() throws {
    let scratch = try Scratch()
    let run = try record(
      [
        "-o", "take.wav", "--max-duration", "1.3s", "--bits", "16", "--channels", "1", "--sample-rate",
        "44100",
      ],
      in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.errors.contains("The time of --max-duration is over."), "\(run.errors)")
    let reader = try WaveFileReader(path: scratch("take.wav"))
    #expect(reader.format == AudioFormat(sampleRate: 44_100, layout: .mono))
    #expect(reader.integerBits == 16 && reader.frameCount == 57_330 && !reader.isCut)
  }

  @Test("does not resample: beeps of the device's clock are a second of samples apart")
  func clock() throws {
    let scratch = try Scratch()
    let run = try record(["-o", "take.wav", "--max-duration", "3.2s"], in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    let beeps = try beeps(WaveFileReader(path: scratch("take.wav")))
    #expect(beeps.count >= 3)
    // The first may already be sounding when the recording begins.
    let steps = zip(beeps.dropFirst(), beeps.dropFirst(2)).map { $1 - $0 }
    // The noise moves the sample at which a beep is heard by one at most.
    #expect(steps.allSatisfy { abs($0 - 48_000) <= 2 }, "\(beeps)")
  }

  @Test("is louder by its gain")
  func gain() throws {
    let scratch = try Scratch()
    func noise(_ name: String, _ more: [String]) throws -> Float {
      // In a whole second there is one beep, wherever it begins.
      #expect(try record(["-o", name, "--max-duration", "1s"] + more, in: scratch).exitCode == 0)
      let samples = try WaveFileReader(path: scratch(name)).read(100_000).map(abs).sorted()
      return samples[samples.count / 2]
    }
    let ratio = try noise("loud.wav", ["--gain", "20"]) / noise("plain.wav", [])
    #expect(abs(ratio - 10) < 0.3, "\(ratio)")
  }

  @Test("makes FuMa of a B-format device, and .amb is its name")
  func spatial() throws {
    let scratch = try Scratch()
    let run = try record(
      ["-o", "new/room.amb", "--spatial", "fuma", "--capsules", "ambix", "--max-duration", "1.2s"],
      in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    let reader = try WaveFileReader(path: scratch("new/room.amb"))
    #expect(reader.format.layout == .fuMa && reader.frameCount == 57_600)
    let samples = try reader.read(57_600)
    // The beep's source is in the horizontal plane: W is 3 dB below a unit gain, and Z hears only noise.
    let peak = { channel in
      stride(from: channel, to: samples.count, by: 4).map { abs(samples[$0]) }.max() ?? 0
    }
    #expect(abs(peak(0) - 0.251 * 0.707) < 0.02, "\(peak(0))")
    #expect(peak(3) < 0.02, "\(peak(3))")
  }

  @Test(
    "refuses what cannot be, with the remedy",
    arguments: [
      (["-o", "a.wav", "--spatial", "ambix", "--channels", "2"], "record stereo"),
      (["-o", "a.amb"], "A file in .amb holds FuMa"),
      (["-o", "a.mp3"], "give a name in .wav"),
      (["-o", "take"], "has no extension"),
      (["-o", "a.wav", "--capsules", "type1"], "--capsules has no effect without --spatial"),
      (["-o", "a.wav", "--spatial", "ambix", "--capsules", "type3"], "type1"),
      (["-o", "/proc/a.wav"], "the folder /proc takes no files; choose another folder."),
      (["-o", "a.wav", "--max-bytes", "10"], "no room for sound"),
      (["-o", "a.wav", "--gain", "99"], "decibels of -60…60 are needed"),
    ])
  func refusals(arguments: [String], words: String) throws {
    let scratch = try Scratch()
    let run = try record(arguments + ["--max-duration", "1s"], in: scratch)
    #expect(run.exitCode != 0)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(try scratch.names.filter { $0 != "a.wav" }.isEmpty)
  }

  @Test("replaces no file, unless it is asked to")
  func overwriting() throws {
    let scratch = try Scratch()
    try scratch.write("precious", to: "take.wav")
    let refused = try record(["-o", "take.wav", "--max-duration", "1s"], in: scratch)
    #expect(refused.exitCode == 1)
    #expect(refused.error?.contains("take.wav already exists; give --overwrite") == true, "\(refused.errors)")
    #expect(try scratch.read("take.wav") == Array("precious".utf8))
    let run = try record(["-o", "take.wav", "--max-duration", "1s", "--overwrite"], in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(try WaveFileReader(path: scratch("take.wav")).frameCount == 48_000)
    #expect(try scratch.names == ["take.wav"])
  }

  @Test("reports as JSON, an object a line, from the beginning to the end")
  func json() throws {
    let scratch = try Scratch()
    let run = try record(["-o", "take.wav", "--max-duration", "1.5s", "--json"], in: scratch)
    #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 2, "\(run.output)")
    let (first, last) = (try JSONReport(try #require(lines.first)), try JSONReport(try #require(lines.last)))
    #expect(first["event"] as? String == "started" && first["layout"] as? String == "stereo")
    #expect(last["event"] as? String == "end" && last["reason"] as? String == "durationReached")
    let bytes = try scratch.read("take.wav").count
    #expect(last["frames"] as? Int == 72_000 && last["bytes"] as? Int == bytes)
    let silence = try #require(last["silence"] as? [String: Int])
    #expect(silence == ["overrun": 0, "disconnected": 0, "disk": 0])
    let loudness = try #require(last["loudness"] as? [String: Any])
    let peaks = try #require(loudness["truePeak"] as? [Double])
    #expect(peaks.count == 2 && peaks.allSatisfy { abs($0 + 12) < 0.5 }, "\(peaks)")
  }

  @Test("ends well at Ctrl-C: all sound is in a complete file", arguments: [SIGINT, SIGTERM, SIGHUP])
  func interruption(number: Int32) throws {
    let scratch = try Scratch()
    let process = try Process(
      Program.path, Self.synthetic + ["-o", "take.wav", "--json"], in: scratch, environment: [:])
    #expect(try waitUntil { try grown(scratch) })
    process.signal(number)
    let outcome = try process.wait(seconds: 10)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let last = try JSONReport(String(try #require(outcome.output.split(separator: "\n").last)))
    #expect(last["reason"] as? String == "stopped")
    let reader = try WaveFileReader(path: scratch("take.wav"))
    #expect(Int(reader.frameCount) == last["frames"] as? Int && !reader.isCut)
  }

  @Test("leaves a file that plays when it is killed")
  func kill() throws {
    let scratch = try Scratch()
    let process = try Process(
      Program.path, Self.synthetic + ["-o", "take.wav"], in: scratch, environment: [:])
    #expect(try waitUntil { try grown(scratch, to: 600_000) })
    process.signal(SIGKILL)
    #expect(try process.wait(seconds: 10).exitCode == 128 + SIGKILL)
    let reader = try WaveFileReader(path: scratch("take.wav"))
    let present = try scratch.read("take.wav").count / 6
    // At most the last second is missing.
    #expect(reader.frameCount > 48_000 && Int(reader.frameCount) >= present - 48_200)
    #expect(try !beeps(reader).isEmpty)
  }

  /// Whether the take has more bytes than a header.
  private func grown(_ scratch: Scratch, to bytes: Int = 30_000) throws -> Bool {
    var status = stat()
    return stat(scratch("take.wav"), &status) == 0 && status.st_size > bytes
  }

  @Test("says that the file was removed while it recorded, instead of recording for nobody")
  func removed() throws {
    let scratch = try Scratch()
    let process = try Process(
      Program.path, Self.synthetic + ["-o", "take.wav", "--max-duration", "60s"], in: scratch,
      environment: [:])
    #expect(try waitUntil { try grown(scratch) })
    #expect(unlink(scratch("take.wav")) == 0)
    let outcome = try process.wait(seconds: 20)
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors.contains("take.wav was removed while it was recorded"), "\(outcome.errors)")
  }

  @Test(
    "A disk that fills up ends the take with a sentence, and what was recorded plays",
    .enabled(
      if: Program.succeeds(InterruptionTests.onSmallDisk("true")),
      "mounting a small file system is not allowed here"))
  func diskFull() throws {
    let scratch = try Scratch()
    let run = try Program.shell(
      InterruptionTests.onSmallDisk(
        "\"$SAFELIGHT\" audio record --microphone synthetic -o small/take.wav --max-duration 30s; echo $?; "
          + "cp small/take.wav kept.wav"), in: scratch)
    #expect(run.output.hasSuffix("1\n"), "\(run.output)")
    #expect(
      run.errors.contains("Error: Cannot write small/take.wav: the disk is full; free some space"),
      "\(run.errors)")
    let reader = try WaveFileReader(path: scratch("kept.wav"))
    #expect(reader.frameCount > 8000 && !reader.isCut)
  }

  private func waitUntil(_ condition: () throws -> Bool) throws -> Bool {
    for _ in 0..<2000 {
      if try condition() { return true }
      usleep(10_000)
    }
    return false
  }
}
