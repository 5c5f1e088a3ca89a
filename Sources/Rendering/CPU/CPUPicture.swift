import FilterGraph
import FrameCore

/// A picture prepared for a CPU plan, downsampled if the plan downsamples.
struct CPUPicture: PreparedPicture {
  /// The source of the samples.
  enum Samples {
    case picture(PixelBuffer)
    case window(RowWindow)
  }
  let plan: CPUPlan
  let samples: Samples
  /// Nil if the plan has no local tone.
  let light: LightMemory?
  /// The samples without their noise, as far as they are shown; nil if they are those of `samples`.
  var denoised: Denoised?

  struct Denoised {
    let tiles: DenoisedTiles
    let through: CompiledDenoising
  }

  func render(rows: Range<Int>, into output: PixelBuffer) throws {
    try plan.plan.check(rows: rows, output: output)
    let region = Region(columns: 0..<plan.plan.outputSize.width, rows: rows)
    plan.run(samples(for: region), light: light, region, into: output)
  }

  /// Returns the samples that a region is rendered from.
  private func samples(for region: Region) -> Samples {
    guard let denoised, case .picture(let source) = samples else { return samples }
    let shown = plan.plan.sourceRegion(for: region, margin: .processor)
    return .picture(
      denoised.tiles.picture(showing: shown, through: denoised.through) {
        plan.denoise(source, through: denoised.through, tiles: $0, into: $1)
      })
  }

  func render(_ region: Region, of plan: Plan, into output: PixelBuffer) throws {
    try plan.check(region, output: output)
    // Resamples weight the lines of 16 columns together: other groups of columns would round otherwise.
    let first = region.columns.lowerBound / Self.columnGroup * Self.columnGroup
    guard first < region.columns.lowerBound else {
      return self.plan.run(samples(for: region), light: light, region, into: output)
    }
    let wide = Region(columns: first..<region.columns.upperBound, rows: region.rows)
    let picture = try PixelBuffer(
      size: PixelSize(width: wide.columns.count, height: wide.rows.count), format: output.format,
      alpha: output.alpha)
    self.plan.run(samples(for: wide), light: light, wide, into: picture)
    picture.copy(columnsFrom: region.columns.lowerBound - first, into: output)
  }

  private static let columnGroup = 16
}
