import FilterGraph
import FrameCore

/// The push constants of every kernel, as defined in `shaders/parameters.glsl`.
private struct FrameParameters {
  /// The pixels of the target picture that the dispatch writes.
  var columns: Range<Int>
  var rows: Range<Int>
  var source: DeviceLayout
  var target: DeviceLayout
  /// From target pixels to source pixels.
  var geometry: Geometry?
  /// The layout of the first pass's result, in the second pass of a noise reduction.
  var guide: DeviceLayout?

  var words: [UInt32] {
    let shapes = source.format.planes
    // Where the whole picture's first sample would be: addresses are modulo 2^32.
    let bytes = zip(source.planes, shapes).map { plane, shape in
      plane.offset - source.rows.lowerBound / shape.rowsPerGroup * plane.rowBytes
        - source.columns.lowerBound / shape.columnsPerGroup * shape.bytesPerGroup
    }
    // Where the tile's first sample is stored in each plane.
    let starts = zip(target.planes, target.format.planes).map { plane, shape in
      plane.offset + (rows.lowerBound - target.rows.lowerBound) / shape.rowsPerGroup * plane.rowBytes
        + (columns.lowerBound - target.columns.lowerBound) / shape.columnsPerGroup * shape.bytesPerGroup
    }
    let (words, steps) = (starts.map { $0 / 4 }, target.planes.map { $0.rowBytes / 4 })
    let further = guide.map(Self.guideWords) ?? Array(Self.three(words)[1...] + Self.three(steps)[1...])
    return [columns.count, rows.count, columns.lowerBound, rows.lowerBound, words[0], steps[0]]
      .map(Self.word)
      + [source.size.width, source.size.height].map(Self.word)
      + Self.three(bytes) + Self.three(source.planes.map(\.rowBytes))
      + place + further
  }

  /// Where the guide's first sample would be if its buffer held the whole picture, and the words between its rows.
  private static func guideWords(_ guide: DeviceLayout) -> [UInt32] {
    let (plane, shape) = (guide.planes[0], guide.format.planes[0])
    let first =
      plane.offset - guide.rows.lowerBound * plane.rowBytes - guide.columns.lowerBound * shape.bytesPerGroup
    return [word(first / 4), 0, word(plane.rowBytes / 4), 0]
  }

  /// The position of the first pixel and the steps to its neighbours, split into whole samples and fractions.
  private var place: [UInt32] {
    guard let geometry else {
      return [columns.lowerBound, rows.lowerBound, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0].map(Self.word)
    }
    let (x, y) = (columns.lowerBound, rows.lowerBound)
    if let move = geometry.pixelMove {
      let (column, row) = (move.columnStep, move.rowStep)
      return
        [
          move.x + column.x * x + row.x * y, move.y + column.y * x + row.y * y, 0, 0, column.x, column.y,
          row.x, row.y, 0, 0, 0, 0, 0,
        ].map(Self.word)
    }
    let centre = (x: Double(x) + 0.5, y: Double(y) + 0.5)
    // The shader applies the lens to each pixel's place.
    let straight = geometry.withoutLens
    let first = straight.place(centre.x, centre.y)
    let places = Self.split([first.x - 0.5, first.y - 0.5], .down)
    let map = straight.tangent(atX: centre.x, y: centre.y)
    if !geometry.isAffine {
      let slope = geometry.relativeDepthSlope(atX: centre.x, y: centre.y)
      return places.whole + places.part + [Float(slope.x), Float(slope.y)].bits + [0, 0]
        + [map.a, map.d, map.b, map.e].map { Float($0).bitPattern } + [0]
    }
    let steps = Self.split([map.a, map.d, map.b, map.e], .toNearestOrEven)
    return places.whole + places.part + steps.whole + steps.part + [Float(geometry.shear).bitPattern]
  }

  /// Splits values into integers and remainders, which are small enough to stay accurate as floats when
  /// multiplied.
  private static func split(_ values: [Double], _ rule: FloatingPointRoundingRule) -> (
    whole: [UInt32], part: [UInt32]
  ) {
    (
      values.map { word(Int($0.rounded(rule))) }, values.map { Float($0 - $0.rounded(rule)).bitPattern }
    )
  }

  private static func word(_ value: Int) -> UInt32 { UInt32(truncatingIfNeeded: value) }

