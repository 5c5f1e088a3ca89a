/// How far the machine is from what the session needs: a level, and why.
///
/// Levels are those of AVFoundation's `AVCaptureDevice.SystemPressureState`.
public struct SystemPressure: Sendable, Hashable, Codable {
  public enum Level: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    case nominal
    /// Slightly elevated; frames are not affected yet.
    case fair
    /// Quality or rate should be reduced.
    case serious
    /// Quality or rate must be reduced at once.
    case critical
    /// Beyond critical; capture must stop before the system does.
    case shutdown

    /// 0 for nominal … 4 for shutdown.
    var rank: Int {
      switch self {
      case .nominal: 0
      case .fair: 1
      case .serious: 2
      case .critical: 3
      case .shutdown: 4
      }
    }

    /// The next lower level; nominal has none below it.
    var lower: Level {
      switch self {
      case .nominal, .fair: .nominal
      case .serious: .fair
      case .critical: .serious
      case .shutdown: .critical
      }
    }

    public static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }
  }

  /// What presses.
  public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
    /// Our own frames take too long, queue up or are dropped.
    case deadlines
    /// Temperatures near the trip points of the kernel's thermal zones.
    case thermal
    /// The processor is slowed down, by itself, by a cooling device or by a limit of its frequency.
    case throttling
    /// Programs wait for memory, or little is left.
    case memory
    /// Programs wait for processors. Our own work causes that too, so it is never more than `fair`.
    case cpu
  }

  /// A reason with its own level: the worst of its sources.
  public struct Cause: Sendable, Hashable, Codable {
    public let reason: Reason
    public let level: Level
    /// One sentence with the value and the threshold.
    public let sentence: String
  }

  /// A source that cannot be read here, as in containers and virtual machines.
  public struct UnavailableSource: Sendable, Hashable, Codable {
    /// For example `/sys/class/thermal`.
    public let path: String
    /// One sentence: why.
    public let sentence: String
  }

  /// The worst level of all causes.
  public var level: Level { causes.map(\.level).max() ?? .nominal }
  /// At most one for each reason, none at `nominal`, in the order of `Reason.allCases`.
  public let causes: [Cause]
  /// In the order in which they are looked for.
  public let unavailable: [UnavailableSource]

  /// No pressure.
  public static let nominal = SystemPressure(causes: [], unavailable: [])

  init(causes: [Cause], unavailable: [UnavailableSource]) {
    self.causes = causes
    self.unavailable = unavailable
  }

  /// Returns the level of one reason.
  public subscript(reason: Reason) -> Level {
    causes.first { $0.reason == reason }?.level ?? .nominal
  }

  /// The cause that decides the level; nil at `nominal`.
  public var worst: Cause? { worst { _ in true } }

  /// The worst cause among some reasons; nil if all are nominal.
  func worst(where isCounted: (Reason) -> Bool) -> Cause? {
    causes.filter { isCounted($0.reason) }.reduce(nil) { (worst: Cause?, cause) in
      guard let worst else { return cause }
      return cause.level > worst.level ? cause : worst
    }
  }
}
