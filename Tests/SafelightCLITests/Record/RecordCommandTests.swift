import FoundationEssentials
import Libc
import LibraryTestSupport
import Safelight
import Testing

@testable import SafelightCLI

/// What `ffprobe` and the program say of recordings.
private struct Recorder {
  static let canEncode = MovieEncoderProbe.all().contains { $0.codec == .h264 && $0.isUsable }

  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A small scene, so that tests on a busy machine lose nothing.
  static let scene = ["record", "--source", "synthetic", "--size", "320x180"]

  func start(_ arguments: [String]) throws -> Process {
    try Process(Program.path, Self.scene + arguments, in: scratch, environment: [:])
  }

  func run(_ arguments: [String]) throws -> Program.Outcome { try start(arguments).wait(seconds: 60) }

  /// The values that ffprobe prints for the entries of a stream, one line each.
  func probe(_ file: String, _ stream: String, _ entries: String) throws -> [String] {
    try ExternalProgram.ffprobe.run([
      "-v", "error", "-count_packets", "-select_streams", stream, "-show_entries", "stream=" + entries, "-of",
      "default=nw=1", scratch(file),
    ]).text.split(separator: "\n").map(String.init)
  }

  /// The pictures that the last report tells as written, and as lost.
  func told(_ outcome: Program.Outcome) throws -> (written: Int, dropped: Int) {
    struct End: Decodable {
      var written: Int
      var dropped: [String: Int]
    }
    let line = try #require(outcome.output.split(separator: "\n").last)
    let end = try JSONDecoder().decode(End.self, from: Data(line.utf8))
    return (end.written, end.dropped.values.reduce(0, +))
  }

  /// Whether FFmpeg decodes all of a file without a complaint.
  func isWhole(_ file: String) throws -> Bool {
    let outcome = try ExternalProgram.ffmpeg.attempt(["-v", "error", "-i", scratch(file), "-f", "null", "-"])
    return outcome.status == 0 && outcome.errors.isEmpty
  }

  func seconds(_ file: String) throws -> Double {
    let text = try ExternalProgram.ffprobe.run([
      "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", scratch(file),
    ]).text
    return Double(text.split(separator: "\n").first ?? "") ?? 0
  }

  /// Waits for a file to have at least so many bytes.
  func wait(for file: String, bytes: Int) throws {
    for _ in 0..<1000 {
      let size = (try? FileManager.default.attributesOfItem(atPath: scratch(file))[.size] as? Int) ?? 0
      if size >= bytes { return }
      usleep(20_000)
    }
    throw ChildProcess.Failed(description: "\(file) did not grow to \(bytes) bytes")
  }
}

@Suite(
  "safelight record", .installed(.ffmpeg, .ffprobe),
  .enabled(if: Recorder.canEncode, "libx264 is not installed"))
struct RecordCommandTests {
  @Test("records pictures and sound of one length, with the tags of its colours")
  func movie() throws {
    let recorder = try Recorder()
    let outcome = try recorder.run([
      "--microphone", "synthetic", "--max-duration", "1s", "-o", "a.mp4", "--json",
    ])
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains(#""event":"started""#) && outcome.output.contains(#""durationReached""#))
    let video = try recorder.probe("a.mp4", "v", "codec_name,width,color_space,color_range")
    #expect(video == ["codec_name=h264", "width=320", "color_range=tv", "color_space=smpte170m"])
    let told = try recorder.told(outcome)
    #expect(told.written + told.dropped == 30)
    #expect(try recorder.probe("a.mp4", "v", "nb_read_packets") == ["nb_read_packets=\(told.written)"])
    #expect(
      try recorder.probe("a.mp4", "a", "codec_name,sample_rate") == ["codec_name=aac", "sample_rate=48000"])
    #expect(try abs(recorder.seconds("a.mp4") - 1) < 0.03 && recorder.isWhole("a.mp4"))
  }

  @Test("joins segments without a picture lost or twice")
  func segments() throws {
    let recorder = try Recorder()
    let outcome = try recorder.run([
      "--microphone", "synthetic", "--max-duration", "2s", "--segment", "500ms", "-o", "s/{index:02}.mkv",
      "--json",
    ])
    #expect(outcome.exitCode == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: recorder.scratch("s")).sorted()
    #expect(names.first == "01.mkv" && names.count >= 2)
    let pictures = try names.map { name in
      let lines = try recorder.probe("s/\(name)", "v", "nb_read_packets")
      return Int(lines.first?.split(separator: "=").last ?? "") ?? 0
    }
    // On a busy machine frames may be lost before they are recorded, but none without being told.
    let told = try recorder.told(outcome)
    #expect(pictures.reduce(0, +) == told.written && told.written + told.dropped == 60)
  }

