import LibraryTestSupport
import FoundationEssentials
import Safelight
import Testing
import Libc

/// docs/overwriting.md, sentence by sentence.
@Suite("What is replaced")
struct OverwritingTests {
  private func makePhotos() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.save(gradient(64, 48), as: "a.png")
    try scratch.save(gradient(48, 64), as: "b.png")
    return scratch
  }

  @Test(
    "A file that exists is replaced with --overwrite alone, by every command that writes named files",
    arguments: [
      (["edit", "a.png", "-o", "x.jpg"], "x.jpg"),
      (["edit", "a.png", "-o", "y.jpg", "--exposure", "1", "--write-recipe", "x.json"], "x.json"),
      (["presets", "sheet", "a.png", "-o", "x.jpg", "--size", "64"], "x.jpg"),
      (["horizon", "a.png", "--draw", "x.jpg"], "x.jpg"),
      (["horizon", "a.png", "b.png", "--draw", "f/"], "f/b-horizon.jpg"),
      (["mask", "a.png", "linear 0,0 1,1", "-o", "x.png"], "x.png"),
      (["analyze", "a.png", "--scopes", "x.png"], "x.png"),
      (["profile", "--size", "64x48", "--seconds", "0.05", "--exposure", "1", "--html", "x.html"], "x.html"),
      (["batch", "a.png", "-o", "f", "--json", "x.json"], "x.json"),
      (["batch", "a.png", "-o", "f", "--contact-sheet", "x.jpg"], "x.jpg"),
      (["demo", "--photo", "a.png", "--output", "f"], "f/looks.jpg"),
    ])
  func flag(arguments: [String], name: String) throws {
    let scratch = try makePhotos()
    if name.hasPrefix("f/") { #expect(mkdir(scratch("f"), 0o777) == 0) }
    try scratch.write("mine", to: name)
    let refused = try Program.run(arguments, in: scratch)
    #expect(refused.exitCode == (arguments[0] == "batch" ? 2 : 1), "\(refused.errors)")
    #expect(refused.error?.contains(name) == true && refused.error?.contains("already exists") == true)
    #expect(refused.error?.contains("give --overwrite to replace it, or another name") == true)
    #expect(try scratch.read(name) == Array("mine".utf8))
    #expect(try !scratch.names.contains("y.jpg") && !(scratch.names.contains("f") && !name.hasPrefix("f/")))
    let run = try Program.run(arguments + ["--overwrite"], in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(try scratch.read(name) != Array("mine".utf8))
  }

  @Test("A report of an earlier run is replaced without a word, whatever else is there is not")
  func ownFiles() throws {
    let scratch = try makePhotos()
    for _ in 1...2 {
      let run = try Program.run(["batch", "a.png", "-o", "f", "--resume", "--json", "x.json"], in: scratch)
      #expect(run.exitCode == 0, "\(run.errors)")
      let dry = try Program.run(["batch", "a.png", "-o", "g", "--dry-run", "--json", "x.json"], in: scratch)
      #expect(dry.exitCode == 0, "\(dry.errors)")
    }
    for text in ["", "[]", "{\"entries\": []}", "{\"safelight\": 1}"] {
      try scratch.write(text, to: "x.json")
      let run = try Program.run(["batch", "a.png", "-o", "f", "--resume", "--json", "x.json"], in: scratch)
      #expect(
        run.error == "x.json already exists; give --overwrite to replace it, or another name.", "\(text)")
      #expect(try scratch.read("x.json") == Array(text.utf8))
    }
  }

  @Test(
    "What a command reads it never replaces, not even with --overwrite and by another name of it",
    arguments: [
      ["edit", "a.png", "-o", "NAME.png", "--recipe", "NAME.json"],
      [
        "edit", "a.png", "-o", "x.png", "--lut", "NAME.cube", "--write-recipe", "NAME.json", "--recipe",
        "r.json",
      ],
      ["batch", "a.png", "-o", "f", "--recipe", "NAME.json", "--json", "NAME.json"],
      ["batch", "a.png", "-o", "f", "--lut", "NAME.cube", "--json", "NAME.cube"],
      ["batch", "a.png", "-o", "f", "--recipe", "NAME.json", "--contact-sheet", "NAME.jpg"],
      ["batch", "--retry-failed", "NAME.json", "-o", "f", "--json", "NAME.json"],
      ["presets", "sheet", "NAME.png", "-o", "NAME.png"],
      ["profile", "--size", "64x48", "--recipe", "NAME.json", "--trace", "NAME.json"],
    ])
  func inputs(arguments: [String]) throws {
    for kind in ["the same", "link", "twin"] {
      let scratch = try makePhotos()
      // A recipe may have any name, also that of a picture.
      let recipe =
        arguments.contains("NAME.jpg") ? "in.jpg" : arguments.contains("NAME.png") ? "in.png" : "in.json"
      if arguments[0] == "presets" {
        try scratch.save(gradient(8, 8), as: "in.png")
      } else if arguments.contains("--retry-failed") {
        let report = try Program.run(["batch", "a.png", "-o", "g", "--json", recipe], in: scratch)
        #expect(report.exitCode == 0)
      } else {
        try scratch.write("{\"safelight\": 1}", to: recipe)
      }
      try scratch.write("{\"safelight\": 1}", to: "r.json")
      try scratch.write("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n", to: "in.cube")
      var words: [String] = []
      for (index, word) in arguments.enumerated() {
        guard word.hasPrefix("NAME") else {
          words.append(word)
          continue
        }
        let flag = arguments[index - 1]
        let isOutput = ["-o", "--json", "--contact-sheet", "--write-recipe", "--trace"].contains(flag)
        let own = word == "NAME.cube" ? "in.cube" : flag == "--write-recipe" ? "r.json" : recipe
        guard isOutput, kind != "the same" else {
          words.append(own)
          continue
        }
        let name = word.replacing("NAME", with: "other")
        if kind == "link" {
          #expect(symlink(own, scratch(name)) == 0)
        } else {
          #expect(link(scratch(own), scratch(name)) == 0)
        }
        words.append(name)
      }
      let before = try scratch.names
      let bytes = try before.filter { $0.contains(".") }.map { try scratch.read($0) }
      let run = try Program.run(words + ["--overwrite"], in: scratch)
      #expect(run.exitCode == (arguments[0] == "batch" ? 2 : 1), "\(kind): \(words) \(run.errors)")
      #expect(
        run.error?.contains("never replaced") == true || run.error?.contains("is read by this run") == true
          || run.error?.contains("is the photo itself") == true, "\(run.errors)")
      #expect(try scratch.names == before, "\(kind): \(words)")
      #expect(try before.filter { $0.contains(".") }.map { try scratch.read($0) } == bytes)
    }
  }

  @Test("Results of a batch never take the place of its recipe")
  func recipeOfBatch() throws {
    let scratch = try makePhotos()
    #expect(mkdir(scratch("f"), 0o777) == 0)
    try scratch.write("{\"safelight\": 1}", to: "f/a.png")
    let run = try Program.run(
      ["batch", "a.png", "b.png", "-o", "f", "--recipe", "f/a.png", "--overwrite"], in: scratch)
    #expect(run.exitCode == 1)
    #expect(run.errors.contains("would replace a.png, which this run reads"), "\(run.errors)")
    #expect(try scratch.read("f/a.png") == Array("{\"safelight\": 1}".utf8))
    #expect(try scratch.photo("f/b.png").buffer.width == 48)
  }

  @Test("export --resume replaces what export has made; what batch has made goes by --on-conflict")
  func anotherCommand() throws {
    let scratch = try makePhotos()
    #expect(try Program.run(["batch", "a.png", "-o", "f", "--preset", "noir"], in: scratch).exitCode == 0)
    let noir = try scratch.read("f/a.png")
    #expect(try Program.run(["recipe", "set", "a.png", "--exposure", "1"], in: scratch).exitCode == 0)
    let export = ["export", "a.png", "-o", "f", "--resume"]
    for _ in 1...2 {
      let refused = try Program.run(export, in: scratch)
      #expect(refused.exitCode == 1)
      #expect(refused.errors.contains("a.png already exists"), "\(refused.errors)")
      #expect(try scratch.read("f/a.png") == noir)
    }
    let replaced = try Program.run(export + ["--overwrite"], in: scratch)
    #expect(replaced.exitCode == 0, "\(replaced.errors)")
    #expect(try scratch.read("f/a.png") != noir)
    // Its own results follow their edits, as before; batch's own would too.
    #expect(try Program.run(["recipe", "set", "a.png", "--exposure", "-1"], in: scratch).exitCode == 0)
    let again = try Program.run(export, in: scratch)
    #expect(again.output.hasPrefix("1 done"), "\(again.output)\(again.errors)")
    let other = try Program.run(["batch", "a.png", "-o", "f", "--preset", "noir", "--resume"], in: scratch)
    #expect(other.exitCode == 1)
  }

  @Test("Links are followed, also to files that do not exist yet, by edit and by --json")
  func links() throws {
    let scratch = try makePhotos()
    #expect(mkdir(scratch("f"), 0o777) == 0)
    for (name, target) in [
      ("new.png", "f/new.png"), ("chain.png", "f/chain.png"), ("f/chain.png", "deep.png"),
      ("new.json", "f/r.json"),
      ("lost.png", "none/lost.png"), ("circle.png", "circle.png"),
    ] { #expect(symlink(target, scratch(name)) == 0) }
    for (name, file) in [("new.png", "f/new.png"), ("chain.png", "f/deep.png")] {
      let edit = try Program.run(["edit", "a.png", "-o", name], in: scratch)
      #expect(edit.exitCode == 0, "\(edit.errors)")
      var status = stat()
      #expect(lstat(scratch(name), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
      #expect(try scratch.photo(file).buffer.width == 64)
      #expect(
        try Program.run(["edit", "a.png", "-o", name], in: scratch).error?.contains("--overwrite") == true)
    }
    let batch = try Program.run(["batch", "b.png", "-o", "g", "--json", "new.json"], in: scratch)
    #expect(batch.exitCode == 0, "\(batch.errors)")
    #expect(try !scratch.read("f/r.json").isEmpty)
    let lost = try Program.run(["edit", "a.png", "-o", "lost.png"], in: scratch)
    #expect(
      lost.error
        == "Cannot write lost.png: it is a link into the folder none, which does not exist; create that first, or give another name."
    )
    let circle = try Program.run(["edit", "a.png", "-o", "circle.png"], in: scratch)
    #expect(
      circle.error == "Cannot write circle.png: its symbolic links lead in a circle; give the name of a file."
    )
    #expect(lost.exitCode == 1 && circle.exitCode == 1)
  }

  @Test(
    "A photo that root edits in place stays its owner's",
    .enabled(if: geteuid() == 0, "only root may give files away"))
  func owner() throws {
    let scratch = try makePhotos()
    #expect(chown(scratch("a.png"), 65_534, 65_533) == 0 && chmod(scratch("a.png"), 0o640) == 0)
    #expect(try Program.run(["edit", "a.png", "--in-place", "--exposure", "1"], in: scratch).exitCode == 0)
    #expect(try Program.run(["edit", "b.png", "-o", "a.png", "--overwrite"], in: scratch).errors == "")
    var status = stat()
    #expect(stat(scratch("a.png"), &status) == 0)
    #expect(status.st_uid == 65_534 && status.st_gid == 65_533 && status.st_mode & 0o777 == 0o640)
  }

  private static let setAttribute = "python3 -c 'import os; os.setxattr(\"a.png\", \"user.mine\", b\"note\")'"

  @Test(
    "A file that is replaced keeps its extended attributes",
    .enabled(
      if: Program.succeeds("touch a.png && " + setAttribute),
      "python3 or a file system that has them is missing"))
  func extendedAttributes() throws {
    let scratch = try makePhotos()
    let run = try Program.shell(
      Self.setAttribute + " && \"$SAFELIGHT\" edit a.png --in-place --exposure 1 >&2 && "
        + "python3 -c 'import os; print(os.getxattr(\"a.png\", \"user.mine\"))'", in: scratch)
    #expect(run.output == "b'note'\n", "\(run.errors)")
  }

  @Test(
    "Where the owner cannot be kept, that is said",
    .enabled(
      if: geteuid() == 0 && Unprivileged.isPossible, "another user is needed, which takes root and setpriv"))
  func lostOwner() throws {
    let scratch = try makePhotos()
    #expect(chmod(scratch.path, 0o777) == 0 && chmod(scratch("a.png"), 0o666) == 0)
    let run = try Unprivileged.run("edit a.png --in-place --exposure 1", in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(
      run.errors.contains(
        "Warning: a.png belonged to another user; only root can keep that, so it is yours now."))
  }

  @Test(
    "A disk that is full ends a batch with exit code 1, as its help says, also before the first result",
    .enabled(
      if: Program.succeeds(InterruptionTests.onSmallDisk("true")),
      "mounting a small file system is not allowed here"))
  func fullDisk() throws {
    let scratch = try makePhotos()
    let full = try Program.shell(
      InterruptionTests.onSmallDisk(
        "head -c 400k /dev/zero > small/fill; \"$SAFELIGHT\" batch a.png -o small/f; echo $?"), in: scratch)
    #expect(full.output.hasSuffix("1\n"), "\(full.output)\(full.errors)")
    #expect(full.errors.contains("the disk is full"), "\(full.errors)")
  }
}
