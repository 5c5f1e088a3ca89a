import LibraryTestSupport
import Safelight
import Testing
import Libc

@Suite("What is read")
struct InputTests {
  /// Edits `input` in `scratch` and checks that it fails with exactly this sentence, without a crash and without
  /// leaving anything behind.
  private func expectRefusal(
    _ input: String, in scratch: Scratch, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try scratch.names
    let edit = try Program.run(["edit", input, "-o", "out.jpg", "--straighten", "2"], in: scratch)
    #expect(edit.errors == "Error: \(sentence)\n", sourceLocation: sourceLocation)
    #expect(edit.exitCode == 1, sourceLocation: sourceLocation)
    #expect(edit.output == "", sourceLocation: sourceLocation)
    #expect(try scratch.names == before, sourceLocation: sourceLocation)
  }

  @Test("A missing file")
  func missing() throws {
    try expectRefusal(
      "none.jpg", in: Scratch(), "Cannot read none.jpg: there is no such file; check the spelling.")
  }

  @Test("A folder, a pipe that nobody writes to, and devices")
  func notAFile() throws {
    let scratch = try Scratch()
    try expectRefusal(
      ".", in: scratch, "Cannot read .: it is a folder; edit the photos in it with safelight batch.")
    #expect(mkfifo(scratch("pipe.jpg"), 0o600) == 0)
    for name in ["pipe.jpg", "/dev/null", "/dev/zero"] {
      try expectRefusal(
        name, in: scratch,
        "Cannot read \(name): it is not a regular file; save the data to a file first.")
    }
  }

