import FrameCore

/// A run of frames from a source. Used by one thread, except for `wake`.
public protocol FrameStream: AnyObject {
  var format: StreamFormat { get }

  /// Whether frames arrive at their own pace, as from a camera. An unpaced stream delivers as fast as requested:
  /// the session requests frames only when its outputs have room, and never treats the stream as stalled.
  var isPaced: Bool { get }

  /// Whether silence indicates a fault, as with a camera. A file may show one picture for minutes.
  var mayStall: Bool { get }

  /// Returns the next event; blocks until there is one, until `deadline`, or until woken.
  ///
  /// - Throws: `CaptureFailure`; the stream must then be closed.
  func next(until deadline: Timestamp) throws -> StreamEvent

  /// Makes a blocked `next` return at once. Any thread may call it.
  func wake()

  /// Stops streaming and releases everything without waiting for frames in use, which remain valid.
  func close()
}

extension FrameStream {
  /// True: the source sets the pace.
  public var isPaced: Bool { true }
  /// True: a silent camera is faulty.
  public var mayStall: Bool { true }
}

/// What a stream reports.
public enum StreamEvent: Sendable {
  case frame(Frame)
  /// Frames that the source itself lost or damaged: `first` and those following it in sequence.
  case dropped(first: DroppedFrame, count: Int)
  /// Nothing arrived before the deadline, or the stream was woken.
  case idle
  /// The source has no more frames.
  case finished
}
