import FilterGraph
import FrameCore
import Rendering
import Testing

/// Records each row that differs, if only by a bit, between a picture rendered at once by two threads and in bands of 37
/// rows by one.
func expectSameInBands(
  _ recipe: Recipe, _ source: PixelBuffer, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let plan = try Plan(
    recipe, input: PlanInput(size: source.size), output: PlanOutput(),
    evaluator: CPURenderer(threads: 1).evaluator)
  let whole = try CPURenderer(threads: 2).render(source, through: plan)
  let bands = try #require(CPURenderer(threads: 1).prepare(plan).bands, sourceLocation: sourceLocation)
  let picture = try bands.prepare(source)
  for top in stride(from: 0, to: whole.height, by: 37) {
    let rows = top..<min(top + 37, whole.height)
    let band = try PixelBuffer(size: PixelSize(width: whole.width, height: rows.count), format: .rgba8)
    try picture.render(rows: rows, into: band)
    for y in rows {
      #expect(
        Array(band.row(y - top, as: UInt8.self)) == Array(whole.row(y, as: UInt8.self)), "row \(y)",
        sourceLocation: sourceLocation)
    }
  }
}
