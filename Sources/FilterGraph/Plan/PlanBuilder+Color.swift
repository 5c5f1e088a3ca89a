import ColorScience

extension PlanBuilder {
  /// Appends curves of light on scene-linear RGB of `workingSpace`.
  public mutating func curves(_ curves: LightCurves) {
    enter(Self.workingSpace)
    append(.pointwise(.curves(curves)))
  }

  /// Appends curves and then a matrix on samples in the given encoding, such as a grade made on them.
  public mutating func samples(
    encodedAs encoding: SampleEncoding, curves: LightCurves, matrix: Matrix3x3
  ) throws {
    try enter(encoding)
    append(.pointwise(.curves(curves)))
    append(.matrix(matrix))
  }

  /// Appends changes of colours by their hue on scene-linear RGB of `workingSpace`.
  public mutating func hues(_ adjustment: HueAdjustment) {
    enter(Self.workingSpace)
    append(.pointwise(.hues(adjustment)))
  }

  /// Appends a turn of OKLab hue on scene-linear RGB of `workingSpace`: greys, lightness and chroma stay.
  ///
  /// - Parameter degrees: from red towards yellow.
  public mutating func oklabTurn(degrees: Double) {
    enter(Self.workingSpace)
    append(.pointwise(.oklabTurn(degrees: degrees, space: Self.workingSpace)))
  }
}
