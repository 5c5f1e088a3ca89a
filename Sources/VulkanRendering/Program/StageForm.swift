import FilterGraph
import Rendering

/// A colour stage as run by shaders.
enum StageForm: Sendable {
  case exact(NumericStage)
  case baked(BakedLUT)

  /// As numbered in `shaders/stages.glsl`.
  enum Kind: UInt32, Sendable {
    case matrix = 1
    case parametric, sampled, oklabMix, tone, lookup, baked, field, masked, gains, curves, hues, gamut
  }

  static func forms(of stage: Stage) -> [StageForm] {
    if case .baked(let lut) = stage { return [.baked(lut)] }
    return NumericStage.forms(of: stage).map(StageForm.exact)
  }

  var kind: Kind {
    switch self {
    case .baked: .baked
    case .exact(.matrix): .matrix
    case .exact(.parametric): .parametric
    case .exact(.sampled): .sampled
    case .exact(.oklabMix): .oklabMix
    case .exact(.tone): .tone
    case .exact(.lookup): .lookup
    case .exact(.field): .field
    case .exact(.masked): .masked
    case .exact(.gains): .gains
    case .exact(.curves): .curves
    case .exact(.hues): .hues
    case .exact(.gamut): .gamut
    }
  }
}
