import FilterGraph
import FrameCore
import PhotoPipeline
import Rendering

/// What the edit of a photo did.
public struct EditReport: JSONReport {
  /// The paths of the photo and of the result.
  public var input: String
  public var output: String
  /// The size of the result in pixels.
  public var width: Int
  public var height: Int
  /// The length of the file.
  public var bytes: Int
  /// The quality used; nil if the format has none.
  @OrNull public var quality: Int?
  /// `cpu`, `vulkan` or `reference`.
  public var backend: String
  /// The GPU that rendered; nil if none did.
  public var device: String?
  /// Why another backend replaced the intended one; nil if none did.
  public var fallback: String?
  /// The instruction set of the CPU's kernels.
  public var instructionSet: String
  /// Their sum, plus `otherMilliseconds`, less `savedMilliseconds`, is `milliseconds`.
  public var steps: [StepTimes.Step]
  /// The time that belongs to no step.
  public var otherMilliseconds: Double
  /// The time saved by steps that ran in parallel.
  public var savedMilliseconds: Double
  public var milliseconds: Double
  public var plan: PlanReport
  public var warnings: [String]
  /// The part of the result, 0…1, that the device of a proof cannot reproduce; nil unless a gamut warning was asked for.
  @OrNull public var beyondGamut: Double?
  /// The values found in the photo; nil if none were to be found.
  public var auto: FoundValues?

  /// - Parameters:
  ///   - report: what the export did.
  ///   - found: the values that the edit found in the photo.
  ///   - fallback: why the renderer uses another backend than intended, unless the export's report says it.
  ///   - warnings: all warnings; nil takes the export's.
  ///   - beyondGamut: see the property.
  public init(
    _ report: PhotoExport.Report, of input: String, writtenTo output: String, found: FoundValues? = nil,
    fallback: String? = nil, warnings: [String]? = nil, beyondGamut: Double? = nil
  ) {
    (self.input, self.output) = (input, output)
    (width, height) = (report.outputSize.width, report.outputSize.height)
    bytes = report.bytes
    _quality = OrNull(wrappedValue: report.quality)
    (backend, device) = (report.backend.backend, report.backend.device)
    self.fallback = report.backend.fallback ?? fallback
    instructionSet = CPURenderer.instructionSet
    let times = StepTimes(report.steps, total: report.seconds)
    steps = times.steps
    (otherMilliseconds, savedMilliseconds, milliseconds) = (times.other, times.saved, times.total)
    plan = PlanReport(report.plan)
    self.warnings = warnings ?? report.warnings
    _beyondGamut = OrNull(wrappedValue: beyondGamut)
    auto = found
  }
}
