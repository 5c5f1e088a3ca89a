import FilterGraph

/// The samples along an axis that a pixel of a projection is made of, with weights that sum to 1: those under a kernel as
/// much wider as the pixel covers more than one sample.
struct WideTaps {
  /// By position along the axis, which may be outside of the picture.
  let list: [(position: Int, weight: Double)]

  /// - Parameters:
  ///   - place: the position; 0 is the centre of the first sample.
  ///   - cover: the samples that the pixel covers.
  init(_ place: Double, cover: Double, _ interpolation: Interpolation) {
    let scale = min(max(cover, 1), Geometry.mostCoverage)
    let reach = Double(interpolation.taps / 2) * scale
    let taps = (Int((place - reach).rounded(.up))...Int((place + reach).rounded(.down))).map {
      (position: $0, weight: interpolation.weight((Double($0) - place) / scale))
    }
    let sum = taps.reduce(0) { $0 + $1.weight }
    list = taps.map { ($0.position, $0.weight / sum) }
  }
}

/// The samples around a place of a projection and their weights, as `KernelWindow` for what covers one sample.
struct WideWindow {
  let x, y: Double
  let width, height: Int
  let interpolation: Interpolation
  let cover: (x: Double, y: Double)
  let order: SamplingOrder
  /// The shift from one row, or one column, to the next.
  let shear: Double

  /// Returns the weighted sum of all samples.
  func sum(_ sample: (_ column: Int, _ row: Int) -> SIMD4<Double>) -> SIMD4<Double> {
    func nearest(_ column: Int, _ row: Int) -> SIMD4<Double> {
      sample(min(max(column, 0), width - 1), min(max(row, 0), height - 1))
    }
    var sum = SIMD4<Double>.zero
    if order == .columnsFirst {
      for column in WideTaps(x, cover: cover.x, interpolation).list {
        let place = y + (Double(column.position) - x) * shear
        for row in WideTaps(place, cover: cover.y, interpolation).list {
          sum += column.weight * row.weight * nearest(column.position, row.position)
        }
      }
      return sum
    }
    for row in WideTaps(y, cover: cover.y, interpolation).list {
      let place = x + (Double(row.position) - y) * shear
      for column in WideTaps(place, cover: cover.x, interpolation).list {
        sum += row.weight * column.weight * nearest(column.position, row.position)
      }
    }
    return sum
  }
}
