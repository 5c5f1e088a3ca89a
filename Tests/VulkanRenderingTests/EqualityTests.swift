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

  /// Expects a renderer to be as close to the reference as examples say.
  static func check(_ examples: some Sequence<EqualityCase>, _ name: String) throws {
    let renderer = try #require(shared)
    for example in examples {
      let difference = try example.difference(of: renderer)
      #expect(difference.value <= example.bound, "\(name): \(difference), \(example)")
    }
    try TestDevice.expectNoComplaints()
  }
}

/// The plans that the CPU is held to, as shaders.
@Suite("Shaders and the reference renderer agree", .enabled(if: TestDevice.isThere, TestDevice.absence))
struct EqualityTests {
  private let renderer: VulkanRenderer

  init() throws { renderer = try #require(EqualityRenderer.shared) }

  private func check(_ examples: [EqualityCase], _ name: String) throws {
    try EqualityRenderer.check(examples, name)
  }

  private func check(_ example: EqualityCase, _ name: String) throws { try check([example], name) }

  @Test("Exact colour stages", arguments: 0..<40)
  func exactColor(seed: Int) throws { try check(EqualityCases.exactColor(seed: seed), "seed \(seed)") }

  @Test("Curves, changes by hue and grading, in every format and in groups", arguments: 0..<24)
  func tools(seed: Int) throws { try check(EqualityCases.tools(seed: seed), "seed \(seed)") }

  @Test("Log footage and tables that are chains, in every format", arguments: 0..<12)
  func logTables(seed: Int) throws { try check(EqualityCases.logTables(seed: seed), "seed \(seed)") }

  @Test("Chains that act on each channel alone", arguments: 0..<12)
  func channelTables(seed: Int) throws { try check(EqualityCases.channelTables(seed: seed), "seed \(seed)") }

  @Test(
    "Two tables behind each other",
    arguments: [(PixelFormat.rgba8, AlphaMode.opaque), (.rgba8, .straight), (.yuyv422, .opaque)])
  func tablePairs(format: PixelFormat, alpha: AlphaMode) throws {
    try check(EqualityCases.tablePairs(format, alpha), "\(format), \(alpha)")
  }

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

  /// Bilinear of each way to store colour differences: formats of one differ in how a sample is loaded alone.
  @Test(
    "Small turns of turned cameras",
    arguments: CameraCases.formats.map { ($0, Interpolation.sharp) }
      + [PixelFormat.uyvy422, .nv12, .i444, .gray8].map { ($0, .bilinear) })
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
