/// A sink whose `write` may wait for its reader.
public protocol InterruptibleSink: FrameSink {
  /// Makes a waiting `write`, and every later one, throw `SinkClosed` within a tenth of a second.
  ///
  /// For ending a run whose reader neither reads nor goes away. Any thread may call it.
  func interrupt()
}

/// A sink that has something to report once it is open, such as the port that it found.
public protocol AnnouncingSink: FrameSink {
  /// One line for users; nil before `open`, and if there is nothing to report. Any thread may read it.
  var announcement: String? { get }
}

/// A sink that writes pictures at a constant rate, because its output has no time stamps: pictures are repeated or
/// left out so that each is shown when it was captured.
public protocol ConstantRateSink: FrameSink {}

/// A sink that states the sample aspect and the field order of interlaced video.
public protocol ShapedVideoSink: FrameSink {}

extension Y4MSink: ConstantRateSink {}
extension Y4MSink: ShapedVideoSink {}
extension RawVideoSink: ConstantRateSink {}
