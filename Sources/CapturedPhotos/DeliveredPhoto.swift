import Capture
import Editing
import FrameAnalysis
import FrameCore
import PhotoIO
import PhotoPipeline

/// What became of a photo that was taken.
public struct DeliveredPhoto: JSONReport {
  /// The path of the photo.
  public var path = ""
  /// Whether this is the first version of a deferred photo, which the final one replaces.
  public var isProxy = false
  /// The same for the proxy and the final photo, and for no others; nil if the photo was not deferred.
  public var deferredID: String?
  /// The path of the unedited photo, if it was kept too.
  public var original: String?
  /// The path of the edit beside the photo, if the photo itself was written unedited.
  public var sidecar: String?
  /// When the frame was captured, in local time: `2026-11-23T12:34:56.789+01:00`; nil if the clock is not set.
  @OrNull public var capturedAt: String?
  /// The size of the photo in pixels.
  public var width = 0
  public var height = 0
  /// The length of the file.
  public var bytes = 0
  /// The quality used; nil if the format has none.
  @OrNull public var quality: Int?
  /// `speed`, `balanced` or `quality`: what was asked for, or less after rapid presses.
  public var qualityPrioritization: String
  /// Whether the photo shows the moment of the press.
  public var zeroShutterLag: Bool
  /// Why it does not; nil if it does.
  public var zeroShutterLagReason: String?
  /// From the press to the frame; negative if the frame was earlier.
  public var offsetMilliseconds: Double
  /// The number of frames that were chosen from or merged.
  public var frames: Int
  /// Why this frame was chosen among them; nil if there was no choice.
  public var chosenBecause: String?
  /// How they were merged; nil if they were not.
  public var merge: MergeStatistics?
  /// The exposure of a photo of a bracket, or all that a photo is fused of; nil for other photos.
  public var bracket: [DeliveredExposure]?
  /// Whether the file is the camera's own JPEG, with metadata added.
  public var isCamerasJPEG = false
  /// The frame's position in the session's sequence.
  public var sequence: UInt64
  /// The position in its burst, from 0; nil for a photo by itself.
  public var burstIndex: Int?
  /// Their sum, plus `otherMilliseconds`, is `milliseconds`, from the captured frame to the finished file.
  public var steps: [StepTimes.Step] = []
  public var otherMilliseconds = 0.0
  public var milliseconds = 0.0
  public var warnings: [String] = []
  /// The values found in the photo; nil if none were to be found.
  public var auto: FoundValues?

  init(
    _ captured: CapturedPhoto, _ developed: DevelopedFrame, offset: Double, date: CaptureFacts.Date?
  ) {
    _capturedAt = OrNull(wrappedValue: date?.iso8601)
    let settings = captured.settings
    qualityPrioritization = settings.qualityPrioritization.rawValue
    switch settings.zeroShutterLag {
    case .applies: zeroShutterLag = true
    case .doesNotApply(let reason): (zeroShutterLag, zeroShutterLagReason) = (false, reason.rawValue)
    }
    offsetMilliseconds = (offset * 10_000).rounded() / 10
    frames = captured.frames.count
    sequence = captured.frames[developed.index].sequence
    (chosenBecause, merge) = (developed.reason, developed.merge?.rounded)
    burstIndex = settings.burst?.index
    if !captured.exposures.isEmpty {
      bracket = captured.exposures.enumerated().map { index, exposure in
        DeliveredExposure(exposure, shift: developed.shifts?[index])
      }
    }
  }

  /// What writing a file tells.
  struct File {
    var path: String
    var size: PixelSize
    var bytes = 0
    var quality: Int?
    var times: StepTimes
    var isCamerasJPEG = false
    var warnings: [String] = []

    init(_ report: PhotoExport.Report, at path: String) {
      self.path = path
      (size, bytes, quality) = (report.outputSize, report.bytes, report.quality)
      times = StepTimes(report.steps, total: report.seconds)
      warnings = report.warnings
    }

    init(size: PixelSize, _ watch: Stopwatch, at path: String) {
      self.path = path
      self.size = size
      times = StepTimes(watch.steps, total: watch.total)
    }
  }

  mutating func take(_ file: File) {
    path = file.path
    (width, height, bytes, quality) = (file.size.width, file.size.height, file.bytes, file.quality)
    (steps, otherMilliseconds, milliseconds) = (file.times.steps, file.times.other, file.times.total)
    isCamerasJPEG = file.isCamerasJPEG
    warnings += file.warnings
  }

  /// Counts what was done after the file was written.
  mutating func extend(toSeconds seconds: Double) {
    let total = (seconds * 10_000).rounded() / 10
    otherMilliseconds = ((otherMilliseconds + total - milliseconds) * 10).rounded() / 10
    milliseconds = total
  }
}
