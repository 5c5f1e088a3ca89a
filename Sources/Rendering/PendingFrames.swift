/// Frames in flight on a renderer, oldest first.
///
/// For callers that keep a renderer busy and need each picture only when it is done:
///
///     var flight = PendingFrames(limit: renderer.framesInFlight)
///     for … { try flight.add(try plan.submit(source, into: output)) }
///     try flight.finish()
public struct PendingFrames: Sendable {
  /// The number of frames worth having in flight at once.
  public let limit: Int
  private var frames: [PendingFrame] = []

  /// - Parameter limit: the renderer's `framesInFlight`; less than 1 counts as 1.
  public init(limit: Int) {
    self.limit = max(1, limit)
    frames.reserveCapacity(self.limit)
  }

  public var count: Int { frames.count }

  /// Adds a frame. If that makes `limit` frames, waits for the oldest, so that its pictures are free again.
  ///
  /// - Throws: the error that the oldest failed with.
  public mutating func add(_ frame: PendingFrame) throws {
    frames.append(frame)
    if frames.count >= limit { try frames.removeFirst().wait() }
  }

  /// Waits for all frames, including those after a failure.
  ///
  /// - Throws: the first failure's error.
  public mutating func finish() throws {
    var failure: (any Error)?
    for frame in frames {
      do { try frame.wait() } catch { failure = failure ?? error }
    }
    frames.removeAll(keepingCapacity: true)
    if let failure { throw failure }
  }
}
