import ColorScience
import FrameCore

/// A separable, antialiased downsampling of a rectangle of the input, along the input's own axes.
public struct Downsample: Sendable, Hashable {
  public var inputSize: PixelSize
  /// The rectangle of the input that the output shows, in pixels.
  public var x, y, width, height: Double
  public var outputSize: PixelSize
  /// The encoding of the samples, whose linear light is averaged; nil averages the samples directly.
  public var linearLight: [TransferFunction]?

  package var factors: (x: Double, y: Double) {
    (width / Double(outputSize.width), height / Double(outputSize.height))
  }
}

/// One axis of a downsampling: the samples from which each downsampled sample is averaged.
package struct DownsamplingAxis: Sendable {
  /// The number of downsampled samples.
  package let count: Int
  /// The start of the first one, in source samples.
  package let start: Double
  /// The number of source samples per downsampled sample.
  package let scale: Double
  /// The number of source samples.
  package let limit: Int

  /// Returns the centre of a downsampled sample, in source samples.
  package func center(of index: Int) -> Double { start + (Double(index) + 0.5) * scale }

  /// Returns the samples from which a downsampled sample is averaged; both bounds rise with `index`.
  package func samples(of index: Int) -> Range<Int> {
    let (center, radius) = (center(of: index), KaiserSinc.radius * max(scale, 1))
    let first = max(0, Int((center - radius - 0.5).rounded(.up)))
    let last = min(limit - 1, Int((center + radius - 0.5).rounded(.down)))
    return first..<max(first, last) + 1
  }

  /// Returns the samples from which a range of downsampled samples is averaged.
  package func samples(of indices: Range<Int>) -> Range<Int> {
    guard let last = indices.last else { return 0..<0 }
    return samples(of: indices.lowerBound).lowerBound..<samples(of: last).upperBound
  }
}

extension Downsample {
  package var columnAxis: DownsamplingAxis {
    DownsamplingAxis(count: outputSize.width, start: x, scale: factors.x, limit: inputSize.width)
  }

  package var rowAxis: DownsamplingAxis {
    DownsamplingAxis(count: outputSize.height, start: y, scale: factors.y, limit: inputSize.height)
  }
}

extension Geometry {
  /// Splits a resample that downsamples into an antialiased downsampling along the input's axes and a resample at scale
  /// 1; returns nil if it does not downsample. Beyond a factor of 1.5 the downsampling averages linear light, because
  /// averages of encoded samples are too dark.
  ///
  /// A projection or a lens that downsamples in parts leaves to its resample what goes beyond the least that it does anywhere.
  ///
  /// - Parameters:
  ///   - encoding: the encoding of the input's samples.
  ///   - always: whether to split off even a downsampling that changes nothing.
  package func splittingDownsample(
    encoding: [TransferFunction], always: Bool = false
  ) -> (downsample: Downsample, rest: Geometry)? {
    let factors = downsampleFactors
    // Less than 0.1 % is the rounding of sizes. A remainder from an earlier split is not affected: it follows a
    // downsample.
    guard always || max(factors.x, factors.y) > 1.001 else { return nil }

    let axisAligned = isAffine && (map.b == 0 && map.d == 0 || map.a == 0 && map.e == 0)
    let input = (width: Double(inputSize.width), height: Double(inputSize.height))
    var bounds = inputBounds
    if !axisAligned {
      // Room for the kernel of the following resample.
      let most = mostDownsampleFactors
      let margin = 4 * max(most.x, most.y, 1)
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
    let downsample = Downsample(
      inputSize: inputSize, x: bounds.minX, y: bounds.minY, width: width, height: height,
      outputSize: outputSize, linearLight: max(factors.x, factors.y) > 1.5 ? encoding : nil)
    let toDownsampled = AffineMap.translation(-bounds.minX, -bounds.minY)
      .then(.scale(Double(outputSize.width) / width, Double(outputSize.height) / height))
    var rest = self
    rest.inputSize = outputSize
    rest.append(toDownsampled)
    return (downsample, rest)
  }
}
