import FilterGraph

/// The samples along one axis that each sample of a downsampled picture is averaged from, with their weights.
package struct DownsamplingTaps: Sendable {
  /// The taps of one downsampled sample.
  package struct Span: Sendable {
    /// The first source sample.
    package let first: Int
    package let count: Int
    /// The index of the span's first weight in `weights`; the weights of a span sum to 1.
    package let weights: Int
  }

  /// First and last samples increase from span to span.
  package private(set) var spans: [Span] = []
  package private(set) var weights: [Float] = []

  init(_ axis: DownsamplingAxis) {
    let stretch = max(axis.scale, 1)
    spans.reserveCapacity(axis.count)
    for index in 0..<axis.count {
      let (center, samples) = (axis.center(of: index), axis.samples(of: index))
      var taps = samples.map { KaiserSinc.weight((Double($0) + 0.5 - center) / stretch) }
      let sum = taps.reduce(0, +)
      if sum == 0 { taps = taps.map { _ in 1 / Double(taps.count) } } else { taps = taps.map { $0 / sum } }
      spans.append(Span(first: samples.lowerBound, count: taps.count, weights: weights.count))
      weights += taps.map(Float.init)
    }
  }
}

extension Downsample {
  package var columnTaps: DownsamplingTaps { DownsamplingTaps(columnAxis) }
  package var rowTaps: DownsamplingTaps { DownsamplingTaps(rowAxis) }
}
