import LibraryTestSupport
import Safelight
import FilterGraph
import Filters
import FrameCore
import Rendering
import Synchronization
import TestSupport
import Testing

@testable import PhotoPipeline

/// Rows that bands wait for, and let go of: those that they show, in the words of the plan.
@Suite("Rows of bands")
struct BandRowsTests {
  /// Rows of a picture in memory, of which it is noted what is asked for.
  private final class Rows: DecodedRows, Sendable {
    let picture: DecodedPicture
    let asked = Mutex((needed: 0, released: 0))
    let warnings: [String] = []
    let seconds = 0.0

    init(_ picture: DecodedPicture) { self.picture = picture }
    func need(_ count: Int) throws { asked.withLock { $0.needed = max($0.needed, count) } }
    func needAll() throws {}
    func release(before row: Int) { asked.withLock { $0.released = max($0.released, row) } }
    func cancel() {}
  }

  @Test("No band shows rows that were not waited for, or were let go of", arguments: 0..<20)
  func bands(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let size = PixelSize(
      width: Int.random(in: 20...90, using: &random), height: Int.random(in: 100...300, using: &random))
    var filters: [any Filter] = [Straighten(.random(in: -30...30, using: &random))]
    if random.next() % 2 == 0 { filters.append(Crop(.proportions(width: 1, height: 1, x: 0.5, y: 0.9))) }
    if random.next() % 2 == 0 { filters.append(Resize(.percent(.random(in: 50...150, using: &random)))) }
    let renderer = CPURenderer(threads: 1)
    let plan = try renderer.plan(
      Recipe(filters: filters),
      input: PlanInput(size: size, orientation: Orientation.allCases.randomElement(using: &random) ?? .up),
      output: PlanOutput())
    let picture = try PixelBuffer(size: size, format: .rgba8)
    let rows = Rows(DecodedPicture(picture))
    var rendering = BandRendering(rows, through: renderer.prepare(plan))
    let step = Int.random(in: 1...40, using: &random)
    var mostReleased = 0
    for top in stride(from: 0, to: plan.outputSize.height, by: step) {
      let band = top..<min(top + step, plan.outputSize.height)
      let shown = plan.sourceRegion(for: Region(columns: 0..<plan.outputSize.width, rows: band)).rows
      #expect(plan.downsamples || shown.lowerBound >= rows.asked.withLock { $0.released }, "\(plan)\(band)")
      let output = try PixelBuffer(
        size: PixelSize(width: plan.outputSize.width, height: band.count), format: .rgba8,
        alpha: plan.outputAlpha)
      try rendering.render(band, into: output)
      #expect(shown.upperBound <= rows.asked.withLock { $0.needed }, "\(plan)\(band)")
      if band.upperBound < plan.outputSize.height { mostReleased = rows.asked.withLock { $0.released } }
    }
    #expect(rows.asked.withLock { $0.released } >= size.height)
    // Upright pictures let rows go on the way.
    if !plan.downsamples, (plan.geometry?.map.e ?? 1) > 0.9, plan.outputSize.height - step > 40 {
      #expect(mostReleased > 0)
    }
  }
}
