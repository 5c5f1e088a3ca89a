import FrameCore

/// How much of a session's time its frames took, in one short window.
public struct FrameLoad: Sendable, Hashable, Codable {
  /// The length of the window in seconds.
  public var seconds: Double
  /// The seconds between two frames at the present rate.
  public var frameInterval: Double
  /// Frames finished in the window.
  public var frames: Int
  /// Frames lost in the window because there was no time for them. Frames left out on purpose do not count.
  public var dropped: Int
  /// The mean time of the window's frames, in seconds; 0 without frames.
  public var meanTime: Double
  /// The time that 99 of 100 of the latest frames, at most `FrameBudget.ringSize`, did not exceed, in
  /// seconds.
  public var p99Time: Double
  /// The greatest number of frames that waited for the encoder in the window.
  public var queueDepth: Int
  /// The least one: what stands in the queue all the time is delay without use.
  public var standingQueue: Int
  /// The number of frames that may wait; 0 if there is no queue.
  public var queueCapacity: Int

  public init(
    seconds: Double, frameInterval: Double, frames: Int = 0, dropped: Int = 0, meanTime: Double = 0,
    p99Time: Double = 0, queueDepth: Int = 0, standingQueue: Int = 0, queueCapacity: Int = 0
  ) {
    (self.seconds, self.frameInterval) = (seconds, frameInterval)
    (self.frames, self.dropped) = (frames, dropped)
    (self.meanTime, self.p99Time) = (meanTime, p99Time)
    (self.queueDepth, self.standingQueue, self.queueCapacity) = (queueDepth, standingQueue, queueCapacity)
  }

  /// The mean time over the frame interval; above 1 the frames cannot all be made.
  public var meanShare: Double { meanTime / frameInterval }
  /// The p99 over the frame interval.
  public var p99Share: Double { p99Time / frameInterval }
  /// The part of the window's frames that was dropped, 0…1.
  public var dropShare: Double { frames + dropped > 0 ? Double(dropped) / Double(frames + dropped) : 0 }
  /// How full the queue stood, 0…1.
  public var queueShare: Double { queueCapacity > 0 ? Double(standingQueue) / Double(queueCapacity) : 0 }
}
