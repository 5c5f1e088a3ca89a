/// Frames that a renderer was handed and is at work on, the oldest first.
///
/// For whoever keeps a renderer busy and needs no picture before it is done with:
///
///     var flight = PendingFrames(limit: renderer.framesInFlight)
///     for … { try flight.add(try renderer.submitFrame(source, through: plan, into: output)) }
///     try flight.finish()
public struct PendingFrames: Sendable {
  /// Frames that are worth having on their way at a time.
  public let limit: Int
  private var frames: [PendingFrame] = []

  /// - Parameter limit: of a renderer, its `framesInFlight`; less than 1 counts as 1.
  public init(limit: Int) {
    self.limit = max(1, limit)
    frames.reserveCapacity(self.limit)
  }

  public var count: Int { frames.count }

  /// Adds a frame. Where there are `limit` of them then, waits for the oldest, so that its pictures are free again.
  ///
  /// - Throws: what the oldest failed with.
  public mutating func add(_ frame: PendingFrame) throws {
    frames.append(frame)
    if frames.count >= limit { try frames.removeFirst().wait() }
  }

  /// Waits for all of them, whatever becomes of them.
  ///
  /// - Throws: what the first that failed did so with.
  public mutating func finish() throws {
    var failure: (any Error)?
    for frame in frames {
      do { try frame.wait() } catch { failure = failure ?? error }
    }
    frames.removeAll(keepingCapacity: true)
    if let failure { throw failure }
  }
}
