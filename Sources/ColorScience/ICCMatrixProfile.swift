import Libc
import CLittleCMS

/// The matrix and curves of an RGB profile, and the colour space that they describe.
struct ICCMatrixProfile {
  let colorSpace: ColorSpace

  /// The largest difference of a profile's colorants (XYZ relative to D50) from a known space's. Profiles in
  /// circulation differ by rounding and by the precision of their adaptation from D65 to D50; spaces differ by at
  /// least ten times this.
  private static let colorantTolerance = 1e-3
  /// The largest difference of curves from a known function: the classic sRGB profile is a table of 1024 entries.
  private static let curveTolerance = 2e-4
  /// The largest difference of a curve from a pure power that it is taken for: twice the precision loss of 16-bit
  /// tables.
  private static let gammaTolerance = 3e-5

  /// Returns nil if a tag is missing, the colorants are linearly dependent, or a curve is not monotonic.
  init?(_ profile: cmsHPROFILE, description: String) {
    guard cmsGetPCS(profile) == cmsSigXYZData,
      let red = Self.colorant(cmsSigRedColorantTag, of: profile),
      let green = Self.colorant(cmsSigGreenColorantTag, of: profile),
      let blue = Self.colorant(cmsSigBlueColorantTag, of: profile),
      let redCurve = Self.samples(cmsSigRedTRCTag, of: profile),
      let greenCurve = Self.samples(cmsSigGreenTRCTag, of: profile),
      let blueCurve = Self.samples(cmsSigBlueTRCTag, of: profile),
      let primaries = Self.primaries(colorants: Matrix3x3(columns: red, green, blue))
    else { return nil }
    let curves =
      redCurve == greenCurve && redCurve == blueCurve ? [redCurve] : [redCurve, greenCurve, blueCurve]

    let known = ColorSpace.named.first { space in
      space.primaries == primaries && curves.allSatisfy { Self.matches($0, space.transfer[0]) }
    }
    if let known {
      colorSpace = known
      return
    }
    guard let transfer = try? curves.map(Self.transferFunction) else { return nil }
    colorSpace = ColorSpace(
      name: description.isEmpty ? "unnamed ICC profile" : description, primaries: primaries,
      transfer: transfer)
  }

  // MARK: Colorants

  private static func colorant(_ tag: cmsTagSignature, of profile: cmsHPROFILE) -> SIMD3<Double>? {
    guard let value = cmsReadTag(profile, tag)?.assumingMemoryBound(to: cmsCIEXYZ.self).pointee else {
      return nil
    }
    return SIMD3(value.X, value.Y, value.Z)
  }

  /// Returns the D65 primaries of colorants relative to D50; exactly those of a known set if they are close.
  ///
  /// White is taken to be D65: a profile whose colorants do not quite add up to D50 still displays R = G = B as
  /// neutral.
  private static func primaries(colorants: Matrix3x3) -> RGBPrimaries? {
    let toD50 = ChromaticAdaptation.bradford.matrix(
      from: .d65, to: Chromaticity(XYZ: SIMD3(0.9642, 1, 0.8249)))
    let known: [RGBPrimaries] = [.bt709, .displayP3, .adobeRGB, .bt2020]
    for primaries in known {
      let expected = toD50 * primaries.normalizedPrimaryMatrix
      if expected.largestDifference(from: colorants) <= colorantTolerance { return primaries }
    }
    let columns = (toD50.inverse * colorants).transposed.rows
    let primaries = RGBPrimaries(
      red: Chromaticity(XYZ: columns[0]), green: Chromaticity(XYZ: columns[1]),
      blue: Chromaticity(XYZ: columns[2]), white: .d65)
    let determinant = primaries.normalizedPrimaryMatrix.determinant
    return determinant.isFinite && abs(determinant) > 1e-6 ? primaries : nil
  }

  // MARK: Curves

  /// Returns a curve as at least 1024 equally spaced samples over 0…1, which include all entries of a table.
  private static func samples(_ tag: cmsTagSignature, of profile: cmsHPROFILE) -> [Double]? {
    guard let pointer = cmsReadTag(profile, tag) else { return nil }
    let curve = OpaquePointer(pointer)
    let count = Int(cmsGetToneCurveEstimatedTableEntries(curve))
    // Type 0 is a table; LittleCMS rounds values evaluated from tables, so they are read directly.
    guard cmsGetToneCurveParametricType(curve) == 0, count >= 2,
      let table = cmsGetToneCurveEstimatedTable(curve)
    else { return (0..<4096).map { max(0, Double(cmsEvalToneCurveFloat(curve, Float($0) / 4095))) } }
    let entries = UnsafeBufferPointer(start: table, count: count).map { Double($0) / 65535 }
    let refinement = (1023 + count - 2) / (count - 1)
    if refinement <= 1 { return entries }
    return (0...(count - 1) * refinement).map { position in
      let (index, step) = position.quotientAndRemainder(dividingBy: refinement)
      let low = entries[index]
      let high = entries[min(index + 1, count - 1)]
      return low + (high - low) * Double(step) / Double(refinement)
    }
  }

  private static func transferFunction(_ samples: [Double]) throws -> TransferFunction {
    let known: [TransferFunction] = [.linear, .sRGB, .bt709]
    if let match = known.first(where: { matches(samples, $0) }) { return match }
    // A power through the sample nearest to ½, rounded to the 16 fractional bits of numbers in profiles.
    let middle = samples.count / 2
    let exponent =
      (log(samples[middle]) / log(Double(middle) / Double(samples.count - 1)) * 65536).rounded() / 65536
    if exponent.isFinite, exponent > 0, matches(samples, .gamma(exponent), within: gammaTolerance) {
      return .gamma(exponent)
    }
    return .sampled(try SampledCurve(samples: samples))
  }

  private static func matches(
    _ samples: [Double], _ function: TransferFunction, within tolerance: Double = curveTolerance
  ) -> Bool {
    let last = Double(samples.count - 1)
    return samples.indices.allSatisfy { abs(samples[$0] - function.decode(Double($0) / last)) <= tolerance }
  }
}
