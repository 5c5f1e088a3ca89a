/// What the terms of `RollPosterior` are worth.
struct RollWeights {
  /// One weight for each `RollTerms.Term`, in their order.
  var terms: [Double]
  /// For the hypothesis that the picture tells no roll: a constant, and the weight of `clutter`.
  var silence: SIMD2<Double>

  /// Fitted by `HorizonEvaluation --fit` (Benchmarks/Horizon) on drawn scenes and on one half of 500 labelled photos.
  static let fitted = RollWeights(
    terms: [1.04, 0.70, 1.15, 0.90, 0.99, 1.49, -1.16, 2.48, 1.48, 3.22, 0.16, 0.98, 0.58, 1.43, 1.16, -0.97],
    silence: SIMD2(3.67, 2.04))

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
