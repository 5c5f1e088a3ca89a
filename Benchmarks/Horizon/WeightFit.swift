@_spi(HorizonEvaluation) import FrameAnalysis
import Glibc

/// Fits the weights of the detector's terms (`RollWeights`) by maximum likelihood on known pictures.
///
/// The objective is the mean of log P(truth), less a small penalty on large weights; truth is the rolls within a
/// picture's tolerance, or that the picture shows none. A small part of every picture's probability is assigned
/// to chance, so that a wrongly labelled picture cannot dominate the others.
struct WeightFit {
  private struct Example {
    /// One term after another, each for all rolls.
    var terms: [Float]
    var clutter: Double
    /// The correct rolls; nil if there is none.
    var window: ClosedRange<Int>?
    var weight: Double
  }

  /// Photos are only as level as people can see: to about two degrees.
  private static let photoTolerance = 2.0
  private static let sceneTolerance = 0.75
  private static let sceneWeight = 1.5
  private static let chance = 1e-4
  private static let penalty = 1e-3

  private let examples: [Example]
  private let usual = HorizonDetector.usualRolls
  private let termCount = HorizonDetector.rollTermNames.count
  private var rolls: Int { usual.count }

  init(_ answers: [Answer]) {
    let rolls = HorizonDetector.rolls
    examples = answers.map { answer in
      let isPhoto = if case .photo = answer.subject { true } else { false }
      let tolerance = isPhoto ? Self.photoTolerance : Self.sceneTolerance
      let window = answer.truth.flatMap { truth -> ClosedRange<Int>? in
        let inside = rolls.indices.filter { abs(rolls[$0] - truth) <= tolerance }
        return inside.first.flatMap { first in inside.last.map { first...$0 } }
      }
      return Example(
        terms: answer.terms.dropLast().map { Float($0) }, clutter: answer.terms.last ?? 0, window: window,
        weight: isPhoto ? 1 : Self.sceneWeight)
    }
  }

  /// The weights of the terms, then the constant and the weight of clutter for the hypothesis that the picture
  /// shows no roll.
  ///
  /// The BFGS method (Broyden, Fletcher, Goldfarb, Shanno), with steps that are halved until they improve the
  /// objective.
  func weights() -> (weights: [Double], objective: Double) {
    let count = termCount + 2
    var point = [Double](repeating: 0, count: count)
    var (value, slope) = objective(point)
    var inverse = (0..<count).map { i in (0..<count).map { $0 == i ? 1.0 : 0 } }
    for iteration in 0..<300 {
      let way = inverse.map { row in -dot(row, slope) }
      let fall = dot(way, slope)
      guard fall < -1e-10 else { break }
      var step = iteration == 0 ? 1 / max(dot(slope, slope).squareRoot(), 1) : 1.0
      var (next, nextValue, nextSlope) = (point, value, slope)
      for _ in 0..<30 {
        next = zip(point, way).map { $0 + step * $1 }
        (nextValue, nextSlope) = objective(next)
        if nextValue <= value + 1e-4 * step * fall { break }
        step /= 2
      }
      let s = zip(next, point).map { $0 - $1 }
      let y = zip(nextSlope, slope).map { $0 - $1 }
      let gained = value - nextValue
      (point, value, slope) = (next, nextValue, nextSlope)
      if gained < 1e-8 { break }
      let curvature = dot(s, y)
      guard curvature > 1e-12 else { continue }
      let hy = inverse.map { dot($0, y) }
      let scale = (1 + dot(y, hy) / curvature) / curvature
      for i in 0..<count {
        for j in 0..<count {
          inverse[i][j] += scale * s[i] * s[j] - (hy[i] * s[j] + s[i] * hy[j]) / curvature
        }
      }
    }
    return (point, value)
  }

  /// Returns the value to minimize, and its gradient.
  private func objective(_ weights: [Double]) -> (Double, [Double]) {
    var value = 0.0
    var slope = [Double](repeating: 0, count: weights.count)
    var total = 0.0
    var odds = [Double](repeating: 0, count: rolls)
    for example in examples {
      let silence = weights[termCount] + weights[termCount + 1] * example.clutter
      var largest = silence
      for roll in 0..<rolls { odds[roll] = usual[roll] }
      for term in 0..<termCount {
        let weight = weights[term]
        for roll in 0..<rolls { odds[roll] += weight * Double(example.terms[term * rolls + roll]) }
      }
      for roll in 0..<rolls { largest = max(largest, odds[roll]) }
      var sum = exp(silence - largest)
      let silent = sum
      var right = example.window == nil ? silent : 0
      for roll in 0..<rolls {
        odds[roll] = exp(odds[roll] - largest)
        sum += odds[roll]
        if let window = example.window, window.contains(roll) { right += odds[roll] }
      }
      right += Self.chance * sum
      value -= example.weight * log(right / sum)
      total += example.weight
      // The derivative of the logarithm by the exponent of each roll, and of no roll.
      for roll in 0..<rolls {
        let isRight = example.window?.contains(roll) ?? false
        odds[roll] *= ((isRight ? 1 : 0) + Self.chance) / right - 1 / sum
      }
      let bySilence = silent * (((example.window == nil ? 1 : 0) + Self.chance) / right - 1 / sum)
      for term in 0..<termCount {
        var growth = 0.0
        for roll in 0..<rolls { growth += odds[roll] * Double(example.terms[term * rolls + roll]) }
        slope[term] -= example.weight * growth
      }
      slope[termCount] -= example.weight * bySilence
      slope[termCount + 1] -= example.weight * bySilence * example.clutter
    }
    for index in weights.indices {
      slope[index] = slope[index] / total + 2 * Self.penalty * weights[index]
    }
    return (value / total + Self.penalty * dot(weights, weights), slope)
  }
}

private func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
