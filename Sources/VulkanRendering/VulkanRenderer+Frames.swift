import FilterGraph
import FrameCore
import Rendering

/// How many pictures of whole frames the renderer's device accessed in place, and how many were copied for it.
public struct FrameTransfers: Sendable, Hashable {
  public var importedSources = 0
  public var copiedSources = 0
  public var importedOutputs = 0
  public var copiedOutputs = 0

  public init() {}
}

extension VulkanRenderer {
  func submit(_ frame: WholeFrame) throws -> PendingFrame {
    let (source, prepared, output) = (frame.source, frame.plan, frame.output)
    try prepared.plan.check(source, into: output)
    return try attempt(prepared) { loaded in
      let shares = loaded.shares
      guard shares.lanes > 0 else {
        try renderInParts(source, through: loaded, light: frame.light, into: output)
        return .done
      }
      let ticket = try submit(frame, through: loaded, shares)
      return PendingFrame(loaded.context.lanes, ticket: ticket)
    }
  }

  private func submit(_ frame: WholeFrame, through loaded: LoadedPlan, _ shares: LoadedPlan.MemoryShares)
    throws -> UInt64
  {
    let context = loaded.context
    return try context.lanes.fly(among: shares.lanes, keeping: shares.laneBytes) { lane in
      let source = context.imported(frame.source)
      let target = context.importedOutput(frame.output, frame.plan.plan.outputSize)
      count(source, target)
      try lane.submit(
        LaneJob(
          plan: loaded,
          source: source.map { .imported($0, of: frame.source) }
            ?? .picture(frame.source, loaded.sourceTransfer),
          fromInput: true,
          target: target.map { .imported($0, of: frame.output) }
            ?? .picture(frame.output, loaded.targetTransfer, firstRow: 0),
          light: frame.light, frame: frame))
    }
  }

  private func count(_ source: ImportedPicture?, _ target: ImportedPicture?) {
    counted.withLock { counts in
      if source == nil { counts.copiedSources += 1 } else { counts.importedSources += 1 }
      if target == nil { counts.copiedOutputs += 1 } else { counts.importedOutputs += 1 }
    }
  }

  /// Renders a frame that does not fit into the device's memory as a whole.
  private func renderInParts(
    _ source: PixelBuffer, through loaded: LoadedPlan, light: LightMemory?, into output: PixelBuffer
  ) throws {
    let source = try withoutNoise(source, through: loaded)
    let rows = 0..<loaded.program.plan.outputSize.height
    guard loaded.downsampledTransfer != nil else {
      try render(.picture(source), through: loaded, light: light, rows: rows, into: output)
      return
    }
    try render(
      RenderedFrom(downsample(source, through: loaded)), through: loaded, light: light, rows: rows,
      into: output)
  }
}
