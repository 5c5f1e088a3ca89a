import LibraryTestSupport
import Safelight
import Testing

@Suite("Before and after")
struct CompareTests {
  /// A photo of 200 × 150 pixels and its edit, two stops darker.
  private func prepare() throws -> (scratch: Scratch, original: PixelBuffer, edited: PixelBuffer) {
    let scratch = try Scratch()
    try scratch.save(gradient(200, 150), as: "photo.png")
    let edit = try Program.run(["edit", "photo.png", "-o", "edited.png", "--exposure", "-2"], in: scratch)
    #expect(edit.exitCode == 0)
    return (scratch, try scratch.photo("photo.png").buffer, try scratch.photo("edited.png").buffer)
  }

  private func compare(_ flags: [String], in scratch: Scratch) throws -> PixelBuffer {
    let run = try Program.run(
      ["edit", "photo.png", "-o", "both.png", "--overwrite", "--exposure", "-2", "--compare"] + flags,
      in: scratch)
    #expect(run.exitCode == 0, "\(flags): \(run.errors)")
    return try scratch.photo("both.png").buffer
  }

  @Test("split: the original on the left of the position, the edit on its right")
  func split() throws {
    let (scratch, original, edited) = try prepare()
    for (position, border) in [("0.5", 100), ("0.25", 50), ("0", 0), ("1", 200)] {
      let both = try compare(["split", "--split", position, "--no-labels"], in: scratch)
      #expect(both.size == original.size)
      for x in stride(from: 2, to: 200, by: 7) where abs(x - border) > 6 {
        #expect(pixel(both, x, 75) == pixel(x < border ? original : edited, x, 75), "\(position) \(x)")
      }
    }
  }

  @Test("side: both whole, beside each other")
  func side() throws {
    let (scratch, original, edited) = try prepare()
    let both = try compare(["side", "--no-labels"], in: scratch)
    #expect(both.height == 150 && both.width > 400 && both.width < 410)
    for x in stride(from: 0, to: 200, by: 11) {
      #expect(pixel(both, x, 30) == pixel(original, x, 30))
      #expect(pixel(both, both.width - 200 + x, 30) == pixel(edited, x, 30))
    }
  }

  @Test("wipe: the original at the top left, the edit at the bottom right")
  func wipe() throws {
    let (scratch, original, edited) = try prepare()
    let both = try compare(["wipe", "--no-labels"], in: scratch)
    #expect(pixel(both, 3, 3) == pixel(original, 3, 3))
    #expect(pixel(both, 196, 146) == pixel(edited, 196, 146))
  }

  @Test("difference: black where nothing changed, bright where much did")
  func difference() throws {
    let (scratch, _, _) = try prepare()
    let run = try Program.run(
      ["edit", "photo.png", "-o", "none.png", "--compare", "difference", "--no-labels"], in: scratch)
    #expect(run.exitCode == 0)
    let none = try scratch.photo("none.png").buffer
    let much = try compare(["difference", "--no-labels"], in: scratch)
    #expect(Set(stride(from: 0, to: 200, by: 9).map { pixel(none, $0, 30) }).count == 1)
    #expect(pixel(much, 190, 30).prefix(3).max() ?? 0 > (pixel(none, 190, 30).prefix(3).max() ?? 255))
  }

  @Test("Labels are there unless --no-labels takes them away", arguments: ["split", "side", "wipe"])
  func labels(layout: String) throws {
    let (scratch, _, _) = try prepare()
    let bare = try compare([layout, "--no-labels"], in: scratch)
    let lettered = try compare([layout], in: scratch)
    #expect(largestDifference(bare, lettered) ?? 0 > 100)
    #expect(try largestDifference(compare([layout, "--labels"], in: scratch), lettered) == 0)
  }

  @Test("--compare-geometry original shows the original as it was, which side by side allows")
  func geometry() throws {
    let (scratch, _, _) = try prepare()
    let flags = ["--crop", "0,0,50,150", "--no-labels"]
    let edited = try compare(["side"] + flags, in: scratch)
    let original = try compare(["side", "--compare-geometry", "original"] + flags, in: scratch)
    #expect(original.width - edited.width == 150)
    let split = try Program.run(
      ["edit", "photo.png", "-o", "no.png", "--compare", "split", "--compare-geometry", "original"] + flags,
      in: scratch)
    #expect(split.exitCode == 1)
    #expect(
      split.error
        == "The original is 200×150 and the edited picture is 50×150, and the split layout needs equal sizes; "
        + "compare them side by side (layout \"side\"), or give the original the same geometry.")
    #expect(try !scratch.names.contains("no.png"))
  }
}
