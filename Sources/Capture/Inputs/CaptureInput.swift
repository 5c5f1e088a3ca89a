import FrameCore

/// A source of frames: a camera, a video file, a sequence of pictures, a synthetic scene.
///
/// An input describes a source and opens streams on it; a stream is one run of frames in one format. The session
/// opens a stream on a dedicated thread, requests one event after another, and opens a new stream when one has
/// failed and the cause is gone.
public protocol CaptureInput: AnyObject, Sendable {
  /// An identifier that survives re-plugging and rebooting, such as a camera's `by-id` name.
  var id: String { get }
  /// The name shown to users.
  var name: String { get }
  /// The direction a camera faces, which decides whether previews are mirrored.
  var facing: CameraFacing { get }

  /// Opens the source in the format nearest to `request`. Blocks; called on the session's capture thread.
  ///
  /// - Throws: `CaptureFailure`.
  func openStream(_ request: StreamRequest) throws -> any FrameStream

  /// Blocks until opening may succeed again after `failure`, or until `deadline`; true if a retry is worthwhile.
  ///
  /// Called on the capture thread, for a fraction of a second at a time. A source that never returns gives false
  /// at once.
  func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool
}

/// The direction a camera faces.
public enum CameraFacing: String, Sendable, Hashable, Codable {
  /// Towards the user; previews are mirrored.
  case front
  case back
  /// Not built in, or unknown.
  case external
}

/// A requested format; nil leaves a choice to the source.
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

/// The encoding in which a source sends pictures.
public enum CaptureEncoding: Sendable, Hashable {
  /// Uncompressed samples.
  case raw(PixelFormat)
  /// One JPEG per frame, decoded into luma and chroma planes.
  case mjpeg
  /// A sensor's mosaic, developed to `rgba8` at full size. In a request, nil is any, the one with the most bits first;
  /// the format of a stream has the one that it is.
  case bayer(BayerFormat?)
  /// A driver's own format, which libv4lconvert converts to `i420`, or to `rgba8` if it is RGB 5:6:5.
  case converted(FourCC)
}

/// The format that a stream delivers.
public struct StreamFormat: Sendable, Hashable {
  public var size: PixelSize
  public var encoding: CaptureEncoding
  /// The format of the delivered buffers; for `mjpeg` it is known only with the first frame and may change.
  public var pixelFormat: PixelFormat
  public var tags: ColorTags
  /// The frame rate agreed with the source; 0 if it has none.
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
