import ColorScience

/// The light that a camera took for white, and where it lies between the two lights that its profile was made for.
///
/// Source: DNG 1.7.1.0, chapter 6, "Translating Camera Neutral Coordinates to White Balance xy Coordinates".
struct CameraWhite {
  /// The sensor's colour of white.
  let neutral: SIMD3<Double>
  /// 0 is the first light of the profile, 1 the second.
  let part: Double
  /// From this camera's colours to those of the one that the profile was made with: what AnalogBalance and
  /// CameraCalibration undo.
  let toReference: Matrix3x3

  /// - Returns: nil if the file does not state what was white, or has no matrix.
  init?(_ tags: CameraProfile.Tags) {
    guard let numbers = tags.numbers(.asShotNeutral), numbers.count == 3, numbers.allSatisfy({ $0 > 0 }),
      let first = tags.matrix(.colorMatrix1)
    else { return nil }
    neutral = SIMD3(numbers)
    let gains = tags.numbers(.analogBalance) ?? []
    let balance = Matrix3x3.diagonal(gains.count == 3 ? SIMD3(gains) : SIMD3(repeating: 1))
    // Made with another reference camera, the calibration says nothing of this profile's.
    let isOfProfile = tags.bytes(.calibrationSignature) == tags.bytes(.profileCalibrationSignature)
    let calibration = isOfProfile ? tags.matrix(.cameraCalibration1) ?? .identity : .identity
    let second = tags.matrix(.colorMatrix2)
    let secondCalibration = isOfProfile ? tags.matrix(.cameraCalibration2) ?? calibration : .identity
    func kelvin(_ tag: TIFFFile.Tag) -> Double? {
      tags.picture[tag].flatMap(tags.tiff.integers)?.first.flatMap(Self.kelvin)
    }
    let kelvins = [TIFFFile.Tag.illuminant1, .illuminant2].compactMap(kelvin)
    let hasTwo = second != nil && kelvins.count == 2 && kelvins[0] != kelvins[1]
    func part(of light: Chromaticity) -> Double {
      guard hasTwo else { return 0 }
      let (first, last) = (1 / kelvins[0], 1 / kelvins[1])
      return min(max((1 / ColorTemperature(light).kelvin - first) / (last - first), 0), 1)
    }
    // The matrix tells the light, and the light the matrix.
    var light = Chromaticity.d50
    for pass in 0..<30 {
      let part = part(of: light)
      let matrix =
        balance * calibration.blended(with: secondCalibration, by: part)
        * first.blended(with: second ?? first, by: part)
      let next = Chromaticity(XYZ: matrix.inverse * neutral)
      guard next.x.isFinite, next.y.isFinite, next.x > 0, next.y > 0 else { return nil }
      let change = abs(next.x - light.x) + abs(next.y - light.y)
      // Where it swings between two, the middle is as good as any.
      light = pass == 29 ? Chromaticity(x: (light.x + next.x) / 2, y: (light.y + next.y) / 2) : next
      if change < 1e-7 { break }
    }
    self.part = part(of: light)
    toReference = (balance * calibration.blended(with: secondCalibration, by: self.part)).inverse
    guard toReference.isFinite else { return nil }
  }

  /// Returns the temperature of a light as EXIF numbers it (LightSource); nil for unknown ones. Fluorescent ones have
  /// the middle of the range that EXIF 2.32 gives.
  private static func kelvin(_ light: Int) -> Double? {
    switch light {
    case 3, 17: 2850
    case 24: 3200
    case 23: 5000
    case 1, 4, 9, 18, 20: 5500
    case 10, 19, 21: 6500
    case 11, 22: 7500
    case 12: 6400
    case 13: 5050
    case 2, 14: 4150
    case 15: 3525
    case 16: 2925
    default: nil
    }
  }
}
