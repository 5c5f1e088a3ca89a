/// What the terms of `RollPosterior` are worth.
struct RollWeights {
  /// One weight for each `RollTerms.Term`, in their order.
  var terms: [Double]
  /// For the hypothesis that the picture tells no roll: a constant, and one weight for each element of `clutter`.
  var silence: SIMD3<Double>

  /// Fitted by `HorizonEvaluation --fit` (Benchmarks/Horizon) on drawn scenes and on one half of 500 labelled photos.
  static let fitted = RollWeights(
    terms: [1.2, 0.63, 1.3, 0.89, 0.92, 1.06, -1.42, 1.68, 1.34, 2.23, 0.4, 1.17, 0.66, 1.2, 1.26],
    silence: SIMD3(3.81, 0.61, 2.25))

  /// The logarithm of the odds of a roll, up to what all rolls share.
  func sum(_ terms: RollTerms, at index: Int) -> Double {
    var sum = 0.0
    for term in self.terms.indices { sum += self.terms[term] * terms.values[term * RollVotes.rolls + index] }
    return sum
  }

  func silence(_ terms: RollTerms) -> Double {
    silence.x + silence.y * terms.clutter.x + silence.z * terms.clutter.y
  }
}
