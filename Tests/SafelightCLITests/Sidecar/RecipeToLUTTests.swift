import LibraryTestSupport
import Safelight
import Testing

@Suite("recipe to-lut")
struct RecipeToLUTTests {
  @Test("Flags become a table, whose error is printed")
  func flags() throws {
    let scratch = try Scratch()
    let run = try Program.run(
      ["recipe", "to-lut", "--exposure", "0.5", "--rotate", "90", "-o", "a.cube", "--table-size", "17"],
      in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3 && lines[0] == "a.cube  17³  srgb")
    #expect(
      lines[1].hasPrefix("  tetrahedral  ΔE2000 max ") && lines[2].hasPrefix("  trilinear    ΔE2000 max "))
    #expect(run.errors == "Warning: The table does not have rotate.\n")
    let again = try Program.run(["recipe", "to-lut", "--exposure", "0.5", "-o", "a.cube"], in: scratch)
    #expect(again.exitCode != 0 && again.errors.contains("a.cube already exists"))
  }

  @Test("The edit of a photo and a recipe file become the same table")
  func sources() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(16, 16), as: "a.png")
    try scratch.write(#"{"safelight": 1, "filters": [{"filter": "exposure", "stops": 0.5}]}"#, to: "a.json")
    #expect(try Program.run(["recipe", "set", "a.png", "--exposure", "0.5"], in: scratch).exitCode == 0)
    #expect(try Program.run(["recipe", "to-lut", "a.png", "-o", "1.clf"], in: scratch).exitCode == 0)
    #expect(try Program.run(["recipe", "to-lut", "a.json", "-o", "2.clf"], in: scratch).exitCode == 0)
    #expect(try FileContents.read(scratch("1.clf")) == FileContents.read(scratch("2.clf")))
    let report = try Program.run(
      ["recipe", "to-lut", "a.json", "-o", "3.png", "--json", "--output-encoding", "display-p3"], in: scratch)
    #expect(report.exitCode == 0 && report.output.contains(#""output" : "display-p3""#), "\(report.output)")
    let both = try Program.run(["recipe", "to-lut", "a.json", "-o", "a.json"], in: scratch)
    #expect(both.exitCode != 0)
  }

  @Test("FFmpeg's lut3d and haldclut make of a picture what Safelight makes of it", .installed(.ffmpeg))
  func ffmpeg() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(64, 48), as: "a.png")
    let look = ["--exposure", "0.4", "--saturation", "20", "--contrast", "15"]
    let picture = ["-i", scratch("a.png")]
    for (table, arguments) in [
      ("t.cube", picture + ["-vf", "lut3d=file=\(scratch("t.cube")):interp=tetrahedral"]),
      ("t.png", picture + ["-i", scratch("t.png"), "-lavfi", "[0][1]haldclut=interp=tetrahedral"]),
    ] {
      #expect(try Program.run(["recipe", "to-lut", "-o", table] + look, in: scratch).exitCode == 0)
      try ExternalProgram.ffmpeg.run(
        ["-loglevel", "error", "-y"] + arguments
          + ["-frames:v", "1", "-pix_fmt", "rgb24", scratch("theirs.png")])
      // The error of the table is told; that both read it alike is tested here.
      let edited = try Program.run(
        ["edit", "a.png", "-o", "ours.png", "--overwrite", "--backend", "reference", "--lut", table],
        in: scratch)
      #expect(edited.exitCode == 0, "\(edited.errors)")
      let ours = try Photo(contentsOf: scratch("ours.png")).buffer
      let theirs = try Photo(contentsOf: scratch("theirs.png")).buffer
      #expect(try Self.largestDifference(ours, theirs) <= 1, "\(table)")
    }
  }

  private static func largestDifference(_ a: PixelBuffer, _ b: PixelBuffer) throws -> Int {
    try #require(a.size == b.size && a.format == .rgba8 && b.format == .rgba8)
    var largest = 0
    for y in 0..<a.size.height {
      let (one, other) = (UnsafeRawPointer(a.planes[0].row(y)), UnsafeRawPointer(b.planes[0].row(y)))
      for x in 0..<4 * a.size.width {
        largest = max(
          largest,
          abs(
            Int(one.load(fromByteOffset: x, as: UInt8.self))
              - Int(other.load(fromByteOffset: x, as: UInt8.self))))
      }
    }
    withExtendedLifetime((a, b)) {}
    return largest
  }

  @Test("A list of the ASC's becomes the edit of a photo, and comes out again")
  func lists() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(16, 16), as: "a.png")
    let list = packageFolder + "/Tests/Fuzz/cdl/two.ccc"
    let many = try Program.run(["recipe", "import", list, "a.png"], in: scratch)
    #expect(many.exitCode != 0 && many.errors.contains("2 corrections: cc0001, cc0002"), "\(many.errors)")
    let run = try Program.run(["recipe", "import", list, "a.png", "--id", "cc0002"], in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(
      run.output
        == "a.png  --cdl-slope 0.9,0.7,0.6 --cdl-offset 0.1,0.1,0.1 --cdl-power 0.9,0.9,0.9 --cdl-saturation 0.7\n"
    )
    #expect(try Program.run(["recipe", "to-lut", "a.png", "-o", "b.cc"], in: scratch).exitCode == 0)
    let decision = try ColorDecision.read(FileContents.read(scratch("b.cc")), name: "b.cc")[0]
    #expect(decision.slope == SIMD3(0.9, 0.7, 0.6) && decision.saturation == 0.7)
    let photo = try Program.run(["recipe", "import", list, "--id", "cc0002"], in: scratch)
    #expect(photo.exitCode != 0 && photo.errors.contains("name the photo"))
    let unknown = try Program.run(["recipe", "import", list, "a.png", "--id", "cc0003"], in: scratch)
    #expect(unknown.exitCode != 0 && unknown.errors.contains("did you mean “cc0001”"), "\(unknown.errors)")
    let misplaced = try Program.run(["recipe", "import", "a.png", "--id", "x"], in: scratch)
    #expect(misplaced.exitCode != 0 && misplaced.errors.contains("--id"))
  }
}
