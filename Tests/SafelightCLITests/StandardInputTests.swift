import LibraryTestSupport
import Safelight
import Testing

@Suite("Standard input")
struct StandardInputTests {
  private static let recipe = #"{"safelight": 1, "filters": [{"filter": "exposure", "stops": 1}]}"#

  private func makeFolder() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.save(gradient(8, 6), as: "a.png")
    try scratch.write(Self.recipe, to: "r.json")
    return scratch
  }

  /// Whether `out.png` is what the recipe makes of the photo.
  private func isEdited(_ scratch: Scratch) throws -> Bool {
    let edit = try Program.run(["edit", "a.png", "-o", "expected.png", "--recipe", "r.json"], in: scratch)
    return try edit.exitCode == 0 && scratch.read("out.png") == scratch.read("expected.png")
  }

  @Test("A file at standard input is read from where it is")
  func offset() throws {
    let scratch = try makeFolder()
    try scratch.write("not for safelight\n" + Self.recipe, to: "both")
    try scratch.write("not for safelight\na.png\n", to: "list")
    let edit = try Program.shell(
      "{ read -r line; \"$SAFELIGHT\" edit a.png -o out.png --recipe -; } < both", in: scratch)
    #expect(edit.exitCode == 0 && edit.errors == "", "\(edit.errors)")
    #expect(try isEdited(scratch))
    let list = try Program.shell("{ read -r line; \"$SAFELIGHT\" analyze - --names; } < list", in: scratch)
    #expect(list.output == "a.png\n" && list.exitCode == 0, "\(list.errors)")
  }

  @Test(
    "A socket may stand for standard input, as under inetd",
    .enabled(if: Program.succeeds("python3 -c 'import socket'"), "python3 is missing"))
  func socket() throws {
    let scratch = try makeFolder()
    try scratch.write(
      """
      import os, socket, subprocess, sys
      ours, theirs = socket.socketpair()
      ours.sendall(open("r.json", "rb").read())
      ours.shutdown(socket.SHUT_WR)
      words = [os.environ["SAFELIGHT"], "edit", "a.png", "-o", "out.png", "--recipe", "-"]
      sys.exit(subprocess.run(words, stdin=theirs).returncode)
      """, to: "inetd.py")
    let edit = try Program.shell("exec python3 inetd.py", in: scratch)
    #expect(edit.exitCode == 0 && edit.errors == "", "\(edit.errors)")
    #expect(try isEdited(scratch))
  }

  @Test("A wait is told where nothing has come yet, and not where there is more to come")
  func waiting() throws {
    let scratch = try makeFolder()
    let edit = "\"$SAFELIGHT\" edit a.png -o out.png --overwrite --recipe -"
    // What is waited for comes once the wait is told, however long the program takes to start.
    let late = try Program.shell(
      ": > said; { until grep -q Waiting said; do sleep 0.1; done; cat r.json; } | \(edit) 2> said",
      in: scratch)
    #expect(late.exitCode == 0)
    #expect(try scratch.read("said") == Array("Waiting for data from standard input …\n".utf8))
    let halting = try Program.shell(
      "{ head -c 20 r.json; sleep 2.6; tail -c +21 r.json; } | \(edit)", in: scratch)
    #expect(halting.exitCode == 0 && halting.errors == "", "\(halting.errors)")
    #expect(try isEdited(scratch))
  }

  @Test(
    "What is to be read from standard input twice is refused, before any of it is read",
    arguments: [
      ["batch", "-", "-o", "f", "--recipe", "-"], ["batch", "-", "-o", "f", "--recipe", "/dev/stdin"],
      ["recipe", "set", "-", "--recipe", "-"],
    ])
  func twice(arguments: [String]) throws {
    let scratch = try makeFolder()
    let run = try Program.run(arguments, in: scratch)
    #expect(run.exitCode == 64)
    #expect(
      run.error
        == "Standard input can be read once, but the list of photos and --recipe are both to come from it; name a file for --recipe."
    )
    #expect(try scratch.names == ["a.png", "r.json"])
  }
}
