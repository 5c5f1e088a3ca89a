import FrameCore

/// The pictures that renderers keep between a plan's source and its result.
package enum PlanPicture: Int, Sendable, Hashable, Comparable {
  /// The input, as stored.
  case source
  /// The input of the downsampling: the source, converted to RGB if from a camera. The source if nothing is
  /// downsampled.
  case fullSize
  /// The downsampled picture; the source if nothing is downsampled.
  case downsampled
  case result

  package static func < (a: PlanPicture, b: PlanPicture) -> Bool { a.rawValue < b.rawValue }
}

// From a part of the result back to the part of the source on which it depends. Row windows, partial pictures,
// tiles and the code that releases displayed rows all use this.
extension Plan {
  /// Returns the part of the source on which a part of the result depends. Never empty, because pixels outside a
  /// picture equal its nearest pixel.
  ///
  /// - Parameter region: a part of the result, not empty.
  public func sourceRegion(for region: Region) -> Region { sourceRegion(for: region, margin: .none) }

  /// As `sourceRegion(for:)`, including what a renderer's kernels read beyond it.
  package func sourceRegion(for region: Region, margin: ReadMargin) -> Region {
    self.region(in: .source, for: region, of: .result, margin: margin)
  }

  /// Returns the rows of the source on which rows of the result depend.
  package func sourceRows(for rows: Range<Int>, margin: ReadMargin) -> Range<Int> {
    sourceRegion(for: Region(columns: 0..<outputSize.width, rows: rows), margin: margin).rows
  }

  /// As `sourceRegion`, from any of the plan's pictures to an earlier one.
  package func region(
    in earlier: PlanPicture, for region: Region, of later: PlanPicture, margin: ReadMargin
  ) -> Region {
    var region = region
    // The region is what the stages from `index` on need.
    var index = end(of: later)
    let first = end(of: earlier)
    while index > first {
      index -= 1
      switch stages[index] {
      case .geometry(let geometry): region = geometry.inputRegion(for: region, margin)
      case .downsample(let downsample): region = downsample.inputRegion(for: region, margin)
      case .ycbcr(let camera):
        // Camera samples are resampled as stored: both stages are one sampling.
        var resample: Geometry?
        if index > first, case .geometry(let geometry) = stages[index - 1] {
          resample = geometry
          index -= 1
        }
        region = camera.inputRegion(for: region, resample, of: input.size, margin)
      case .denoise, .matrix, .curve, .pointwise, .field, .masked, .lut, .sharpen, .channelTables, .baked:
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

  /// Returns the most source rows that `sourceRegion` needs for a tile of the result of this size, wherever it
  /// lies.
  ///
  /// Valid if the plan does not downsample.
  package func mostSourceRows(forTile tile: PixelSize, margin: ReadMargin) -> Int {
    let halo = sharpening?.halo ?? 0
    let region = Region(columns: 0..<tile.width, rows: 0..<tile.height).grown(x: halo, y: halo)
    for case .geometry(let geometry) in stages {
      // Elsewhere the two ends may round differently, together by one row.
      return geometry.samples(for: region, margin).rows.count + 1
    }
    return region.rows.count
  }

  /// Returns the number of stages that lead to a picture.
  private func end(of picture: PlanPicture) -> Int {
    guard picture != .source else { return 0 }
    guard picture != .result else { return stages.count }
    for (index, stage) in stages.enumerated() {
      if case .downsample = stage { return picture == .fullSize ? index : index + 1 }
    }
    return 0
  }

  /// Returns the size of a stage's input.
  private func inputSize(ofStage index: Int) -> PixelSize {
    for stage in stages[..<index].reversed() {
      switch stage {
      case .geometry(let geometry): return geometry.outputSize
      case .downsample(let downsample): return downsample.outputSize
      case .ycbcr, .denoise, .matrix, .curve, .pointwise, .field, .masked, .lut, .sharpen, .channelTables,
        .baked:
        continue
      }
    }
    return input.size
  }
}

extension Geometry {
  /// Returns the part of the input on which a part of the output depends.
  fileprivate func inputRegion(for region: Region, _ margin: ReadMargin) -> Region {
    samples(for: region, margin).clamped(inputSize.width, inputSize.height)
  }

  /// As `inputRegion`, including places outside the input.
  fileprivate func samples(for region: Region, _ margin: ReadMargin) -> Region {
    if !isAffine { return projectedSamples(of: region) }
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
  /// Returns the part of a camera picture, in luma pixels, on which a part of the result depends.
  ///
  /// - Parameter geometry: resamples the samples as stored; nil if pixels stay in place.
  fileprivate func inputRegion(
    for region: Region, _ geometry: Geometry?, of size: PixelSize, _ margin: ReadMargin
  ) -> Region {
    let luma = SampleGrid(lumaOf: self, geometry).samples(of: region, margin: margin)
      .clamped(size.width, size.height)
    guard format != .gray8 else { return luma }
    let (stepX, stepY) = (chroma.stepX, chroma.stepY)
    let differences = SampleGrid(chromaOf: self, geometry).samples(of: region, margin: margin)
      .clamped((size.width + stepX - 1) / stepX, (size.height + stepY - 1) / stepY)
    // A sample covers a group of pixels, all of which share it in memory.
    func pixels(_ samples: Range<Int>, _ step: Int, _ count: Int) -> Range<Int> {
      samples.lowerBound * step..<min(samples.upperBound * step, count)
    }
    return luma.union(
      Region(
        columns: pixels(differences.columns, stepX, size.width),
        rows: pixels(differences.rows, stepY, size.height)))
  }
}

extension Downsample {
  /// Returns the part of the input from which a part of the output is averaged. Kernels read exactly these
  /// samples.
  fileprivate func inputRegion(for region: Region, _ margin: ReadMargin) -> Region {
    Region(columns: columnAxis.samples(of: region.columns), rows: rowAxis.samples(of: region.rows))
      .clamped(inputSize.width, inputSize.height)
  }
}
