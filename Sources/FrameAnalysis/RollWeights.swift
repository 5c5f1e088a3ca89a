/// The weights of the terms of `RollPosterior`.
struct RollWeights {
  /// One weight for each `RollTerms.Term`, in order.
  var terms: [Double]
  /// For the hypothesis that the picture gives no roll: a constant, and the weight of `clutter`.
  var silence: SIMD2<Double>

  /// Fitted by `HorizonEvaluation --fit` (Benchmarks/Horizon) to 560 drawn scenes (40 of each kind, with even
  /// seeds) and to 164 photos labelled by eye, each as it is and turned eight times.
  static let fitted = RollWeights(
    terms: [
      1.11, 0.66, 1.18, 0.85, 1.00, 1.34, -1.10, 2.47, 1.35, 3.27, 0.13, 0.95, 0.63, 1.26, 1.19, -1.18,
    ],
    silence: SIMD2(3.72, 2.04))

  /// The log odds of a roll, up to a constant shared by all rolls.
  func sum(_ terms: RollTerms, at index: Int) -> Double {
    var sum = 0.0
    for term in self.terms.indices { sum += self.terms[term] * terms.values[term * RollVotes.rolls + index] }
    return sum
  }

  func silence(_ terms: RollTerms) -> Double {
    silence.x + silence.y * terms.clutter
  }
}
