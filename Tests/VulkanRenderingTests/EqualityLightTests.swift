import FrameCore
import Rendering
import RendererTestSupport
import Testing

/// The plans that the CPU is held to whose colours depend on places, or that read what is around a pixel, as shaders.
///
/// Software devices take two seconds for a kernel and a hundredth of one for a picture. A kernel samples first and colours
/// what it sampled, so each edit is tried with each format and at each place, but not each with each of both.
@Suite(
  "Shaders and the reference renderer agree on light, masks and detail",
  .enabled(if: TestDevice.isThere, TestDevice.absence))
struct EqualityLightTests {
  private static let fieldFormats: [(PixelFormat, AlphaMode)] = [
    (.rgba8, .opaque), (.rgba8, .straight), (.rgba16, .opaque), (.rgbaF32, .opaque), (.yuyv422, .opaque),
    (.nv12, .opaque),
  ]
  private static let sharpenedFormats: [(PixelFormat, AlphaMode)] = [
    (.rgba8, .opaque), (.rgba8, .straight), (.rgba16, .opaque), (.rgba16, .straight), (.rgbaF32, .opaque),
    (.rgbaF32, .straight), (.yuyv422, .opaque), (.nv12, .opaque), (.gray8, .opaque),
  ]

  /// Each edit at one of its places, which follow each other, and at the next one in the next format.
  ///
  /// - Parameter number: that of the format.
  private func oneOfEach(_ examples: [EqualityCase], places: Int, _ number: Int) -> [EqualityCase] {
    examples.enumerated().filter { ($0.offset + number) % places == $0.offset / places % places }.map(
      \.element)
  }

  /// What is turned or scaled is further off in deep samples, which have fewer places.
  private func isDeep(_ format: PixelFormat) -> Bool { format == .rgba16 || format == .rgbaF32 }

  @Test("Fields, ahead of tables and of exact stages", arguments: fieldFormats.indices)
  func fields(number: Int) throws {
    let (format, alpha) = Self.fieldFormats[number]
    let examples = try EqualityCases.fields(format, alpha)
    try EqualityRenderer.check(
      oneOfEach(examples, places: isDeep(format) ? 2 : 3, number), "\(format), \(alpha)")
  }

  @Test("Haze that is found", arguments: [PixelFormat.rgba8, .rgba16, .rgbaF32])
  func haze(format: PixelFormat) throws {
    try EqualityRenderer.check(EqualityCases.haze(format), "\(format)")
  }

  @Test("Sharpening, behind tables and exact stages", arguments: sharpenedFormats.indices)
  func sharpening(number: Int) throws {
    let (format, alpha) = Self.sharpenedFormats[number]
    let examples = try EqualityCases.sharpening(format, alpha)
    try EqualityRenderer.check(
      oneOfEach(examples, places: isDeep(format) ? 1 : 3, number), "\(format), \(alpha)")
  }

  @Test("Groups under masks", arguments: EqualityCases.groupFormats)
  func groups(format: PixelFormat, alpha: AlphaMode) throws {
    try EqualityRenderer.check(
      oneOfEach(EqualityCases.groups(format, alpha), places: 2, 0), "\(format), \(alpha)")
  }

  @Test("Local light in groups", arguments: EqualityCases.groupFormats)
  func litGroups(format: PixelFormat, alpha: AlphaMode) throws {
    try EqualityRenderer.check(
      oneOfEach(EqualityCases.litGroups(format, alpha), places: isDeep(format) ? 2 : 3, 0),
      "\(format), \(alpha)")
  }

  @Test("Masks that follow edges", arguments: EqualityCases.groupFormats)
  func guided(format: PixelFormat, alpha: AlphaMode) throws {
    try EqualityRenderer.check(
      oneOfEach(EqualityCases.guided(format, alpha), places: isDeep(format) ? 2 : 3, 0),
      "\(format), \(alpha)")
  }

  @Test("Groups on small and narrow pictures")
  func smallGroups() throws {
    try EqualityRenderer.check(EqualityCases.smallGroups(), "small")
    try EqualityRenderer.check(EqualityCases.smallLitGroups(), "small, with local light")
    try EqualityRenderer.check(EqualityCases.smallGuided(), "small, along edges")
  }

  @Test("Sharpening of small and narrow pictures")
  func smallSharpening() throws {
    try EqualityRenderer.check(EqualityCases.smallSharpening(), "small")
  }
}
