import FrameCore

/// One run of frames from a source. Used by one thread, `wake` excepted.
public protocol FrameStream: AnyObject {
  var format: StreamFormat { get }

  /// Whether frames come at their own pace, as a camera's do. An unpaced stream delivers as fast as it is asked: the
  /// session asks only when its outputs have room, and never calls the stream stalled.
  var isPaced: Bool { get }

  /// Whether silence means a fault, as a camera's does. A file may show one picture for minutes.
  var mayStall: Bool { get }

  /// The next event; blocks until there is one, until `deadline`, or until woken.
  ///
  /// - Throws: `CaptureFailure`; the stream is to be closed then.
  func next(until deadline: Timestamp) throws -> StreamEvent

  /// Makes a blocked `next` return at once. Any thread may call it.
  func wake()

  /// Stops streaming and releases everything. Frames still held stay valid; nothing blocks on them.
  func close()
}

extension FrameStream {
  /// True: the source sets the pace.
  public var isPaced: Bool { true }
  /// True: a camera that says nothing is broken.
  public var mayStall: Bool { true }
}

/// What a stream reports.
public enum StreamEvent: Sendable {
  case frame(Frame)
  /// Frames that the source itself lost or damaged, the first being `first`, the others following it in sequence.
  case dropped(first: DroppedFrame, count: Int)
  /// Nothing until the deadline, or woken.
  case idle
  /// The source has no more frames.
  case finished
}
