import AnalysisTestSupport
import ColorScience
import FrameCore
import Testing

@testable import FrameAnalysis

@Suite("Colours of a proxy as light")
struct LinearColorsTests {
  @Test("Samples are decoded by their transfer function and converted to Rec. 2020")
  func decoding() throws {
    let colors = try LinearColors(of: Pictures.rgba8(4, 2) { x, _ in SIMD3(UInt8(60 * x), 128, 255) })
    #expect(colors.size == PixelSize(width: 4, height: 2) && colors.rgb.count == 8)
    for (index, rgb) in colors.rgb.enumerated() {
      let code = SIMD3(Double(60 * (index % 4)), 128, 255) / 255
      let exact = ColorSpace.linearSRGB.matrix(to: .linearRec2020) * ColorSpace.sRGB.decode(code)
      let difference = SIMD3<Double>(rgb) - exact
      #expect(max(difference.max(), -difference.min()) < 1e-6, "\(index): \(rgb)")
    }
  }

  @Test("Display P3 is not taken for sRGB")
  func wide() throws {
    let tags = ColorTags(primaries: .displayP3, transfer: .sRGB)
    let red = try LinearColors(of: Pictures.rgba8(1, 1, tags: tags) { _, _ in SIMD3(255, 0, 0) }).rgb[0]
    // colour-science: RGB_to_RGB((1, 0, 0), Display P3, ITU-R BT.2020).
    #expect(abs(red.x - 0.7538) < 1e-3 && abs(red.y - 0.0457) < 1e-3 && abs(red.z + 0.0012) < 1e-3, "\(red)")
  }

  @Test("Samples at full scale are known, and those that are white")
  func clipping() throws {
    let levels: [SIMD3<UInt8>] = [
      SIMD3(255, 255, 255), SIMD3(255, 40, 30), SIMD3(254, 254, 254), SIMD3(200, 200, 200),
    ]
    let colors = try LinearColors(of: Pictures.rgba8(4, 1) { x, _ in levels[x] })
    #expect(colors.isWhole == [false, false, true, true])
    #expect(colors.clipped == 0.5 && colors.white == 0.5)
  }

  @Test("What is no number counts as black, and what is infinite as white")
  func notANumber() throws {
    let buffer = try PixelBuffer(size: PixelSize(width: 3, height: 1), format: .rgbaF32)
    let row = buffer.row(0, as: Float.self)
    for x in 0..<3 {
      for channel in 0..<4 { row[4 * x + channel] = [Float.nan, .infinity, 0.5][x] }
    }
    let colors = try LinearColors(of: buffer)
    for rgb in colors.rgb { #expect(rgb.min() >= -1e-6 && rgb.max() <= 1 + 1e-6, "\(colors.rgb)") }
  }

  @Test("Percentiles, shares and the key are those of the samples")
  func distribution() throws {
    // 100 columns: 40 at 0.09, 50 at 0.18, 10 at 0.72; -1, 0 and 2 EV.
    let colors = try LinearColors.greys { x, _ in x < 64 ? 0.09 : x < 144 ? 0.18 : 0.72 }
    let light = LightDistribution(colors)
    #expect(abs(light.key - (0.4 * -1 + 0.1 * 2)) < 0.03)
    #expect(abs(light.luminance(atPercentile: 0.2) + 1) < 0.04)
    #expect(abs(light.luminance(atPercentile: 0.6)) < 0.04)
    #expect(abs(light.brightestChannel(atPercentile: 0.99) - 2) < 0.04)
    #expect(abs(light.share(above: -0.5) - 0.6) < 1e-9 && abs(light.share(above: 1) - 0.1) < 1e-9)
    #expect(light.share(above: 5) == 0 && light.share(above: -9) == 1 && light.clipped == 0)
  }
}
