import FilterGraph
import FrameCore
import Rendering

/// How a plan renders, with its cost and the error of its baked table.
public struct PlanReport: JSONReport {
  /// A stage of the plan.
  public struct Stage: Codable, Sendable {
    /// What the stage does.
    public var text: String
    /// What of its input the stage reads for a pixel: `point`, `halo 3×3` or `whole`.
    public var footprint: String
    /// The estimated time on one core, for comparing plans; scaled by the instruction set, not by the clock.
    public var estimatedMilliseconds: Double
  }

  /// A table that replaces several stages.
  public struct Bake: Codable, Sendable {
    /// Nodes along each axis.
    public var nodes: Int
    /// The largest and the mean colour difference (CIEDE2000) from the stages that the table replaces.
    public var maximumDeltaE2000: Double
    public var meanDeltaE2000: Double
  }

  /// A pass of the optimizer.
  public struct Pass: Codable, Sendable {
    public var name: String
    public var stagesBefore: Int
    public var stagesAfter: Int
    /// What the pass did, one sentence each.
    public var remarks: [String]
  }

  /// The size, the format and the colour space of the picture.
  public var input: String
  public var output: String
  /// The size of the result in pixels.
  public var width: Int
  public var height: Int
  public var stages: [Stage]
  /// What renderers run in one go, a line each.
  public var segments: [String]
  public var bake: Bake?
  public var passes: [Pass]
  /// Remarks for the person editing, such as that the picture is enlarged.
  public var notes: [String]
  public var dithers: Bool
  /// The plan as people read it.
  public var text: String
  public var auto: FoundValues?
  /// The backend that the plan would render on, its device, and why it replaces another; nil if the report that
  /// this one is part of names them.
  public var backend: String?
  public var device: String?
  public var fallback: String?

  /// - Parameters:
  ///   - found: the values that the edit found in the photo.
  ///   - backend: the backend that would render.
  public init(_ plan: Plan, found: FoundValues? = nil, backend: BackendReport? = nil) {
    auto = found
    (self.backend, device, fallback) = (backend?.backend, backend?.device, backend?.fallback)
    input = plan.input.description
    output = plan.output.description
    width = plan.outputSize.width
    height = plan.outputSize.height
    stages = PlanCost(plan).rows.map {
      Stage(
        text: $0.stage, footprint: $0.footprint.description,
        estimatedMilliseconds: PlainNumber.rounded($0.milliseconds))
    }
    segments = plan.segments.map(\.description)
    bake =
      plan.stages.compactMap { stage -> Bake? in
        guard case .baked(let lut) = stage else { return nil }
        return Bake(
          nodes: lut.size, maximumDeltaE2000: PlainNumber.rounded(lut.error.maximum),
          meanDeltaE2000: PlainNumber.rounded(lut.error.mean, 4))
      }.first
    passes = plan.records.map {
      Pass(name: $0.pass, stagesBefore: $0.before, stagesAfter: $0.after, remarks: $0.remarks)
    }
    notes = plan.notes
    dithers = plan.dithers
    text = plan.description
  }
}
