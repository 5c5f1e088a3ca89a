import FrameAnalysis
import FrameCore
import PhotoPipeline

/// What a merge of photos did.
public struct MergeReport: JSONReport {
  /// The paths of the photos and of the result.
  public var inputs: [String]
  public var output: String
  public var method: PhotoMerge.Method
  /// The size of the result in pixels.
  public var width: Int
  public var height: Int
  /// The length of the file.
  public var bytes: Int
  /// The quality used; nil if the format has none.
  @OrNull public var quality: Int?
  /// Of an average: shifts, rejected shares, noise.
  public var statistics: MergeStatistics?
  /// Of a fusion: the shift of each photo.
  public var shifts: [PictureShift]?
  /// Their sum, plus `otherMilliseconds`, less `savedMilliseconds`, is `milliseconds`.
  public var steps: [StepTimes.Step]
  public var otherMilliseconds: Double
  public var savedMilliseconds: Double
  public var milliseconds: Double
  public var warnings: [String]

  public init(
    _ inputs: [String], _ method: PhotoMerge.Method, _ result: PhotoMerge.Result,
    writtenTo output: String, _ report: PhotoExport.Report
  ) {
    (self.inputs, self.output, self.method) = (inputs, output, method)
    (width, height, bytes) = (report.outputSize.width, report.outputSize.height, report.bytes)
    _quality = OrNull(wrappedValue: report.quality)
    statistics = result.statistics?.rounded
    shifts = result.shifts.isEmpty ? nil : result.shifts
    let times = StepTimes(report.steps, total: report.seconds)
    (steps, milliseconds) = (times.steps, times.total)
    (otherMilliseconds, savedMilliseconds) = (times.other, times.saved)
    warnings = report.warnings
  }
}

extension MergeStatistics {
  /// With as many digits as reports show.
  package var rounded: MergeStatistics {
    var rounded = self
    rounded.noise = noise.map { PlainNumber.rounded($0, 3) }
    rounded.frames = frames.map { frame in
      var frame = frame
      frame.shiftX = PlainNumber.rounded(frame.shiftX, 2)
      frame.shiftY = PlainNumber.rounded(frame.shiftY, 2)
      frame.meanShift = PlainNumber.rounded(frame.meanShift, 2)
      frame.rejected = PlainNumber.rounded(frame.rejected, 3)
      return frame
    }
    return rounded
  }
}
