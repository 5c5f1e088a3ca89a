import FrameAnalysis
import FrameCore

/// Watches frames for a page that is laid before the camera, or over which a camera is held, and says when to take its
/// picture: once it lies still and is sharp, and once only until it was taken away.
///
/// Belongs to one thread at a time. The same frames at the same times always give the same results.
public final class PageWatch {
  private let proxy = AnalysisProxy()
  private let detector = DocumentDetector()
  private let meter = FocusMeter()
  /// What to show.
  public private(set) var guide: DocumentGuide

  public init(settings: DocumentGuide.Settings = DocumentGuide.Settings()) {
    guide = DocumentGuide(settings: settings)
  }

  /// Looks at the next frame.
  ///
  /// - Returns: the page, if its picture is to be taken from this frame.
  /// - Throws: `SafelightError` if the frame's ICC profile is damaged or is not of the matrix/TRC type.
  public func look(at frame: Frame) throws -> Detection? {
    try proxy.update(from: frame)
    let page = detector.detections(in: proxy).first
    let size = frame.orientation.applied(to: frame.buffer.size)
    let isTaken = guide.update(
      page, aspect: Double(size.width) / Double(size.height),
      sharpness: page.flatMap { SubjectArea(around: $0.outline) }.flatMap {
        meter.measure(frame, in: $0).value
      },
      at: frame.time)
    return isTaken ? page : nil
  }
}
