import LibraryTestSupport
import Safelight
import Testing
import Libc

@Suite("Interruptions")
struct InterruptionTests {
  @Test(
    "A signal in the middle of an edit leaves nothing, and the output as it was",
    arguments: [SIGINT, SIGTERM])
  func signals(number: Int32) throws {
    let scratch = try Scratch()
    // Slow enough with the reference renderer to be caught in the act.
    try scratch.save(gradient(1600, 1200), as: "photo.png")
    try scratch.write("precious", to: "out.jpg")
    let edit = try Process(
      Program.path,
      ["edit", "photo.png", "-o", "out.jpg", "--overwrite", "--preset", "noir", "--backend", "reference"],
      in: scratch, environment: [:])
    #expect(try waitUntil { try scratch.names.contains { $0.hasSuffix(".tmp") } })
    edit.signal(number)
    #expect(try edit.wait(seconds: 10).exitCode == 128 + number)
    #expect(try scratch.names == ["out.jpg", "photo.png"])
    #expect(try scratch.read("out.jpg") == Array("precious".utf8))
  }

  @Test("A photo that another program saves while it is edited in its place is not replaced")
  func savedMeanwhile() throws {
    let scratch = try Scratch()
    // Slow enough with the reference renderer, as above.
    try scratch.save(gradient(1600, 1200), as: "photo.png")
    try scratch.save(gradient(20, 10), as: "other.png")
    let saved = try scratch.read("other.png")
    let edit = try Process(
      Program.path, ["edit", "photo.png", "--in-place", "--preset", "noir", "--backend", "reference"],
      in: scratch, environment: [:])
    #expect(try waitUntil { try scratch.names.contains { $0.hasSuffix(".tmp") } })
    #expect(rename(scratch("other.png"), scratch("photo.png")) == 0)
    let outcome = try edit.wait(seconds: 120)
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.error
        == "Cannot replace photo.png: another program has changed it in the meantime; edit it again.")
    #expect(try scratch.names == ["photo.png"])
    #expect(try scratch.read("photo.png") == saved)
  }

  /// A line of `sh` that runs `body` in a folder `small` with 64 KiB of its own: where users may not mount, as root of
  /// a user namespace.
  static func onSmallDisk(_ body: String) -> String {
    let flags = geteuid() == 0 ? "-m" : "-rm"
    return "mkdir -p small && unshare \(flags) sh -c 'mount -t tmpfs -o size=64k none small && \(body)'"
  }

  @Test(
    "A disk that fills up: a sentence, and nothing is left",
    .enabled(if: Program.succeeds(onSmallDisk("true")), "mounting a small file system is not allowed here"),
    .everyFormatIsWritable, arguments: PhotoFileFormat.allCases)
  func diskFull(format: PhotoFileFormat) throws {
    let scratch = try Scratch()
    var state: UInt32 = 1
    try scratch.save(
      picture(400, 300) { _, _ in
        (0..<4).map { channel in
          state = state &* 1_664_525 &+ 1_013_904_223
          return channel == 3 ? 65_535 : Int(state >> 16)
        }
      }, as: "photo.png")
    let name = "small/out." + format.pathExtensions[0]
    let edit = try Program.shell(
      Self.onSmallDisk("\"$SAFELIGHT\" edit photo.png -o \(name) --quality 100; echo $?; ls -A small"),
      in: scratch)
    #expect(
      edit.errors == "Error: Cannot write \(name): the disk is full; free some space and try again.\n")
    #expect(edit.output == "1\n")
  }

  @Test(
    "A full folder for temporary files ends a batch as every full disk does",
    .enabled(if: Program.succeeds(onSmallDisk("true")), "mounting a small file system is not allowed here"))
  func temporaryFolderFull() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "photo.png")
    try scratch.write("{\"safelight\": 1}", to: "r.json")
    let batch = try Program.shell(
      Self.onSmallDisk(
        "head -c 400k /dev/zero > small/fill; TMPDIR=small \"$SAFELIGHT\" batch photo.png -o f --recipe r.json; echo $?"
      ), in: scratch)
    #expect(batch.output == "1\n", "\(batch.errors)")
    #expect(
      batch.errors.contains(
        "Error: Cannot write a temporary file in small: No space left on device; set TMPDIR to a folder with space."
      ), "\(batch.errors)")
  }

  @Test("A limit for the size of files (ulimit -f) is reported, not the end of the process")
  func fileSizeLimit() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "photo.png")
    let edit = try Program.shell(
      "ulimit -f 1; exec \"$SAFELIGHT\" edit photo.png -o out.tif --resize 400 >/dev/null", in: scratch)
    #expect(
      edit.error
        == "Cannot write out.tif: the file would exceed the limit for its size; raise the limit (ulimit -f).")
    #expect(edit.exitCode == 1)
    #expect(try scratch.names == ["photo.png"])
  }

  @Test("A reader that goes away early, as head does, is no error")
  func closedPipe() throws {
    for ignore in ["", "trap '' PIPE; "] {
      let run = try Program.shell(
        "\(ignore){ \"$SAFELIGHT\" filters --json; echo $? >&2; } | head -n 1", in: Scratch())
      #expect(run.output == "[\n")
      // 141: ended by SIGPIPE, as shells expect; 0: it was faster than head.
      #expect(["0\n", "141\n"].contains(run.errors), "\(run.errors)")
    }
  }

  @Test(
    "Standard output that is closed is an error for whatever writes to it",
    arguments: ["filters", "filters --json", "presets", "devices --json", "--help", "--version"])
  func closedOutput(arguments: String) throws {
    let run = try Program.shell("exec \"$SAFELIGHT\" \(arguments) >&-", in: Scratch())
    #expect(
      run.errors
        == "Error: Cannot write to standard output: it is closed; "
        + "leave it open, or redirect it to /dev/null.\n")
    #expect(run.exitCode == 1)
  }

  @Test("Video has nowhere to go where standard output is closed", arguments: ["y4m", "rgb"])
  func closedVideoOutput(encoding: String) throws {
    let run = try Program.shell(
      "exec \"$SAFELIGHT\" live --source synthetic --size 64x48 --unpaced --frames 2 --to stdout:\(encoding) >&-",
      in: Scratch())
    #expect(
      run.error
        == "Cannot write to standard output: it is closed, or not open for writing; redirect it to a file or a pipe."
    )
    #expect(run.exitCode == 1)
  }

  @Test("What writes nothing to standard output does not mind that it is closed")
  func unusedOutput() throws {
    let run = try Program.shell(
      "exec \"$SAFELIGHT\" live --source synthetic --size 64x48 --unpaced --frames 2 --to null >&- <&-",
      in: Scratch())
    #expect(run.exitCode == 0, "\(run.errors)")
  }

  @Test("Standard output that cannot be written is an error")
  func fullOutput() throws {
    let run = try Program.shell("exec \"$SAFELIGHT\" presets > /dev/full", in: Scratch())
    #expect(
      run.errors == "Error: Cannot write to standard output: No space left on device; check where it goes.\n")
    #expect(run.exitCode == 1)
  }
}
