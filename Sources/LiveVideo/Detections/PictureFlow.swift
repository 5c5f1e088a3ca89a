import FrameAnalysis
import FrameCore
import Synchronization

/// How live pictures move, for carrying what detectors find to later frames. Used by the thread that follows frames and
/// by those of detectors; never by the render thread, which would wait for a measurement.
final class PictureFlow: Sendable {
  /// Used under the lock only. It keeps nothing of the pictures that it is given.
  private struct State: @unchecked Sendable {
    var track = MotionTrack()
    var newest: Timestamp?
  }
  private let state = Mutex(State())

  /// After a pause of so many seconds, points are not looked for where they were.
  private static let longestPause = 0.5

  /// Takes the next frame.
  func update(from proxy: AnalysisProxy, at time: Timestamp) {
    state.withLock { state in
      // A file that begins again, or a pause.
      if let newest = state.newest, !(0...Self.longestPause).contains(time.seconds(since: newest)) {
        state.track = MotionTrack()
      }
      state.newest = time
      state.track.update(from: proxy, at: time)
    }
  }

  /// Where things are in a frame that was seen.
  ///
  /// - Parameter end: the frame's time; nil for the newest.
  /// - Returns: outlines by key, without those that were lost, and the time of that frame; nil before the first.
  func moved(_ things: [FollowedOutline], to end: Timestamp? = nil)
    -> (outlines: [UInt64: [NormalizedPoint]], time: Timestamp)?
  {
    state.withLock { state in
      guard let time = end ?? state.newest else { return nil }
      var outlines: [UInt64: [NormalizedPoint]] = [:]
      for thing in things {
        // From where it was found: steps from frame to frame would add up their errors. They come before the motion of the
        // whole picture, because what leaves the picture loses its points.
        var moved = state.track.moved(thing.outline, from: thing.seen, to: end, byItself: true)
        if moved == nil, end == nil, let carried = thing.carried {
          moved = state.track.moved(carried.outline, from: carried.time, byItself: true)
        }
        moved = moved ?? state.track.moved(thing.outline, from: thing.seen, to: end)
        outlines[thing.key] = moved
      }
      return (outlines, time)
    }
  }
}
