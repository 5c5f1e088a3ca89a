import FrameCore

/// A lattice of colours over a box of RGB inputs.
///
/// Copies share their nodes; equality and hashing are by value.
public struct LUT3D: Hashable, Sendable {
  /// The numbers of nodes per edge accepted.
  public static let sizes = 2...256

  /// The number of nodes per edge.
  public let size: Int
  /// The input at the first node, per channel.
  public let domainMin: SIMD3<Float>
  /// The input at the last node, per channel.
  public let domainMax: SIMD3<Float>
  private let storage: SharedArray<SIMD3<Float>>

  /// size³ colours; red changes fastest, blue slowest.
  public var nodes: [SIMD3<Float>] { storage.elements }

  /// - Throws: `SafelightError` (`invalidValue`) if the size is outside `sizes`, the number of nodes is not size³,
  ///   values are not finite, or a domain's minimum is not below its maximum.
  public init(
    size: Int, nodes: [SIMD3<Float>], domainMin: SIMD3<Float> = SIMD3(repeating: 0),
    domainMax: SIMD3<Float> = SIMD3(repeating: 1)
  ) throws {
    guard Self.sizes.contains(size) else {
      throw SafelightError(
        .invalidValue,
        "A 3D LUT has \(Self.sizes.lowerBound)…\(Self.sizes.upperBound) nodes per edge, not \(size)")
    }
    guard nodes.count == size * size * size else {
      throw SafelightError(
        .invalidValue, "A 3D LUT of \(size)³ has \(size * size * size) nodes, not \(nodes.count)")
    }
    try LUTDomain.validate(domainMin, domainMax)
    try LUTDomain.validate(values: nodes)
    self.size = size
    self.domainMin = domainMin
    self.domainMax = domainMax
    storage = SharedArray(nodes, bits: LUTDomain.bits)
  }

  /// Returns the value at `color` by tetrahedral interpolation. The input is clipped to the domain; the output is
  /// not.
  ///
  /// Each cell of the lattice is divided into six tetrahedra that share its grey diagonal. A path leads from the
  /// cell's darkest corner to its lightest along the channels in descending order of their fractions; each step is
  /// weighted by the fraction of its channel, so the four corners on the path are interpolated exactly linearly.
  /// Source: Kasson, Nin, Plouffe, Hafner (1995), “Performing color space conversions with three-dimensional
  /// linear interpolation”, J. Electronic Imaging 4(3).
  public func evaluate(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let position = LUTDomain.position(of: color, from: domainMin, to: domainMax, last: size - 1)
    let cell = SIMD3(
      min(Int(position.x), size - 2), min(Int(position.y), size - 2), min(Int(position.z), size - 2))
    let fraction = position - SIMD3<Double>(cell)
    let strides = SIMD3(1, size, size * size)
    var index = cell.x + cell.y * strides.y + cell.z * strides.z
    var corner = SIMD3<Double>(storage.elements[index])
    var result = corner
    let order = Self.fallingOrder(of: fraction)
    for step in 0..<3 {
      let channel = order[step]
      index += strides[channel]
      let next = SIMD3<Double>(storage.elements[index])
      result += fraction[channel] * (next - corner)
      corner = next
    }
    return result
  }

  /// Returns the channels 0, 1, 2 in descending order of value.
  private static func fallingOrder(of value: SIMD3<Double>) -> SIMD3<Int> {
    if value.x > value.y {
      if value.y > value.z { return SIMD3(0, 1, 2) }
      return value.x > value.z ? SIMD3(0, 2, 1) : SIMD3(2, 0, 1)
    }
    if value.x > value.z { return SIMD3(1, 0, 2) }
    return value.y > value.z ? SIMD3(1, 2, 0) : SIMD3(2, 1, 0)
  }
}
