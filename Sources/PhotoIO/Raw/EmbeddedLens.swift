import FrameCore

/// What a DNG says of its lens: how it moved places and dimmed light. Source: DNG 1.7.1.0, chapter 7, WarpRectilinear and
/// FixVignetteRadial.
///
/// With r the distance from the lens's centre, in parts of the distance to the corner that is furthest from it:
///
///     recorded at = r·(k₀ + k₁·r² + k₂·r⁴ + k₃·r⁶)        of what belongs at r
///     light       = recorded · (1 + g₀·r² + g₁·r⁴ + g₂·r⁶ + g₃·r⁸ + g₄·r¹⁰)
public struct EmbeddedLens: Sendable, Hashable {
  /// k₀…k₃; nil if lines stay. Of a lens with a set for each channel, those of green.
  public var distortion: [Double]?
  /// g₀…g₄; nil if light stays.
  public var vignetting: [Double]?
  /// The lens's centre, to the right and downwards, in parts of the frame's width and height; 0.5, 0.5 is the middle.
  public var center = SIMD2(0.5, 0.5)
  /// What the sensor exposed, of which the picture, as stored, begins at `origin`.
  public var frame = PixelSize(width: 1, height: 1)
  public var origin = SIMD2(0, 0)
  /// The size of the picture as stored.
  private var stored = PixelSize(width: 1, height: 1)
  /// What could not be taken over, as parts of a sentence: `lateral colour`.
  public var rest: [String] = []

  init() {}

  /// The same lens of a picture of `size` in a frame.
  func placed(in frame: PixelSize, at origin: (x: Int, y: Int), size: PixelSize) -> EmbeddedLens {
    var placed = self
    (placed.frame, placed.origin, placed.stored) = (frame, SIMD2(origin.x, origin.y), size)
    return placed
  }

  /// Returns the size of the picture as stored for one that may have been turned upright.
  public func pictureSize(_ size: PixelSize) -> PixelSize {
    let isTurned = (size.width > size.height) != (stored.width > stored.height) && size.width != size.height
    return isTurned ? PixelSize(width: size.height, height: size.width) : size
  }

  /// Takes over an opcode.
  ///
  /// - Returns: false if it is not about a lens, is damaged, or does not fit those before it.
  mutating func take(_ opcode: OpcodeList.Opcode) -> Bool {
    switch opcode.kind {
    case .warpRectilinear: takeWarp(opcode.parameters)
    case .fixVignetteRadial: takeVignetting(opcode.parameters)
    case .warpFisheye, .fixBadPixelsConstant, .fixBadPixelsList, .trimBounds, .mapTable, .mapPolynomial,
      .gainMap,
      .deltaPerRow, .deltaPerColumn, .scalePerRow, .scalePerColumn, .warpRectilinear2, nil:
      false
    }
  }

  private mutating func takeWarp(_ parameters: [UInt8]) -> Bool {
    var numbers = OpcodeNumbers(parameters)
    guard distortion == nil, let planes = numbers.next(), (1...4).contains(planes),
      let sets = numbers.doubles(6 * planes), let place = numbers.doubles(2), takeCenter(place)
    else { return false }
    // The eye sees detail by green.
    let chosen = Array(sets[(planes > 1 ? 6 : 0)...].prefix(6))
    guard chosen[0] > 0 else { return false }
    distortion = Array(chosen.prefix(4))
    if chosen[4...].contains(where: { abs($0) > 1e-5 }) { rest.append("tangential distortion") }
    let others = (0..<planes).map { Array(sets[6 * $0..<6 * $0 + 4]) }
    if others.contains(where: { zip($0, chosen).contains { abs($0 - $1) > 1e-6 } }) {
      rest.append("lateral colour")
    }
    return true
  }

  private mutating func takeVignetting(_ parameters: [UInt8]) -> Bool {
    var numbers = OpcodeNumbers(parameters)
    guard vignetting == nil, let gains = numbers.doubles(5), let place = numbers.doubles(2), takeCenter(place)
    else { return false }
    vignetting = gains
    return true
  }

  private mutating func takeCenter(_ place: [Double]) -> Bool {
    let center = SIMD2(place[0], place[1])
    guard center.min() >= 0, center.max() <= 1 else { return false }
    let isFirst = distortion == nil && vignetting == nil
    guard isFirst || (center - self.center).max() < 1e-3 && (self.center - center).max() < 1e-3 else {
      return false
    }
    self.center = center
    return true
  }
}
