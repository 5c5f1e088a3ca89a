import AnalysisKernels
import Libc

/// The evidence for each roll as terms of a sum: the votes, in measures that do not grow without bound if a
/// picture is full of lines.
struct RollTerms {
  enum Term: Int, CaseIterable {
    /// Logarithms of the lengths that vote for the roll.
    case upright, level, sloping
    /// The fraction of all lines that votes for the roll.
    case leaningShare, slopingShare
    /// How much more lines vote for the roll than for those within 10° around it.
    case leaningContrast, slopingContrast
    /// The weight of the pencils: 0…1.
    case verticals, horizontals
    /// 0…1, treating pencils and boundary as independent witnesses.
    case agreement
    /// The weight of the boundary; of one with the light above; of one with calm above; and how much of it is
    /// visible.
    case boundary, lightAbove, calmAbove, coverage
    /// The squared coherence of the best boundary of each slope.
    case steps
    /// The squared distance of the roll from level, if only level lines support it: typical of stairs, slopes and
    /// oblique views.
    case slant
  }

  /// One term after another, each for all rolls.
  private(set) var values = [Double](repeating: 0, count: Term.allCases.count * RollVotes.rolls)
  /// The logarithm of the length of all lines.
  private(set) var clutter = 0.0

  private var row = [Double](repeating: 0, count: RollVotes.rolls)

  /// The length in halves of the long edge above which lines count as many.
  private static let unitLength = 0.1
  /// 10° to either side.
  private static let neighbours = Int(10 / RollVotes.step)

  private mutating func set(_ term: Term, _ index: Int, _ value: Double) {
    values[term.rawValue * RollVotes.rolls + index] = value
  }

  mutating func update(_ votes: RollVotes, boundary: sla_boundary) {
    clutter = log1p(votes.totalLength)
    let isLightAbove = boundary.light_above != 0 ? 1.0 : 0
    let calm = min(max((0.5 - Double(boundary.calm)) * 2.5, -1), 1)
    let coverage = ramp(Double(boundary.coverage), from: 0.4, to: 0.9)
    for index in 0..<RollVotes.rolls {
      let (leaning, sloping) = (votes.value(.leaning, index), votes.value(.sloping, index))
      set(.upright, index, log1p(votes.value(.upright, index) / Self.unitLength))
      set(.level, index, log1p(votes.value(.level, index) / Self.unitLength))
      set(.sloping, index, log1p(sloping / Self.unitLength))
      set(.leaningShare, index, leaning / (votes.totalLength + 0.5))
      set(.slopingShare, index, sloping / (votes.totalLength + 0.5))
      // The contrast needs all rolls: see below.
      set(.leaningContrast, index, log1p(leaning / Self.unitLength))
      let (verticals, horizontals) = (votes.value(.verticals, index), votes.value(.horizontals, index))
      let worth = votes.value(.boundary, index)
      set(.verticals, index, verticals)
      set(.horizontals, index, min(horizontals, 1.2))
      let doubt = (1 - min(verticals, 0.99)) * (1 - min(horizontals, 0.99)) * (1 - min(worth, 0.99))
      set(.agreement, index, 1 - doubt)
      set(.boundary, index, worth)
      set(.lightAbove, index, worth * isLightAbove)
      set(.calmAbove, index, worth * calm)
      set(.coverage, index, votes.value(.line, index) * coverage)
      let steps = 2 * votes.value(.steps, index)
      set(.steps, index, steps * steps)
      let roll = RollVotes.degrees(of: index) / 20
      let alone = (1 - min(verticals, 1)) * (1 - min(worth, 1))
      set(.slant, index, min(horizontals, 1) * alone * min(roll * roll, 2))
    }
    setContrast(.slopingContrast, of: .sloping)
    setContrast(.leaningContrast, of: .leaningContrast)
  }

  /// Subtracts the term's mean over the neighbourhood; beyond the ends the end values are repeated.
  private mutating func setContrast(_ target: Term, of source: Term) {
    let (from, to) = (source.rawValue * RollVotes.rolls, target.rawValue * RollVotes.rolls)
    let last = RollVotes.rolls - 1
    for index in 0...last { row[index] = values[from + index] }
    var sum = 0.0
    for index in -Self.neighbours...Self.neighbours { sum += row[min(max(index, 0), last)] }
    for index in 0...last {
      values[to + index] = row[index] - sum / Double(2 * Self.neighbours + 1)
      sum += row[min(index + Self.neighbours + 1, last)] - row[max(index - Self.neighbours, 0)]
    }
  }
}
