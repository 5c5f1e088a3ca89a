import ColorScience
import TestSupport
import Testing

@Suite("OKLab")
struct OKLabTests {
  // colour-science 0.4.7: XYZ_to_Oklab(xyz). It keeps Ottosson's ten digits, made for a slightly different white.
  @Test(
    "L, a, b are colour-science's, but for the difference in white",
    arguments: [
      (
        SIMD3(0.20654008, 0.12197225, 0.05136952),
        SIMD3(0.5163401914055784, 0.1546949990174033, 0.0628957872890358)
      ),
      (
        SIMD3(0.14222010, 0.23042768, 0.10495772),
        SIMD3(0.5991074569147671, -0.11139207348277441, 0.07508465100757934)
      ),
      (
        SIMD3(0.07818780, 0.06157201, 0.28099326),
        SIMD3(0.4022139190693644, -0.00878364420502607, -0.13937367798071537)
      ),
      (SIMD3(0.5, 0.2, 0.01), SIMD3(0.6292666987354097, 0.31946149483070385, 0.12692915097022167)),
    ])
  func lab(xyz: SIMD3<Double>, expected: SIMD3<Double>) {
    #expect(distance(OKLab.fromXYZ(xyz), expected) < 3e-4)
  }

  // W3C CSS Color 4, section 10, “Examples of OkLCh and Oklab”: oklch(62.796% 0.25768 29.234) is sRGB red,
  // and so on for green (lime), blue and yellow.
  @Test(
    "Corners of sRGB have the OKLCH that CSS Color 4's conversion gives",
    arguments: [
      (SIMD3<Double>(1, 0, 0), SIMD3(0.62796, 0.25768, 29.234)),
      (SIMD3(0, 1, 0), SIMD3(0.86644, 0.29483, 142.495)),
      (SIMD3(0, 0, 1), SIMD3(0.45201, 0.31321, 264.052)),
      (SIMD3(1, 1, 0), SIMD3(0.96798, 0.21101, 109.769)),
    ])
  func corners(rgb: SIMD3<Double>, expected: SIMD3<Double>) {
    let lch = OKLab.lch(fromLab: OKLab.fromXYZ(ColorSpace.sRGB.toXYZ * rgb))
    #expect(abs(lch.x - expected.x) < 1e-5)
    #expect(abs(lch.y - expected.y) < 1e-5)
    #expect(abs(lch.z - expected.z) < 1e-3)
  }

  @Test("Greys have no chroma, and white is 1")
  func greys() {
    for level in [0.001, 0.18, 1, 7] {
      let lab = OKLab.fromXYZ(Chromaticity.d65.XYZ * level)
      #expect(abs(lab.y) < 1e-7)
      #expect(abs(lab.z) < 1e-7)
    }
    #expect(abs(OKLab.fromXYZ(Chromaticity.d65.XYZ).x - 1) < 1e-7)
  }

  @Test("Both directions undo each other, for negative components too")
  func inverses() {
    var generator = SeededRandom(seed: 7)
    for _ in 0..<2000 {
      let xyz = SIMD3<Double>.random(in: -0.5...2, using: &generator)
      #expect(distance(OKLab.toXYZ(OKLab.fromXYZ(xyz)), xyz) < 1e-14)
      let lab = OKLab.fromXYZ(xyz)
      #expect(distance(OKLab.lab(fromLCH: OKLab.lch(fromLab: lab)), lab) < 1e-14)
    }
    #expect((OKLab.lmsFromXYZ * OKLab.xyzFromLMS).isIdentity(within: 1e-15))
    #expect((OKLab.labFromLMS * OKLab.lmsFromLab).isIdentity(within: 1e-15))
  }

  @Test("Hue is in degrees from 0 to below 360, 0 for greys")
  func hue() {
    #expect(OKLab.lch(fromLab: SIMD3(0.5, 0, 0)) == SIMD3(0.5, 0, 0))
    #expect(OKLab.lch(fromLab: SIMD3(0.5, 0, 0.2)) == SIMD3(0.5, 0.2, 90))
    #expect(OKLab.lch(fromLab: SIMD3(0.5, 0, -0.2)) == SIMD3(0.5, 0.2, 270))
    #expect(OKLab.lch(fromLab: SIMD3(0.5, 0.1, -1e-30)).z == 0)
  }
}
