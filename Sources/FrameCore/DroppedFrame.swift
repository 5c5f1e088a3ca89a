/// Why a frame was not delivered.
public enum DropReason: String, Sendable, Hashable, Codable, CaseIterable {
  /// A newer frame replaced it, or the consumer was busy when it was captured.
  case late
  /// All buffers were held, by consumers or by a queue at its limit.
  case outOfBuffers
  /// A gap in the source's sequence: the driver or the device lost the frame.
  case discontinuity
  /// The source renders its frames and did not finish this one before the next was due.
  case missedDeadline
  /// The frame's data are damaged or incomplete.
  case corrupt
}

/// A frame that was captured, or should have been, and was not delivered.
public struct DroppedFrame: Sendable, Hashable {
  /// The position in the source's sequence.
  public var sequence: UInt64
  /// The capture time; for a gap, the time of the frame after it.
  public var time: Timestamp
  public var reason: DropReason

  public init(sequence: UInt64, time: Timestamp, reason: DropReason) {
    self.sequence = sequence
    self.time = time
    self.reason = reason
  }
}

/// Frame counts at one place: `captured == delivered + dropped + waiting` at every moment.
public struct FrameStatistics: Sendable, Hashable {
  /// Frames that the source produced, including dropped ones.
  public var captured = 0
  /// Frames that a consumer took.
  public var delivered = 0
  /// Frames dropped, by `DropReason`.
  public var droppedLate = 0
  public var droppedOutOfBuffers = 0
  public var droppedDiscontinuity = 0
  public var droppedMissedDeadline = 0
  public var droppedCorrupt = 0

  package init() {}

  /// The number of frames dropped for one reason.
  public subscript(reason: DropReason) -> Int {
    get {
      switch reason {
      case .late: droppedLate
      case .outOfBuffers: droppedOutOfBuffers
      case .discontinuity: droppedDiscontinuity
      case .missedDeadline: droppedMissedDeadline
      case .corrupt: droppedCorrupt
      }
    }
    set {
      switch reason {
      case .late: droppedLate = newValue
      case .outOfBuffers: droppedOutOfBuffers = newValue
      case .discontinuity: droppedDiscontinuity = newValue
      case .missedDeadline: droppedMissedDeadline = newValue
      case .corrupt: droppedCorrupt = newValue
      }
    }
  }

  /// The number of frames dropped for any reason.
  public var dropped: Int {
    droppedLate + droppedOutOfBuffers + droppedDiscontinuity + droppedMissedDeadline + droppedCorrupt
  }

  /// The number of frames captured but neither delivered nor dropped yet.
  public var waiting: Int { captured - delivered - dropped }
}
