/// What the terms of `RollPosterior` are worth.
struct RollWeights {
  /// One weight for each `RollTerms.Term`, in their order.
  var terms: [Double]
  /// For the hypothesis that the picture tells no roll: a constant, and the weight of `clutter`.
  var silence: SIMD2<Double>

  /// Fitted by `HorizonEvaluation --fit` (Benchmarks/Horizon) on drawn scenes and on one half of 500 labelled photos.
  static let fitted = RollWeights(
    terms: [1.05, 0.66, 1.19, 0.85, 0.93, 1.45, -1.29, 2.53, 1.37, 3.19, 0.28, 1.05, 0.60, 1.38, 1.16],
    silence: SIMD2(3.62, 2.09))

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
