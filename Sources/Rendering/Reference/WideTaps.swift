import FilterGraph

/// The samples along one axis that a pixel of a projection is made of, clamped to the edges, with weights that sum to 1:
/// those of the interpolation, as much wider as the pixel covers more than one sample.
struct WideTaps {
  let list: [(position: Int, weight: Double)]

  /// - Parameters:
  ///   - place: the position; 0 is the centre of the first of `size` samples.
  ///   - cover: the samples that the pixel covers.
  init(_ place: Double, cover: Double, size: Int, _ interpolation: Interpolation) {
    let scale = min(max(cover, 1), Geometry.mostCoverage)
    let reach = Double(interpolation.taps / 2) * scale
    let taps = (Int((place - reach).rounded(.up))...Int((place + reach).rounded(.down))).map {
      (position: $0, weight: interpolation.weight((Double($0) - place) / scale))
    }
    let sum = taps.reduce(0) { $0 + $1.weight }
    list = taps.map { (min(max($0.position, 0), size - 1), $0.weight / sum) }
  }
}
