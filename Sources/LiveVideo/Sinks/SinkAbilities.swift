/// A sink whose `write` may wait for whoever reads.
public protocol InterruptibleSink: FrameSink {
  /// Makes a `write` that waits, and every later one, throw `SinkClosed` within a tenth of a second.
  ///
  /// For ending a run whose reader neither reads nor goes. Any thread may call it.
  func interrupt()
}

/// A sink that has something to say once it is open, such as the port that it found.
public protocol AnnouncingSink: FrameSink {
  /// One line for people; nil before `open`, and where there is nothing to say. Any thread may read it.
  var announcement: String? { get }
}

/// A sink whose pictures follow one another at one rate, since what it writes has no times: pictures are written again, or
/// left out, so that each is seen when it was captured.
public protocol ConstantRateSink: FrameSink {}

/// A sink that says how wide samples are shown and which field of an interlaced video comes first.
public protocol ShapedVideoSink: FrameSink {}

extension Y4MSink: ConstantRateSink {}
extension Y4MSink: ShapedVideoSink {}
extension RawVideoSink: ConstantRateSink {}
