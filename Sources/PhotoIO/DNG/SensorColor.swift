import ColorScience
import FrameCore

/// What the numbers of a sensor's mosaic mean.
///
/// Without a calibration, the sensor's colours are taken for linear light on sRGB's primaries under daylight
/// (D65). No sensor's filters are like that: greys come out right, and colours are less saturated than they
/// were, and shifted. It is an assumption that adds nothing to what the sensor saw; raw developers can
/// replace it by a profile of the camera.
public struct SensorColor: Sendable, Hashable {
  /// What samples count: `.linear`, light; `.sRGB`, light encoded as in sRGB, as some drivers deliver it.
  public var transfer = ColorTags.Transfer.linear
  /// The value of a sample without light.
  public var blackLevel = 0
  /// The value of a sample that can become no brighter; nil is the largest that the format has.
  public var whiteLevel: Int?
  /// From CIE XYZ to the sensor's linear colours under D65, as DNG's ColorMatrix1.
  public var colorMatrix = ColorSpace.linearSRGB.toXYZ.inverse
  /// The sensor's colour of what is white in the picture, on any scale, as DNG's AsShotNeutral; nil estimates
  /// it from the picture: a scene is grey on average.
  public var neutral: SIMD3<Double>?
  /// How many EV brighter the photo is to be shown, -8…8, as DNG's BaselineExposure.
  public var baselineExposure = 0.0

  public init() {}

  /// - Parameters:
  ///   - redGain, blueGain: what red and blue are multiplied by for white, relative to green: a camera's
  ///     white balance.
  public init(redGain: Double, blueGain: Double) { neutral = SIMD3(1 / redGain, 1, 1 / blueGain) }

  /// Linear light by sample, 0 at the black level and 1 at the white level; noise may be below 0.
  func lightBySample(of format: BayerFormat) -> [Float] {
    let range = Double((whiteLevel ?? format.maximum) - blackLevel)
    return (0...format.maximum).map { (sample: Int) -> Float in
      let value = Double(sample - blackLevel) / range
      return Float(transfer == .sRGB ? TransferFunction.sRGB.decode(max(value, 0)) : value)
    }
  }

  /// - Throws: `SafelightError(.invalidValue)` for values without a meaning.
  func validate(for format: BayerFormat) throws {
    let white = whiteLevel ?? format.maximum
    guard blackLevel >= 0, blackLevel < white, white <= format.maximum else {
      throw SafelightError(
        .invalidValue,
        "The sensor's black level is \(blackLevel) and its white level \(white)",
        remedy: "use 0 ≤ black < white ≤ \(format.maximum) for \(format.packing.bits) bits")
    }
    guard transfer == .linear || transfer == .sRGB else {
      throw SafelightError(
        .invalidValue, "The sensor's samples are encoded as \(transfer)", remedy: "use linear or sRGB")
    }
    if let neutral {
      guard (0..<3).allSatisfy({ neutral[$0].isFinite && neutral[$0] > 0 }),
        neutral.max() / neutral.min() <= 100
      else {
        throw SafelightError(
          .invalidValue, "The sensor's colour of white is \(neutral.x), \(neutral.y), \(neutral.z)",
          remedy: "use values above 0 that differ by a factor of 100 at most")
      }
    }
    guard (-8...8).contains(baselineExposure) else {
      throw SafelightError(
        .invalidValue, "The baseline exposure is \(baselineExposure) EV", remedy: "use -8 to 8")
    }
    let inverse = colorMatrix.inverse
    guard (colorMatrix.rows + inverse.rows).allSatisfy({ row in (0..<3).allSatisfy { abs(row[$0]) <= 1000 } })
    else {
      throw SafelightError(
        .invalidValue, "The sensor's colour matrix cannot be inverted", remedy: "check its nine numbers")
    }
  }
}
