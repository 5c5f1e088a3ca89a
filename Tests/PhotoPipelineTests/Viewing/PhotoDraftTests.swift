import LibraryTestSupport
import Safelight
import TestSupport
import Testing

@Suite("Photos that are shown before all of them is read")
struct PhotoDraftTests {
  private static let edits: [[any Filter]] = [
    [], [Exposure(stops: 0.4), Saturation(20)],
    [Straighten(2), Crop(.rectangle(x: 101, y: 50, width: 601, height: 400))],
    [Tone(highlights: -60, shadows: 50), Clarity(40)],
  ]

  @Test("look as the photo in the same window, in the same place", arguments: edits.indices)
  func likePhoto(_ index: Int) throws {
    let scratch = try Scratch()
    try scratch.save(makePicture(1200, 800), as: "photo.jpg")
    let path = scratch("photo.jpg")
    let recipe = Recipe(filters: Self.edits[index])
    let draft = try #require(try PhotoDraft(path, longEdge: 500, renderer: CPURenderer()))
    let photo = try ResidentPhoto(path, renderer: CPURenderer())
    let viewport = PhotoViewport(size: PixelSize(width: 240, height: 200))
    let (early, late) = (try draft.view(recipe, in: viewport), try photo.view(recipe, in: viewport))
    #expect(early.fullSize == late.fullSize && early.scaledSize == late.scaledSize)
    #expect(early.window == late.window && early.picture.size == late.picture.size)
    var sum = 0
    for y in 0..<late.picture.height {
      let (a, b) = (early.picture.row(y, as: UInt8.self), late.picture.row(y, as: UInt8.self))
      for x in 0..<4 * late.picture.width { sum += abs(Int(a[x]) - Int(b[x])) }
    }
    let mean = Double(sum) / Double(4 * late.picture.size.pixelCount)
    #expect(mean < 1.5, "\(mean) of 255")
  }

  @Test("are made only where that saves time")
  func none() throws {
    let scratch = try Scratch()
    try scratch.save(makePicture(1200, 800), as: "photo.jpg")
    try scratch.save(makePicture(1200, 800), as: "photo.png")
    #expect(try PhotoDraft(scratch("photo.jpg"), longEdge: 601, renderer: CPURenderer()) == nil)
    #expect(try PhotoDraft(scratch("photo.png"), longEdge: 300, renderer: CPURenderer()) == nil)
    #expect(throws: SafelightError.self) {
      _ = try PhotoDraft(scratch("none.jpg"), longEdge: 300, renderer: CPURenderer())
    }
  }
}
