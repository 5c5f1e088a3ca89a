import Libc

/// CIE 1976 L*a*b*: L* in 0…100 for colours no lighter than white. Source: CIE 15:2018, section 8.2.1.
public enum CIELab {
  /// Converts XYZ relative to `white` (Y = 1 for white) to L*, a*, b*.
  public static func fromXYZ(_ xyz: SIMD3<Double>, white: Chromaticity) -> SIMD3<Double> {
    let ratio = xyz / white.XYZ
    let f = SIMD3(lightness(ratio.x), lightness(ratio.y), lightness(ratio.z))
    return SIMD3(116 * f.y - 16, 500 * (f.x - f.y), 200 * (f.y - f.z))
  }

  /// The cube root, with a linear segment below (6/29)³ = 216/24389.
  private static func lightness(_ t: Double) -> Double {
    t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116
  }
}

/// The CIEDE2000 colour difference of two CIE L*a*b* colours, with kL = kC = kH = 1. About 1 is just noticeable.
///
/// Symmetric; 0 for equal colours. Source: Sharma, Wu, Dalal (2005), “The CIEDE2000 color-difference formula:
/// implementation notes, supplementary test data, and mathematical observations”; equation numbers are theirs.
public func deltaE2000(_ lab1: SIMD3<Double>, _ lab2: SIMD3<Double>) -> Double {
  let radiansPerDegree = Double.pi / 180
  // √(c⁷ / (c⁷ + 25⁷)), shared by equations 4 and 17.
  func chromaWeight(_ chroma: Double) -> Double {
    let power = pow(chroma, 7)
    return (power / (power + 6_103_515_625)).squareRoot()
  }
  // Equation 7: hue angle in degrees, 0 for greys.
  func hue(_ a: Double, _ b: Double) -> Double {
    let degrees = atan2(b, a) / radiansPerDegree
    return degrees < 0 ? degrees + 360 : degrees
  }
  func cosine(_ degrees: Double) -> Double { cos(degrees * radiansPerDegree) }

  // Equations 2 to 7.
  let meanChromaAB = (hypot(lab1.y, lab1.z) + hypot(lab2.y, lab2.z)) / 2
  let stretch = 1 + 0.5 * (1 - chromaWeight(meanChromaAB))
  let a1 = stretch * lab1.y
  let a2 = stretch * lab2.y
  let chroma1 = hypot(a1, lab1.z)
  let chroma2 = hypot(a2, lab2.z)
  let hue1 = hue(a1, lab1.z)
  let hue2 = hue(a2, lab2.z)
  let bothChromatic = chroma1 * chroma2 != 0

  // Equations 8 to 11.
  var hueStep = bothChromatic ? hue2 - hue1 : 0
  if hueStep > 180 { hueStep -= 360 } else if hueStep < -180 { hueStep += 360 }
  let deltaL = lab2.x - lab1.x
  let deltaC = chroma2 - chroma1
  let deltaH = 2 * (chroma1 * chroma2).squareRoot() * sin(hueStep / 2 * radiansPerDegree)

  // Equations 12 to 14.
  let meanL = (lab1.x + lab2.x) / 2
  let meanC = (chroma1 + chroma2) / 2
  var meanHue = hue1 + hue2
  if bothChromatic {
    if abs(hue1 - hue2) > 180 { meanHue += meanHue < 360 ? 360 : -360 }
    meanHue /= 2
  }

  // Equations 15 to 21.
  let t =
    1 - 0.17 * cosine(meanHue - 30) + 0.24 * cosine(2 * meanHue) + 0.32 * cosine(3 * meanHue + 6)
    - 0.20 * cosine(4 * meanHue - 63)
  let turn = (meanHue - 275) / 25
  let rotation = -sin(60 * exp(-turn * turn) * radiansPerDegree) * 2 * chromaWeight(meanC)
  let offset = (meanL - 50) * (meanL - 50)
  let weightL = 1 + 0.015 * offset / (20 + offset).squareRoot()
  let weightC = 1 + 0.045 * meanC
  let weightH = 1 + 0.015 * meanC * t

  // Equation 22.
  let l = deltaL / weightL
  let c = deltaC / weightC
  let h = deltaH / weightH
  return max(l * l + c * c + h * h + rotation * c * h, 0).squareRoot()
}
