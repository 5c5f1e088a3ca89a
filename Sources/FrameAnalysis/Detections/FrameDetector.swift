import FrameCore

/// Finds things in pictures: photos, or the frames of one source, one after another.
///
/// A detector belongs to one thread at a time and may keep what it knows from frame to frame. Detectors of other
/// programs stand beside those here.
public protocol FrameDetector {
  /// The name in lists, options and reports: `codes`.
  static var name: String { get }

  /// Returns what is in a frame.
  ///
  /// - Parameters:
  ///   - proxy: the frame's small picture, upright, which all analyses share; valid until this returns.
  ///   - frame: the frame itself, as stored: `frame.orientation` says how it is turned for display.
  /// - Throws: `SafelightError` if the frame could not be searched. The next one is tried all the same.
  mutating func detections(in proxy: AnalysisProxy, of frame: Frame) throws -> [Detection]
}
