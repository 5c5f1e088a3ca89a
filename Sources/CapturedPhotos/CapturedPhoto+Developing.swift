import Capture
import FrameCore

extension CapturedPhoto {
  /// Returns the frame that the photo shows.
  ///
  /// - Throws: `SafelightError` if memory is short.
  func developed() throws -> Frame { try referenceFrame.frame() }
}
