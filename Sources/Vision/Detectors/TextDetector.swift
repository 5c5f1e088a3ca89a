import FrameAnalysis
import FrameCore

/// Reads lines of text (Tesseract): slow, so for photos, documents and lines that stand still, not for every frame.
///
/// `text` is the line, `confidence` the mean of its words' by their length, and `details["words"]` the confidence of
/// each word in percent, with blanks between them. Outlines are upright rectangles.
public struct TextDetector: FrameDetector {
  public static let name = VisionAbility.text.name

  private let worker: VisionWorker
  private let flags: VisionRequest.Flags
  private let leastConfidence: Double

  /// - Parameters:
  ///   - worker: has the ability `text`.
  ///   - isOneLine: whether frames are single lines, cut out; that is much faster.
  ///   - leastConfidence: lines below it are left out: in pictures without text, Tesseract reads noise.
  public init(_ worker: VisionWorker, isOneLine: Bool = false, leastConfidence: Double = 0.5) {
    self.worker = worker
    flags = isOneLine ? .oneLine : []
    self.leastConfidence = leastConfidence
  }

  public mutating func detections(in proxy: AnalysisProxy, of frame: Frame) throws -> [Detection] {
    try frame.find(.text, flags, with: worker, limits: FrameLimits(seconds: 120)).map {
      $0.thing.detection(.text, in: $0.size)
    }.filter { $0.confidence >= leastConfidence }
  }
}
