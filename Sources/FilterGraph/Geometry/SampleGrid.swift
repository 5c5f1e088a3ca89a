import FrameCore
import Libc

/// The positions of a resample's result pixels among the samples of its input, or of one of its planes: 0 is the
/// centre of the first sample. This type alone decides which samples a part of the result depends on.
package struct SampleGrid: Sendable {
  /// From result pixels to samples.
  package let map: AffineMap
  package let order: SamplingOrder
  package let interpolation: Interpolation
  /// The sample shown by the first pixel, if every pixel is an unchanged sample of its own row; otherwise nil.
  package let copied: (x: Int, y: Int)?

  package init(_ map: AffineMap, order: SamplingOrder, interpolation: Interpolation) {
    (self.map, self.order, self.interpolation) = (map, order, interpolation)
    let first = map.apply(0.5, 0.5)
    let steps = (map.a, map.b, map.d, map.e) == (1, 0, 0, 1)
    if steps, let x = Int(exactly: first.x), let y = Int(exactly: first.y) {
      copied = (x, y)
    } else {
      copied = nil
    }
  }

  /// Creates the grid of RGBA pixels.
  package init(_ geometry: Geometry) {
    self.init(
      geometry.map.then(.translation(-0.5, -0.5)), order: geometry.order,
      interpolation: geometry.interpolation)
  }

  /// Creates the grid of a camera picture's colour difference samples.
  ///
  /// - Parameter geometry: resamples the samples as stored; nil if pixels stay in place. Without it there is no
  ///   shear, so that two passes give the same result as one, in less time.
  package init(chromaOf camera: YCbCrStage, _ geometry: Geometry?) {
    let place = camera.chroma
    self.init(
      (geometry?.map ?? .identity).then(.translation(-0.5, -0.5))
        .then(.translation(-place.offsetX, -place.offsetY))
        .then(.scale(1 / Double(place.stepX), 1 / Double(place.stepY))),
      order: geometry?.order ?? .rowsFirst, interpolation: camera.interpolation)
  }

  /// As `init(chromaOf:_:)`, for luma.
  package init(lumaOf camera: YCbCrStage, _ geometry: Geometry?) {
    self.init(
      (geometry?.map ?? .identity).then(.translation(-0.5, -0.5)), order: geometry?.order ?? .rowsFirst,
      interpolation: camera.interpolation)
  }

  /// The shift, in samples, of the two-pass kernel from one line to the next.
  package var shear: Double {
    switch order {
    case .direct: 0
    case .rowsFirst: map.b / map.e
    case .columnsFirst: map.e / map.b
    }
  }

  /// Returns the samples along lines, on each side, by which the sheared two-pass kernel is wider than a straight
  /// one.
  private func sheared(_ taps: Int, _ margin: ReadMargin) -> Double {
    let climb = order == .columnsFirst ? map.a : map.d
    let lines = Double(max(taps / 2, margin.linesAbout)) + Double(margin.columnsSharingLines) * abs(climb)
    return abs(shear) * lines
  }

  /// Returns the samples on which a part of the result depends; they may lie outside the picture.
  package func samples(of region: Region, margin: ReadMargin) -> Region {
    let (columns, rows) = (region.columns, region.rows)
    if let copied {
      return Region(
        columns: copied.x + columns.lowerBound..<copied.x + columns.upperBound,
        rows: copied.y + rows.lowerBound..<copied.y + rows.upperBound)
    }
    let (left, right) = (
      Double(columns.lowerBound) + 0.5, Double(columns.upperBound + margin.columnsAhead) - 0.5
    )
    let (top, bottom) = (Double(rows.lowerBound) + 0.5, Double(rows.upperBound) - 0.5)
    let corners = (
      map.apply(left, top), map.apply(right, top), map.apply(left, bottom), map.apply(right, bottom)
    )
    let taps = max(interpolation.taps, margin.taps)
    let along = sheared(taps, margin)
    let rounding = order == .direct ? margin.rounding : margin.roundingInTwoPasses
    let linesAreColumns = order == .columnsFirst
    func span(_ a: Double, _ b: Double, _ c: Double, _ d: Double, isAlongLines: Bool) -> Range<Int> {
      // In pairs, because `min` with more arguments allocates an array.
      let (low, high) = (min(min(a, b), min(c, d)), max(max(a, b), max(c, d)))
      let reach = (isAlongLines ? along : 0) + rounding
      let first = Int((low - reach).rounded(.down)) - (taps / 2 - 1)
      let last = Int((high + reach).rounded(.down)) + taps / 2
      return first..<last + 1 + (isAlongLines ? 0 : margin.linesBehind)
    }
    return Region(
      columns: span(
        corners.0.x, corners.1.x, corners.2.x, corners.3.x, isAlongLines: !linesAreColumns),
      rows: span(corners.0.y, corners.1.y, corners.2.y, corners.3.y, isAlongLines: linesAreColumns))
  }

  /// The samples around a pixel's place on which the pixel depends.
  var halo: Footprint {
    let reach = interpolation.taps / 2
    let along = Int((Double(reach) + sheared(interpolation.taps, .none)).rounded(.up))
    return order == .columnsFirst ? .halo(x: reach, y: along) : .halo(x: along, y: reach)
  }
}
