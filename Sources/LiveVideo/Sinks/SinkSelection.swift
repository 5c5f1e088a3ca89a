import FrameCore

/// A sink that at times takes fewer pictures than come, so that the machine has less to do.
public protocol SparingSink: FrameSink {
  /// Whether the sink takes the picture of a frame. Asked once for each frame, before it is rendered; a frame that no
  /// sink takes is not rendered. The picture may come all the same, for another sink.
  func takes(_ frame: Frame) -> Bool
}

/// Which frames are worth rendering.
struct SinkSelection: Sendable {
  private let sparing: [any SparingSink]
  /// Whether some sink takes every frame.
  private let takesAll: Bool

  init(_ sinks: [any FrameSink]) {
    sparing = sinks.compactMap { $0 as? any SparingSink }
    takesAll = sparing.count < sinks.count || sinks.isEmpty
  }

  /// Asks all sinks; each counts what it leaves out.
  func takes(_ frame: Frame) -> Bool {
    var isTaken = takesAll
    for sink in sparing where sink.takes(frame) { isTaken = true }
    return isTaken
  }
}
