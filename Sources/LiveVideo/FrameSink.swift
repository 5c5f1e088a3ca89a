import FrameCore

/// A destination of live pictures: a terminal, a stream, a virtual camera, files.
///
/// Each sink runs on a thread of its own, so a slow sink delays no other; pictures that it cannot take in time are
/// dropped and counted before they get here. `open`, `write`, `finish` and `close` are called on that thread, in this
/// order.
public protocol FrameSink: AnyObject, Sendable {
  /// The name as written on the command line, such as `stream:8080`.
  var name: String { get }

  /// The kind of pictures this sink takes from a source with this frame format; `screen` by default.
  func pictures(of source: PixelFormat) -> SinkPictures

  /// The pictures that the sink keeps after `write` has returned; 1 by default. Each costs the run a buffer.
  var heldPictures: Int { get }

  /// Opens the sink. Called once, when the size of the pictures is known.
  func open(_ format: SinkFormat) throws

  /// Takes one picture. It is not changed afterwards and may be kept, which holds its memory.
  ///
  /// - Throws: `SinkClosed` if the reader has gone, which ends the sink quietly; any other error ends the run.
  func write(_ frame: RenderedFrame) throws

  /// Completes what was written; nothing by default. Called once after the last picture, but not after an error.
  ///
  /// - Throws: what makes the run fail although all pictures were taken, such as a full disk.
  func finish() throws

  /// Releases everything and returns promptly. Called once after the last picture, also after an error.
  func close()
}

extension FrameSink {
  public func pictures(of source: PixelFormat) -> SinkPictures { .screen }
  public var heldPictures: Int { 1 }
  public func finish() throws {}
}

/// The kind of pictures a sink takes. Video that is written keeps its colour space; pictures for viewing become
/// sRGB.
public enum SinkPictures: Sendable, Hashable {
  /// 8-bit RGBA in sRGB.
  case screen
  /// 8-bit RGBA in the colour space of the video, as its matrix gives it; pictures that are already RGBA become
  /// sRGB.
  case video
  /// The source's own samples, in its format, if the look changes nothing; otherwise as `video`.
  case samples
  /// 8-bit luma and colour differences in this format, encoded as `SinkFormat.videoTags` say: the source's own samples,
  /// in this layout, if the look changes nothing. If all sinks want the same format, frames are rendered to it.
  case planes(PixelFormat)
}

/// The format of the pictures a sink will receive.
public struct SinkFormat: Sendable, Hashable {
  public var size: PixelSize
  /// Frames per second as the source promised, or as requested for a `ConstantRateSink`; 0 if there is no rate.
  public var framesPerSecond: Double
  /// The format of the source's first frame, and the meaning of its samples.
  public var source: PixelFormat
  public var sourceTags: ColorTags
  /// The stored size of that frame, which determines the matrix assumed for a source without one.
  public var sourceSize: PixelSize
  /// Whether the current look changes nothing.
  public var isUnedited: Bool
  /// The sample aspect of the pictures, after the edit.
  public var sampleAspect: SampleAspect
  public var fieldOrder: FieldOrder

  /// - Parameter sourceSize: nil means `size`.
  public init(
    size: PixelSize, framesPerSecond: Double, source: PixelFormat = .rgba8, sourceTags: ColorTags = .sRGB,
    sourceSize: PixelSize? = nil, isUnedited: Bool = false, sampleAspect: SampleAspect = .square,
    fieldOrder: FieldOrder = .progressive
  ) {
    self.size = size
    self.framesPerSecond = framesPerSecond
    self.source = source
    self.sourceTags = sourceTags
    self.sourceSize = sourceSize ?? size
    self.isUnedited = isUnedited
    self.sampleAspect = sampleAspect
    self.fieldOrder = fieldOrder
  }
}

/// An opaque picture that went through the plan, in the form that the sink's `pictures(of:)` requested.
public struct RenderedFrame: Sendable {
  public var picture: PixelBuffer
  /// When the frame was captured.
  public var time: Timestamp
  public var sequence: UInt64
  /// How long it is shown, in seconds, if the source says so.
  public var duration: Double?

  public init(picture: PixelBuffer, time: Timestamp, sequence: UInt64, duration: Double? = nil) {
    self.picture = picture
    self.time = time
    self.sequence = sequence
    self.duration = duration
  }
}

/// The reader of a sink has gone: this is not an error, but it ends the sink.
public struct SinkClosed: Error {
  public init() {}
}
