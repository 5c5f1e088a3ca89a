// For the program that fits the weights (Benchmarks/Horizon).
extension HorizonDetector {
  /// The terms behind the last answer: for each term its values over all rolls, then `RollTerms.clutter`.
  @_spi(HorizonEvaluation) public var rollTerms: [Double] {
    terms.values + [terms.clutter]
  }

  /// The names of the terms, in order.
  @_spi(HorizonEvaluation) public static var rollTermNames: [String] {
    RollTerms.Term.allCases.map { "\($0)" }
  }

  /// The log prior of each of `rolls`.
  @_spi(HorizonEvaluation) public static var usualRolls: [Double] { RollPosterior.usual }

  /// The rolls for which terms exist, in degrees.
  @_spi(HorizonEvaluation) public static var rolls: [Double] {
    (0..<RollVotes.rolls).map(RollVotes.degrees(of:))
  }
}
