import FrameCore
import Libc

/// Decides by the brightness of frames when an exposure that was set shows in them: a state machine without clock.
struct ExposureSettling {
  typealias Brightness = BracketedExposure.Brightness

  /// Frames that are not looked at after the exposure was set: sensors apply what is set during a frame to the one
  /// after next.
  static let latentFrames = 2
  /// The number of frames after which a brightness that rests is taken not to follow.
  static let patientFrames = 10
  /// The least number of frames that the limit covers, for slow streams.
  static let leastFrames = 12
  /// The part of the expected change that shows that the brightness follows: cameras' tone curves differ.
  static let leastPart = 0.25
  /// A smaller expected change, as a fraction of full scale, cannot be told from noise.
  static let leastChange = 0.01
  /// Encoded brightness grows with about this power of light.
  private static let encoding = 1 / 2.2

  /// Frames from before this show the former exposure; on the source's clock.
  private let start: Timestamp
  private let limit: Double
  /// The brightness before, and how it is to change.
  private let former: Double?
  private let expected: Double
  private var stability = BrightnessStability()
  private var count = 0

  /// - Parameters:
  ///   - former: the mean luma before, 0…1; nil if it is not known.
  ///   - stops: how much more light there is to be.
  ///   - limit: in seconds.
  init(from former: Double?, by stops: Double, since start: Timestamp, limit: Double) {
    (self.former, self.start, self.limit) = (former, start, limit)
    expected = former.map { min($0 * exp2(stops * Self.encoding), 1) - $0 } ?? 0
  }

  /// - Returns: whether the frame may be taken, and with what brightness; nil if not yet.
  mutating func frame(meanLuma: Double, at time: Timestamp) -> Brightness? {
    guard time >= start else { return nil }
    count += 1
    guard count > Self.latentFrames else { return nil }
    // A tenth of a dark picture's brightness is as visible as one of a bright one's.
    let isStable = stability.isStable(
      meanLuma, within: min(BrightnessStability.largestChange, meanLuma / 10 + 0.002))
    if isStable, hasFollowed(meanLuma) { return .settled }
    if isStable, count >= Self.latentFrames + Self.patientFrames { return .unchanged }
    let isOver = time.seconds(since: start) >= limit && count >= Self.leastFrames
    return isOver ? .unsettled : nil
  }

  private func hasFollowed(_ luma: Double) -> Bool {
    guard let former, abs(expected) >= Self.leastChange else { return true }
    return (luma - former) / expected >= Self.leastPart
  }
}
