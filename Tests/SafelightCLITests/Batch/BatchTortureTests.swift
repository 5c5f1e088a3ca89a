import LibraryTestSupport
import Foundation
import Safelight
import Testing
import Libc

@Suite("A batch of everything that can be wrong")
struct BatchTortureTests {
  @Test("A folder of every kind of broken file: the good ones are done, each bad one is told with its reason")
  func brokenFiles() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(3)
    let whole = try scratch.read("in/photo-1.jpg")
    for name in ["with space.jpg", "new\nline.jpg", "📷.jpg", "esc\u{1B}[31m.jpg", "a\u{202E}gpj.jpg"] {
      try scratch.write(whole, to: "in/\(name)")
    }
    let longest = String(repeating: "ä", count: 125) + "b.jpg"
    #expect(longest.utf8.count == 255)
    try scratch.write(whole, to: "in/\(longest)")
    try scratch.write([], to: "in/zero.jpg")
    try scratch.write(Array(whole.prefix(whole.count / 2)), to: "in/half.jpg")
    try scratch.write(Array(whole.prefix(20)), to: "in/head.jpg")
    try scratch.write("words", to: "in/words.jpg")
    try scratch.write((0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 3) }, to: "in/noise.png")
    for name in ["bad-huge", "bad-too-many-scans", "bad-truncated", "bad-twelve-bits"] {
      try scratch.copy(fuzz: "\(name).jpg", to: "in/\(name).jpg")
    }
    #expect(mkfifo(scratch("in/pipe.jpg"), 0o600) == 0)
    try scratch.makeFolder("in/folder.jpg")
    try scratch.write(whole, to: "in/folder.jpg/inside.jpg")
    #expect(symlink("..", scratch("in/folder.jpg/up")) == 0)
    #expect(symlink("loop.jpg", scratch("in/loop.jpg")) == 0)
    #expect(symlink("nowhere", scratch("in/dangling.jpg")) == 0)
    let run = try scratch.batch(
      "in", "-o", "in/out", "--recursive", "--exposure", "0.2", "--json", "report.json")
    #expect(run.exitCode == 1)
    let report = try scratch.report()
    let failed = report.entries.filter { $0.status == .failed }.map(\.input).sorted()
    #expect(
      failed
        == [
          "bad-huge.jpg", "bad-too-many-scans.jpg", "bad-truncated.jpg", "bad-twelve-bits.jpg", "half.jpg",
          "head.jpg", "noise.png", "pipe.jpg", "words.jpg", "zero.jpg",
        ].map { "in/\($0)" })
    for entry in report.entries where entry.status == .failed {
      #expect(entry.reason?.isEmpty == false && entry.reason?.hasSuffix(".") == true, "\(entry.input)")
    }
    #expect(report.unusable?.count == 2)
    #expect(report.count(.done) == 10)
    #expect(
      try Set(scratch.contents(of: "in/out").keys)
        == Set(
          ["photo-1.jpg", "photo-2.jpg", "photo-3.jpg", "with space.jpg", "new\nline.jpg", "📷.jpg"]
            + ["esc\u{1B}[31m.jpg", "a\u{202E}gpj.jpg", longest, "folder.jpg/inside.jpg"]))
    // What a terminal would obey does not get out.
    #expect(!run.errors.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
    // Results are no inputs of a second run.
    let again = try scratch.batch("in", "-o", "in/out", "--recursive", "--exposure", "0.2", "--resume")
    #expect(again.output.hasPrefix("0 done · 10 skipped · 10 failed"), "\(again.output)")
  }

  @Test("Names that are no UTF-8 are told and never taken for another file's")
  func namesThatAreNoText() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    try scratch.makeFolder("more")
    // The file that the bytes would be read as, were they repaired.
    let prepared = try Program.shell(
      #"cp in/photo-1.jpg "$(printf 'more/bad\377.jpg')" && cp in/photo-1.jpg "$(printf 'more/bad\357\277\275.jpg')""#,
      in: scratch)
    try #require(prepared.exitCode == 0)
    let sentence = "its name is not UTF-8; rename it, for example with convmv."
    let folder = try scratch.batch("more", "-o", "out", "--exposure", "1")
    #expect(folder.told == "Error: Cannot read more/bad\u{FFFD}.jpg: \(sentence)\n")
    #expect(folder.exitCode == 1)
    #expect(try Array(scratch.contents(of: "out").keys) == ["bad\u{FFFD}.jpg"])
    let ways = [
      #""$SAFELIGHT" batch "$(printf 'more/bad\377.jpg')" in/photo-1.jpg -o out2"#,
      #"printf 'more/bad\377.jpg\nin/photo-1.jpg\n' | "$SAFELIGHT" batch - -o out2 --on-conflict overwrite"#,
    ]
    for way in ways {
      let run = try Program.shell(way, in: scratch)
      #expect(run.told == "Error: Cannot read more/bad\u{FFFD}.jpg: \(sentence)\n")
      #expect(run.exitCode == 1)
      #expect(try Array(scratch.contents(of: "out2").keys) == ["photo-1.jpg"])
    }
  }

  @Test(
    "Folders and photos without permission cost themselves only",
    .enabled(if: Unprivileged.isPossible, "root may read every file, and setpriv cannot drop that here"))
  func permissions() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(2)
    try scratch.makePhotos(1, in: "in/locked")
    #expect(chmod(scratch("in/locked"), 0) == 0)
    #expect(chmod(scratch("in/photo-2.jpg"), 0) == 0)
    try scratch.makeFolder("out")
    #expect(chmod(scratch("out"), 0o777) == 0)
    #expect(chmod(scratch.path, 0o777) == 0)
    let run = try Unprivileged.run("batch in -o out --recursive --json report.json", in: scratch)
    #expect(run.exitCode == 1)
    #expect(try scratch.report().statuses == ["photo-1.jpg": .done, "photo-2.jpg": .failed])
    #expect(try scratch.report().unusable?.first?.contains("in/locked") == true)
    #expect(chmod(scratch("out"), 0o555) == 0)
    let refused = try Unprivileged.run("batch in/photo-1.jpg -o out --on-conflict overwrite", in: scratch)
    #expect(refused.exitCode == 2)
    #expect(refused.error?.contains("out is not writable") == true, "\(refused.errors)")
    chmod(scratch("in/locked"), 0o755)
    chmod(scratch("out"), 0o755)
  }

  @Test("Two photos that would become one: the first is done, the other is told; rename keeps both")
  func sameName() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1, in: "a")
    try scratch.makePhotos(2, in: "b")
    let run = try scratch.batch("a", "b", "-o", "out", "--json", "report.json")
    #expect(run.exitCode == 1)
    #expect(
      run.told
        == "Failed: b/photo-1.jpg and a/photo-1.jpg would both become photo-1.jpg; "
        + "use --name with {index}, or --on-conflict rename.\n", "\(run.errors)")
    #expect(try Set(scratch.contents(of: "out").keys) == ["photo-1.jpg", "photo-2.jpg"])
    let renamed = try scratch.batch("a", "b", "-o", "out2", "--on-conflict", "rename")
    #expect(renamed.exitCode == 0)
    #expect(try Set(scratch.contents(of: "out2").keys) == ["photo-1.jpg", "photo-1-2.jpg", "photo-2.jpg"])
  }

  @Test("A result whose name is a link replaces the link, and not what it leads to outside the folder")
  func linkedResult() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(2)
    try scratch.makeFolder("archive")
    try scratch.write("mine", to: "archive/a.jpg")
    try scratch.makeFolder("out")
    #expect(symlink("../archive/a.jpg", scratch("out/photo-1.jpg")) == 0)
    for isolation in ["--isolate", "--no-isolate"] {
      let run = try scratch.batch("in", "-o", "out", "--on-conflict", "overwrite", isolation)
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(try scratch.read("archive/a.jpg") == Array("mine".utf8))
      for name in ["photo-1.jpg", "photo-2.jpg"] {
        var status = stat()
        #expect(lstat(scratch("out/\(name)"), &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
        #expect(try Photo(contentsOf: scratch("out/\(name)")).buffer.width == 40)
      }
      #expect(try scratch.contents(of: "out").count == 2)
    }
  }

  @Test("Originals are never replaced, whatever is asked for")
  func originals() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(2)
    let before = try scratch.contents(of: "in")
    for conflict in ["skip", "overwrite", "fail"] {
      let run = try scratch.batch("in", "-o", "in", "--exposure", "1", "--on-conflict", conflict)
      #expect(run.exitCode == 1)
      #expect(run.errors.contains("would replace an original"))
      #expect(try scratch.contents(of: "in") == before)
    }
    for option in ["--json", "--contact-sheet"] {
      let run = try scratch.batch("in", "-o", "out", option, "in/photo-1.jpg")
      #expect(run.error == "in/photo-1.jpg is an original, in/photo-1.jpg; give another name.")
      #expect(run.exitCode == 2)
    }
    #expect(try scratch.contents(of: "in") == before)
    // Beside the originals under other names; a second run takes its results for what they are.
    for _ in 1...2 {
      let beside = try scratch.batch(
        "in", "-o", "in", "--name", "{stem}-edit{ext}", "--exposure", "1", "--resume")
      #expect(beside.exitCode == 0, "\(beside.errors)")
    }
    let after = try scratch.contents(of: "in")
    #expect(Set(after.keys) == ["photo-1.jpg", "photo-2.jpg", "photo-1-edit.jpg", "photo-2-edit.jpg"])
    #expect(after.filter { before[$0.key] != nil } == before)
  }

  @Test("A result that somebody has changed since is not replaced by --resume")
  func changedResult() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(2)
    _ = try scratch.batch("in", "-o", "out", "--exposure", "1")
    try scratch.write("retouched by hand", to: "out/photo-1.jpg")
    for run in try (1...2).map({ _ in try scratch.batch("in", "-o", "out", "--exposure", "1", "--resume") }) {
      #expect(run.exitCode == 1)
      #expect(
        run.errors.contains(
          "photo-1.jpg was changed since it was written; move it away, or choose --on-conflict skip, overwrite or rename"
        ),
        "\(run.errors)")
      #expect(try scratch.read("out/photo-1.jpg") == Array("retouched by hand".utf8))
    }
    #expect(
      try scratch.batch("in", "-o", "out", "--exposure", "1", "--resume", "--on-conflict", "overwrite")
        .exitCode == 0)
    #expect(try scratch.photo("out/photo-1.jpg").buffer.width == 40)
  }

  @Test("A name that a stopped run only meant to give is not taken from whoever has it now")
  func nameOnlyMeant() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(2)
    _ = try scratch.batch("in/photo-1.jpg", "-o", "out", "--exposure", "1")
    let journal = String(decoding: try scratch.read("out/\(BatchJournal.fileName)"), as: UTF8.self)
    let meant = journal.split(separator: "\n").filter { $0.contains("\"named\"") }.map {
      $0.replacing("photo-1", with: "photo-2") + "\n"
    }
    try scratch.write(journal + meant.joined(), to: "out/\(BatchJournal.fileName)")
    try scratch.write("mine", to: "out/photo-2.jpg")
    let run = try scratch.batch("in", "-o", "out", "--exposure", "1", "--resume")
    #expect(run.exitCode == 1)
    #expect(run.errors.contains("photo-2.jpg already exists"), "\(run.errors)")
    #expect(try scratch.read("out/photo-2.jpg") == Array("mine".utf8))
  }
}
