import FilterGraph
import Filters
import FrameCore
import Rendering
import TestSupport
import Testing

@testable import VulkanRendering

/// A device for tests, watched by Vulkan's validation layer where that is installed.
enum TestDevice {
  static let isValidated = (try? VulkanInstance(validate: true)) != nil

  static let all: [VulkanDevice] = (try? VulkanDevice.all(validate: isValidated)) ?? []

  static let isThere = (try? VulkanDevice.choose(from: all)) != nil
  static let absence: Comment = "there is no Vulkan device on this machine"

  static func device() throws -> VulkanDevice { try VulkanDevice.choose(from: all) }

  /// A renderer that keeps nothing on disk. `onOpening` is called whenever it opens its device.
  static func renderer(
    memoryLimit: Int? = nil, copiesAlways: Bool = false,
    onOpening: @escaping @Sendable (DeviceContext) -> Void = { _ in }
  ) throws -> VulkanRenderer {
    try VulkanRenderer(
      on: device(), memoryLimit: memoryLimit, cacheFolder: "/dev/null", copiesAlways: copiesAlways,
      onOpening: onOpening)
  }

  /// One for tests that leave it as it is: software devices compile kernels slowly.
  ///
  /// - Parameter copiesAlways: whether pictures are copied as on a card with memory of its own.
  static func shared(copiesAlways: Bool = false) throws -> VulkanRenderer {
    try (copiesAlways ? copyingRenderer : sharedRenderer).get()
  }
  private static let sharedRenderer = Result { try renderer() }
  private static let copyingRenderer = Result { try renderer(copiesAlways: true) }

  /// Fails the test where the validation layer complained about anything so far.
  static func expectNoComplaints(_ location: SourceLocation = #_sourceLocation) throws {
    let complaints = try device().instance.complaints
    #expect(complaints.count == 0, "\(complaints.first)", sourceLocation: location)
  }
}

/// Pictures of noise, in every format.
enum NoisePicture {
  static func make(
    _ width: Int, _ height: Int, _ format: PixelFormat, alpha: AlphaMode = .opaque, seed: UInt64 = 1
  ) throws -> PixelBuffer {
    var random = SeededRandom(seed: seed)
    let buffer = try PixelBuffer(
      size: PixelSize(width: width, height: height), format: format, alpha: alpha)
    for (index, shape) in format.planes.enumerated() {
      for y in 0..<shape.rows(height: height) {
        switch format {
        case .rgba16:
          let row = buffer.row(y, as: UInt16.self)
          for x in row.indices { row[x] = UInt16(truncatingIfNeeded: random.next()) }
          if alpha == .opaque { for x in 0..<width { row[4 * x + 3] = .max } }
        case .rgbaF32:
          let row = buffer.row(y, as: Float.self)
          for x in row.indices { row[x] = Float.random(in: -0.1...1.3, using: &random) }
          for x in 0..<width {
            row[4 * x + 3] = alpha == .opaque ? 1 : Float.random(in: 0...1, using: &random)
          }
        default:
          let row = buffer.row(y, of: index, as: UInt8.self)
          for x in row.indices { row[x] = UInt8(truncatingIfNeeded: random.next()) }
          if format == .rgba8, alpha == .opaque { for x in 0..<width { row[4 * x + 3] = 255 } }
        }
      }
    }
    return buffer
  }
}

extension PixelBuffer {
  /// All samples of all rows, without padding.
  var tightBytes: [UInt8] {
    format.planes.enumerated().flatMap { index, shape in
      (0..<shape.rows(height: height)).flatMap { Array(row($0, of: index, as: UInt8.self)) }
    }
  }

  func value(_ x: Int, _ y: Int, _ channel: Int) -> Double {
    switch format {
    case .rgba8: Double(row(y, as: UInt8.self)[4 * x + channel])
    case .rgba16: Double(row(y, as: UInt16.self)[4 * x + channel])
    default: Double(row(y, as: Float.self)[4 * x + channel])
    }
  }

  /// The largest difference of samples, in codes; of float ones, as such.
  func largestDifference(from other: PixelBuffer) -> Double {
    var worst = 0.0
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<4 {
          let difference = abs(value(x, y, channel) - other.value(x, y, channel))
          if !(difference <= worst) { worst = difference }
        }
      }
    }
    return worst
  }
}

extension Renderer {
  /// A plan for pictures like `source`.
  func plan(
    _ filters: [any Filter], for source: PixelBuffer, to format: PixelFormat = .rgba8
  ) throws -> Plan {
    try plan(
      Recipe(filters: filters),
      input: PlanInput(size: source.size, format: source.format, alpha: source.alpha),
      output: PlanOutput(format: format))
  }

  /// Renders as a frame loop does.
  func frame(_ source: PixelBuffer, through plan: Plan) throws -> PixelBuffer {
    let output = try PixelBuffer(size: plan.outputSize, format: plan.output.format, alpha: plan.outputAlpha)
    try prepare(plan).render(source, into: output)
    return output
  }
}
