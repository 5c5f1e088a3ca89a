import LibraryTestSupport
import FoundationEssentials
import Safelight
import Testing
import Libc

@Suite("safelight live")
struct LiveTests {
  /// A run on the scene, as fast as it goes, small.
  private static let scene = ["live", "--source", "synthetic", "--size", "160x90", "--unpaced"]

  private func run(_ arguments: [String], in scratch: Scratch? = nil) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch ?? Scratch())
  }

  @Test("says that too few files may be open, where Swift's own threads would end the process")
  func fewFiles() throws {
    let run = try Program.shell(
      "ulimit -n 10; exec \"$SAFELIGHT\" live --source synthetic --frames 1 --to null", in: Scratch())
    #expect(
      run.error
        == "The process may have only 10 files open, but live frames need 16; raise the limit (ulimit -n).",
      "\(run.errors)")
    #expect(run.exitCode == 1)
  }

  @Test("writes every frame into a folder, as pictures of the scene with the look on")
  func folder() throws {
    let scratch = try Scratch()
    let plain = try run(Self.scene + ["--frames", "3", "--to", "frames:plain"], in: scratch)
    #expect(plain.exitCode == 0, "\(plain.errors)")
    let noir = try run(
      Self.scene + ["--frames", "3", "--to", "frames:noir", "--preset", "noir"], in: scratch)
    #expect(noir.exitCode == 0, "\(noir.errors)")
    for folder in ["plain", "noir"] {
      let names = try FileManager.default.contentsOfDirectory(atPath: scratch(folder)).sorted()
      #expect(names == (1...3).map { "frame-00000\($0).jpg" })
      let picture = try scratch.photo(folder + "/frame-000002.jpg").buffer
      #expect(picture.size == PixelSize(width: 160, height: 90))
      // The sky is blue, but not in black and white.
      let sky = pixel(picture, 140, 4)
      #expect((abs(sky[2] - sky[0]) > 20) == (folder == "plain"), "\(sky)")
    }
  }

  @Test("reports as JSON, an object a line, whose counts add up")
  func json() throws {
    let outcome = try run(Self.scene + ["--frames", "20", "--to", "null", "--json"])
    #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    struct Report: Decodable {
      let kind, end: String
      let captured, delivered, rendered, unrendered, waiting: Int
      let dropped: [String: Int]
    }
    let line = try #require(outcome.output.split(separator: "\n").last)
    let report = try JSONDecoder().decode(Report.self, from: Data(line.utf8))
    #expect(report.kind == "end" && report.end == "limit-reached")
    #expect(report.rendered == 20)
    #expect(report.captured == report.delivered + report.dropped.values.reduce(0, +) + report.waiting)
    #expect(report.rendered + report.unrendered <= report.delivered)
    #expect(Set(report.dropped.keys) == Set(DropReason.allCases.map(\.rawValue)))
  }

  @Test("turns every picture of a folder into a frame, with and without alpha, brackets in the name or not")
  func stills() throws {
    let scratch = try Scratch()
    _ = try Program.shell("mkdir in", in: scratch)
    for number in 1...30 {
      let alpha: AlphaMode = number % 7 == 0 ? .straight : .opaque
      try scratch.save(gradient(48, 32, alpha: alpha), as: "in/still [\(number)].png")
    }
    let all = try run(["live", "--source", "in/*.png", "--to", "frames:out", "--json"], in: scratch)
    #expect(all.exitCode == 0, "\(all.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("out")).count == 30, "\(all.output)")
    let one = try run(["live", "--source", "in/still [3].png", "--to", "frames:one"], in: scratch)
    #expect(one.exitCode == 0, "\(one.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("one")).count == 1)
  }

  @Test("tells scripts what was measured")
  func analyses() throws {
    let outcome = try run([
      "live", "--source", "synthetic", "--size", "160x90", "--to", "null", "--seconds", "3", "--json",
      "--analyze",
      "histogram,clipping",
    ])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    struct Report: Decodable {
      struct Analyses: Decodable {
        let histogram: [Int]
        let meanLightness, clippedHighlights: Double
        let sharpness: Double?
      }
      let analyses: Analyses
    }
    let line = try #require(outcome.output.split(separator: "\n").last)
    let report = try JSONDecoder().decode(Report.self, from: Data(line.utf8))
    #expect(report.analyses.histogram.count == 256 && report.analyses.histogram.reduce(0, +) > 0)
    #expect((0.3...0.9).contains(report.analyses.meanLightness) && report.analyses.sharpness == nil)
  }

  @Test("ends on Ctrl-C with a summary and nothing left half-written", arguments: [SIGINT, SIGTERM])
  func interrupted(number: Int32) throws {
    let scratch = try Scratch()
    let process = try Process(
      Program.path, ["live", "--source", "synthetic", "--size", "160x90", "--to", "frames:out"], in: scratch,
      environment: [:])
    for _ in 0..<2000 {
      if let names = try? FileManager.default.contentsOfDirectory(atPath: scratch("out")), names.count > 2 {
        break
      }
      usleep(10_000)
    }
    process.signal(number)
    let outcome = try process.wait(seconds: 60)
    #expect(outcome.exitCode == 0 && outcome.errors.contains(" frames in "), "\(outcome.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch("out"))
    #expect(
      names.count > 2 && names.allSatisfy { $0.hasPrefix("frame-") && $0.hasSuffix(".jpg") }, "\(names)")
  }

  @Test("is no error where the reader of standard output goes")
  func readerGone() throws {
    let outcome = try Program.shell(
      "\"$SAFELIGHT\" live --source synthetic --size 160x90 --unpaced --to stdout:rgb | head -c 1000 | wc -c",
      in: Scratch())
    #expect(outcome.output.split(separator: "\n").first.map(String.init)?.filter(\.isNumber) == "1000")
    #expect(!outcome.errors.contains("Error"), "\(outcome.errors)")
  }

  @Test(
    "refuses what cannot be with one sentence and its remedy",
    arguments: [
      ("--to nul", 64, "Unknown target “nul”; did you mean “null”?"),
      ("--to virtual:/dev/null", 1, "/dev/null is not a video device; name a device such as /dev/video0."),
      ("--to null --source nothing.mp4", 1, "There is no source “nothing.mp4”: no such file, and no camera"),
      ("--to null --source /dev/video250", 1, "There is no device /dev/video250"),
      ("--to null --size 0x5", 64, "two positive whole numbers are needed; write it like 1920x1080."),
      (
        "--to null --size 5x5", 1,
        "The synthetic scene cannot be painted at 5×5; ask for edges of 16 to 4096 pixels"
      ),
      ("--to null --rotate 0", 64, "The value '0' is invalid for '--rotate <degrees>'."),
      ("--to null --fps 0", 64, "frames per second are needed, from 0.001 to 1000"),
      ("--to null --source-format mjpeg", 1, "The synthetic scene does not come as MJPEG"),
      ("--to null --straighten level", 64, "which is not a number; write it like 1.5 or -2, or “auto”."),
      ("--to null --analyze horizn", 64, "Unknown analysis “horizn”; did you mean “horizon”?"),
      (
        "--to null --frames 3 --seconds 2", 64, "--frames and --seconds exclude each other; give one of them."
      ),
      ("--to null --to null --preset warm-flim", 64, "did you mean “warm-film”?"),
      ("--to stdout:y4m --to stdout:rgb", 64, "both write to standard output"),
      ("", 64, "Missing where pictures go; give --to preview"),
    ])
  func refusals(flags: String, code: Int32, sentence: String) throws {
    var arguments = ["live"] + flags.split(separator: " ").map(String.init)
    if !arguments.contains("--source") { arguments += ["--source", "synthetic"] }
    let outcome = try run(arguments)
    #expect(outcome.exitCode == code, "\(outcome.errors)")
    #expect(outcome.error?.contains(sentence) == true, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test("refuses the rate of a video where no target takes it, and opens nothing")
  func idleRate() throws {
    let scratch = try Scratch()
    try scratch.write("no video", to: "clip.mp4")
    for target in ["null", "frames:out", "stream:0"] {
      let outcome = try run(["live", "--source", "clip.mp4", "--fps", "10", "--to", target], in: scratch)
      #expect(outcome.exitCode == 64)
      #expect(
        outcome.error
          == "--fps has no effect on a video file that goes to neither stdout:y4m nor stdout:rgb; "
          + "leave it out, or add one of these targets.")
    }
    #expect(try scratch.names == ["clip.mp4"])
  }

  @Test("reports what was done before a target failed")
  func failedTarget() throws {
    // 32 KiB, or 64: there is room for some pictures of 9 KiB.
    let outcome = try Program.shell(
      """
      ulimit -f 64
      "$SAFELIGHT" live --source synthetic --size 64x48 --unpaced --to stdout:rgb --json > video.rgb
      """, in: Scratch())
    #expect(outcome.exitCode == 1)
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    #expect(lines.last?.hasPrefix("Error: Cannot write to standard output: the file") == true, "\(lines)")
    #expect(lines.dropLast().last?.contains("\"end\":\"failed\",\"kind\":\"end\"") == true, "\(lines)")
  }

  @Test("levels stills one by one, the same in every run")
  func levelledStills() throws {
    let scratch = try Scratch()
    _ = try Program.shell("mkdir in", in: scratch)
    for number in 0..<8 {
      let scene = SyntheticScene(
        size: PixelSize(width: 320, height: 214), horizonDegrees: 2 + 0.4 * Double(number), seed: 4)
      try scratch.save(scene.render(), as: "in/\(number).png")
    }
    let outcome = try Program.shell(
      """
      for name in a b; do
        "$SAFELIGHT" live --source in --straighten auto --to stdout:rgb --backend cpu > $name || exit 9
      done
      cmp a b
      """, in: scratch)
    #expect(outcome.exitCode == 0, "\(outcome.output) \(outcome.errors)")
    #expect(try scratch.read("a").count.isMultiple(of: 8 * 3))
  }

  @Test("shows a pipe in its help that every shell takes")
  func help() throws {
    let help = try run(["help", "live"]).output
    #expect(help.contains(" -map '1:a?' ") && !help.contains(" 1:a?"), "\(help)")
  }

  @Test("takes a port that is free, and says which one is not")
  func takenPort() throws {
    let outcome = try Program.shell(
      """
      "$SAFELIGHT" live --source synthetic --size 160x90 --to stream:0 2> first.txt & first=$!
      for _ in $(seq 400); do grep -q 'http://' first.txt && break; sleep 0.05; done
      port=$(sed -n 's|.*http://127.0.0.1:\\([0-9]*\\)/.*|\\1|p' first.txt | head -n 1)
      "$SAFELIGHT" live --source synthetic --size 160x90 --to stream:$port --frames 1; echo $?
      kill -INT $first; wait $first; echo $?
      echo "port $port" >&2
      """, in: Scratch())
    #expect(outcome.output == "1\n0\n", "\(outcome.errors)")
    #expect(
      outcome.error?.contains("is taken") == true || outcome.error?.contains("in use") == true,
      "\(outcome.errors)")
  }
}

@Suite("safelight devices")
struct DevicesTests {
  @Test("prints a list that scripts can read, empty where nothing is connected")
  func json() throws {
    struct Device: Decodable {
      let id, path, name: String
    }
    let outcome = try Program.run(["devices", "--json"], in: Scratch())
    #expect(outcome.exitCode == 0)
    let devices = try JSONDecoder().decode([Device].self, from: Data(outcome.output.utf8))
    #expect(devices.count == CaptureDevice.discover().count)
    #expect(devices.allSatisfy { $0.path.hasPrefix("/dev/") && !$0.id.isEmpty })
  }
}