  private static func three(_ values: [Int]) -> [UInt32] {
    (0..<3).map { $0 < values.count ? word(values[$0]) : 0 }
  }
}

extension PlanProgram {
  /// The maximum edge of a tile whose pixels lie between samples, for which float coordinates are exact to 1/2000
  /// pixel.
  static let largestTile = 2048
  /// As `largestTile`, behind a projection, whose places are quotients.
  static let largestProjectedTile = 1024

  /// The pixels that one work group of `downsample_vertical.comp`, and of `downsample_horizontal.comp`, writes.
  private static let verticalGroup = PixelSize(width: 32, height: 8)
  private static let sharpenGroup = PixelSize(width: 32, height: 8)
  private static let horizontalGroup = PixelSize(width: 128, height: 1)
  private static let denoisingGroup = PixelSize(width: 32, height: 16)

  /// The dispatches that write `target`, a rectangle of the output, from `source`: the plan's input or, if it
  /// downsamples, the downsampled picture. They are independent of each other.
  func frameDispatches(from source: DeviceLayout, to target: DeviceLayout) -> [Dispatch] {
    // Whole pixels have no fractions that could become inexact.
    let isWhole = geometry.map { $0.pixelMove != nil } ?? true
    let edge =
      isWhole
      ? PixelBuffer.maximumEdge
      : geometry?.isAffine ?? true ? Self.largestTile : Self.largestProjectedTile
    return target.rows.pieces(of: edge).flatMap { rows in
      target.columns.pieces(of: edge).map { columns in
        Dispatch(
          variant: Variant.frame,
          parameters: FrameParameters(
            columns: columns, rows: rows, source: source, target: target, geometry: geometry
          ).words,
          groups: frameGroup.groups(columns, rows))
      }
    }
  }

  /// The dispatches that sharpen the picture in between into `target`, a rectangle of the output.
  func sharpenDispatches(from inBetween: DeviceLayout, to target: DeviceLayout) -> [Dispatch] {
    guard let sharpened else { return [] }
    return [
      Dispatch(
        variant: sharpened.variant,
        parameters: FrameParameters(
          columns: target.columns, rows: target.rows, source: inBetween, target: target
        ).words,
        groups: Self.sharpenGroup.groups(target.columns, target.rows))
    ]
  }

  /// A dispatch of either pass of a noise reduction.
  ///
  /// - Parameter guide: nil for the first pass.
  func denoisingDispatch(
    _ variant: Int, from source: DeviceLayout, to target: DeviceLayout, guide: DeviceLayout?
  ) -> Dispatch {
    Dispatch(
      variant: variant,
      parameters: FrameParameters(
        columns: target.columns, rows: target.rows, source: source, target: target, guide: guide
      ).words,
      groups: Self.denoisingGroup.groups(target.columns, target.rows))
  }

  /// The dispatches of the horizontal pass over the source's rows `target.rows`, all of which are in `source`.
  func horizontalDispatches(from source: DeviceLayout, to target: DeviceLayout) -> [Dispatch] {
    guard downsampling != nil, !target.rows.isEmpty else { return [] }
    let columns = target.columns
    return [
      Dispatch(
        variant: Variant.horizontal,
        parameters: FrameParameters(columns: columns, rows: target.rows, source: source, target: target)
          .words,
        groups: Self.horizontalGroup.groups(columns, target.rows))
    ]
  }

  /// The dispatches of the vertical pass into the rows `target.rows` of the downsampled picture;
  /// `sourceRows(forDownsampled:)` returns the rows they need.
  func verticalDispatches(from horizontal: DeviceLayout, to target: DeviceLayout) -> [Dispatch] {
    guard downsampling != nil, !target.rows.isEmpty else { return [] }
    return [
      Dispatch(
        variant: Variant.vertical,
        parameters: FrameParameters(
          columns: target.columns, rows: target.rows, source: horizontal, target: target
        ).words,
        groups: Self.verticalGroup.groups(target.columns, target.rows))
    ]
  }
}

extension PixelSize {
  /// The number of groups of this size that cover a rectangle.
  fileprivate func groups(_ columns: Range<Int>, _ rows: Range<Int>) -> (x: Int, y: Int) {
    ((columns.count + width - 1) / width, (rows.count + height - 1) / height)
  }
}
