/// What becomes of frames that are captured while their consumer still works on an earlier one.
///
/// A consumer is *busy* from the moment it is given a frame until it asks for the next one (or its closure returns).
/// Counts are clamped to 0…`maximumCount`.
public enum LateFramePolicy: Sendable, Hashable {
  /// Keeps the newest `keepingNewest` frames for a busy consumer; each older one is dropped as `late`.
  ///
  /// With 1, a consumer that keeps up sees every frame, at most one frame interval old, and one that does not sees
  /// the newest frame there is whenever it is ready. 0 keeps none: a frame reaches only a consumer that waits for it.
  case discard(keepingNewest: Int)

  /// Drops every frame that is captured while the consumer is busy, as `late`: the consumer never sees a frame that
  /// was captured before it was ready. AVFoundation's `alwaysDiscardsLateVideoFrames = true`.
  case discardWhileBusy

  /// Keeps every frame, in order, until `limit` of them wait; a frame beyond that is dropped as `outOfBuffers`, and
  /// those that wait stay. AVFoundation's `alwaysDiscardsLateVideoFrames = false`.
  ///
  /// Frames that wait hold the source's buffers: a camera that has fewer buffers than `limit` runs out of them first.
  case keepAll(limit: Int)

  /// The most frames that may wait.
  public static let maximumCount = 4096

  /// Frames that may wait for the consumer.
  var capacity: Int {
    switch self {
    case .discard(let count), .keepAll(let count): min(max(count, 0), Self.maximumCount)
    // For a consumer that is not busy and does not ask either, such as one that has just been interrupted.
    case .discardWhileBusy: 1
    }
  }
}