  @Test("ends before a limit of bytes, and that is success")
  func bytes() throws {
    let recorder = try Recorder()
    let outcome = try recorder.run(["--microphone", "synthetic", "--max-bytes", "120kB", "-o", "a.mp4"])
    #expect(outcome.exitCode == 0 && outcome.errors.contains("--max-bytes"))
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: recorder.scratch("a.mp4"))[.size] as? Int)
    #expect(size <= 120_000 && size > 60_000)
    #expect(try recorder.isWhole("a.mp4"))
  }

  @Test("keeps the pictures and the sound of a file, with a look")
  func grading() throws {
    let recorder = try Recorder()
    #expect(
      try recorder.run(["--microphone", "synthetic", "--max-duration", "1s", "-o", "a.mp4"]).exitCode == 0)
    let outcome = try Program.run(
      ["record", "--source", "a.mp4", "--preset", "noir", "-o", "b.mp4"], in: recorder.scratch)
    #expect(outcome.exitCode == 0)
    let pictures = { try recorder.probe($0, "v", "nb_read_packets") }
    #expect(try pictures("b.mp4") == pictures("a.mp4"))
    let sound = { try recorder.probe($0, "a", "codec_name,nb_read_packets") }
    #expect(try sound("b.mp4") == sound("a.mp4"))
  }

  @Test("keeps the chapters of a file, tells which of its sounds it keeps, and names what it wrote")
  func contents() throws {
    let recorder = try Recorder()
    let scratch = recorder.scratch
    let arguments = ["--microphone", "synthetic", "--max-duration", "1s", "-o", "a.mp4"]
    #expect(try recorder.run(arguments).exitCode == 0)
    try scratch.write(
      """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=400
      title=Opening
      [CHAPTER]
      TIMEBASE=1/1000
      START=400
      END=1000
      title=The end
      """, to: "chapters")
    let maps = ["-map", "0:v", "-map", "0:a", "-map", "0:a", "-map_chapters", "1", "-c", "copy"]
    try ExternalProgram.ffmpeg.run(
      ["-v", "error", "-i", scratch("a.mp4"), "-i", scratch("chapters")] + maps + [scratch("b.mkv")])
    let outcome = try Program.run(
      ["live", "--source", "b.mkv", "--preset", "noir", "--to", "movie:c.mp4"], in: scratch)
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors.contains("b.mkv has 2 sound tracks, of which one is kept"))
    #expect(outcome.errors.contains("c.mp4  1.0 s"))
    let chapters = try MovieContents(path: scratch("c.mp4")).chapters
    #expect(chapters.map(\.title) == ["Opening", "The end"])
    // The first picture of the MKV file comes a moment after its time 0.
    #expect(chapters.first?.start == 0 && abs((chapters.last?.start ?? 0) - 0.4) < 0.03)
  }

  @Test("plays a clip at its own speed beside a second source, which is paired with it by time")
  func pair() throws {
    let recorder = try Recorder()
    let arguments = ["--microphone", "synthetic", "--max-duration", "1s", "-o", "a.mp4"]
    #expect(try recorder.run(arguments).exitCode == 0)
    let outcome = try Program.run(
      [
        "live", "--source", "a.mp4", "--and", "synthetic", "--and-size", "320x180", "--preset", "noir",
        "--to", "movie:b.mp4",
      ], in: recorder.scratch)
    #expect(outcome.exitCode == 0)
    // A busy machine may lose pictures in between, but not the clip.
    #expect(try recorder.seconds("b.mp4") > 0.6 && recorder.isWhole("b.mp4"))
  }

  @Test(
    "ends a movie of a clip that begins anew after the seconds that were asked for, and names it after both")
  func loop() throws {
    let recorder = try Recorder()
    let arguments = ["--microphone", "none", "--max-duration", "1s", "-o", "a.mp4"]
    #expect(try recorder.run(arguments).exitCode == 0)
    let outcome = try Program.run(
      [
        "live", "--source", "a.mp4", "--loop", "--seconds", "2", "--preset", "noir",
        "--to", "movie:{stem}-{preset}-{width}.mp4",
      ], in: recorder.scratch)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(try abs(recorder.seconds("a-noir-320.mp4") - 2) < 0.05)
  }

  @Test("waits for SIGUSR1, which starts and ends recordings, and takes the seconds before with it")
  func standby() throws {
    let recorder = try Recorder()
    let process = try recorder.start(["--standby", "--pre-roll", "500ms", "-o", "clips/", "--json"])
    usleep(1_500_000)
    let folder = recorder.scratch("clips")
    #expect((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] == [])
    process.signal(SIGUSR1)
    usleep(700_000)
    process.signal(SIGUSR1)
    usleep(700_000)
    process.signal(SIGTERM)
    let outcome = try process.wait(seconds: 30)
    #expect(outcome.exitCode == 0 && outcome.output.hasPrefix(#"{"event":"standby""#))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count == 1)
    let name = try "clips/" + #require(names.first)
    #expect(try recorder.isWhole(name) && recorder.seconds(name) > 0.9)
  }

  @Test("leaves a file that plays, however it ends", arguments: [SIGTERM, SIGINT, SIGKILL])
  func ended(signal: Int32) throws {
    let recorder = try Recorder()
    let process = try recorder.start(["--microphone", "synthetic", "-o", "a.mp4"])
    // The first second is on the disk.
    try recorder.wait(for: "a.mp4", bytes: 33_000)
    process.signal(signal)
    if signal == SIGINT { process.signal(signal) }
    let outcome = try process.wait(seconds: 30)
    // Of two signals the second may come too late to matter.
    let codes: [Int32: [Int32]] = [SIGTERM: [0], SIGINT: [0, 130], SIGKILL: [137]]
    #expect(codes[signal]?.contains(outcome.exitCode) == true)
    if outcome.exitCode == 0 { #expect(try outcome.output.contains("a.mp4") && recorder.isWhole("a.mp4")) }
    #expect(try recorder.seconds("a.mp4") >= 0.4)
  }

  @Test("never replaces a file, and says so before the camera opens")
  func existing() throws {
    let recorder = try Recorder()
    try recorder.scratch.write(Array("mine".utf8), to: "a.mp4")
    let outcome = try recorder.run(["-o", "a.mp4"])
    #expect(outcome.exitCode == 1 && outcome.error?.contains("a.mp4") == true)
    #expect(try String(contentsOfFile: recorder.scratch("a.mp4"), encoding: .utf8) == "mine")
  }

  @Test("goes on in a new file soon after its own was removed, and tells what is lost")
  func fileGone() throws {
    let recorder = try Recorder()
    let process = try recorder.start(["--microphone", "synthetic", "-o", "a.mp4", "--json"])
    try recorder.wait(for: "a.mp4", bytes: 33_000)
    try FileManager.default.removeItem(atPath: recorder.scratch("a.mp4"))
    usleep(500_000)
    try recorder.wait(for: "a.mp4", bytes: 33_000)
    process.signal(SIGTERM)
    let outcome = try process.wait(seconds: 30)
    #expect(outcome.exitCode == 1 && outcome.errors.contains("a.mp4 was removed or changed"))
    #expect(outcome.output.contains(#""event":"lost""#) && outcome.output.contains(#""files":1"#))
    #expect(try recorder.isWhole("a.mp4") && recorder.seconds("a.mp4") > 0.4)
  }

  @Test("goes on where its folder was removed, and tells what is lost")
  func folderGone() throws {
    let recorder = try Recorder()
    let process = try recorder.start(["-o", "f/{index}.mp4", "--segment", "1s"])
    try recorder.wait(for: "f/1.mp4", bytes: 33_000)
    try FileManager.default.removeItem(atPath: recorder.scratch("f"))
    usleep(1_500_000)
    process.signal(SIGTERM)
    let outcome = try process.wait(seconds: 30)
    #expect(outcome.exitCode == 1 && outcome.errors.contains("f/1.mp4 was removed or changed"))
    #expect(try recorder.isWhole("f/2.mp4"))
  }

  @Test(
    "refuses what cannot be with one sentence and its remedy",
    arguments: [
      ("-o a.mp4 --codec ffv1", 64, ".mkv"), ("-o a.txt", 64, ".mp4"),
      ("-o a.mp4 --pre-roll 2s", 64, "--standby"),
      ("-o a.mov --microphone synthetic --audio-codec opus", 64, "aac"),
      ("-o a.mp4 --microphone nobody", 1, "Unknown microphone “nobody”"),
      ("-o a.mp4 --pre-roll 99h --standby", 64, "at most 10m"),
      ("-o a.mp4 --gain 3", 64, "--gain has no effect on a movie without sound"),
      ("-o a.mp4 --audio-codec flac", 64, "--audio-codec has no effect on a movie without sound"),
      (
        "-o a.mp4 --microphone synthetic --audio-codec pcm --audio-bitrate 160k", 64,
        "no effect on flac and pcm"
      ),
      ("-o a.mp4 --microphone synthetic --sound-delay 4cm", 64, "write them like 40 or 40ms"),
      ("-o a.mp4 --source none.mp4", 1, "none.mp4"),
      ("-o a.mp4 --straighten auto", 64, "live --straighten auto"),
    ])
  func refused(flags: String, code: Int32, sentence: String) throws {
    let recorder = try Recorder()
    let arguments = flags.split(separator: " ").map(String.init)
    let outcome = try Program.run(Recorder.scene + arguments, in: recorder.scratch)
    #expect(outcome.exitCode == code && outcome.error?.contains(sentence) == true, "\(outcome.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: recorder.scratch.path).filter { $0.hasPrefix("a.") }
        == [])
  }
}
