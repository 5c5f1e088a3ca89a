import LibraryTestSupport
import Safelight
import Testing

@Suite("Options of results")
struct ResultOptionTests {
  private func makePhotos() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.save(gradient(300, 200), as: "large.png")
    try scratch.save(gradient(90, 120), as: "small.png")
    return scratch
  }

  @Test("--max-size reduces what is larger and leaves the rest, with one photo as with many")
  func maximumSize() throws {
    let scratch = try makePhotos()
    for (size, large, small) in [
      ("150", PixelSize(width: 150, height: 100), PixelSize(width: 90, height: 120)),
      ("100", PixelSize(width: 100, height: 67), PixelSize(width: 75, height: 100)),
      ("200x60", PixelSize(width: 90, height: 60), PixelSize(width: 45, height: 60)),
      ("300x200", PixelSize(width: 300, height: 200), PixelSize(width: 90, height: 120)),
    ] {
      let batch = try Program.run(
        [
          "batch", "large.png", "small.png", "-o", size, "--max-size", size, "--name",
          "{stem}-{width}x{height}",
        ],
        in: scratch)
      #expect(batch.exitCode == 0, "\(batch.errors)")
      #expect(batch.errors == "")
      for (name, expected) in [("large", large), ("small", small)] {
        // Names say the size that results have.
        let result = try scratch.photo("\(size)/\(name)-\(expected.width)x\(expected.height).png").buffer
        #expect(result.size == expected)
        let edit = try Program.run(
          ["edit", "\(name).png", "-o", "\(size)/edit-\(name).png", "--max-size", size], in: scratch)
        #expect(edit.exitCode == 0, "\(edit.errors)")
        #expect(try largestDifference(scratch.photo("\(size)/edit-\(name).png").buffer, result) ?? 255 <= 1)
      }
    }
  }

  @Test("--max-size is one resample with the rest of the edit, and plan shows it")
  func plan() throws {
    let scratch = try makePhotos()
    let edit = ["plan", "large.png", "--straighten", "2", "--crop", "square"]
    let limited = try Program.run(edit + ["--max-size", "60"], in: scratch)
    let resized = try Program.run(edit + ["--resize", "60"], in: scratch)
    #expect(limited.exitCode == 0, "\(limited.errors)")
    func stages(_ text: String) -> Substring? { text.split(separator: "\npasses\n").first }
    #expect(stages(limited.output) == stages(resized.output))
  }

  @Test(
    "A before/after picture keeps to --max-size as a whole",
    arguments: [["side"], ["side", "--compare-geometry", "original", "--crop", "1:3"], ["wipe"], ["split"]])
  func comparison(layout: [String]) throws {
    let scratch = try makePhotos()
    for box in [PixelSize(width: 160, height: 160), PixelSize(width: 161, height: 40)] {
      let name = "\(box.width)x\(box.height)"
      let edit = try Program.run(
        ["edit", "large.png", "-o", name + ".png", "--max-size", name, "--compare"] + layout, in: scratch)
      #expect(edit.exitCode == 0, "\(edit.errors)")
      let size = try scratch.photo(name + ".png").buffer.size
      #expect(size.width <= box.width && size.height <= box.height, "\(size)")
      // And makes use of it.
      #expect(size.width >= box.width * 9 / 10 || size.height >= box.height * 9 / 10, "\(size)")
    }
  }

  @Test("Another --max-size makes results again, and the same does not")
  func resuming() throws {
    let scratch = try makePhotos()
    for (size, done) in [("100", "2 done"), ("100", "2 skipped"), ("80", "2 done")] {
      let batch = try Program.run(
        ["batch", "large.png", "small.png", "-o", "out", "--resume", "--max-size", size], in: scratch)
      #expect(batch.output.contains(done), "\(batch.output)")
    }
    #expect(try scratch.photo("out/large.png").buffer.width == 80)
  }

  @Test("What a batch can do to a file, edit can: format, bytes, metadata and copyright")
  func edit() throws {
    let scratch = try Scratch()
    try scratch.copy(fuzz: "good-exif.jpg", to: "photo.jpg")
    let flags = ["--metadata", "strip", "--copyright", "Ann", "--quality", "70"]
    let batch = try Program.run(["batch", "photo.jpg", "-o", "out"] + flags, in: scratch)
    let edit = try Program.run(["edit", "photo.jpg", "-o", "edit.jpg"] + flags, in: scratch)
    #expect(batch.exitCode == 0 && edit.exitCode == 0, "\(batch.errors)\(edit.errors)")
    #expect(try scratch.read("edit.jpg") == scratch.read("out/photo.jpg"))
    let exif = try #require(try JPEGFile(bytes: scratch.read("edit.jpg")).exif)
    #expect(exif.firstRange(of: Array("Ann".utf8)) != nil)
    #expect(exif.firstRange(of: Array("Safelight Works".utf8)) == nil)

    try scratch.save(
      picture(400, 300) { x, y in
        let noise = (x &* 2_654_435_761 ^ y &* 40_503) & 0xFFFF
        return [noise, noise ^ 0x3A00, 65_535 - noise, 65_535]
      }, as: "noise.png")
    let bounded = try Program.run(
      ["edit", "noise.png", "-o", "noise.jpg", "--max-bytes", "20KB"], in: scratch)
    #expect(bounded.exitCode == 0, "\(bounded.errors)")
    #expect(try scratch.read("noise.jpg").count <= 20_000)
    let named = try Program.run(["edit", "noise.png", "-o", "noise.bin", "--format", "jpeg"], in: scratch)
    #expect(named.exitCode == 0, "\(named.errors)")
    #expect(try scratch.read("noise.bin").starts(with: [0xFF, 0xD8]))
  }

  @Test("--only takes the colours or the geometry of a recipe, as “recipe copy” does")
  func part() throws {
    let scratch = try makePhotos()
    try scratch.write(Recipe(filters: [Crop(.square), Exposure(stops: -2)]).json(), to: "r.json")
    for (part, same) in [("color", ["--exposure", "-2"]), ("geometry", ["--crop", "square"])] {
      let batch = try Program.run(
        ["batch", "large.png", "-o", part, "--recipe", "r.json", "--only", part], in: scratch)
      #expect(batch.exitCode == 0, "\(batch.errors)")
      let edit = try Program.run(["edit", "large.png", "-o", part + ".png"] + same, in: scratch)
      #expect(edit.exitCode == 0, "\(edit.errors)")
      #expect(try scratch.read("\(part)/large.png") == scratch.read(part + ".png"))
    }
    let idle = try Program.run(["batch", "large.png", "-o", "x", "--only", "color"], in: scratch)
    #expect(idle.error == "--only has no effect without --recipe; give both or neither.")
  }

  @Test("Flags of stills have no effect without a preview, which is said")
  func stills() throws {
    let run = try Program.run(
      ["live", "--source", "synthetic", "--to", "null", "--still-format", "png"], in: Scratch())
    #expect(run.exitCode == 64)
    #expect(
      run.error
        == "--still-format has no effect without --to preview, --shutter or --on EVENT capture; "
        + "give one of these, or leave it out."
    )
  }
}
