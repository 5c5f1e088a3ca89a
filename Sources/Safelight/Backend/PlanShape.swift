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

  /// Such as `yuyv422 2^21 sharp baked rgba8 live`.
  public let description: String

  public init(_ plan: Plan, use: Use) {
    description = [
      plan.input.format.rawValue, "2^\(Self.sizeClass(plan))", Self.sampling(plan),
      // Of a stored photo the backend is chosen before tables are baked.
      Self.color(use == .stored ? plan.exactStages : plan.stages),
      plan.output.format.rawValue, use.rawValue,
    ].joined(separator: " ")
  }

  /// The larger of input and output, as the nearest power of two of its pixels.
  private static func sizeClass(_ plan: Plan) -> Int {
    let pixels = max(plan.input.size.pixelCount, plan.outputSize.pixelCount, 1)
    let floor = Int.bitWidth - 1 - pixels.leadingZeroBitCount
    // The nearest power in the sense of ratios: beyond √2 times the lower one it is the upper one.
    let squared = pixels.multipliedReportingOverflow(by: pixels)
    return !squared.overflow && squared.partialValue > 1 << (2 * floor + 1) ? floor + 1 : floor
  }

  private static func sampling(_ plan: Plan) -> String {
    let reduction = plan.reduces ? "reduced-" : ""
    guard let geometry = plan.geometry else { return reduction + "straight" }
    return reduction + (geometry.pixelMove == nil ? geometry.interpolation.rawValue : "moved")
  }

  private static func color(_ stages: [Stage]) -> String {
    let colors = stages.filter(\.isPointwise)
    guard !colors.isEmpty else { return "plain" }
    if colors.contains(where: { if case .baked = $0 { true } else { false } }) { return "baked" }
    if colors.allSatisfy({ if case .channelTables = $0 { true } else { false } }) { return "tables" }
    // Exact stages cost by their number.
    return colors.count <= 4 ? "chain" : "long-chain"
  }
}
