import FilterGraph
import FrameCore
import Rendering

/// Renders a photo band by band, from top to bottom, while its rows are being decoded.
struct BandRendering: Sendable {
  let rows: any DecodedRows
  let plan: PreparedPlan
  let renderer: any Renderer
  private var source: PreparedSource?
  private var watch = Stopwatch()

  /// Time spent rendering so far, excluding waits for rows.
  var seconds: Double { watch.steps.first?.seconds ?? 0 }

  init(_ rows: any DecodedRows, through plan: PreparedPlan, renderer: any Renderer) {
    (self.rows, self.plan, self.renderer) = (rows, plan, renderer)
  }

  /// Returns once the source rows that a band shows are available.
  mutating func need(_ band: Range<Int>) throws {
    switch rows.picture.memory {
    case .whole(let picture):
      if source == nil { source = try prepare(picture) }
    case .window(let window):
      if source == nil { source = try prepare(window) }
    case .parts(let decoding):
      // Release the previous part first, so that the next one can reuse its memory.
      source = nil
      source = try renderer.prepare(decoding.part(showing: band), for: plan)
    }
    if !plan.plan.downsamples {
      try rows.need(plan.plan.sourceRows(for: band, margin: .processor).upperBound)
    }
  }

  /// Renders a band, then releases the source rows that no later band needs.
  mutating func render(_ band: Range<Int>, into buffer: PixelBuffer) throws {
    try need(band)
    guard let source else { return }
    let (plan, renderer) = (plan, renderer)
    try watch.measure("render") { try renderer.render(source, through: plan, rows: band, into: buffer) }
    let outputHeight = plan.plan.outputSize.height
    let isLast = band.upperBound >= outputHeight
    rows.release(
      before: isLast || plan.plan.downsamples
        ? .max : plan.plan.sourceRows(for: band.upperBound..<outputHeight, margin: .processor).lowerBound)
  }

  /// Prepares what the renderer derives from the picture before the first band. A downsampling reads the whole
  /// picture.
  private mutating func prepare(_ picture: PixelBuffer) throws -> PreparedSource {
    let (plan, renderer) = (plan, renderer)
    try rows.need(plan.plan.downsamples ? picture.height : 1)
    return try watch.measure("render") { try renderer.prepare(picture, for: plan) }
  }

  private mutating func prepare(_ window: RowWindow) throws -> PreparedSource {
    let (plan, renderer) = (plan, renderer)
    let (height, step) = (rows.picture.height, rows.picture.downsamplingStep)
    window.fixRowCount()
    guard plan.plan.downsamples, let downsampling = try renderer.beginDownsampling(for: plan) else {
      // Release the rows above the first visible one.
      rows.release(
        before: plan.plan.sourceRows(for: 0..<plan.plan.outputSize.height, margin: .processor).lowerBound)
      return try renderer.prepare(window, for: plan)
    }
    while downsampling.position < height {
      let next = downsampling.position..<min(downsampling.position + step, height)
      try rows.need(next.upperBound)
      try watch.measure("render") { try downsampling.append(next, of: window) }
      rows.release(before: next.upperBound)
    }
    return try watch.measure("render") { try downsampling.finish() }
  }
}
