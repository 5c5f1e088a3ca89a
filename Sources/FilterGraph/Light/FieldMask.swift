import FrameCore

/// A gain where a mask is: what a group does that changes nothing but exposure.
///
///     gain = 1 + opacity · mask(x, y) · (full − 1)
public struct FieldMask: Sendable, Hashable {
  /// Depends on places alone.
  public internal(set) var mask: MaskProgram
  /// 0…1.
  public let opacity: Double
  /// The gain where mask and opacity are 1; above 0.
  public let full: Double

  /// Returns the gain at a place in pixels.
  func gain(at place: (x: Double, y: Double)) -> Double {
    1 + opacity * mask.value(at: place, of: .zero) * (full - 1)
  }

  /// The largest gain anywhere.
  var most: Double { max(1, 1 + opacity * (full - 1)) }

  var hasFiniteNumbers: Bool { mask.hasFiniteNumbers && opacity.isFinite && full.isFinite && full > 0 }

  /// `linear · opacity 80 · gain 0.5000`
  var text: String {
    ([mask.text] + (opacity == 1 ? [] : ["opacity \(PlainNumber.fixed(opacity * 100, 0))"])
      + ["gain \(PlainNumber.fixed(full, 4))"]).joined(separator: " · ")
  }
}

extension MaskedGroup {
  /// The group as a gain; nil if it does anything else, or if its mask reads colours.
  var gain: FieldMask? {
    guard fields.isEmpty, !mask.readsColor else { return nil }
    var full = 1.0
    for stage in stages {
      guard case .matrix(let matrix) = stage, matrix.isDiagonal, matrix[0, 0] == matrix[1, 1],
        matrix[1, 1] == matrix[2, 2]
      else { return nil }
      full *= matrix[0, 0]
    }
    return full > 0 ? FieldMask(mask: mask, opacity: opacity, full: full) : nil
  }
}
