import ColorScience
import FrameCore

/// A separable, antialiased reduction of a rectangle of the input, along the input's own axes.
public struct Shrink: Sendable, Hashable {
  public var inputSize: PixelSize
  /// The rectangle of the input that the output shows, in pixels.
  public var x, y, width, height: Double
  public var outputSize: PixelSize
  /// The encoding whose light is averaged; nil averages the samples as they are.
  public var linearLight: [TransferFunction]?

  public var factors: (x: Double, y: Double) {
    (width / Double(outputSize.width), height / Double(outputSize.height))
  }
}

/// One axis of a reduction: which samples each reduced sample is averaged from.
package struct ReductionAxis: Sendable {
  /// Reduced samples.
  package let count: Int
  /// Where the first one begins, in source samples.
  package let start: Double
  /// Source samples that one stands for.
  package let scale: Double
  /// Source samples.
  package let limit: Int

  /// The middle of a reduced sample, in source samples.
  package func center(of index: Int) -> Double { start + (Double(index) + 0.5) * scale }

  /// The samples that a reduced sample is averaged from; first and last ones rise with `index`.
  package func samples(of index: Int) -> Range<Int> {
    let (center, radius) = (center(of: index), KaiserSinc.radius * max(scale, 1))
    let first = max(0, Int((center - radius - 0.5).rounded(.up)))
    let last = min(limit - 1, Int((center + radius - 0.5).rounded(.down)))
    return first..<max(first, last) + 1
  }

  /// The samples that reduced samples are averaged from.
  package func samples(of indices: Range<Int>) -> Range<Int> {
    guard let last = indices.last else { return 0..<0 }
    return samples(of: indices.lowerBound).lowerBound..<samples(of: last).upperBound
  }
}

extension Shrink {
  package var columnAxis: ReductionAxis {
    ReductionAxis(count: outputSize.width, start: x, scale: factors.x, limit: inputSize.width)
  }

  package var rowAxis: ReductionAxis {
    ReductionAxis(count: outputSize.height, start: y, scale: factors.y, limit: inputSize.height)
  }
}

extension Geometry {
  /// This resample, where it shrinks, as an antialiased reduction along the input's axes and a resample at scale 1 that
  /// follows; nil where it does not. Beyond a factor of 1.5 the reduction averages linear light: averages of encoded
  /// samples darken.
  ///
  /// - Parameter encoding: of the input's samples.
  package func shrunkApart(encoding: [TransferFunction]) -> (shrink: Shrink, rest: Geometry)? {
    let factors = shrinkFactors
    // Less than 0.1 % is the rounding of sizes. What an earlier split left is not seen: a shrink comes first then.
    guard max(factors.x, factors.y) > 1.001 else { return nil }

    let axisAligned = map.b == 0 && map.d == 0 || map.a == 0 && map.e == 0
    let input = (width: Double(inputSize.width), height: Double(inputSize.height))
    var bounds = inputBounds
    if !axisAligned {
      // Room for the kernel of the resample that follows.
      let margin = 4 * max(factors.x, factors.y)
      bounds = (
        (bounds.minX - margin).rounded(.down), (bounds.minY - margin).rounded(.down),
        (bounds.maxX + margin).rounded(.up), (bounds.maxY + margin).rounded(.up)
      )
    }
    if outside == .transparent { bounds = (0, 0, input.width, input.height) }
    bounds = (
      max(bounds.minX, 0), max(bounds.minY, 0), min(bounds.maxX, input.width), min(bounds.maxY, input.height)
    )

    let (width, height) = (bounds.maxX - bounds.minX, bounds.maxY - bounds.minY)
    let outputSize = PixelSize(
      width: max(1, Int((width / max(factors.x, 1)).rounded())),
      height: max(1, Int((height / max(factors.y, 1)).rounded())))
    let shrink = Shrink(
      inputSize: inputSize, x: bounds.minX, y: bounds.minY, width: width, height: height,
      outputSize: outputSize, linearLight: max(factors.x, factors.y) > 1.5 ? encoding : nil)
    let toShrunk = AffineMap.translation(-bounds.minX, -bounds.minY)
      .then(.scale(Double(outputSize.width) / width, Double(outputSize.height) / height))
    var rest = self
    rest.inputSize = outputSize
    rest.map = map.then(toShrunk)
    return (shrink, rest)
  }
}
