import ColorScience
import FilterGraph
import FrameCore

extension CDL {
  /// Creates a grade from a correction of a list.
  ///
  /// - Throws: `SafelightError` if a number is outside the filter's range.
  public init(_ decision: ColorDecision, encoding: LUT.Encoding = .sRGB) throws {
    func numbers<Of: ChannelQuantity>(_ value: SIMD3<Double>, of: Of.Type) throws -> ChannelNumbers<Of> {
      let numbers = ChannelNumbers<Of>(value.x, value.y, value.z)
      try numbers.check()
      return numbers
    }
    self.init(
      slope: try numbers(decision.slope, of: SlopeMeaning.self),
      offset: try numbers(decision.offset, of: OffsetMeaning.self),
      power: try numbers(decision.power, of: PowerMeaning.self), saturation: Float(decision.saturation),
      encoding: encoding)
    try validate()
  }

  /// The grade as a correction without an id. A list does not say in which encoding it was made.
  public var decision: ColorDecision {
    ColorDecision(
      slope: slope.simd, offset: offset.simd, power: power.simd,
      // The shortest decimal of the number in single precision.
      saturation: Double("\(saturation)") ?? Double(saturation))
  }
}
