import FrameCore

/// Whether the first frames of a stream, often black or still finding their exposure, are withheld.
public enum Settling: Sendable, Hashable {
  /// Every frame counts from the first on.
  case off
  /// Frames are withheld until the picture is not black and its brightness holds still, but at most for `atMost`
  /// seconds from the first frame on: in a dark room, a picture that stays black is the picture.
  case measured(atMost: Double)

  /// Measured, for at most a second and a half.
  public static let automatic = Settling.measured(atMost: 1.5)
}

/// Decides from the brightness of frames whether a stream has settled. It does so once; afterwards all frames pass.
struct SettlingMeter {
  /// A mean luma below this is black. Fraction of full scale; sensor noise stays below it.
  static let black = 0.02
  /// The largest change of mean luma from frame to frame that counts as holding still. Fraction of full scale.
  static let largestChange = 0.015
  /// So many changes in a row must be small.
  static let calmChanges = 2

  private(set) var isSettled: Bool
  private let limit: Int64
  private var start: Timestamp?
  private var former: Double?
  private var calm = 0

  init(_ settling: Settling) {
    switch settling {
    case .off:
      isSettled = true
      limit = 0
    case .measured(let seconds):
      // A day stands for ever; the bound keeps the product within range.
      let bounded = seconds.isFinite ? min(max(seconds, 0), 86_400) : 86_400
      isSettled = bounded == 0
      limit = Int64(bounded * 1e9)
    }
  }

  /// Whether a frame with this mean luma (0…1), captured at `time`, is to be shown.
  mutating func passes(meanLuma: Double, at time: Timestamp) -> Bool {
    if isSettled { return true }
    if let former {
      let isCalm = abs(meanLuma - former) <= Self.largestChange && meanLuma >= Self.black
      calm = isCalm ? calm + 1 : 0
    }
    former = meanLuma
    let start = start ?? time
    self.start = start
    isSettled = calm >= Self.calmChanges || time.nanoseconds - start.nanoseconds >= limit
    return isSettled
  }
}
