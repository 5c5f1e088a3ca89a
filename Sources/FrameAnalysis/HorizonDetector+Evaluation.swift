// For the program that fits the weights (Benchmarks/Horizon).
extension HorizonDetector {
  /// The terms that the last answer was weighed by: for each term its values over all rolls, then
  /// `RollTerms.clutter`.
  @_spi(HorizonEvaluation) public var rollTerms: [Double] {
    terms.values + [terms.clutter]
  }

  /// The names of the terms in their order.
  @_spi(HorizonEvaluation) public static var rollTermNames: [String] {
    RollTerms.Term.allCases.map { "\($0)" }
  }

  /// The logarithm of how usual each of `rolls` is.
  @_spi(HorizonEvaluation) public static var usualRolls: [Double] { RollPosterior.usual }

  /// The rolls that terms are known for, degrees.
  @_spi(HorizonEvaluation) public static var rolls: [Double] {
    (0..<RollVotes.rolls).map(RollVotes.degrees(of:))
  }
}
