import FrameCore

/// Pictures that renderers keep on the way from a plan's source to its result.
package enum PlanPicture: Int, Sendable, Hashable, Comparable {
  /// The input, as stored.
  case source
  /// What a reduction averages: the source, that of a camera in RGB. Where nothing is reduced, the source.
  case unreduced
  /// The reduced picture. Where nothing is reduced, the source.
  case reduced
  case result

  package static func < (a: PlanPicture, b: PlanPicture) -> Bool { a.rawValue < b.rawValue }
}

// From a part of the result backwards to the part of the source that it is made of. Windows of rows, parts of pictures,
// tiles and whoever lets go of rows that were shown all ask here.
extension Plan {
  /// The part of the source that a part of the result is made of, never empty: what lies outside of a picture is its
  /// nearest pixel.
  ///
  /// - Parameter region: of the result, not empty.
  public func sourceRegion(for region: Region) -> Region { sourceRegion(for: region, margin: .none) }

  /// As `sourceRegion(for:)`, with what the kernels of a renderer read beyond it.
  package func sourceRegion(for region: Region, margin: ReadMargin) -> Region {
    self.region(in: .source, for: region, of: .result, margin: margin)
  }

  /// The rows of the source that rows of the result are made of.
  package func sourceRows(for rows: Range<Int>, margin: ReadMargin) -> Range<Int> {
    sourceRegion(for: Region(columns: 0..<outputSize.width, rows: rows), margin: margin).rows
  }

  /// As `sourceRegion`, from any of the plan's pictures to one before it.
  package func region(
    in earlier: PlanPicture, for region: Region, of later: PlanPicture, margin: ReadMargin
  ) -> Region {
    var region = region
    // Of the stages at `index` and later, the region is what the part asked for needs.
    var index = end(of: later)
    let first = end(of: earlier)
    while index > first {
      index -= 1
      switch stages[index] {
      case .geometry(let geometry): region = geometry.inputRegion(for: region, margin)
      case .shrink(let shrink): region = shrink.inputRegion(for: region, margin)
      case .ycbcr(let camera):
        // Camera samples are resampled as they are stored: both stages are one sampling.
        var resample: Geometry?
        if index > first, case .geometry(let geometry) = stages[index - 1] {
          resample = geometry
          index -= 1
        }
        region = camera.inputRegion(for: region, resample, of: input.size, margin)
      case .matrix, .curve, .pointwise, .lut, .channelTables, .baked:
        switch stages[index].footprint {
        case .point: break
        case .halo(let x, let y):
          let size = inputSize(ofStage: index)
          region = region.grown(x: x, y: y).clamped(size.width, size.height)
        case .whole:
          let size = inputSize(ofStage: index)
          region = Region(columns: 0..<size.width, rows: 0..<size.height)
        }
      }
    }
    guard margin.columnsBeside > 0 else { return region }
    let size = inputSize(ofStage: first)
    return region.grown(x: margin.columnsBeside, y: 0).clamped(size.width, size.height)
  }

  /// The most rows of the source that `sourceRegion` gives for a tile of the result of a size, wherever it lies.
  ///
  /// Valid where nothing `reduces`.
  package func mostSourceRows(forTile tile: PixelSize, margin: ReadMargin) -> Int {
    let region = Region(columns: 0..<tile.width, rows: 0..<tile.height)
    for case .geometry(let geometry) in stages {
      // At other places both ends may round otherwise, by one row together.
      return geometry.samples(for: region, margin).rows.count + 1
    }
    return tile.height
  }

  /// The number of stages that make a picture.
  private func end(of picture: PlanPicture) -> Int {
    guard picture != .source else { return 0 }
    guard picture != .result else { return stages.count }
    for (index, stage) in stages.enumerated() {
      if case .shrink = stage { return picture == .unreduced ? index : index + 1 }
    }
    return 0
  }

  /// The size of the picture that a stage is given.
  private func inputSize(ofStage index: Int) -> PixelSize {
    for stage in stages[..<index].reversed() {
      switch stage {
      case .geometry(let geometry): return geometry.outputSize
      case .shrink(let shrink): return shrink.outputSize
      case .ycbcr, .matrix, .curve, .pointwise, .lut, .channelTables, .baked: continue
      }
    }
    return input.size
  }
}

extension Geometry {
  /// The part of the input that a part of the output is made of.
  fileprivate func inputRegion(for region: Region, _ margin: ReadMargin) -> Region {
    samples(for: region, margin).clamped(inputSize.width, inputSize.height)
  }

  /// As `inputRegion`, with what lies outside of the input.
  fileprivate func samples(for region: Region, _ margin: ReadMargin) -> Region {
    guard let move = pixelMove else { return SampleGrid(self).samples(of: region, margin: margin) }
    let (column, row) = (move.columnStep, move.rowStep)
    func pixel(_ x: Int, _ y: Int) -> Region {
      let place = (move.x + column.x * x + row.x * y, move.y + column.y * x + row.y * y)
      return Region(columns: place.0..<place.0 + 1, rows: place.1..<place.1 + 1)
    }
    return pixel(region.columns.lowerBound, region.rows.lowerBound)
      .union(pixel(region.columns.upperBound - 1, region.rows.upperBound - 1))
  }
}

extension YCbCrStage {
  /// The part of a camera's picture, in pixels of luma, that a part of the result is made of.
  ///
  /// - Parameter geometry: what resamples the samples as stored; nil where pixels stay in their place.
  fileprivate func inputRegion(
    for region: Region, _ geometry: Geometry?, of size: PixelSize, _ margin: ReadMargin
  ) -> Region {
    let luma = SampleGrid(lumaOf: self, geometry).samples(of: region, margin: margin)
      .clamped(size.width, size.height)
    guard format != .gray8 else { return luma }
    let (stepX, stepY) = (chroma.stepX, chroma.stepY)
    let differences = SampleGrid(chromaOf: self, geometry).samples(of: region, margin: margin)
      .clamped((size.width + stepX - 1) / stepX, (size.height + stepY - 1) / stepY)
    // A sample stands for a group of pixels, which has it in memory.
    func pixels(_ samples: Range<Int>, _ step: Int, _ count: Int) -> Range<Int> {
      samples.lowerBound * step..<min(samples.upperBound * step, count)
    }
    return luma.union(
      Region(
        columns: pixels(differences.columns, stepX, size.width),
        rows: pixels(differences.rows, stepY, size.height)))
  }
}

extension Shrink {
  /// The part of the input that a part of the output is averaged from. Kernels read these samples and no others.
  fileprivate func inputRegion(for region: Region, _ margin: ReadMargin) -> Region {
    Region(columns: columnAxis.samples(of: region.columns), rows: rowAxis.samples(of: region.rows))
      .clamped(inputSize.width, inputSize.height)
  }
}
