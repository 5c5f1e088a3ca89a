import FrameCore

/// An increasing curve defined by equally spaced samples over 0…1 with linear interpolation.
///
/// Copies share their samples; equality and hashing are by value.
public struct SampledCurve: Hashable, Sendable {
  private let storage: SharedArray<Double>

  /// Values at 0, 1/(n−1), … 1, non-decreasing.
  public var samples: [Double] { storage.elements }

  /// - Parameter samples: at least two finite values ≥ 0, non-decreasing, the last above the first.
  /// - Throws: `SafelightError` (`invalidValue`) that names the first sample that violates a rule.
  public init(samples: [Double]) throws {
    guard let first = samples.first, let last = samples.last, samples.count >= 2 else {
      throw SafelightError(.invalidValue, "A curve needs at least 2 samples, not \(samples.count)")
    }
    for (index, value) in samples.enumerated() where !(value.isFinite && value >= 0) {
      throw SafelightError(
        .invalidValue, "Sample \(index) of the curve is \(value)", remedy: "give finite values of 0 or more")
    }
    for index in 1..<samples.count where samples[index] < samples[index - 1] {
      throw SafelightError(
        .invalidValue, "The curve falls from \(samples[index - 1]) to \(samples[index]) at sample \(index)",
        remedy: "give samples that never fall")
    }
    guard last > first else {
      throw SafelightError(
        .invalidValue, "The curve is \(first) everywhere", remedy: "give a curve that rises")
    }
    storage = SharedArray(samples) { ($0 + 0).bitPattern }  // −0 + 0 = 0
  }

  /// Evaluates the curve at `x` ≥ 0; above 1 it continues with the slope of its last segment.
  public func decode(_ x: Double) -> Double {
    let samples = storage.elements
    let position = x * Double(samples.count - 1)
    // NaN fails this comparison and never reaches the conversion to an integer.
    guard position < Double(samples.count - 1) else {
      let end = samples[samples.count - 1]
      return end + (position - Double(samples.count - 1)) * (end - samples[samples.count - 2])
    }
    let index = Int(max(position, 0))
    return samples[index] + (position - Double(index)) * (samples[index + 1] - samples[index])
  }

  /// Returns the least x ≥ 0 with `decode(x)` = y: the exact inverse wherever the curve increases.
  ///
  /// Values below the first sample give 0; above the last, the slope of the last segment continues, or the result
  /// is 1 if that segment is level.
  public func encode(_ y: Double) -> Double {
    let samples = storage.elements
    let count = samples.count
    if y > samples[count - 1] {
      let slope = samples[count - 1] - samples[count - 2]
      return slope > 0 ? 1 + (y - samples[count - 1]) / slope / Double(count - 1) : 1
    }
    // The first sample that is not below y.
    var low = 0
    var high = count - 1
    while low < high {
      let middle = (low + high) / 2
      if samples[middle] < y { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return y.isNaN ? y : 0 }
    let below = samples[low - 1]
    let fraction = (y - below) / (samples[low] - below)
    return (Double(low - 1) + fraction) / Double(count - 1)
  }
}
