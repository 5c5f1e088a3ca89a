import Libc

/// The probability of each roll of the camera, −45°…45°, and of the picture giving no answer.
///
/// A log-linear model: each roll's odds are the exponential of a weighted sum of terms (`RollTerms`), times the
/// prior of that roll in hand-held pictures. They compete with one more hypothesis, that nothing in the picture is
/// level or upright, whose odds grow with the number and length of the lines. The weights maximize the likelihood
/// of the truth in known pictures (`RollWeights`).
struct RollPosterior {
  /// The probability of each roll that `RollVotes` distinguishes, given that the picture gives an answer or not.
  private(set) var probabilities = [Double](repeating: 0, count: RollVotes.rolls)
  /// The probability that the picture gives no answer.
  private(set) var untold = 1.0

  /// The log prior: two thirds of pictures are within 13°, nearly all within 26°; a few anywhere.
  static let usual: [Double] = (0..<RollVotes.rolls).map { index in
    let part = RollVotes.degrees(of: index) / 13
    let bell = RollVotes.step * exp(-0.5 * part * part) / (13 * (2 * Double.pi).squareRoot())
    return log(0.96 * bell + 0.04 / Double(RollVotes.rolls))
  }

  /// The camera's own level is true to about a degree, and wrong if the file was turned since.
  static let gravityDeviation = 0.9
  private static let gravityTrust = 0.95

  /// The answer is right if the truth lies within this many degrees of it.
  static let tolerance = 1.0

  mutating func update(_ terms: RollTerms, weights: RollWeights = .fitted, gravity: Double?) {
    // Subtracts the largest exponent, so that none overflows.
    let silence = weights.silence(terms)
    var largest = silence
    for index in 0..<RollVotes.rolls {
      let sum = weights.sum(terms, at: index) + Self.usual[index]
      probabilities[index] = sum
      largest = max(largest, sum)
    }
    var total = exp(silence - largest)
    untold = total
    for index in 0..<RollVotes.rolls {
      probabilities[index] = exp(probabilities[index] - largest)
      total += probabilities[index]
    }
    untold /= total
    for index in 0..<RollVotes.rolls { probabilities[index] /= total }
    if let gravity { weigh(gravity) }
  }

  /// If the picture gives no answer, gravity alone decides; otherwise both must agree.
  private mutating func weigh(_ gravity: Double) {
    var total = 0.0
    let even = 1 / Double(RollVotes.rolls)
    for index in 0..<RollVotes.rolls {
      let part = (RollVotes.degrees(of: index) - gravity) / Self.gravityDeviation
      let bell =
        RollVotes.step * exp(-0.5 * part * part) / (Self.gravityDeviation * (2 * Double.pi).squareRoot())
      let level = Self.gravityTrust * bell + (1 - Self.gravityTrust) * even
      probabilities[index] = (probabilities[index] + untold * even) * level
      total += probabilities[index]
    }
    untold = 0
    guard total > 0 else { return }
    for index in 0..<RollVotes.rolls { probabilities[index] /= total }
  }

  /// The likeliest roll: the mean and standard deviation of the rolls near it, in degrees, and the probability
  /// that the truth is within the tolerance.
  func best() -> (degrees: Double, deviation: Double, probability: Double) {
    let reach = Int(Self.tolerance / RollVotes.step)
    var (best, most) = (0, -1.0)
    for middle in 0..<RollVotes.rolls {
      let probability = mass(around: middle, reach)
      if probability > most { (best, most) = (middle, probability) }
    }
    guard most > 0 else { return (0, .infinity, 0) }
    var (mean, variance) = (RollVotes.degrees(of: best), 0.0)
    // The mean moves its own window: a peak at the window's side would bias it.
    for _ in 0..<3 {
      var (total, sum, squares) = (0.0, 0.0, 0.0)
      for index in 0..<RollVotes.rolls {
        let away = RollVotes.degrees(of: index) - mean
        let part = away / (1.5 * Self.tolerance)
        guard abs(part) < 1 else { continue }
        let weight = probabilities[index] * (1 - part * part)
        total += weight
        sum += weight * away
        squares += weight * away * away
      }
      guard total > 0 else { break }
      mean += sum / total
      variance = max(squares / total - (sum / total) * (sum / total), 0)
    }
    return (mean, variance.squareRoot(), most)
  }

  private func mass(around middle: Int, _ reach: Int) -> Double {
    var sum = 0.0
    for index in max(middle - reach, 0)...min(middle + reach, RollVotes.rolls - 1) {
      sum += probabilities[index]
    }
    return sum
  }
}
