import ColorScience
import Testing

@Suite("Colour temperature")
struct ColorTemperatureTests {
  // Planck's law with c₂ = 0.014388 m·K summed over colour-science 0.4.7's "CIE 1931 2 Degree Standard Observer" at
  // 1 nm with numpy, where the engine sums at 5 nm; colour-science's own CCT_to_uv_Ohno2013([T, 0]) interpolates and lies within 7e-6 of it.
  @Test(
    "The Planckian locus is Planck's law seen by the standard observer",
    arguments: [
      (1667.0, 0.5650472960166695, 0.4027403995714686),
      (2000.0, 0.5266809938314437, 0.4132964588954308),
      (2856.0, 0.44753864026831863, 0.4074293007499548),
      (4000.0, 0.3804423640303755, 0.3767485876116535),
      (5000.0, 0.345103431080528, 0.3516098503642987),
      (6504.0, 0.3134651603652432, 0.3235691545772496),
      (10000.0, 0.2806344603603076, 0.28828888961115234),
      (25000.0, 0.252520939374083, 0.2522208839262843),
    ])
  func planckian(kelvin: Double, x: Double, y: Double) {
    #expect(distance(ColorTemperature.planckianLocus(kelvin: kelvin), Chromaticity(x: x, y: y)) < 4e-6)
  }

  // colour-science 0.4.7: CCT_to_xy_CIE_D(T), on both sides of the break at 7000 K.
  @Test(
    "The daylight locus is CIE's",
    arguments: [
      (4000.0, 0.382343625, 0.383766261),
      (5003.0, 0.3456530489086881, 0.35859615970831904),
      (6504.0, 0.31271405688264753, 0.3291190991371872),
      (6999.0, 0.30537100509752924, 0.3216604323670832),
      (7001.0, 0.3053433374415094, 0.3216317172973735),
      (10000.0, 0.27879960000000004, 0.29196720111952),
      (25000.0, 0.2498536704, 0.25479946421094446),
    ])
  func daylight(kelvin: Double, x: Double, y: Double) {
    #expect(distance(ColorTemperature.daylightLocus(kelvin: kelvin), Chromaticity(x: x, y: y)) < 2e-9)
  }

  @Test("Outside its range the daylight locus stays at its ends")
  func daylightRange() {
    #expect(ColorTemperature.daylightLocus(kelvin: 100) == ColorTemperature.daylightLocus(kelvin: 4000))
    #expect(ColorTemperature.daylightLocus(kelvin: 1e6) == ColorTemperature.daylightLocus(kelvin: 25000))
    #expect(ColorTemperature.daylightLocus(kelvin: .nan) == ColorTemperature.daylightLocus(kelvin: 4000))
  }

  // colour-science 0.4.7: UCS_uv_to_xy(CCT_to_uv_Ohno2013([T, Duv])).
  @Test(
    "Duv moves away from the locus, towards green where it is positive",
    arguments: [
      (3000.0, 0.01, 0.45224078066019574, 0.43567158902927394),
      (5000.0, -0.02, 0.3415553517420467, 0.31195061210058295),
      (6500.0, 0.003, 0.3128192645286755, 0.32871445489507817),
      (9000.0, 0.015, 0.27845986792732774, 0.31539659638078815),
    ])
  func offLocus(kelvin: Double, duv: Double, x: Double, y: Double) {
    let chromaticity = ColorTemperature(kelvin: kelvin, duv: duv).chromaticity
    #expect(distance(chromaticity, Chromaticity(x: x, y: y)) < 1e-5)
  }

  // colour-science 0.4.7: uv_to_CCT_Ohno2013(xy_to_UCS_uv(xy)), which interpolates: half a kelvin, 0.01 % beyond.
  @Test(
    "Temperature and Duv of a chromaticity are those of Ohno's method",
    arguments: [
      (0.3127, 0.3290, 6504.31484900191, 0.003206870285101693),
      (0.34567, 0.3585, 5001.799738749717, 0.0032048156290974683),
      (0.44757, 0.40745, 2855.6446609493782, 3.907363033880955e-06),
      (0.31006, 0.31616, 6774.127297508927, -0.0021518312557420316),
      (0.37208, 0.37529, 4225.255260284644, 0.0018638674302836247),
      (0.25, 0.26, 21811.905614435662, 0.005812715764281509),
      (0.4, 0.45, 4006.029054380193, 0.025464708198885133),
      (0.5, 0.38, 2014.9940232416627, -0.011443634501876687),
    ])
  func fromChromaticity(x: Double, y: Double, kelvin: Double, duv: Double) {
    let temperature = ColorTemperature(Chromaticity(x: x, y: y))
    #expect(abs(temperature.kelvin - kelvin) < max(0.5, kelvin * 1e-4))
    #expect(abs(temperature.duv - duv) < 1e-5)
  }

