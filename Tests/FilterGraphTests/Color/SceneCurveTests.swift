import FrameCore
import Libc
import Testing

@testable import FilterGraph

@Suite("The tone map of scenes")
struct SceneCurveTests {
  @Test(
    "goes from black to the scene's white through middle grey, always upwards",
    arguments: [0.5, 1, 1.6, 3], [0.4, 1, 1.62, 8])
  func ends(contrast: Double, full: Double) {
    let curve = SceneCurve(contrast: contrast)
    #expect(curve.evaluate(0, full: full) == 0)
    #expect(abs(curve.evaluate(0.18, full: full) - 0.18) < 1e-12)
    #expect(abs(curve.evaluate(curve.white(full: full), full: full) - 1) < 1e-12)
    #expect(contrast < 1.6 || full < 1 || curve.white(full: full) == 1.25 * full)
    var last = -1.0
    for step in 0...4096 {
      let value = curve.evaluate(full * 2 * Double(step) / 4096, full: full)
      #expect(value > last)
      last = value
    }
  }

  @Test("is as steep at middle grey as its contrast says, less what the shoulder takes")
  func slope() {
    // d ln y / d ln x of Naka and Rushton's form is n · (1 - y / a): by hand for n = 1.6, a ≈ 1.1: 1.34; the fog takes
    // some of it.
    let curve = SceneCurve()
    let slope =
      (log(curve.evaluate(0.181, full: 1.62)) - log(curve.evaluate(0.179, full: 1.62)))
      / (log(0.181) - log(0.179))
    #expect((1.25...1.36).contains(slope), "\(slope)")
  }

  @Test("is sampled within a tenth of a level of 8 bits", arguments: [1.0, 1.62, 6])
  func samples(full: Double) {
    let curve = SceneCurve()
    let sampled = curve.curve(full: full)
    let range = curve.range(full: full)
    func code(_ light: Double) -> Double {
      255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
    }
    for step in 1...2000 {
      let x = 1.25 * full * pow(Double(step) / 2000, 3)
      let difference = code(sampled.evaluate(x / range)) - code(curve.evaluate(x, full: full))
      #expect(abs(difference) < 0.1, "\(x): \(difference)")
    }
  }
}
