/// What the terms of `RollPosterior` are worth.
struct RollWeights {
  /// One weight for each `RollTerms.Term`, in their order.
  var terms: [Double]
  /// For the hypothesis that the picture tells no roll: a constant, and the weight of `clutter`.
  var silence: SIMD2<Double>

  /// Fitted by `HorizonEvaluation --fit` (Benchmarks/Horizon) on drawn scenes and on one half of 500 labelled photos.
  static let fitted = RollWeights(
    terms: [1.08, 0.51, 1.25, 0.81, 0.91, 1.17, -1.06, 2.48, 1.18, 3.24, 0.25, 1.05, 0.68, 1.07, 1.18],
    silence: SIMD2(3.74, 1.98))

  /// The logarithm of the odds of a roll, up to what all rolls share.
  func sum(_ terms: RollTerms, at index: Int) -> Double {
    var sum = 0.0
    for term in self.terms.indices { sum += self.terms[term] * terms.values[term * RollVotes.rolls + index] }
    return sum
  }

  func silence(_ terms: RollTerms) -> Double {
    silence.x + silence.y * terms.clutter
  }
}