  @Test(
    "A file without permission",
    .enabled(if: Unprivileged.isPossible, "root may read every file, and setpriv cannot drop that here"))
  func unreadable() throws {
    let scratch = try Scratch()
    try scratch.write("secret", to: "secret.jpg")
    #expect(chmod(scratch("secret.jpg"), 0) == 0)
    let edit = try Unprivileged.run("edit secret.jpg -o out.jpg", in: scratch)
    #expect(
      edit.errors
        == "Error: Cannot read secret.jpg: permission is denied; change the file's permissions.\n")
    #expect(edit.exitCode == 1)
  }

  @Test("An empty file, text, and a picture of a kind that is not read")
  func notAPicture() throws {
    let scratch = try Scratch()
    try scratch.write("", to: "empty.jpg")
    try expectRefusal(
      "empty.jpg", in: scratch, "Cannot read empty.jpg: the file is empty; copy it again from its source.")
    try scratch.write("Dear diary,\n", to: "text.jpg")
    try expectRefusal(
      "text.jpg", in: scratch,
      "Cannot read text.jpg: it looks like text, which is not a supported format; "
        + "use a photo such as a JPEG, PNG, TIFF, WebP, HEIC, AVIF or JPEG XL.")
    try scratch.write("BM" + String(repeating: "\0", count: 60), to: "picture.bmp")
    try expectRefusal(
      "picture.bmp", in: scratch,
      "Cannot read picture.bmp: it looks like a BMP picture, which is not a supported format; "
        + "use a photo such as a JPEG, PNG, TIFF, WebP, HEIC, AVIF or JPEG XL.")
  }

  @Test("Half a file of each format", .everyFormatIsWritable, arguments: PhotoFileFormat.allCases)
  func truncated(format: PhotoFileFormat) throws {
    let scratch = try Scratch()
    let name = "photo." + format.pathExtensions[0]
    // Noise, so that no half holds the whole picture.
    var state: UInt32 = 1
    try scratch.save(
      picture(64, 48) { _, _ in
        (0..<4).map { channel in
          state = state &* 1_664_525 &+ 1_013_904_223
          return channel == 3 ? 65_535 : Int(state >> 16)
        }
      }, as: name)
    let whole = try scratch.read(name)
    try scratch.write(Array(whole[..<(whole.count / 2)]), to: name)
    let edit = try Program.run(["edit", name, "-o", "out.png"], in: scratch)
    #expect(edit.exitCode == 1)
    #expect(edit.error?.hasPrefix("Cannot read \(name): the \(format.name) data ") ?? false, "\(edit.errors)")
    #expect(edit.error?.contains("end early") ?? false, "\(edit.errors)")
    #expect(edit.error?.hasSuffix("; copy the file again from its source.") ?? false, "\(edit.errors)")
    #expect(try scratch.names == [name])
  }

  @Test("A header that promises 100000 × 100000 pixels, or none")
  func sizeThatCannotBe() throws {
    let scratch = try Scratch()
    let one = [[UInt8](repeating: 0, count: 3)]
    try scratch.write(
      PNGFile.make(width: 100_000, height: 100_000, bitDepth: 8, colorType: 2, rows: one), to: "huge.png")
    try expectRefusal(
      "huge.png", in: scratch,
      "The picture is too large (100000×100000): at most 65535 pixels per edge and 1200 megapixels are accepted."
    )
    try scratch.write(
      PNGFile.make(width: 0, height: 0, bitDepth: 8, colorType: 2, rows: one), to: "none.png")
    try expectRefusal(
      "none.png", in: scratch,
      "Cannot read none.png: the PNG data are damaged or end early; copy the file again from its source.")
    try scratch.copy(fuzz: "bad-huge.jpg", to: "huge.jpg")
    let edit = try Program.run(["edit", "huge.jpg", "-o", "out.jpg"], in: scratch)
    #expect(edit.exitCode == 1)
    #expect(edit.error != nil)
    #expect(try !scratch.names.contains("out.jpg"))
  }

  @Test("Every file of the corpus of broken JPEG files is refused, every good one is edited")
  func corpus() throws {
    let scratch = try Scratch()
    let names = try Program.shell("ls '\(Program.package)/Tests/Fuzz/jpeg'", in: scratch).output
      .split(separator: "\n").map(String.init)
    #expect(names.count >= 10)
    for name in names {
      try scratch.copy(fuzz: name, to: "in.jpg")
      let edit = try Program.run(["edit", "in.jpg", "-o", name, "--exposure", "0.3"], in: scratch)
      let isGood = name.hasPrefix("good")
      #expect(edit.exitCode == (isGood ? 0 : 1), "\(name): \(edit.errors)")
      #expect(try scratch.names.contains(name) == isGood, "\(name)")
    }
  }

  @Test("A PNG that is named .jpg is a PNG")
  func wrongName() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(20, 10), as: "photo.png")
    try scratch.write(scratch.read("photo.png"), to: "photo.jpg")
    let edit = try Program.run(["edit", "photo.jpg", "-o", "out.png"], in: scratch)
    #expect(edit.exitCode == 0)
    #expect(edit.errors == "")
    #expect(try largestDifference(scratch.photo("out.png").buffer, gradient(20, 10)) == 0)
  }

  @Test("CMYK and grey JPEG files are edited")
  func colorModels() throws {
    let scratch = try Scratch()
    try scratch.copy(fuzz: "good-cmyk.jpg", to: "cmyk.jpg")
    try scratch.copy(fuzz: "good-gray.jpg", to: "gray.jpg")
    let cmyk = try Program.run(["edit", "cmyk.jpg", "-o", "cmyk.png"], in: scratch)
    #expect(cmyk.exitCode == 0)
    #expect(
      cmyk.errors
        == "Warning: The picture is CMYK without a colour profile; its colours are approximate.\n")
    // The left half is full magenta and yellow, the right half half black (see the corpus' makers).
    let colors = try scratch.photo("cmyk.png").buffer
    #expect(pixel(colors, 2, 8)[0] > 200 && pixel(colors, 2, 8)[1] < 60)
    #expect(abs(pixel(colors, 13, 8)[0] - pixel(colors, 13, 8)[2]) < 8)

    let gray = try Program.run(["edit", "gray.jpg", "-o", "gray.png"], in: scratch)
    #expect(gray.exitCode == 0)
    #expect(gray.errors == "")
    // Every sample of the file is 77.
    #expect(try pixel(scratch.photo("gray.png").buffer, 8, 8) == [77, 77, 77, 255])
  }

  @Test("Palette, one-bit and grey-with-alpha PNG files are edited")
  func unusualPNG() throws {
    let scratch = try Scratch()
    try scratch.write(
      PNGFile.make(
        width: 2, height: 1, bitDepth: 2, colorType: 3, palette: [255, 0, 0, 10, 20, 30],
        rows: [[0b0001_0000]]), to: "palette.png")
    try scratch.write(
      PNGFile.make(width: 3, height: 1, bitDepth: 1, colorType: 0, rows: [[0b1010_0000]]), to: "bits.png")
    try scratch.write(
      PNGFile.make(width: 1, height: 1, bitDepth: 8, colorType: 4, rows: [[200, 85]]), to: "veil.png")
    for name in ["palette.png", "bits.png", "veil.png"] {
      let edit = try Program.run(["edit", name, "-o", "out-" + name], in: scratch)
      #expect(edit.exitCode == 0, "\(name): \(edit.errors)")
    }
    let palette = try scratch.photo("out-palette.png").buffer
    #expect(pixel(palette, 0, 0) == [255, 0, 0, 255])
    #expect(pixel(palette, 1, 0) == [10, 20, 30, 255])
    let bits = try scratch.photo("out-bits.png").buffer
    #expect((0..<3).map { pixel(bits, $0, 0)[1] } == [255, 0, 255])
    #expect(try pixel(scratch.photo("out-veil.png").buffer, 0, 0) == [200, 200, 200, 85])
  }

  @Test("A picture of one pixel, and one as long as can be, are turned, cropped and resized")
  func extremeSizes() throws {
    let scratch = try Scratch()
    try scratch.save(picture(1, 1) { _, _ in [10 << 8, 200 << 8, 30 << 8, 65_535] }, as: "dot.png")
    try scratch.save(picture(65_535, 1) { _, _ in [10 << 8, 200 << 8, 30 << 8, 65_535] }, as: "line.png")
    for name in ["dot.png", "line.png"] {
      for flags in [
        ["--straighten", "45"], ["--crop", "square"], ["--resize", "1"], ["--rotate", "90"],
        ["--straighten", "-3", "--crop", "1:1@1,1", "--resize", "1", "--flip", "v", "--rotate", "270"],
      ] {
        let edit = try Program.run(["edit", name, "-o", "out.png", "--overwrite"] + flags, in: scratch)
        #expect(edit.exitCode == 0, "\(name) \(flags): \(edit.errors)")
        let edited = try scratch.photo("out.png").buffer
        let difference = zip(pixel(edited, 0, 0), [10, 200, 30, 255]).map { abs($0 - $1) }.max() ?? 255
        #expect(difference <= 1, "\(name) \(flags)")
      }
    }
    let keep = try Program.run(
      ["edit", "line.png", "-o", "wide.png", "--straighten", "45", "--straighten-corners", "keep"],
      in: scratch)
    #expect(
      keep.error
        == "The picture is too large (46341×46341): at most 65535 pixels per edge and 1200 megapixels are accepted."
    )
    #expect(try !scratch.names.contains("wide.png"))
  }
}
