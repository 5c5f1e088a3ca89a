import Profiling
import LibraryTestSupport
import FoundationEssentials
import Safelight
import Testing
import Libc

@Suite("safelight profile")
struct ProfileCommandTests {
  private static let brief = ["--size", "64x48", "--seconds", "0.05", "--exposure", "0.5"]

  @Test("prints what was measured, no line longer than the terminal", arguments: ["80", "120"])
  func text(columns: String) throws {
    let run = try Program.run(
      ["profile"] + Self.brief, in: Scratch(), environment: ["COLUMNS": columns])
    #expect(run.exitCode == 0, "\(run.errors)")
    for word in ["exposure  ·  yuyv 64×48", "frame   p50", "\nstage ", "\nthreads ", "\nfilter ", "passes"] {
      #expect(run.output.contains(word), "\(word) in \(run.output)")
    }
    let lines = run.output.split(separator: "\n").filter { !$0.hasPrefix("note: ") }
    #expect(lines.allSatisfy { $0.count <= Int(columns) ?? 0 }, "\(run.output)")
    // Progress is for people at a terminal.
    #expect(run.errors == "")
  }

  @Test("prints JSON that it compares again, and writes a trace and a page")
  func files() throws {
    let scratch = try Scratch()
    let run = try Program.shell(
      "\"$SAFELIGHT\" profile --size 64x48 --seconds 0.05 --exposure 0.5 --json --trace t.json --html p.html > a.json",
      in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    let report = try ProfileReport(json: scratch.read("a.json"), file: "a.json")
    #expect(report.subject.filters == ["exposure 0.5 EV"])
    #expect(String(decoding: try scratch.read("t.json"), as: UTF8.self).contains("\"cat\":\"tile\""))
    #expect(String(decoding: try scratch.read("p.html"), as: UTF8.self).hasPrefix("<!"))
    let comparison = try Program.run(["profile", "--compare", "a.json", "a.json"], in: scratch)
    #expect(comparison.exitCode == 0 && comparison.output.contains("frame p50"))
  }

  @Test("measures starts step by step, which make up the whole")
  func startup() throws {
    struct Report: Decodable {
      struct Step: Decodable {
        let name: String
        let milliseconds, minimum: Double
      }
      let steps: [Step]
      let firstFrame, whole: Step
      let runs, pageFaults: Int
    }
    let run = try Program.run(
      ["profile", "--startup", "--size", "64x48", "--exposure", "0.5", "--json"], in: Scratch())
    #expect(run.exitCode == 0, "\(run.errors)")
    let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
    #expect(
      report.steps.map(\.name) == [
        "system", "look", "prepare", "source", "frame", "plan", "render", "end", "close", "exit",
      ])
    #expect(report.runs == 15 && report.pageFaults > 0)
    #expect(report.firstFrame.milliseconds > 0 && report.firstFrame.milliseconds < report.whole.milliseconds)
    #expect(report.steps.reduce(0) { $0 + $1.minimum } <= report.whole.milliseconds)
    let refused = try Program.run(["profile", "--startup", "--seconds", "2"], in: Scratch())
    #expect(refused.error == "--startup measures starts only; leave out --seconds.")
  }

