import FilterGraph
import Filters
import FrameCore
import Rendering
import RendererTestSupport
import TestSupport
import Testing

@testable import VulkanRendering

/// Noise reduction on a device, which makes planes in two passes before it samples and colours.
@Suite(
  "Shaders and the reference renderer agree on pictures without noise", .serialized,
  .enabled(if: TestDevice.isThere, TestDevice.absence))
struct EqualityDenoisingTests {
  @Test(
    "whatever the size and the format",
    arguments: EqualityCases.noisyFormats)
  func formats(format: PixelFormat, alpha: AlphaMode) throws {
    try EqualityRenderer.check(EqualityCases.denoising(format, alpha), "\(format), \(alpha)")
  }

  @Test("where pictures are copied to the device, and where memory is short", arguments: [nil, 200_000])
  func memory(limit: Int?) throws {
    let renderer = try TestDevice.renderer(memoryLimit: limit, copiesAlways: true)
    for example in try EqualityCases.denoising(.rgba8) + EqualityCases.denoising(.nv12)
    where example.source.width < 500 {
      let difference = try example.difference(of: renderer)
      #expect(difference.value <= example.bound, "\(difference), \(example)")
    }
    try TestDevice.expectNoComplaints()
  }

  @Test("of samples that are no picture: NaN, infinite, and far outside 0…1")
  func unusable() throws {
    let source = try NoisePicture.make(40, 24, .rgbaF32)
    for (x, value) in [Float.nan, .infinity, -.infinity, 2.5, -1.5, 1e30].enumerated() {
      source.row(5, as: Float.self)[4 * (3 + 5 * x) + x % 3] = value
    }
    let renderer = try #require(EqualityRenderer.shared)
    let plan = try renderer.plan([NoiseReduction(luminance: 80, color: 80)], for: source, to: .rgbaF32)
    let (made, exact) = (
      try renderer.frame(source, through: plan), try CPURenderer(threads: 1).frame(source, through: plan)
    )
    for y in 0..<source.height {
      let (a, b) = (made.row(y, as: Float.self), exact.row(y, as: Float.self))
      for index in a.indices {
        let isAlike =
          a[index].isNaN && b[index].isNaN || a[index] == b[index] || abs(a[index] - b[index]) < 4e-3
        #expect(isAlike, "row \(y), sample \(index): \(a[index]), not \(b[index])")
      }
    }
  }

  @Test("rows on their own as in the whole frame")
  func rows() throws {
    let source = try NoisePicture.make(120, 90, .rgba8, seed: 9)
    let renderer = try #require(EqualityRenderer.shared)
    let plan = try renderer.plan(
      [NoiseReduction(luminance: 100, color: 100), Exposure(stops: 0.2)], for: source)
    let prepared = try renderer.prepare(plan)
    let whole = try PixelBuffer(size: plan.outputSize, format: .rgba8)
    try prepared.render(source, into: whole)
    let bands = try #require(prepared.bands)
    let picture = try bands.prepare(source)
    for rows in [0..<16, 16..<61, 61..<90] {
      let band = try PixelBuffer(size: PixelSize(width: 120, height: rows.count), format: .rgba8)
      try picture.render(rows: rows, into: band)
      for y in rows {
        #expect(Array(band.row(y - rows.lowerBound, as: UInt8.self)) == Array(whole.row(y, as: UInt8.self)))
      }
    }
  }
}