  @Test("Temperature and Duv come back unchanged from the chromaticity that they name")
  func roundTrip() {
    for kelvin in stride(from: 1200.0, through: 30_000, by: 370) {
      for duv in [-0.02, -0.005, 0, 0.005, 0.02] {
        let back = ColorTemperature(ColorTemperature(kelvin: kelvin, duv: duv).chromaticity)
        #expect(abs(back.kelvin / kelvin - 1) < 1e-8, "\(kelvin) K, Duv \(duv)")
        #expect(abs(back.duv - duv) < 1e-12, "\(kelvin) K, Duv \(duv)")
      }
    }
  }

  @Test("Chromaticities far from every light give the end of the range, and never trap")
  func farAway() {
    for x in stride(from: -0.5, through: 1.2, by: 0.1) {
      for y in stride(from: -0.5, through: 1.2, by: 0.1) {
        let kelvin = ColorTemperature(Chromaticity(x: x, y: y)).kelvin
        #expect(kelvin > 999.9 && kelvin < 100_001, "(\(x), \(y))")
      }
    }
    _ = ColorTemperature(Chromaticity(x: .nan, y: .nan))
  }

  @Test("A white point is daylight above 5000 K and a black body below 4000 K")
  func whitePointEnds() {
    for kelvin in [5000.0, 6500, 12_000] {
      let white = ColorTemperature.whitePoint(kelvin: kelvin)
      #expect(distance(white, ColorTemperature.daylightLocus(kelvin: kelvin)) < 1e-15)
    }
    for kelvin in [1667.0, 2856, 4000] {
      let white = ColorTemperature.whitePoint(kelvin: kelvin)
      #expect(distance(white, ColorTemperature.planckianLocus(kelvin: kelvin)) < 1e-15)
    }
  }

  @Test("White points move steadily, without a corner, from the coolest to the warmest setting")
  func whitePointSmooth() {
    // In steps of a tenth of a mired: u must rise all the way, and no step may differ from the last by a jump.
    var previous = ColorTemperature.whitePoint(kelvin: 25_000).uv
    var previousStep: SIMD2<Double>?
    for tenth in 401...5998 {
      let uv = ColorTemperature.whitePoint(kelvin: 1e7 / Double(tenth)).uv
      let step = uv - previous
      #expect(step.x > 0, "at \(1e7 / Double(tenth)) K")
      if let previousStep {
        // A corner would show as a bend of the size of a step, 1e-5; CIE's own break at 7000 K is below 1e-6.
        let bend = step - previousStep
        #expect(max(abs(bend.x), abs(bend.y)) < 1.5e-6, "at \(1e7 / Double(tenth)) K")
      }
      previous = uv
      previousStep = step
    }
  }

  @Test("A tint moves the white point by its Duv, perpendicular to the Planckian locus")
  func tint() {
    for kelvin in [2000.0, 4500, 6500, 15_000] {
      let neutral = ColorTemperature.whitePoint(kelvin: kelvin).uv
      let green = ColorTemperature.whitePoint(kelvin: kelvin, duv: 0.01).uv
      let offset = green - neutral
      #expect(abs((offset * offset).sum().squareRoot() - 0.01) < 1e-12)
      #expect(offset.y > 0)
      let before = ColorTemperature.planckianLocus(kelvin: kelvin - 0.5).uv
      let after = ColorTemperature.planckianLocus(kelvin: kelvin + 0.5).uv
      let along = after - before
      #expect(abs((offset * along).sum()) < 1e-4 * 0.01 * (along * along).sum().squareRoot())
    }
  }

  @Test("Settings outside the range stay at its ends")
  func whitePointRange() {
    #expect(ColorTemperature.whitePoint(kelvin: 1) == ColorTemperature.whitePoint(kelvin: 1667))
    #expect(ColorTemperature.whitePoint(kelvin: 1e9) == ColorTemperature.whitePoint(kelvin: 25_000))
    #expect(ColorTemperature.whitePoint(kelvin: .nan) == ColorTemperature.whitePoint(kelvin: 1667))
  }

  @Test("u, v lead back to x, y")
  func uvRoundTrip() {
    let uv = Chromaticity.d65.uv
    #expect(abs(uv.x - 0.1978300066428368) < 1e-15)
    #expect(abs(uv.y - 0.312213329959194) < 1e-15)
    #expect(distance(Chromaticity(uv: uv), .d65) < 1e-15)
    #expect(distance(Chromaticity(XYZ: Chromaticity.d50.XYZ * 3), .d50) < 1e-15)
  }
}
