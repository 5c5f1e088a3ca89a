import FrameCore

/// Whether the first frames of a stream, often black or still adjusting exposure, are withheld.
public enum Settling: Sendable, Hashable {
  /// Every frame counts from the first.
  case off
  /// Frames are withheld until the picture is not black and its brightness is stable, but for at most `atMost`
  /// seconds from the first frame: in a dark room, the picture stays black.
  case measured(atMost: Double)

  /// Measured, for at most 1.5 seconds.
  public static let automatic = Settling.measured(atMost: 1.5)
}

/// Decides by the brightness of frames whether a stream has settled. Once it has, all frames pass.
struct SettlingMeter {
  /// Mean luma below this fraction of full scale is black; sensor noise stays below it.
  static let black = 0.02

  private(set) var isSettled: Bool
  private let limit: Int64
  private var start: Timestamp?
  private var stability = BrightnessStability()

  init(_ settling: Settling) {
    switch settling {
    case .off:
      isSettled = true
      limit = 0
    case .measured(let seconds):
      // A day means forever; the limit prevents overflow of the product.
      let bounded = seconds.isFinite ? min(max(seconds, 0), 86_400) : 86_400
      isSettled = bounded == 0
      limit = Int64(bounded * 1e9)
    }
  }

  /// Returns whether a frame with this mean luma (0…1), captured at `time`, is to be shown.
  mutating func passes(meanLuma: Double, at time: Timestamp) -> Bool {
    if isSettled { return true }
    let isStable = stability.isStable(meanLuma, counts: meanLuma >= Self.black)
    let start = start ?? time
    self.start = start
    isSettled = isStable || time.nanoseconds - start.nanoseconds >= limit
    return isSettled
  }
}