  @Test("samples turned frames as it is told, and says how")
  func interpolation() throws {
    let scratch = try Scratch()
    let run = try Program.run(
      ["profile", "--size", "64x48", "--seconds", "0.05", "--straighten", "2"]
        + ["--interpolation", "bilinear", "--json"], in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    let report = try ProfileReport(json: Array(run.output.utf8), file: "-")
    #expect(report.subject.interpolation == "bilinear")
    #expect(report.stages.contains { $0.kind == "geometry" && $0.text.contains("bilinear") })
  }

  @Test("prints what it measured even where a file cannot be written")
  func lostFile() throws {
    let scratch = try Scratch()
    // Files end at 512 bytes, or at 1024: the page is larger.
    let run = try Program.shell(
      "ulimit -f 1; \"$SAFELIGHT\" profile --size 64x48 --seconds 0.05 --exposure 0.5 --html p.html | cat",
      in: scratch)
    #expect(run.output.contains("frame   p50"), "\(run.errors)")
    #expect(run.errors.contains("p.html"))
    #expect(try scratch.names.isEmpty)
  }

  @Test("measures nothing where a file is in the way, and replaces it with --overwrite")
  func overwriting() throws {
    let scratch = try Scratch()
    try scratch.write("precious", to: "t.json")
    let refused = try Program.run(["profile", "--trace", "t.json", "--seconds", "600"], in: scratch)
    #expect(refused.error == "t.json already exists; give --overwrite to replace it, or another name.")
    #expect(try scratch.read("t.json") == Array("precious".utf8))
    let run = try Program.run(["profile", "--trace", "t.json", "--overwrite"] + Self.brief, in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(try scratch.read("t.json").first == UInt8(ascii: "{"))
  }

  @Test("leaves nothing behind where a signal ends it", arguments: [SIGINT, SIGTERM])
  func interruption(number: Int32) throws {
    let scratch = try Scratch()
    let process = try Process(
      Program.path, ["profile", "--size", "64x48", "--seconds", "600", "--html", "p.html"], in: scratch,
      environment: [:])
    var isOpen = false
    for _ in 0..<2000 where !isOpen {
      usleep(5000)
      isOpen = try scratch.names.contains { $0.hasSuffix(".tmp") }
    }
    #expect(isOpen)
    process.signal(number)
    #expect(try process.wait(seconds: 10).exitCode == 128 + number)
    #expect(try scratch.names.isEmpty)
  }

  @Test(
    "says what is wrong with an option and what to do",
    arguments: [
      (
        ["--size", "1080"],
        "did you mean “1080p”? Known: 480p, 720p, 1080p, 1440p, 4K, 5K, 8K, or WxH such as 1920x1080."
      ),
      (["--size", "0x4"], "two positive whole numbers are needed; write it like 1920x1080."),
      (["--size", "60000x19000", "--input", "f32"], "give a smaller size or close other programs."),
      (["--preset", "tealorange"], "did you mean “teal-orange”?"),
      (["--threads", "0"], "a whole number from 1 to 256 is needed; write it like 2."),
      (["--seconds", "1h"], "a positive time is needed; write it like 2, 0.5s or 500ms."),
      (["--seconds", "0.01"], "a time from 0.05 to 600 seconds is needed; write it like 3, 0.5s or 500ms."),
      (["--backend", "reference", "--threads", "2"], "which uses every core; leave it out."),
      (["--backend", "vulkan", "--threads", "2"], "--threads has no effect on a GPU; leave it out."),
      (["--gpu", "0", "--threads", "2"], "--threads has no effect on a GPU; leave it out."),
      (
        ["--trace", "x.json", "--html", "x.json"],
        "--trace and --html name the same file, x.json; give them different names."
      ),
      (
        ["--trace", "missing/t.json"],
        "Cannot write missing/t.json: the folder missing does not exist; create it first."
      ),
      (
        ["--compare", "a.json"],
        "--compare takes two profiles, not 1; write --compare before.json after.json."
      ),
      (
        ["--compare", "a.json", "b.json", "--size", "4K"],
        "--compare measures nothing; leave out --size."
      ),
      (
        [
          "--compare", "a.json", "b.json", "--input", "yuyv", "--backend", "cpu", "--interpolation", "sharp",
          "--exposure", "1", "--preset", "faded", "--overwrite",
        ],
        "leave out --preset, --exposure, --input, --backend, --interpolation, --overwrite."
      ),
      (["--compare", "a.json", "b.json"], "Cannot read a.json: there is no such file; check the spelling."),
    ])
  func errors(options: [String], sentence: String) throws {
    let scratch = try Scratch()
    let run = try Program.run(["profile"] + options, in: scratch)
    #expect(run.exitCode != 0)
    #expect(run.error?.contains(sentence) == true, "\(run.errors)")
    #expect(try scratch.names.isEmpty)
  }
}
