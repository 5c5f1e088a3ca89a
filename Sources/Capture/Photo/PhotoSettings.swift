import FrameCore
import Synchronization

/// What matters more in a photo: how soon it is there, or how good it is.
public enum PhotoQualityPrioritization: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
  /// One frame, the nearest to the press.
  case speed
  /// The sharpest of a few frames around the press.
  case balanced
  /// Several frames around the press, merged into one with less noise.
  case quality

  /// The number of frames that a photo is made of at most.
  public var frameCount: Int {
    switch self {
    case .speed: 1
    case .balanced: 5
    case .quality: 8
    }
  }

  public static func < (a: Self, b: Self) -> Bool { a.frameCount < b.frameCount }
}

/// What is asked of one photo.
public struct PhotoSettings: Sendable, Hashable {
  /// Tells photos apart; each settings value has its own.
  public let id: UInt64
  public var qualityPrioritization: PhotoQualityPrioritization
  /// Whether the photo is to be there at once as a proxy and finished later.
  public var isDeferred: Bool
  /// Whether the frame may be one that was captured before the press arrived. False takes frames from the press on:
  /// for exposures that were set just before, and for flashes.
  public var allowsZeroShutterLag: Bool
  /// The number of frames to choose from or to merge; nil takes the number of the quality. `.speed` always has one.
  public var frameCount: Int?

  /// The numbers of frames that may be asked for.
  public static let frameCounts = 2...32

  private static let lastID = Atomic<UInt64>(0)

  public init(
    qualityPrioritization: PhotoQualityPrioritization = .balanced, isDeferred: Bool = false,
    allowsZeroShutterLag: Bool = true
  ) {
    id = Self.lastID.add(1, ordering: .relaxed).newValue
    self.qualityPrioritization = qualityPrioritization
    self.isDeferred = isDeferred
    self.allowsZeroShutterLag = allowsZeroShutterLag
  }

  /// The same settings for another photo.
  func again() -> PhotoSettings {
    var settings = PhotoSettings(
      qualityPrioritization: qualityPrioritization, isDeferred: isDeferred,
      allowsZeroShutterLag: allowsZeroShutterLag)
    settings.frameCount = frameCount
    return settings
  }
}

/// Whether a photo can show the moment of the press although the press arrives later.
public enum ZeroShutterLag: Sendable, Hashable {
  case applies
  /// The frame is one captured after the press, or not the nearest to it.
  case doesNotApply(Reason)

  public enum Reason: String, Sendable, Hashable, Codable {
    /// The settings do not allow it.
    case notAllowed
    /// The exposure is set for the photo, after the press.
    case bracket
    /// Two frames do not fit into the memory of the output.
    case tooLittleMemory
    /// No frame from before the press is kept, since the session has just started or the press is too old.
    case noEarlierFrame
  }
}

/// What a photo's settings came to when it was captured.
public struct ResolvedPhotoSettings: Sendable, Hashable {
  /// The id of the settings.
  public let id: UInt64
  /// The photo's number among those of its output, from 1, in the order of their presses.
  public let number: Int
  /// The moment that the photo is to show.
  public let pressedAt: Timestamp
  /// At most what was asked for: rapid presses lower it if the output prioritizes fast capture.
  public let qualityPrioritization: PhotoQualityPrioritization
  /// The number of frames that the photo is made of, if they come and there is memory for them.
  public let frameCount: Int
  public let zeroShutterLag: ZeroShutterLag
  public let isDeferred: Bool
  /// The place in a burst; nil for a photo by itself.
  public let burst: BurstPosition?

  package init(
    id: UInt64, number: Int, pressedAt: Timestamp, qualityPrioritization: PhotoQualityPrioritization,
    frameCount: Int, zeroShutterLag: ZeroShutterLag, isDeferred: Bool, burst: BurstPosition?
  ) {
    (self.id, self.number, self.pressedAt) = (id, number, pressedAt)
    (self.qualityPrioritization, self.frameCount) = (qualityPrioritization, frameCount)
    (self.zeroShutterLag, self.isDeferred, self.burst) = (zeroShutterLag, isDeferred, burst)
  }
}

/// The place of a photo in a burst.
public struct BurstPosition: Sendable, Hashable {
  /// 32 hexadecimal digits, the same for all photos of the burst and for no other.
  public let id: String
  /// From 0.
  public let index: Int

  package init(id: String, index: Int) { (self.id, self.index) = (id, index) }
}

/// The state of a shutter button: whether a photo asked for now would be captured at once.
public enum PhotoReadiness: String, Sendable, Hashable, Codable, CaseIterable {
  case ready
  /// Not for the moment: the first frame is still to come.
  case notReadyMomentarily
  /// An earlier photo waits for its frames.
  case notReadyWaitingForCapture
  /// Earlier photos are still processed.
  case notReadyWaitingForProcessing
  case sessionNotRunning
}
