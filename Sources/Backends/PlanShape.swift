import FilterGraph
import FrameCore
import Rendering

/// What determines a plan's relative speed on different backends: plans of one shape share an answer.
package struct PlanShape: Sendable, Hashable, CustomStringConvertible {
  /// The source and destination of frames.
  package enum Use: String, Sendable, Hashable, CaseIterable {
    /// Successive frames at their own pace, rendered into memory.
    case live
    /// Read from a file and written to one: decoded and encoded by the processor.
    case stored
  }

  /// The input and its pixel count, its sampling and colour stages, and the output, such as `yuyv422 2^21 sharp
  /// baked rgba8 2^21 live`.
  package let description: String

  package init(_ plan: Plan, use: Use) {
    description = [
      plan.input.format.rawValue, Self.sizeClass(plan.input.size), Self.sampling(plan),
      // For a stored photo, the backend is chosen before tables are baked.
      Self.color(use == .stored ? plan.exactStages : plan.stages)
        + (plan.sharpening == nil ? "" : "-sharpened"),
      plan.output.format.rawValue, Self.sizeClass(plan.outputSize), use.rawValue,
    ].joined(separator: " ")
  }

  /// The pixel count, rounded to the nearest power of two.
  private static func sizeClass(_ size: PixelSize) -> String {
    let pixels = max(size.pixelCount, 1)
    let floor = Int.bitWidth - 1 - pixels.leadingZeroBitCount
    // Nearest by ratio: beyond √2 times the lower power, it is the upper one.
    let squared = pixels.multipliedReportingOverflow(by: pixels)
    let isAbove = !squared.overflow && squared.partialValue > 1 << (2 * floor + 1)
    return "2^\(isAbove ? floor + 1 : floor)"
  }

  private static func sampling(_ plan: Plan) -> String {
    let downsampling = (plan.denoising == nil ? "" : "denoised-") + (plan.downsamples ? "reduced-" : "")
    guard let geometry = plan.geometry else { return downsampling + "straight" }
    return downsampling + (geometry.pixelMove == nil ? geometry.interpolation.rawValue : "moved")
      + (geometry.isAffine ? "" : "-projected")
  }

  private static func color(_ stages: [Stage]) -> String {
    let colors = stages.filter(\.isColor)
    guard !colors.isEmpty else { return "plain" }
    let places =
      (colors.contains { if case .field = $0 { true } else { $0.gridField != nil } } ? "field-" : "")
      + (colors.contains { if case .masked = $0 { true } else { false } } ? "masked-" : "")
    let tables = colors.count { if case .baked = $0 { true } else { false } }
    // If one table cannot represent the colours, two in sequence do.
    if tables > 0 { return places + (tables == 1 ? "baked" : "pair") }
    if colors.allSatisfy({ if case .channelTables = $0 { true } else { false } }) { return "tables" }
    // The cost of exact stages depends on their number.
    return places + (colors.count <= 4 ? "chain" : "long-chain")
  }
}
