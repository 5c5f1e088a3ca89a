import LibraryTestSupport
import Safelight
import TestSupport
import Testing

@Suite("Photos that are looked at while they are edited")
struct ResidentPhotoTests {
  private static let edits: [(name: String, filters: [any Filter])] = [
    ("nothing", []),
    ("colours", [Exposure(stops: 0.4), Saturation(20)]),
    ("geometry", [Straighten(2), Crop(.proportions(width: 1, height: 1)), Contrast(20)]),
    ("light", [Tone(highlights: -60, shadows: 50), Clarity(40), Texture(30), Vignette(amount: -30)]),
    ("noise", [NoiseReduction(luminance: 50, color: 50), Exposure(stops: 0.2)]),
    ("detail", [Sharpen(60), Grain(40)]),
  ]

  @Test("show the pixels of an export of the same size", arguments: edits.indices, ["jpg", "png"])
  func sameAsExport(_ index: Int, _ suffix: String) throws {
    let scratch = try Scratch()
    let path = scratch("photo.\(suffix)")
    try scratch.save(makePicture(900, 600), as: "photo.\(suffix)")
    let recipe = Recipe(filters: Self.edits[index].filters)
    let photo = try ResidentPhoto(path, renderer: CPURenderer())
    for edge in [300, 5000] {
      let view = try photo.view(
        recipe, in: PhotoViewport(size: PixelSize(width: edge, height: edge)))
      var export = PhotoExport()
      export.maximumSize = PixelSize(width: edge, height: edge)
      export.colorSpace = .sRGB
      _ = try export.runBlocking(path, through: recipe, to: scratch("\(edge).png"))
      let exported = try Photo(contentsOf: scratch("\(edge).png")).buffer
      #expect(view.picture.size == exported.size)
      #expect(largestDifference(view.picture, exported) == 0, "\(Self.edits[index].name) \(edge)")
    }
  }

  @Test("show the part that a window asks for, wherever it is moved")
  func window() throws {
    let scratch = try Scratch()
    let path = scratch("photo.png")
    try scratch.save(makePicture(900, 600), as: "photo.png")
    let photo = try ResidentPhoto(path, renderer: CPURenderer())
    let recipe = Recipe { Exposure(stops: 0.3) }
    let whole = try photo.view(recipe, in: PhotoViewport(size: PixelSize(width: 900, height: 600))).picture
    for (x, y) in [(0.0, 0.0), (0.5, 0.5), (1, 1), (0.3, 0.9)] {
      let view = try photo.view(
        recipe,
        in: PhotoViewport(size: PixelSize(width: 200, height: 150), zoom: .scale(1, x: x, y: y)))
      #expect(view.scaledSize == PixelSize(width: 900, height: 600))
      #expect(view.window.columns.count == 200 && view.window.rows.count == 150)
      for row in 0..<150 {
        let own = view.picture.row(row, as: UInt8.self)
        let other = whole.row(view.window.rows.lowerBound + row, as: UInt8.self)
        let first = 4 * view.window.columns.lowerBound
        #expect((0..<800).allSatisfy { own[$0] == other[first + $0] })
      }
    }
    #expect(
      try photo.view(recipe, in: PhotoViewport(size: PixelSize(width: 90, height: 90))).scaledSize
        == PixelSize(width: 90, height: 60))
    let enlarged = try photo.view(
      recipe, in: PhotoViewport(size: PixelSize(width: 90, height: 90), zoom: .scale(4, x: 0.5, y: 0.5)))
    #expect(enlarged.scaledSize == PixelSize(width: 900, height: 600))
  }

  @Test(
    "are drawn from a smaller copy while an angle is dragged, with about the same pixels",
    arguments: [
      [Straighten(3)],
      [Straighten(-2), Crop(.rectangle(x: 400, y: 300, width: 1800, height: 1200)), Exposure(stops: 0.5)],
      [Rotate(.clockwise), Straighten(1), Tone(shadows: 40)], [NoiseReduction(luminance: 50), Straighten(2)],
    ] as [[any Filter]])
  func draft(_ filters: [any Filter]) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(3000, 2000), as: "photo.png")
    let photo = try ResidentPhoto(scratch("photo.png"), renderer: CPURenderer())
    let recipe = Recipe(filters: filters)
    var viewport = PhotoViewport(size: PixelSize(width: 800, height: 800))
    (viewport.detail, viewport.isMoving) = (0.5, true)
    let moving = try photo.view(recipe, in: viewport)
    // The same pixels from the photo itself.
    let exact = try photo.view(
      recipe, in: PhotoViewport(size: PixelSize(width: 400, height: 400))
    ).picture
    // Sizes of a smaller copy are rounded otherwise.
    #expect(abs(moving.picture.width - exact.width) <= 1 && abs(moving.picture.height - exact.height) <= 1)
    if moving.picture.size == exact.size {
      let difference = try #require(largestDifference(moving.picture, exact))
      #expect((1...6).contains(difference), "\(difference)")
    }
    (viewport.detail, viewport.isMoving) = (1, false)
    #expect(try photo.view(recipe, in: viewport).scaledSize == moving.scaledSize)
  }

  @Test("of a raw are as bright while an angle is dragged as when it rests", .libRawIsInstalled)
  func rawDraft() throws {
    let scratch = try Scratch()
    var file = DNGFile(width: 3000, height: 90) { x, _, channel in
      (0.02 + 0.3 * Double(x) / 3000) * [0.5, 1, 0.7][channel]
    }
    (file.neutral, file.exposure) = ([0.5, 1, 0.7], (125, 4, 35, 6400))
    try scratch.write(file.bytes, to: "photo.dng")
    let photo = try ResidentPhoto(scratch("photo.dng"), renderer: CPURenderer())
    let recipe = Recipe(filters: [Straighten(0.3)])
    var viewport = PhotoViewport(size: PixelSize(width: 600, height: 600))
    let still = try photo.view(recipe, in: viewport)
    viewport.isMoving = true
    let moving = try ResidentPhoto(scratch("photo.dng"), renderer: CPURenderer()).view(recipe, in: viewport)
    #expect(moving.plan.denoising == nil)
    let row = still.picture.height / 2
    for x in stride(from: 20, to: min(still.picture.width, moving.picture.width) - 20, by: 40) {
      let (a, b) = (
        still.picture.row(row, as: UInt8.self)[4 * x + 1], moving.picture.row(row, as: UInt8.self)[4 * x + 1]
      )
      #expect(abs(Int(a) - Int(b)) <= 3, "\(x): \(a), \(b)")
    }
  }

  @Test("have fewer pixels where less detail is enough")
  func detail() throws {
    let scratch = try Scratch()
    let path = scratch("photo.png")
    try scratch.save(makePicture(900, 600), as: "photo.png")
    let photo = try ResidentPhoto(path, renderer: CPURenderer())
    var viewport = PhotoViewport(size: PixelSize(width: 600, height: 400))
    viewport.detail = 0.5
    let view = try photo.view(Recipe(), in: viewport)
    #expect(view.picture.size == PixelSize(width: 300, height: 200))
    #expect(view.scaledSize == PixelSize(width: 600, height: 400))
    #expect(view.window.columns == 0..<600 && view.window.rows == 0..<400)
  }
}
