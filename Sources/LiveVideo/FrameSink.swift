import FrameCore

/// Where live pictures go: a terminal, a stream, a virtual camera, files.
///
/// A sink is driven by one thread of its own, so a slow sink delays no other; what it cannot take in time is dropped
/// and counted before it gets here. `open`, `write` and `close` are called on that thread, in this order.
public protocol FrameSink: AnyObject, Sendable {
  /// As on the command line, such as `stream:8080`.
  var name: String { get }

  /// What this sink takes of a source whose frames have this format; `screen` unless a sink says otherwise.
  func pictures(of source: PixelFormat) -> SinkPictures

  /// Called once, when the size of the pictures is known.
  func open(_ format: SinkFormat) throws

  /// Takes one picture. It is not changed afterwards, and may be kept, which holds its memory.
  ///
  /// - Throws: `SinkClosed` where whoever reads has gone, which ends the sink quietly; any other error ends the run.
  func write(_ frame: RenderedFrame) throws

  /// Called once after the last picture, also after an error. Releases everything and returns promptly.
  func close()
}

extension FrameSink {
  public func pictures(of source: PixelFormat) -> SinkPictures { .screen }
}

/// What a sink takes. Video that is written goes on as it came, pictures that people look at become sRGB.
public enum SinkPictures: Sendable, Hashable {
  /// 8-bit RGBA in sRGB.
  case screen
  /// 8-bit RGBA in the space of the video, as its matrix gives it. Of pictures that are RGBA already: in sRGB.
  case video
  /// The samples of the source themselves, in its format, wherever the look changes nothing; otherwise as `video`.
  case samples
}

/// What a sink is going to be given.
public struct SinkFormat: Sendable, Hashable {
  public var size: PixelSize
  /// Frames a second as the source promised, or as was asked of a `ConstantRateSink`; 0 where there is no rate.
  public var framesPerSecond: Double
  /// The format of the source's first frame, and what its samples mean.
  public var source: PixelFormat
  public var sourceTags: ColorTags
  /// Of that frame as stored: what a source without a matrix is taken to have depends on it.
  public var sourceSize: PixelSize
  /// Whether the look, as it is now, changes nothing.
  public var isUnedited: Bool
  /// Of the pictures, after the edit.
  public var sampleAspect: SampleAspect
  public var fieldOrder: FieldOrder

  /// - Parameter sourceSize: nil stands for `size`.
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

/// A picture after the plan, opaque: in the form that the sink's `pictures(of:)` asked for.
public struct RenderedFrame: Sendable {
  public var picture: PixelBuffer
  /// When the frame was captured.
  public var time: Timestamp
  public var sequence: UInt64
  /// Seconds for which it is shown, where the source says so.
  public var duration: Double?

  public init(picture: PixelBuffer, time: Timestamp, sequence: UInt64, duration: Double? = nil) {
    self.picture = picture
    self.time = time
    self.sequence = sequence
    self.duration = duration
  }
}

/// Whoever reads from a sink has gone: no error, but the end of that sink.
public struct SinkClosed: Error {
  public init() {}
}
