import LibraryTestSupport
import Safelight
import FilterGraph
import Foundation
import FrameCore
import PhotoIO
import Rendering
import Testing

@testable import PhotoPipeline

@Suite("Photos that are decoded part by part")
struct PhotoDecodingInPartsTests {
  private func render(
    _ path: String, _ recipe: Recipe, partBytes: Int, between: () throws -> Void = {}
  ) throws -> (picture: PixelBuffer, warnings: [String]) {
    let reader = try PhotoReader(contentsOf: path)
    let renderer = CPURenderer(threads: 2)
    let plan = try renderer.plan(
      recipe, input: PlanInput(size: reader.size, orientation: reader.orientation), output: PlanOutput())
    let decoding = PhotoDecodingInParts(reader, for: plan, partBytes: partBytes)
    var rendering = BandRendering(decoding, through: renderer.prepare(plan))
    let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
    for top in stride(from: 0, to: plan.outputSize.height, by: 64) {
      let rows = top..<min(top + 64, plan.outputSize.height)
      try rendering.render(rows, into: output.band(rows: rows))
      try between()
    }
    #expect(decoding.seconds > 0)
    return (output, decoding.warnings)
  }

  static let recipes: [[any Filter]] = [
    [Rotate(.clockwise)], [Flip(.vertical), Exposure(stops: 0.5)],
    [Rotate(.counterclockwise), Straighten(2)],
  ]

  @Test("The picture is that of the whole photo, in few parts and in many", arguments: recipes.indices)
  func equality(index: Int) throws {
    let scratch = try Scratch()
    try makePhoto(makePicture(310, 420)).write(to: scratch("in.jpg"))
    let photo = try Photo(contentsOf: scratch("in.jpg"))
    let recipe = Recipe(filters: Self.recipes[index])
    let whole = try CPURenderer().render(photo, through: recipe).buffer
    for partBytes in [1, 100_000, 300_000, 10_000_000] {
      #expect(areEqual(try render(scratch("in.jpg"), recipe, partBytes: partBytes).picture, whole))
    }
  }

  @Test("Another file under the photo's name is not mixed with it")
  func replaced() throws {
    let scratch = try Scratch()
    try makePhoto(makePicture(310, 420)).write(to: scratch("in.jpg"))
    let recipe = Recipe(filters: [Rotate(.clockwise)])
    let whole = try CPURenderer().render(Photo(contentsOf: scratch("in.jpg")), through: recipe).buffer
    let part = try render(scratch("in.jpg"), recipe, partBytes: 100_000) {
      try makePhoto(makePlain([1, 2, 3, 255])).write(to: scratch("in.jpg"), overwrite: true)
    }
    #expect(areEqual(part.picture, whole))
  }

  @Test("A file that is written to in its place is refused, in one sentence", arguments: [true, false])
  func overwritten(hasSameLength: Bool) throws {
    let scratch = try Scratch()
    try makePhoto(makePicture(310, 420)).write(to: scratch("in.jpg"))
    let bytes = try scratch.read("in.jpg")
    var bands = 0
    let error = #expect(throws: SafelightError.self) {
      try render(scratch("in.jpg"), Recipe(filters: [Rotate(.clockwise)]), partBytes: 100_000) {
        bands += 1
        guard bands == 1 else { return }
        if hasSameLength {
          // As another time: the clock of files may stand still for some milliseconds.
          try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: scratch("in.jpg"))
        } else {
          let file = try FileHandle(forWritingTo: URL(filePath: scratch("in.jpg")))
          try file.seekToEnd()
          try file.write(contentsOf: bytes)
          try file.close()
        }
      }
    }
    #expect(
      error?.description
        == "\(scratch("in.jpg")) was written to while it was read; try again when it is complete.")
    #expect(bands >= 1)
  }

  @Test("Once nothing is needed any more, decoding ends and does not begin again")
  func cancelled() throws {
    let scratch = try Scratch()
    try makePhoto(makePicture(310, 420)).write(to: scratch("in.jpg"))
    let reader = try PhotoReader(contentsOf: scratch("in.jpg"))
    let plan = try Plan(
      Recipe(filters: [Rotate(.clockwise)]), input: PlanInput(size: reader.size), output: PlanOutput())
    let decoding = PhotoDecodingInParts(reader, for: plan, partBytes: 1)
    _ = try decoding.part(showing: 0..<64)
    decoding.cancel()
    #expect(throws: CancellationError.self) { try decoding.part(showing: 64..<128) }
  }

  @Test("Damage anywhere is found before the first band, and warned of once")
  func damage() throws {
    let scratch = try Scratch()
    try makePhoto(makePicture(310, 420)).write(to: scratch("in.jpg"), quality: 100)
    let whole = try scratch.read("in.jpg")
    try scratch.write(Array(whole[..<(whole.count - 3000)]), to: "cut.jpg")
    var bands = 0
    #expect(throws: SafelightError.self) {
      try render(scratch("cut.jpg"), Recipe(filters: [Flip(.vertical)]), partBytes: 100_000) { bands += 1 }
    }
    #expect(bands == 0)
    // Without its end marker the picture is whole.
    try scratch.write(Array(whole.dropLast(2)), to: "open.jpg")
    let open = try render(scratch("open.jpg"), Recipe(filters: [Flip(.vertical)]), partBytes: 100_000)
    #expect(open.warnings == ["The JPEG data are damaged: the end marker is missing"])
  }
}
