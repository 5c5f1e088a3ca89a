import FilterGraph
import FrameCore
import Rendering

/// Renders a photo band by band, from top to bottom, while its rows are being decoded.
struct BandRendering: Sendable {
  let rows: any DecodedRows
  let plan: any PreparedPlan
  private var source: (any PreparedPicture)?
  private var watch = Stopwatch()

  /// Time spent rendering so far, excluding waits for rows.
  var seconds: Double { watch.steps.first?.seconds ?? 0 }

  init(_ rows: any DecodedRows, through plan: any PreparedPlan) { (self.rows, self.plan) = (rows, plan) }

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
      guard let bands = plan.bands else { throw Self.needsWholePictures }
      source = try bands.prepare(decoding.part(showing: band))
    }
    if !plan.plan.readsWholeSource {
      try rows.need(plan.plan.sourceRows(for: band, margin: .processor).upperBound)
    }
  }

  /// Renders a band, then releases the source rows that no later band needs.
  mutating func render(_ band: Range<Int>, into buffer: PixelBuffer) throws {
    try need(band)
    guard let source else { return }
    try watch.measure("render") { try source.render(rows: band, into: buffer) }
    let outputHeight = plan.plan.outputSize.height
    let isLast = band.upperBound >= outputHeight
    rows.release(
      before: isLast || plan.plan.readsWholeSource
        ? .max : plan.plan.sourceRows(for: band.upperBound..<outputHeight, margin: .processor).lowerBound)
  }

  /// Prepares what the renderer derives from the picture before the first band. A downsampling reads the whole
  /// picture, as does a renderer without bands.
  private mutating func prepare(_ picture: PixelBuffer) throws -> any PreparedPicture {
    let plan = plan
    try rows.need(plan.plan.readsWholeSource || plan.bands == nil ? picture.height : 1)
    return try watch.measure("render") { try plan.picture(of: picture) }
  }

  private mutating func prepare(_ window: RowWindow) throws -> any PreparedPicture {
    guard let taking = plan.rows else { throw Self.needsWholePictures }
    let (height, step) = (rows.picture.height, rows.picture.downsamplingStep)
    window.fixRowCount()
    guard plan.plan.downsamples, let downsampling = try taking.beginDownsampling() else {
      // Release the rows above the first visible one.
      rows.release(
        before: plan.plan.sourceRows(for: 0..<plan.plan.outputSize.height, margin: .processor).lowerBound)
      return try taking.prepare(window)
    }
    while downsampling.position < height {
      let next = downsampling.position..<min(downsampling.position + step, height)
      try rows.need(next.upperBound)
      try watch.measure("render") { try downsampling.append(next, of: window) }
      rows.release(before: next.upperBound)
    }
    return try watch.measure("render") { try downsampling.finish() }
  }

  /// A renderer's `takesRows` that its plan does not keep.
  private static var needsWholePictures: SafelightError {
    SafelightError(
      .unsupported, "The renderer takes whole pictures only", remedy: "decode the whole picture first")
  }
}
