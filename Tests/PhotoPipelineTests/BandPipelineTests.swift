import LibraryTestSupport
import Safelight
import FilterGraph
import FrameCore
import Rendering
import Testing

@testable import PhotoPipeline

/// Bands from a rendering thread to the caller: whichever side fails, both end.
@Suite("Bands from thread to thread")
struct BandPipelineTests {
  private struct Failure: Error, Equatable { let place: String }

  /// Rows of a picture in memory, of which decoding has ended.
  private struct Rows: DecodedRows {
    let picture: DecodedPicture
    let progress = RowProgress()
    var warnings: [String] { [] }
    var seconds: Double { 0 }

    func need(_ count: Int) throws { try progress.wait(for: count) }
    func needAll() throws { try progress.waitForEnd() }
    func release(before row: Int) { progress.release(before: row) }
    func cancel() { progress.finish(.failure(CancellationError())) }
  }

  /// A picture of many bands whose rows are all decoded, or of which decoding fails.
  private func makePipeline(_ end: Result<Void, any Error> = .success(())) throws -> (
    BandPipeline, PixelBuffer
  ) {
    let picture = try makePicture(4096, 1000)
    let renderer = CPURenderer()
    let plan = try renderer.plan(Recipe(), input: PlanInput(size: picture.size), output: PlanOutput())
    let rows = Rows(picture: DecodedPicture(picture))
    if case .success = end {
      rows.progress.advance(to: picture.height)
    } else {
      rows.progress.advance(to: 700)
    }
    rows.progress.finish(end)
    return (
      try BandPipeline(BandRendering(rows, through: renderer.prepare(plan))), picture
    )
  }

  @Test("All rows arrive, in order")
  func order() throws {
    let (pipeline, picture) = try makePipeline()
    var next = 0
    try pipeline.run { band, rows in
      for y in 0..<rows {
        #expect(band.row(y, as: UInt8.self).elementsEqual(picture.row(next + y, as: UInt8.self)))
      }
      next += rows
    }
    #expect(next == picture.height)
    #expect(pipeline.seconds > 0)
  }

  @Test("A caller that fails at any band gets its own error back, again and again", arguments: 0..<8)
  func callerFails(band: Int) throws {
    for _ in 0..<10 {
      let (pipeline, _) = try makePipeline()
      var taken = 0
      #expect(throws: Failure(place: "taking")) {
        try pipeline.run { _, _ in
          if taken == band { throw Failure(place: "taking") }
          taken += 1
        }
      }
    }
  }

  @Test("Decoding that fails ends the bands with its error")
  func decodingFails() throws {
    for _ in 0..<10 {
      let (pipeline, _) = try makePipeline(.failure(Failure(place: "decoding")))
      #expect(throws: Failure(place: "decoding")) { try pipeline.run { _, _ in } }
    }
  }
}
