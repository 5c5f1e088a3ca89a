import LibraryTestSupport
import Safelight
import Testing
import Libc

@Suite("Where results go")
struct OutputTests {
  private static let known =
    ".jpg, .jpeg, .jpe, .jfif, .png, .tif, .tiff, .webp, .heic, .heif, .hif, .avif, .jxl"

  @Test(
    "A place that cannot be written is refused in a sentence, and nothing is left",
    arguments: [
      ("out.foo", "Cannot write out.foo: the extension .foo is unknown; use one of \(known)."),
      ("out.gif", "Cannot write out.gif: GIF is read but not written; use one of \(known)."),
      ("", "The name of the output file is empty; give it a name."),
      (".", "Cannot write .: it is a folder; give the name of a file."),
      ("folder/", "Cannot write folder/: it is a folder; give the name of a file."),
      ("folder.png", "Cannot write folder.png: it is a folder; give the name of a file."),
      ("none/out.jpg", "Cannot write none/out.jpg: the folder none does not exist; create it first."),
      (
        "photo.png/out.jpg",
        "Cannot write photo.png/out.jpg: photo.png is not a folder; choose another place."
      ),
      ("pipe.jpg", "Cannot write pipe.jpg: it is not a regular file; give the name of a file."),
    ])
  func refused(path: String, sentence: String) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "photo.png")
    #expect(mkdir(scratch("folder"), 0o700) == 0 && mkdir(scratch("folder.png"), 0o700) == 0)
    #expect(mkfifo(scratch("pipe.jpg"), 0o600) == 0)
    let before = try scratch.names
    let edit = try Program.run(["edit", "photo.png", "-o", path, "--exposure", "1"], in: scratch)
    #expect(edit.errors == "Error: \(sentence)\n")
    #expect(edit.exitCode == 1)
    #expect(try scratch.names == before)
  }

  @Test(
    "The extension decides the format, in all that are written", .everyFormatIsWritable,
    arguments: PhotoFileFormat.allCases)
  func formats(format: PhotoFileFormat) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "photo.png")
    for pathExtension in format.pathExtensions {
      let name = "out.\(pathExtension)"
      let edit = try Program.run(["edit", "photo.png", "-o", name, "--rotate", "90"], in: scratch)
      #expect(edit.exitCode == 0 && edit.errors == "")
      let header = try PhotoHeader.read(scratch(name))
      #expect(header.fileFormat == format)
      #expect(header.size == PixelSize(width: 30, height: 40))
      #expect(header.orientation == .up)
      #expect(header.warnings == [])
    }
  }

  @Test("A name that is too long")
  func longName() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "photo.png")
    let name = String(repeating: "a", count: 252) + ".jpg"
    let edit = try Program.run(["edit", "photo.png", "-o", name], in: scratch)
    #expect(edit.error == "Cannot write \(name): the name is too long; choose a shorter one.")
    // One letter less is the longest that Linux allows.
    let longest = String(repeating: "a", count: 251) + ".jpg"
    #expect(try Program.run(["edit", "photo.png", "-o", longest], in: scratch).exitCode == 0)
    #expect(try scratch.names == [longest, "photo.png"])
  }

  @Test(
    "A folder without permission and a write-protected file",
    .enabled(if: Unprivileged.isPossible, "root may write everywhere, and setpriv cannot drop that here"))
  func permissions() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "photo.png")
    try scratch.write("mine", to: "kept.png")
    #expect(chmod(scratch("photo.png"), 0o644) == 0 && chmod(scratch("kept.png"), 0o444) == 0)
    #expect(chmod(scratch.path, 0o555) == 0)
    let folder = try Unprivileged.run("edit photo.png -o out.png", in: scratch)
    #expect(chmod(scratch.path, 0o777) == 0)
    #expect(
      folder.error
        == "Cannot write out.png: the folder . is not writable; "
        + "choose another folder or change its permissions.")
    let file = try Unprivileged.run("edit photo.png -o kept.png --overwrite", in: scratch)
    #expect(
      file.error
        == "Cannot write kept.png: the file is write-protected; choose another name or change its permissions."
    )
    #expect(folder.exitCode == 1 && file.exitCode == 1)
    #expect(try scratch.read("kept.png") == Array("mine".utf8))
    #expect(try scratch.names == ["kept.png", "photo.png"])
  }

  @Test("An edit that fails leaves a file of the output's name as it was")
  func existingOutput() throws {
    let scratch = try Scratch()
    try scratch.copy(fuzz: "bad-truncated.jpg", to: "cut.jpg")
    try scratch.save(gradient(40, 30), as: "whole.png")
    try scratch.write("precious", to: "out.jpg")
    for arguments in [
      ["cut.jpg"], ["whole.png", "--crop", "0,0,41,30"], ["whole.png", "--lut", "none.cube"],
      ["whole.png", "--resize", "65535"],
    ] {
      let edit = try Program.run(["edit", "-o", "out.jpg", "--overwrite"] + arguments, in: scratch)
      #expect(edit.exitCode == 1, "\(arguments)")
      #expect(try scratch.read("out.jpg") == Array("precious".utf8), "\(arguments)")
    }
    #expect(try scratch.names == ["cut.jpg", "out.jpg", "whole.png"])
  }

  @Test("The original is never the output without --in-place, by whatever path it is reached")
  func inputIsOutput() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "photo.png")
    let original = try scratch.read("photo.png")
    #expect(symlink("photo.png", scratch("link.png")) == 0)
    #expect(link(scratch("photo.png"), scratch("twin.png")) == 0)
    for (input, output) in [
      ("photo.png", "photo.png"), ("photo.png", "./photo.png"), ("photo.png", scratch("photo.png")),
      ("photo.png", "link.png"), ("link.png", "photo.png"), ("photo.png", "twin.png"),
    ] {
      let edit = try Program.run(["edit", input, "-o", output, "--exposure", "1"], in: scratch)
      #expect(
        edit.errors
          == "Error: \(output) is the original itself; write to another name, or give --in-place to replace it.\n"
      )
      #expect(edit.exitCode == 1)
      #expect(try scratch.read("photo.png") == original)
    }
  }

  @Test("--in-place replaces the photo, behind a symbolic link the file that it leads to")
  func inPlace() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "photo.png")
    #expect(chmod(scratch("photo.png"), 0o640) == 0)
    #expect(symlink("photo.png", scratch("link.png")) == 0)
    let edit = try Program.run(["edit", "link.png", "--in-place", "--rotate", "90"], in: scratch)
    #expect(edit.exitCode == 0)
    #expect(try scratch.photo("photo.png").buffer.size == PixelSize(width: 30, height: 40))
    var status = stat()
    #expect(lstat(scratch("link.png"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(scratch("photo.png"), &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(try scratch.names == ["link.png", "photo.png"])
  }

  @Test(
    "A photo that --in-place would not change is left as it is, and said to be",
    arguments: [
      [], ["--exposure", "0"], ["--preset", "noir", "--strength", "0"], ["--straighten", "auto"],
    ])
  func unchanged(flags: [String]) throws {
    let scratch = try Scratch()
    // Grey, without anything that has a level.
    try scratch.save(picture(64, 48) { _, _ in [30_000, 30_000, 30_000, 65_535] }, as: "photo.jpg")
    let before = try scratch.read("photo.jpg")
    let edit = try Program.run(["edit", "photo.jpg", "--in-place"] + flags, in: scratch)
    #expect(edit.exitCode == 0)
    #expect(
      edit.errors.contains("Warning: photo.jpg was left as it is, since the edit changes nothing.\n"),
      "\(edit.errors)")
    #expect(try scratch.read("photo.jpg") == before)
    let signed = try Program.run(["edit", "photo.jpg", "--in-place", "--copyright", "Ada"], in: scratch)
    #expect(signed.exitCode == 0 && signed.errors == "")
    #expect(try scratch.read("photo.jpg") != before)
  }

  @Test("--in-place on a PNG that is named .jpg says that the file is a JPEG now")
  func inPlaceChangesFormat() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "photo.png")
    try scratch.write(scratch.read("photo.png"), to: "photo.jpg")
    let edit = try Program.run(["edit", "photo.jpg", "--in-place"], in: scratch)
    #expect(
      edit.errors == "Warning: photo.jpg was a PNG file and is a JPEG file now, as its name says.\n")
    #expect(try scratch.photo("photo.jpg").fileFormat == .jpeg)
  }

  @Test("Names with spaces, accents, emoji, brackets and leading dashes are names")
  func names() throws {
    let scratch = try Scratch()
    for name in ["ein Bild.png", "été 写真 🌅.png", "a[access=random].png", "100%.png", "a\"b'c.png"] {
      try scratch.save(gradient(8, 6), as: name)
      let edit = try Program.run(["edit", name, "-o", "out " + name, "--json"], in: scratch)
      #expect(edit.exitCode == 0, "\(name): \(edit.errors)")
      #expect(try scratch.names.contains("out " + name))
    }
    try scratch.save(gradient(8, 6), as: "-dash.png")
    #expect(try Program.run(["edit", "-o", "a.png", "--", "-dash.png"], in: scratch).exitCode == 0)
    #expect(try Program.run(["edit", "./-dash.png", "--output=-b.png"], in: scratch).exitCode == 0)
    #expect(try scratch.names.contains("-b.png"))
  }
}
