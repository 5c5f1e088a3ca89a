import FilterGraph
import FrameCore
import Rendering
import RendererTestSupport
import Testing

@testable import VulkanRendering

/// What equality tests render with.
enum EqualityRenderer {
  /// One for all, so that kernels are compiled once.
  static let shared = try? TestDevice.renderer()
}

/// The plans that the CPU is held to, as shaders.
@Suite("Shaders and the reference renderer agree", .enabled(if: TestDevice.isThere, TestDevice.absence))
struct EqualityTests {
  private let renderer: VulkanRenderer

  init() throws { renderer = try #require(EqualityRenderer.shared) }

  private func check(_ examples: [EqualityCase], _ name: String) throws {
    for example in examples {
      let difference = try example.difference(of: renderer)
      #expect(difference.value <= example.bound, "\(name): \(difference), \(example)")
    }
    try TestDevice.expectNoComplaints()
  }

  private func check(_ example: EqualityCase, _ name: String) throws { try check([example], name) }

  @Test("Exact colour stages", arguments: 0..<40)
  func exactColor(seed: Int) throws { try check(EqualityCases.exactColor(seed: seed), "seed \(seed)") }

  @Test("Chains that act on each channel alone", arguments: 0..<12)
  func channelTables(seed: Int) throws { try check(EqualityCases.channelTables(seed: seed), "seed \(seed)") }

  @Test(
    "Two tables behind each other",
    arguments: [(PixelFormat.rgba8, AlphaMode.opaque), (.rgba8, .straight), (.yuyv422, .opaque)])
  func tablePairs(format: PixelFormat, alpha: AlphaMode) throws {
    try check(EqualityCases.tablePairs(format, alpha), "\(format), \(alpha)")
  }

  @Test(
    "Fields, ahead of tables and of exact stages",
    arguments: [
      (PixelFormat.rgba8, AlphaMode.opaque), (.rgba8, .straight), (.rgba16, .opaque), (.rgbaF32, .opaque),
      (.yuyv422, .opaque), (.nv12, .opaque),
    ])
  func fields(format: PixelFormat, alpha: AlphaMode) throws {
    try check(EqualityCases.fields(format, alpha), "\(format), \(alpha)")
  }

  @Test("Haze that is found", arguments: [PixelFormat.rgba8, .rgba16, .rgbaF32])
  func haze(format: PixelFormat) throws { try check(EqualityCases.haze(format), "\(format)") }

  @Test(
    "Sharpening, behind tables and exact stages",
    arguments: [
      (PixelFormat.rgba8, AlphaMode.opaque), (.rgba8, .straight), (.rgba16, .opaque), (.rgba16, .straight),
      (.rgbaF32, .opaque), (.rgbaF32, .straight), (.yuyv422, .opaque), (.nv12, .opaque), (.gray8, .opaque),
    ])
  func sharpening(format: PixelFormat, alpha: AlphaMode) throws {
    try check(EqualityCases.sharpening(format, alpha), "\(format), \(alpha)")
  }

  @Test(
    "Groups under masks",
    arguments: EqualityCases.groupFormats)
  func groups(format: PixelFormat, alpha: AlphaMode) throws {
    // Each edit at one of its places: what takes long is compiling kernels.
    let examples = try EqualityCases.groups(format, alpha).enumerated().filter {
      $0.offset % 2 == $0.offset / 2 % 2
    }
    try check(examples.map(\.element), "\(format), \(alpha)")
  }

  @Test(
    "Local light in groups",
    arguments: EqualityCases.groupFormats)
  func litGroups(format: PixelFormat, alpha: AlphaMode) throws {
    // Each edit at one of its places: what takes long is compiling kernels.
    let places = format == .rgba16 || format == .rgbaF32 ? 2 : 3
    let examples = try EqualityCases.litGroups(format, alpha).enumerated().filter {
      $0.offset % places == $0.offset / places % places
    }
    try check(examples.map(\.element), "\(format), \(alpha)")
  }

  @Test(
    "Masks that follow edges",
    arguments: EqualityCases.groupFormats)
  func guided(format: PixelFormat, alpha: AlphaMode) throws {
    let places = format == .rgba16 || format == .rgbaF32 ? 2 : 3
    let examples = try EqualityCases.guided(format, alpha).enumerated().filter {
      $0.offset % places == $0.offset / places % places
    }
    try check(examples.map(\.element), "\(format), \(alpha)")
  }

  @Test("Groups on small and narrow pictures")
  func smallGroups() throws {
    try check(EqualityCases.smallGroups(), "small")
    try check(EqualityCases.smallLitGroups(), "small, with local light")
    try check(EqualityCases.smallGuided(), "small, along edges")
  }

  @Test("Sharpening of small and narrow pictures")
  func smallSharpening() throws { try check(EqualityCases.smallSharpening(), "small") }

  @Test("Geometry", arguments: 0..<60)
  func geometry(seed: Int) throws { try check(EqualityCases.geometry(seed: seed), "seed \(seed)") }

  @Test("Two passes at every orientation", arguments: Orientation.allCases)
  func twoPasses(orientation: Orientation) throws {
    try check(EqualityCases.twoPasses(orientation), "\(orientation)")
  }

  @Test(
    "Bilinear pictures at every depth", arguments: [PixelFormat.rgba8, .rgba16, .rgbaF32],
    [AlphaMode.opaque, .straight])
  func bilinear(format: PixelFormat, alpha: AlphaMode) throws {
    try check(EqualityCases.bilinear(format, alpha), "\(format), \(alpha)")
  }

  @Test("16 bit and float", arguments: 0..<24)
  func deep(seed: Int) throws { try check(EqualityCases.deep(seed: seed), "seed \(seed)") }

  @Test("Float pictures with alpha, downsampled and turned", arguments: 0..<12)
  func floatAlpha(seed: Int) throws { try check(EqualityCases.floatAlpha(seed: seed), "seed \(seed)") }

  @Test("Curves of profiles go on above 1, and what is no number stays none")
  func beyondOne() throws {
    let example = try EqualityCases.beyondOne()
    let made = try renderer.render(example.source, through: example.plan)
    let exact = try example.expected()
    for x in 0..<made.width {
      for channel in 0..<3 {
        let (a, b) = (RandomPicture.get(made, x, 0, channel), RandomPicture.get(exact, x, 0, channel))
        #expect(a.isNaN && b.isNaN || abs(a - b) <= 2e-4 * max(1, b), "pixel \(x): \(a), not \(b)")
      }
    }
  }

  // MARK: Cameras

  @Test("Camera samples in their place", arguments: CameraCases.formats)
  func conversion(format: PixelFormat) throws { try check(CameraCases.conversion(format), "\(format)") }

  @Test("Geometry on camera samples", arguments: CameraCases.formats)
  func cameraGeometry(format: PixelFormat) throws { try check(CameraCases.geometry(format), "\(format)") }

  @Test("Small turns of cameras", arguments: CameraCases.formats)
  func straighten(format: PixelFormat) throws { try check(CameraCases.straighten(format), "\(format)") }

  @Test("Small turns of turned cameras", arguments: CameraCases.formats, Interpolation.allCases)
  func turnedCamera(format: PixelFormat, interpolation: Interpolation) throws {
    try check(CameraCases.turnedCamera(format, interpolation), "\(format), \(interpolation)")
  }

  @Test(
    "Frames mirrored, turned by quarters and cropped at odd places",
    arguments: [PixelFormat.yuyv422, .nv12, .i420], Orientation.allCases)
  func movedPixels(format: PixelFormat, orientation: Orientation) throws {
    try check(CameraCases.movedPixels(format, orientation), "\(format), \(orientation)")
  }

  @Test("Tables on camera samples", arguments: [PixelFormat.yuyv422, .i420, .gray8])
  func cameraColour(format: PixelFormat) throws { try check(CameraCases.colour(format), "\(format)") }

  @Test("Deep output and downsamplings of cameras", arguments: CameraCases.formats)
  func reduction(format: PixelFormat) throws { try check(CameraCases.downsampling(format), "\(format)") }
}
