import ColorScience

extension Stage {
  /// Whether all numbers of this stage are finite, and positive if they must be. Tables and sampled curves check
  /// theirs on creation.
  var hasFiniteNumbers: Bool {
    switch self {
    case .geometry(let geometry):
      geometry.map.isFinite && geometry.projection?.isFinite ?? true && geometry.lens?.isFinite ?? true
    case .downsample(let downsample):
      [downsample.x, downsample.y, downsample.width, downsample.height].allSatisfy(\.isFinite)
        && downsample.linearLight?.areFinite ?? true
    // The encoding is one of a fixed list.
    case .ycbcr: true
    case .denoise(let denoising): denoising.isFinite
    case .matrix(let matrix): matrix.isFinite
    case .curve(.power(let exponent, let pivot)): exponent.isFinite && pivot.isFinite && pivot > 0
    case .curve(.decode(let functions)), .curve(.encode(let functions)): functions.areFinite
    case .pointwise(.oklabChroma(let chroma, _)): chroma.isFinite
    case .pointwise(.oklabTurn(let degrees, _)): degrees.isFinite
    case .pointwise(.curves(let curves)): curves.curves.allSatisfy(\.isFinite)
    case .pointwise(.hues(let adjustment)): adjustment.isFinite
    case .pointwise(.gamut(let mapping)): mapping.toLMS.isFinite && mapping.fromLMS.isFinite
    case .pointwise(.tone(let curve)):
      [curve.whites, curve.blacks].allSatisfy(\.isFinite)
    case .field(let field, let encoding): field.hasFiniteNumbers && encoding.areFinite
    case .masked(let groups): groups.allSatisfy(\.hasFiniteNumbers)
    case .lut(let lookup): lookup.strength.isFinite
    case .sharpen(let sharpening): sharpening.isFinite
    case .channelTables(let stages): stages.allSatisfy(\.hasFiniteNumbers)
    case .baked(let lut): lut.stages.allSatisfy(\.hasFiniteNumbers)
    }
  }
}

extension [TransferFunction] {
  fileprivate var areFinite: Bool {
    allSatisfy { function in
      switch function {
      case .gamma(let gamma): gamma.isFinite && gamma > 0
      case .linear, .sRGB, .bt709, .sampled: true
      }
    }
  }
}

extension AffineMap {
  var isFinite: Bool { [a, b, c, d, e, f].allSatisfy(\.isFinite) }
}
