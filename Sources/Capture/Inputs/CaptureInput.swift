import FrameCore

/// Where frames come from: a camera, a video file, a sequence of pictures, a synthetic scene.
///
/// An input describes a source and opens streams on it; a stream is one run of frames in one format. The session opens
/// a stream on a thread of its own, asks it for one event after the other, and opens another when it fails and the
/// cause has gone.
public protocol CaptureInput: AnyObject, Sendable {
  /// The same for the same source after re-plugging and rebooting, such as a camera's `by-id` name.
  var id: String { get }
  /// For people.
  var name: String { get }
  /// Which way a camera looks; it decides whether previews are mirrored.
  var facing: CameraFacing { get }

  /// Opens the source with the format nearest to `request`. Blocks; called on the session's capture thread.
  ///
  /// - Throws: `CaptureFailure`.
  func openStream(_ request: StreamRequest) throws -> any FrameStream

  /// Blocks until opening may succeed again after `failure`, or until `deadline`; true where it is worth a try.
  ///
  /// Called on the capture thread, in turns of a fraction of a second. A source that never comes back returns false
  /// at once.
  func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool
}

/// Which way a camera looks.
public enum CameraFacing: String, Sendable, Hashable, Codable {
  /// Towards the user; previews are mirrored, as mirrors are.
  case front
  case back
  /// Not built in, or not known.
  case external
}

/// What is asked of a source; nil leaves the choice to it.
public struct StreamRequest: Sendable, Hashable {
  public var size: PixelSize?
  public var framesPerSecond: Double?
  public var encoding: CaptureEncoding?

  public init(size: PixelSize? = nil, framesPerSecond: Double? = nil, encoding: CaptureEncoding? = nil) {
    self.size = size
    self.framesPerSecond = framesPerSecond
    self.encoding = encoding
  }
}

/// How a source sends its pictures.
public enum CaptureEncoding: Sendable, Hashable {
  /// Samples as they are.
  case raw(PixelFormat)
  /// A JPEG a frame, decoded into planes of luma and colour differences.
  case mjpeg
}

/// What a stream delivers.
public struct StreamFormat: Sendable, Hashable {
  public var size: PixelSize
  public var encoding: CaptureEncoding
  /// The format of the delivered buffers; with `mjpeg` it is known with the first frame and may change.
  public var pixelFormat: PixelFormat
  public var tags: ColorTags
  /// Frames a second as agreed with the source; 0 where it has no rate.
  public var framesPerSecond: Double

  public init(
    size: PixelSize, encoding: CaptureEncoding, pixelFormat: PixelFormat, tags: ColorTags,
    framesPerSecond: Double
  ) {
    self.size = size
    self.encoding = encoding
    self.pixelFormat = pixelFormat
    self.tags = tags
    self.framesPerSecond = framesPerSecond
  }
}
