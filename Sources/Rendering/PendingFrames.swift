/// Frames in flight on a renderer, oldest first, each with what is needed once it is done. Allocates nothing after
/// initialization.
///
/// For callers that keep a renderer busy and need each picture only when it is done:
///
///     var flight = PendingFrames(limit: renderer.framesInFlight)
///     for … { try flight.add(try plan.submit(source, into: output)) }
///     try flight.finish()
public struct PendingFrames<Content> {
  /// The number of frames worth having in flight at once.
  public let limit: Int
  @usableFromInline var frames: [(frame: PendingFrame, content: Content)] = []

  /// - Parameters:
  ///   - limit: the renderer's `framesInFlight`; less than 1 counts as 1.
  ///   - content: what is kept with each frame.
  @inlinable public init(limit: Int, with content: Content.Type) {
    self.limit = max(1, limit)
    frames.reserveCapacity(self.limit)
  }

  @inlinable public var count: Int { frames.count }
  @inlinable public var isEmpty: Bool { frames.isEmpty }
  /// Whether the oldest frame should be finished before another is submitted.
  @inlinable public var isFull: Bool { frames.count >= limit }

  /// Adds a frame without waiting for another.
  @inlinable public mutating func append(_ frame: PendingFrame, with content: Content) {
    frames.append((frame, content))
  }

  /// Waits for the oldest frame, so that its pictures are free again.
  ///
  /// - Returns: what was kept with it; nil if there is no frame.
  /// - Throws: the error that it failed with; it is removed then too.
  @inlinable public mutating func finishOldest() throws -> Content? {
    guard !frames.isEmpty else { return nil }
    let oldest = frames.removeFirst()
    try oldest.frame.wait()
    return oldest.content
  }

  /// Waits for all frames, including those after a failure, and removes them.
  ///
  /// - Throws: the first failure's error.
  @inlinable public mutating func finish() throws {
    var failure: (any Error)?
    for (frame, _) in frames {
      do { try frame.wait() } catch { failure = failure ?? error }
    }
    frames.removeAll(keepingCapacity: true)
    if let failure { throw failure }
  }
}

extension PendingFrames: Sendable where Content: Sendable {}

extension PendingFrames where Content == Void {
  /// - Parameter limit: the renderer's `framesInFlight`; less than 1 counts as 1.
  @inlinable public init(limit: Int) { self.init(limit: limit, with: Void.self) }

  /// Adds a frame. If that makes `limit` frames, waits for the oldest.
  ///
  /// - Throws: the error that the oldest failed with.
  @inlinable public mutating func add(_ frame: PendingFrame) throws {
    append(frame, with: ())
    if isFull { _ = try finishOldest() }
  }
}
