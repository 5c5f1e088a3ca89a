import FilterGraph
import FrameCore
import Rendering

/// What decides how fast a plan is on one backend beside another: plans of one shape share an answer.
public struct PlanShape: Sendable, Hashable, CustomStringConvertible {
  /// How frames come.
  public enum Use: String, Sendable, Hashable, CaseIterable {
    /// One after the other at their own pace, into memory.
    case live
    /// From a file, and into one: decoded and encoded by the processor.
    case stored
  }

  /// Such as `yuyv422 2^21 sharp baked rgba8 2^21 live`: the input and its pixels, how it is sampled and coloured, the output.
  public let description: String

  public init(_ plan: Plan, use: Use) {
    description = [
      plan.input.format.rawValue, Self.sizeClass(plan.input.size), Self.sampling(plan),
      // Of a stored photo the backend is chosen before tables are baked.
      Self.color(use == .stored ? plan.exactStages : plan.stages),
      plan.output.format.rawValue, Self.sizeClass(plan.outputSize), use.rawValue,
    ].joined(separator: " ")
  }

  /// The nearest power of two of its pixels.
  private static func sizeClass(_ size: PixelSize) -> String {
    let pixels = max(size.pixelCount, 1)
    let floor = Int.bitWidth - 1 - pixels.leadingZeroBitCount
    // The nearest power in the sense of ratios: beyond √2 times the lower one it is the upper one.
    let squared = pixels.multipliedReportingOverflow(by: pixels)
    let isAbove = !squared.overflow && squared.partialValue > 1 << (2 * floor + 1)
    return "2^\(isAbove ? floor + 1 : floor)"
  }

  private static func sampling(_ plan: Plan) -> String {
    let reduction = plan.reduces ? "reduced-" : ""
    guard let geometry = plan.geometry else { return reduction + "straight" }
    return reduction + (geometry.pixelMove == nil ? geometry.interpolation.rawValue : "moved")
  }

  private static func color(_ stages: [Stage]) -> String {
    let colors = stages.filter(\.isPointwise)
    guard !colors.isEmpty else { return "plain" }
    let tables = colors.count { if case .baked = $0 { true } else { false } }
    // Where one table does not hold the colours, two in turn do.
    if tables > 0 { return tables == 1 ? "baked" : "pair" }
    if colors.allSatisfy({ if case .channelTables = $0 { true } else { false } }) { return "tables" }
    // Exact stages cost by their number.
    return colors.count <= 4 ? "chain" : "long-chain"
  }
}
