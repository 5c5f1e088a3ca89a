/// The treatment of frames captured while their consumer is still working on an earlier one.
///
/// A consumer is *busy* from when it receives a frame until it asks for the next one (or its closure returns).
/// Counts are clamped to 0…`maximumCount`.
public enum LateFramePolicy: Sendable, Hashable {
  /// Keeps the newest `keepingNewest` frames for a busy consumer; each older one is dropped as `late`.
  ///
  /// With 1, a consumer that keeps up sees every frame, at most one frame interval old; a slower one sees the
  /// newest frame whenever it is ready. With 0, a frame reaches only a consumer that is waiting for it.
  case discard(keepingNewest: Int)

  /// Drops every frame captured while the consumer is busy, as `late`: the consumer never sees a frame captured
  /// before it was ready. AVFoundation's `alwaysDiscardsLateVideoFrames = true`.
  case discardWhileBusy

  /// Keeps every frame, in order, while fewer than `limit` are waiting; further ones are dropped as
  /// `outOfBuffers`. AVFoundation's `alwaysDiscardsLateVideoFrames = false`.
  ///
  /// Waiting frames hold the source's buffers: a camera with fewer buffers than `limit` runs out first.
  case keepAll(limit: Int)

  /// The most frames that may wait.
  public static let maximumCount = 4096

  /// The number of frames that may wait for the consumer.
  var capacity: Int {
    switch self {
    case .discard(let count), .keepAll(let count): min(max(count, 0), Self.maximumCount)
    // For a consumer that is neither busy nor asking, such as one that was just interrupted.
    case .discardWhileBusy: 1
    }
  }
}
