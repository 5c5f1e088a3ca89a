import FilterGraph

/// The samples along one axis that every sample of a reduced picture is averaged from, and their weights.
package struct ReductionTaps: Sendable {
  /// Of one reduced sample.
  package struct Span: Sendable {
    /// The first source sample.
    package let first: Int
    package let count: Int
    /// Where its weights begin among `weights`; their sum is 1.
    package let weights: Int

    package var samples: Range<Int> { first..<first + count }
  }

  /// First and last samples rise from span to span.
  package private(set) var spans: [Span] = []
  package private(set) var weights: [Float] = []

  /// - Parameters:
  ///   - count: reduced samples.
  ///   - start: where the first one begins, in source samples.
  ///   - scale: source samples that one stands for.
  ///   - limit: source samples.
  init(count: Int, start: Double, scale: Double, limit: Int) {
    let stretch = max(scale, 1)
    let radius = KaiserSinc.radius * stretch
    spans.reserveCapacity(count)
    for i in 0..<count {
      let center = start + (Double(i) + 0.5) * scale
      let first = max(0, Int((center - radius - 0.5).rounded(.up)))
      let last = min(limit - 1, Int((center + radius - 0.5).rounded(.down)))
      var taps = (first...max(first, last)).map { KaiserSinc.weight((Double($0) + 0.5 - center) / stretch) }
      let sum = taps.reduce(0, +)
      if sum == 0 { taps = taps.map { _ in 1 / Double(taps.count) } } else { taps = taps.map { $0 / sum } }
      spans.append(Span(first: first, count: taps.count, weights: weights.count))
      weights += taps.map(Float.init)
    }
  }

  /// The source samples that reduced samples are averaged from.
  package func sources(of reduced: Range<Int>) -> Range<Int> {
    guard let first = spans[reduced].first, let last = spans[reduced].last else { return 0..<0 }
    return first.first..<last.samples.upperBound
  }
}

extension Shrink {
  package var columnTaps: ReductionTaps {
    ReductionTaps(count: outputSize.width, start: x, scale: factors.x, limit: inputSize.width)
  }

  package var rowTaps: ReductionTaps {
    ReductionTaps(count: outputSize.height, start: y, scale: factors.y, limit: inputSize.height)
  }
}
