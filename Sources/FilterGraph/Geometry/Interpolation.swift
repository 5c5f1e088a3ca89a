/// How values between the samples of a picture are interpolated.
///
/// A property of the output, not of the edit: `PlanOutput` has it, recipes do not.
public enum Interpolation: String, Sendable, Hashable, CaseIterable {
  /// Kaiser-windowed sinc over six samples along each axis: keeps detail (`KaiserSinc`).
  case sharp
  /// Linear between the two nearest samples along each axis: softens, and costs least.
  case bilinear

  /// The number of samples weighted along each axis.
  public var taps: Int { self == .sharp ? 6 : 2 }

  /// Returns the weight of a sample at a distance, before weights are normalized to a sum of 1.
  public func weight(_ distance: Double) -> Double {
    switch self {
    case .sharp: KaiserSinc.weight(distance)
    case .bilinear: max(0, 1 - abs(distance))
    }
  }
}

/// How the samples around a place are weighted along the two axes.
///
/// With the place (px, py) in samples, the weights K of an `Interpolation`, and source(k, r) the sample of column
/// k in row r:
///
///     direct        Σr K(r - py) · Σk K(k - px) · source(k, r)
///     rowsFirst     Σr K(r - py) · Σk K(k - px - (r - py)·s) · source(k, r)       s = b / e
///     columnsFirst  Σk K(k - px) · Σr K(r - py - (k - px)·s) · source(k, r)       s = e / b
///
/// `rowsFirst` resamples every row where the output's columns cross it, the map being x' = a·x + b·y + c and y' =
/// d·x + e·y + f. All output rows that need the result for a row share it, so each is computed once: a two-pass
/// resample. The kernel is sheared along the output's columns by s, the tangent of the rotation, which affects
/// only the finest diagonal detail. `columnsFirst` is the same mirrored at the diagonal, for maps near a quarter
/// turn. Without shear all three are equal. On an 8-bit photo-like scene the two-pass orders differ from `direct`
/// by 0.01 levels on average at 1°, 0.03 at 5° and 0.06 at 10°, where 99.9 % of all samples differ by at most two
/// levels (`RendererEqualityTests`).
///
/// Source: Catmull, Smith, "3-D transformations of images in scanline order", SIGGRAPH 1980.
public enum SamplingOrder: Sendable, Hashable {
  case direct, rowsFirst, columnsFirst

  /// The largest shear for two passes: the tangent of 15°.
  package static let steepest = 0.2679491924311227
}

extension AffineMap {
  /// The shift, in samples, of the two-pass kernel from one row or column to the next.
  package func shear(_ order: SamplingOrder) -> Double {
    switch order {
    case .direct: 0
    case .rowsFirst: b / e
    case .columnsFirst: e / b
    }
  }
}

extension Geometry {
  /// The order for this map: two passes if they shear the kernel only slightly, wherever it does.
  var orderInTwoPasses: SamplingOrder {
    let maps = isAffine ? [map] : localMaps
    // Lines of the result that turn back would cross a line of the input twice.
    func areAlike(_ signs: [Bool]) -> Bool { signs.allSatisfy { $0 == signs[0] } }
    if maps.allSatisfy({ abs($0.b) <= SamplingOrder.steepest * abs($0.e) }), areAlike(maps.map { $0.e > 0 }) {
      return .rowsFirst
    }
    if maps.allSatisfy({ abs($0.e) <= SamplingOrder.steepest * abs($0.b) }), areAlike(maps.map { $0.b > 0 }) {
      return .columnsFirst
    }
    return .direct
  }

  /// As `AffineMap.shear`; of an affine map.
  package var shear: Double { map.shear(order) }
}
