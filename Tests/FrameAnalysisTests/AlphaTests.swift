import AnalysisTestSupport
import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("Pictures with alpha")
struct AlphaTests {
  /// Surfaces under a warm light, in 8 bits, with some clipped pixels.
  private func subject() throws -> PixelBuffer {
    let picture = try Surfaces(seed: 5, chroma: 0.12).picture(
      IlluminantEstimateTests.cast(mired: 40, tint: 0))
    for x in 0..<40 {
      for channel in 0..<3 { picture.row(7, as: UInt8.self)[4 * x + channel] = x < 25 ? 255 : 0 }
    }
    return picture
  }

  /// The subject to the right of a `ground` as wide as it or as told, which is no more than `alpha` visible.
  private func cutOut(
    _ subject: PixelBuffer, format: PixelFormat, ground: Int, alpha: Int, subjectAlpha: Int = 255,
    groundWidth: Int = Surfaces.size.width
  ) throws -> PixelBuffer {
    let (width, height) = (subject.width, subject.height)
    let picture = try PixelBuffer(
      size: PixelSize(width: groundWidth + width, height: height), format: format, alpha: .straight)
    for y in 0..<height {
      let row = subject.row(y, as: UInt8.self)
      for x in 0..<groundWidth + width {
        for channel in 0..<4 {
          let code =
            switch (x < groundWidth, channel) {
            case (true, 3): alpha
            case (true, _): ground
            case (false, 3): subjectAlpha
            case (false, _): Int(row[4 * (x - groundWidth) + channel])
            }
          let index = 4 * x + channel
          switch format {
          case .rgba8: picture.row(y, as: UInt8.self)[index] = UInt8(code)
          case .rgba16: picture.row(y, as: UInt16.self)[index] = UInt16(code * 257)
          default: picture.row(y, as: Float.self)[index] = Float(code) / 255
          }
        }
      }
    }
    return picture
  }

  // Neither picture is larger than the grid of colours, so that every pixel is a sample.
  @Test(
    "A subject on transparency has the histogram, clipping and automatic values of the subject alone",
    arguments: [PixelFormat.rgba8, .rgba16, .rgbaF32], [(0, 0), (255, 127), (255, 0)])
  func subjectAlone(format: PixelFormat, ground: (code: Int, alpha: Int)) throws {
    let subject = try subject()
    // In the same format, whose samples are rounded alike.
    let only = try cutOut(subject, format: format, ground: 0, alpha: 0, groundWidth: 0)
      .retagged(.sRGB, alpha: .opaque)
    let alone = try makeProxy(only)
    for subjectAlpha in [255, 128] {
      let picture = try cutOut(
        subject, format: format, ground: ground.code, alpha: ground.alpha, subjectAlpha: subjectAlpha)
      let found = try makeProxy(picture)
      #expect(Histogram(found) == Histogram(alone) && Histogram(found).count == subject.size.pixelCount)
      #expect(Clipping(found) == Clipping(alone))
      #expect(Clipping(alone).highlights > 0 && Clipping(alone).shadows > 0)

      let (colors, expected) = try (LinearColors(found, of: picture), LinearColors(alone, of: only))
      #expect(colors.size == picture.size && colors.rgb.count == picture.size.pixelCount)
      #expect(colors.white == expected.white && colors.clipped == expected.clipped && colors.clipped > 0)
      let (light, expectedLight) = (LightDistribution(colors), LightDistribution(expected))
      #expect(ExposureEstimate(light) == ExposureEstimate(expectedLight))
      #expect(ExposureEstimate(light) != nil)
      for part in [0.005, 0.1, 0.5, 0.9, 0.97, 0.995] {
        #expect(light.luminance(atPercentile: part) == expectedLight.luminance(atPercentile: part))
        #expect(
          light.brightestChannel(atPercentile: part) == expectedLight.brightestChannel(atPercentile: part))
      }
      #expect(light.share(above: 1.3) == expectedLight.share(above: 1.3) && light.key == expectedLight.key)
      #expect(IlluminantEstimate(colors) == IlluminantEstimate(expected))
      #expect(IlluminantEstimate(colors) != nil)
    }
  }

  @Test("In a larger picture every sample is of the subject")
  func sampled() throws {
    let picture = try PixelBuffer(
      size: PixelSize(width: 1000, height: 700), format: .rgba8, alpha: .straight)
    for y in 0..<700 {
      let row = picture.row(y, as: UInt8.self)
      for x in 0..<1000 {
        let isSubject = (x / 3 + y / 5) % 3 == 0
        for channel in 0..<4 { row[4 * x + channel] = isSubject ? [90, 120, 150, 255][channel] : 0 }
      }
    }
    let histogram = Histogram(try makeProxy(picture))
    // A third of 320 × 224.
    #expect(abs(histogram.count - 23_893) < 700)
    #expect(histogram.red[90] == UInt32(histogram.count) && histogram.blue[150] == UInt32(histogram.count))
  }

  @Test("Where nothing is visible nothing is counted, and the next picture is whole again")
  func nothing() throws {
    let subject = try subject()
    let empty = try cutOut(subject, format: .rgba8, ground: 90, alpha: 0, subjectAlpha: 0)
    let proxy = try makeProxy(empty)
    #expect(Histogram(proxy).count == 0 && Clipping(proxy).shadows == 0)
    #expect(ToneStatistics(Histogram(proxy)) == ToneStatistics(Histogram()))
    let colors = try LinearColors(proxy, of: empty)
    #expect(colors.white == 0 && colors.clipped == 0)
    #expect(IlluminantEstimate(colors) == nil && ExposureEstimate(LightDistribution(colors)) == nil)
    try proxy.update(from: subject)
    #expect(Histogram(proxy) == Histogram(try makeProxy(subject)))
    #expect(proxy.alpha.isEmpty)
  }

  @Test("The fourth channel of an opaque picture means nothing")
  func opaque() throws {
    let picture = try Pictures.rgba8(30, 20) { x, y in SIMD3(UInt8(8 * x), UInt8(12 * y), 77) }
    let expected = Histogram(try makeProxy(picture))
    for y in 0..<20 { for x in 0..<30 { picture.row(y, as: UInt8.self)[4 * x + 3] = 0 } }
    #expect(Histogram(try makeProxy(picture)) == expected)
  }
}
