import AnalysisTestSupport
import Foundation
import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite struct StatisticsTests {
  // MARK: Histogram

  // CSS Color 4 and colour-science agree on these L to four digits.
  @Test(
    "Lightness is OKLab's L, as CSS Color 4 gives it for sRGB's corners",
    arguments: [
      (SIMD3<UInt8>(255, 0, 0), 0.62796), (SIMD3(0, 255, 0), 0.86644), (SIMD3(0, 0, 255), 0.45201),
      (SIMD3(255, 255, 255), 1.0), (SIMD3(0, 0, 0), 0.0), (SIMD3(128, 128, 128), 0.59987),
    ])
  func lightness(color: SIMD3<UInt8>, expected: Double) throws {
    let proxy = try makeProxy(try Pictures.rgba8(16, 16) { _, _ in color })
    for sample in proxy.lightnessCopy { #expect(abs(Double(sample) - expected) < 2e-4) }
    let histogram = Histogram(proxy)
    #expect(histogram.lightness[Int((expected * 255).rounded())] == 256)
    #expect(histogram.red[Int(color.x)] == 256)
    #expect(histogram.green[Int(color.y)] == 256)
    #expect(histogram.blue[Int(color.z)] == 256)
  }

  @Test("Equal light has equal lightness in sRGB, linear and Display P3 tags")
  func lightnessFollowsTags() throws {
    // sRGB (200, 100, 50) as Display P3, computed with colour-science 0.4.7: 187.13, 105.38, 61.97.
    let reference = try makeProxy(try Pictures.rgba8(8, 8) { _, _ in SIMD3(200, 100, 50) })
    let p3 = try PixelBuffer(size: PixelSize(width: 8, height: 8), format: .rgbaF32, tags: .displayP3)
    let linear = try PixelBuffer(
      size: PixelSize(width: 8, height: 8), format: .rgbaF32,
      tags: ColorTags(primaries: .bt709, transfer: .linear))
    func decode(_ code: Double) -> Float { Float(pow((code / 255 + 0.055) / 1.055, 2.4)) }
    for y in 0..<8 {
      let (wide, light) = (p3.row(y, as: Float.self), linear.row(y, as: Float.self))
      for x in 0..<8 {
        for (channel, code) in [187.130, 105.377, 61.965].enumerated() {
          wide[4 * x + channel] = Float(code / 255)
        }
        for (channel, code) in [200.0, 100, 50].enumerated() { light[4 * x + channel] = decode(code) }
      }
    }
    let expected = reference.lightnessCopy[0]
    #expect(abs(try makeProxy(p3).lightnessCopy[0] - expected) < 1e-3)
    #expect(abs(try makeProxy(linear).lightnessCopy[0] - expected) < 1e-3)
  }

  @Test("A histogram that is updated equals a new one, and every pixel is counted once")
  func updating() throws {
    var histogram = Histogram()
    for seed in 1...3 {
      let proxy = try makeProxy(
        try Pictures.rgba8(1000, 400) { x, y in
          SIMD3(UInt8((x * seed) % 256), UInt8((y * seed) % 256), UInt8((x + y) % 256))
        })
      histogram.update(from: proxy)
      #expect(histogram == Histogram(proxy))
      for bins in [histogram.lightness, histogram.red, histogram.green, histogram.blue] {
        #expect(bins.reduce(0, { $0 + Int($1) }) == histogram.count)
      }
    }
  }

  @Test("Percentiles of a uniform ramp of lightness are the ramp")
  func percentiles() throws {
    // Greys whose OKLab L rises evenly: linear light is L³.
    let picture = try PixelBuffer(
      size: PixelSize(width: 300, height: 10), format: .rgbaF32,
      tags: ColorTags(primaries: .bt709, transfer: .linear))
    for y in 0..<10 {
      let row = picture.row(y, as: Float.self)
      for x in 0..<300 {
        let level = (Float(x) + 0.5) / 300
        for channel in 0..<3 { row[4 * x + channel] = level * level * level }
      }
    }
    let histogram = Histogram(try makeProxy(picture))
    for percentile in [0.1, 0.25, 0.5, 0.9] {
      #expect(abs(histogram.lightness(atPercentile: percentile) - percentile) < 0.01)
    }
  }

  // MARK: Clipping and tone

  @Test("Clipping tells the parts of white and black, and of one full channel")
  func clipping() throws {
    let picture = try Pictures.rgba8(200, 100) { x, _ in
      switch x {
      case ..<20: SIMD3(255, 255, 255)
      case ..<50: SIMD3(255, 90, 0)
      case ..<90: SIMD3(0, 0, 0)
      default: SIMD3(0, 120, 254)
      }
    }
    let clipping = Clipping(try makeProxy(picture))
    #expect(abs(clipping.highlights - 0.25) < 1e-9)
    #expect(abs(clipping.shadows - 0.20) < 1e-9)
  }

  @Test("A few clipped pixels are seen in a large picture")
  func smallClipping() throws {
    // One pixel in 25, alone among mid greys: an average of areas would hide them all.
    let picture = try Pictures.rgba8(1600, 1000) { x, y in
      (x * 7 + y * 11) % 25 == 0 ? SIMD3(255, 255, 255) : SIMD3(90, 90, 90)
    }
    #expect(abs(Clipping(try makeProxy(picture)).highlights - 0.04) < 0.01)
  }

  @Test("Middle grey is exposure 0, and a stop of light is one EV", arguments: [-2.0, -1, 0, 1, 2])
  func exposure(stops: Double) throws {
    let picture = try PixelBuffer(
      size: PixelSize(width: 20, height: 20), format: .rgbaF32,
      tags: ColorTags(primaries: .bt709, transfer: .linear))
    for y in 0..<20 {
      let row = picture.row(y, as: Float.self)
      for index in row.indices { row[index] = Float(0.18 * exp2(stops)) }
    }
    let tone = ToneStatistics(Histogram(try makeProxy(picture)))
    // 256 bins of L: half a bin at L = 0.36 is 0.02 EV.
    #expect(abs(tone.exposure - stops) < 0.03)
    #expect(tone.contrast < 1e-6)
    #expect(abs(tone.mean - tone.median) < 0.003)
  }

  @Test("Black is -10 EV, without a number that is not one")
  func black() throws {
    let tone = ToneStatistics(Histogram(try makeProxy(try Pictures.gray8(9, 9) { _, _ in 0 })))
    #expect(tone.exposure == -10 && tone.mean == 0 && tone.contrast == 0)
  }

  // MARK: Sharpness

  /// Edges at many angles, blurred to a standard deviation of `sigma` proxy samples, in exposure `gain`.
  private func discs(sigma: Double, gain: Double = 1, noise: Double = 0) throws -> PixelBuffer {
    var random = SeededRandom(seed: 7)
    return try Pictures.gray8(640, 400) { x, y in
      let (u, v) = (Double(x % 80) - 39.5, Double(y % 80) - 39.5)
      let distance = 25 - (u * u + v * v).squareRoot()
      let level = 0.25 + 0.4 * 0.5 * (1 + erf(distance / (max(sigma, 0.3) * 2.0.squareRoot())))
      // A sum of four uniform numbers, near enough to a normal one; its variance is 4/12.
      let grain = (0..<4).reduce(-2.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
      let value = 255 * (gain * level + noise * grain * 3.0.squareRoot())
      return UInt8(min(max(value.rounded(), 0), 255))
    }
  }

  private func sharpness(_ picture: PixelBuffer) throws -> Double {
    try #require(Sharpness(try makeProxy(picture)).value)
  }

  @Test("Sharpness falls as edges widen")
  func sharpnessOrders() throws {
    let values = try [0.3, 0.7, 1.2, 2, 4, 8].map { try sharpness(try discs(sigma: $0)) }
    for (sharper, softer) in zip(values, values.dropFirst()) { #expect(sharper > softer, "\(values)") }
    #expect(values[0] > 0.15 && values[5] < 0.03, "\(values)")
  }

  @Test("Sharpness stays under exposure from -2 to +0.5 EV")
  func sharpnessAndExposure() throws {
    let reference = try sharpness(try discs(sigma: 1.2))
    for gain in [0.25, 0.5, 0.7, 1.4] {
      #expect(abs(try sharpness(try discs(sigma: 1.2, gain: gain)) - reference) < 0.01)
    }
  }

  @Test("Noise does not pass for sharpness, and is measured")
  func noiseIsNoSharpness() throws {
    let clean = try sharpness(try discs(sigma: 3))
    let noisy = Sharpness(try makeProxy(try discs(sigma: 3, noise: 0.02)))
    #expect(abs(try #require(noisy.value) - clean) < 0.04)
    #expect(abs(noisy.noise - 0.02) < 0.003, "noise \(noisy.noise)")
  }

  @Test("A picture of one colour, or too small, has no sharpness")
  func noEdges() throws {
    #expect(Sharpness(try makeProxy(try Pictures.gray8(300, 200) { _, _ in 128 })).value == nil)
    #expect(Sharpness(try makeProxy(try Pictures.gray8(1, 1) { _, _ in 128 })).value == nil)
  }
}
