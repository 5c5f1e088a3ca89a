/// Estimates a sensor's colour of white: the mean of what is neither dark nor at the white level.
///
/// A scene of many colours is grey on average (Buchsbaum, A spatial processor model for object colour
/// perception, 1980). Where one colour dominates, the estimate leans towards it; it is bounded by a factor of
/// 4 between channels.
package struct GreyWorld {
  private var sum = SIMD3<Double>()
  private var used = 0
  private var count = 0

  package init() {}

  /// - Parameter color: a part of the picture in linear light, 0 at the black level and 1 at the white level.
  package mutating func add(_ color: SIMD3<Float>) {
    count += 1
    guard color.max() < 0.95, color.max() > 0.01 else { return }
    sum += SIMD3<Double>(color)
    used += 1
  }

  /// The colour, its largest component 1; nil if less than a hundredth of the picture is usable.
  package var neutral: SIMD3<Double>? {
    guard used > 0, used * 100 >= count, sum.max() > 0 else { return nil }
    return pointwiseMax(sum / sum.max(), SIMD3(repeating: 0.25))
  }
}
