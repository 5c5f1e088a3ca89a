import LibraryTestSupport
import Safelight
import FrameCore
import PhotoIO
import TestSupport
import Testing

@testable import PhotoPipeline
@testable import BatchEditing

@Suite("Memory of an edit")
struct EditMemoryTests {
  private let size = PixelSize(width: 4000, height: 3000)

  @Test("What is kept to be written again is counted, with its depth", arguments: [(8, 4), (16, 8)])
  func kept(bits: Int, bytesPerPixel: Int) {
    func bytes(isKept: Bool) -> Int {
      LocalBatchEditor.memory(source: size, bitsPerSample: bits, result: size, isKept: isKept)
    }
    #expect(bytes(isKept: true) - bytes(isKept: false) == bytesPerPixel * size.pixelCount)
  }

  @Test("What the decoder takes is counted, and a bound of the file's length, when a photo is examined")
  func examined() throws {
    let scratch = try Scratch()
    var file = DNGFile(width: 64, height: 48) { _, _, _ in 0.2 }
    file.neutral = [0.5, 1, 0.7]
    let path = scratch("photo.dng")
    try scratch.write(file.bytes, to: "photo.dng")
    func bytes(_ export: PhotoExport) throws -> Int {
      let editor = LocalBatchEditor(.init(export: export, format: .jpeg) { _ in Recipe() })
      return try editor.open(path).examination.memory
    }
    var bounded = PhotoExport()
    bounded.maximumBytes = 1 << 20
    let small = PixelSize(width: 64, height: 48)
    let decoding = try PhotoHeader.read(path).decodingMemory
    // The mosaic and the developed picture, ten bytes a pixel, and LibRaw's tile of AHD.
    #expect(decoding == 10 * small.pixelCount + 26 * 512 * 512)
    #expect(
      try bytes(PhotoExport())
        == LocalBatchEditor.memory(source: small, bitsPerSample: 16, result: small, decoding: decoding))
    #expect(try bytes(bounded) - bytes(PhotoExport()) == 8 * small.pixelCount)
  }

  @Test("Of a photo whose rows are shown in their order a part is counted, of one on its side all of it")
  func rows() throws {
    let scratch = try Scratch()
    let size = PixelSize(width: 500, height: 2000)
    try makePhoto(makePicture(size.width, size.height)).write(to: scratch("photo.jpg"))
    func bytes(_ filters: any Filter...) throws -> Int {
      let editor = LocalBatchEditor(.init(export: PhotoExport()) { _ in Recipe(filters: filters) })
      return try editor.open(scratch("photo.jpg")).examination.memory
    }
    let whole = LocalBatchEditor.memory(source: size, bitsPerSample: 8, result: size)
    // A band has 1024 rows of 500 pixels: with the next one and what is being decoded no row can be spared.
    #expect(try bytes(Exposure(stops: 1)) == whole)
    #expect(try bytes(Rotate(.clockwise)) == whole)
    // Sixteen rows at a time, and the reduced picture of 50 × 200 pixels.
    let reduced = try bytes(Resize(longEdge: 200))
    #expect(reduced < whole - 4 * (size.pixelCount - 16 * 500 - 3 * 50 * 200))
  }

  @Test("Large photos on their side are decoded in parts, where that takes less")
  func parts() throws {
    func isInParts(
      _ width: Int, _ height: Int, _ filters: any Filter..., format: PhotoFileFormat = .jpeg,
      decoding: Int = 0
    ) throws -> Bool {
      let plan = try Plan(
        Recipe(filters: filters), input: PlanInput(size: PixelSize(width: width, height: height)),
        output: PlanOutput(), optimized: false)
      return DecodedPicture.isInParts(
        plan, fileFormat: format, decodingMemory: decoding, renderer: CPURenderer(threads: 1))
    }
    #expect(try isInParts(12_000, 9000, Rotate(.clockwise)))
    #expect(try isInParts(12_000, 9000, Flip(.vertical)))
    #expect(try !isInParts(12_000, 9000, Straighten(2)))
    #expect(try !isInParts(12_000, 9000, Rotate(.clockwise), Resize(longEdge: 2000)))
    #expect(try !isInParts(6000, 4000, Rotate(.clockwise)))
    #expect(try !isInParts(12_000, 9000, Rotate(.clockwise), format: .heic))
    // Progressive: the coefficients of the whole picture are in memory as it is.
    #expect(try !isInParts(12_000, 9000, Rotate(.clockwise), decoding: 648_000_000))
    // The turn of a few degrees is little beside the quarter turn: of each band a strip.
    #expect(try isInParts(12_000, 9000, Rotate(.clockwise), Straighten(-2)))
    // Some bands show more than a part may take.
    #expect(try !isInParts(12_000, 9000, Straighten(30, corners: .keep)))
    #expect(try !isInParts(12_000, 9000, Straighten(-40)))
    // 1.7 GB would be decoded nine times.
    #expect(try !isInParts(24_000, 18_000, Rotate(.clockwise)))
  }

  @Test("Parts follow each other to the last row, none larger than what is counted")
  func partsOfPlan() throws {
    let turns: [[any Filter]] = [
      [Rotate(.clockwise)], [Flip(.vertical)], [Rotate(.clockwise), Straighten(-2)],
    ]
    for filters in turns {
      let plan = try Plan(
        Recipe(filters: filters), input: PlanInput(size: PixelSize(width: 12_000, height: 9000)),
        output: PlanOutput(), optimized: false)
      let bandRows = Bands.rows(of: plan.outputSize)
      let parts = PhotoDecodingInParts.parts(of: plan, bandRows: bandRows)
      #expect((2...4).contains(parts.count))
      var end = 0
      for part in parts {
        #expect(part.lowerBound == end)
        #expect(PicturePart.bytes(for: plan, showing: part) <= PhotoDecodingInParts.usualBytes)
        end = part.upperBound
      }
      #expect(end == plan.outputSize.height)
    }
  }

  @Test(
    "Turns that no parts will do for are counted as the whole photo that they keep",
    arguments: [
      ([Rotate(.clockwise)], PhotoDecodingInParts.usualBytes / (4 * 12_000)),
      ([Straighten(30, corners: .keep)], 9000),
    ] as [([any Filter], Int)])
  func counted(filters: [any Filter], rows: Int) throws {
    let plan = try Plan(
      Recipe(filters: filters), input: PlanInput(size: PixelSize(width: 12_000, height: 9000)),
      output: PlanOutput(), optimized: false)
    let counted = DecodedPicture.rowsInMemory(
      for: plan, fileFormat: .jpeg, decodingMemory: 0, renderer: CPURenderer(threads: 1), isSequential: true)
    #expect(counted == rows)
  }
}
