import LibraryTestSupport
import ArgumentParser
import Safelight
import Testing

@testable import SafelightCLI

@Suite("safelight profile --startup")
struct StartupProfileTests {
  private static let start = [
    "live", "--source", "synthetic", "--size", "1920x1080", "--to", "null", "--frames", "1",
  ]

  private func arguments(_ options: [String]) throws -> [String] {
    try ProfileCommand.parse(["--startup"] + options).startupArguments
  }

  @Test("starts live with the edit that it was given, however that was written")
  func edit() throws {
    #expect(try arguments([]) == Self.start)
    #expect(
      try arguments(["--preset=Teal Orange", "--strength", "70", "--exposure", "-0.5", "--json"])
        == Self.start + ["--preset", "teal-orange", "--strength", "70", "--exposure=-0.5"])
    #expect(
      try arguments(["--recipe", "-", "--only", "color", "--crop", "4:5", "--rotate", "090"])
        == Self.start + ["--recipe=-", "--only", "color", "--rotate", "90", "--crop", "4:5"])
    // Live has no such turn.
    #expect(try arguments(["--rotate", "0"]) == Self.start)
    let others = ["--interpolation", "bilinear", "--gpu", "2"]
    #expect(try arguments(others) == Self.start + others)
    // A value that looks like one of its own options.
    #expect(try arguments(["--lut=--json", "--size", "64x48"]).contains("--lut=--json"))
    for options in [["--preset", "noir"], ["--exposure", "-1"], ["--rotate", "180"], ["--gpu", "2"]] {
      #expect(throws: Never.self) { _ = try SafelightCommand.parseAsRoot(arguments(options)) }
    }
  }

  @Test("reads the times that a start reports as one line of JSON")
  func times() throws {
    var times = StartupTimes()
    (times.arguments, times.rendered, times.closed) = (12, 345, 6789)
    #expect(
      try times.jsonLine()
        == #"{"arguments":12,"closed":6789,"ended":0,"look":0,"opened":0,"planned":0,"prepared":0,"#
        + #""received":0,"rendered":345}"#)
  }

  @Test("refuses what can be read only once, which its first start would empty")
  func pipes() throws {
    let scratch = try Scratch()
    try scratch.write("{\"safelight\":1,\"filters\":[]}", to: "r.json")
    let start = "\"$SAFELIGHT\" profile --startup --size 64x48"
    let remedy = "can be read only once; save it to a file and name that."
    for line in ["cat r.json | \(start) --recipe -", "\(start) --recipe /dev/stdin < r.json"] {
      let run = try Program.shell(line, in: scratch)
      #expect(
        run.error == "--startup starts the program many times, but standard input \(remedy)", "\(run.errors)")
      #expect(run.exitCode == 1)
    }
    for flag in ["--recipe", "--lut"] {
      let named = try Program.shell("rm -f p; mkfifo p; \(start) \(flag) p", in: scratch)
      #expect(named.error == "--startup starts the program many times, but p \(remedy)", "\(named.errors)")
    }
    let file = try Program.shell("\(start) --recipe r.json --json", in: scratch)
    #expect(file.exitCode == 0, "\(file.errors)")
  }

  @Test("says why no frame was rendered, in the words of the program that it started")
  func failure() throws {
    let run = try Program.run(["profile", "--startup", "--recipe", "missing.json"], in: Scratch())
    #expect(
      run.error
        == "Cannot measure a start: Cannot read missing.json: there is no such file; check the spelling.")
    #expect(run.exitCode == 1)
  }

  @Test("tells people what the median run took")
  func text() throws {
    let run = try Program.run(["profile", "--startup", "--size", "64x48"], in: Scratch())
    #expect(run.exitCode == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "safelight live --source synthetic --size 64x48 --to null --frames 1")
    #expect(lines.dropLast().last?.hasPrefix("15 runs; the median run took ") == true, "\(run.output)")
  }
}
