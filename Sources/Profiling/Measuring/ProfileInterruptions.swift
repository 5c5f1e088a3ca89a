import Rendering

extension ProfileReport {
  /// Why frames took much longer than most: what the kernel counted while they were rendered.
  public struct Interruptions: Codable, Sendable, Hashable {
    /// A frame that took more than `slowness` times the median.
    public struct SlowFrame: Codable, Sendable, Hashable {
      /// Its place among `frames.milliseconds`.
      public var index: Int
      public var milliseconds: Double
      /// How long threads of the program were ready to run and had to wait for a core, together: behind other
      /// programs, or behind each other where there are more of them than cores.
      public var waitedMilliseconds: Double
      public var involuntarySwitches: Int
      public var pageFaults: Int
      public var cause: Cause
    }

    public enum Cause: String, Codable, Sendable, Hashable {
      /// Threads had to wait for a core for half of the time that the frame took longer, or more.
      case coreWait
      /// The kernel brought so many pages of memory that they explain as much.
      case pageFaults
      /// A thread was pushed off its core, for less time than that.
      case switches
      /// Nothing that the kernel counts explains it: the work itself, the processor's clock, or a hypervisor.
      case unknown

      /// By its name in a report, where earlier releases called waiting for a core `otherPrograms`.
      init?(name: String) {
        self.init(rawValue: name == "otherPrograms" ? Self.coreWait.rawValue : name)
      }

      public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let cause = Self(name: try container.decode(String.self)) else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: "no cause")
        }
        self = cause
      }
    }

    /// How many times the median a slow frame takes.
    public static let slowness = 1.5
    /// What a page takes, about: the kernel enters it into the tables and clears it.
    static let millisecondsPerPage = 0.001
    /// Slow frames that are listed.
    static let listed = 200

    /// p99.9 over p50 of all frames, and of those in which the kernel counted no interruption.
    public var evenness: Double
    public var evennessUndisturbed: Double
    public var undisturbedFrames: Int
    public var slowFrames: Int
    /// Slow frames by cause.
    public var causes: [String: Int]
    /// The slowest, in order of time.
    public var slowest: [SlowFrame]
    /// In all frames together.
    public var waitedMilliseconds: Double
    public var involuntarySwitches: Int
    public var pageFaults: Int
    /// What a hypervisor took from all cores of the machine meanwhile; nil where nobody counts it.
    public var stolenMilliseconds: Double?

    /// - Parameter counted: what the kernel counted in each frame of `milliseconds`.
    init(_ milliseconds: [Double], counted: [KernelCounters.Reading], stolenMilliseconds: Double?) {
      let all = FrameTimes(milliseconds)
      let pairs = Array(zip(milliseconds, counted).enumerated())
      let quiet = FrameTimes(
        pairs.filter { $0.element.1 == KernelCounters.Reading() }.map { $0.element.0 })
      func ratio(_ times: FrameTimes) -> Double { times.p50 > 0 ? times.p999 / times.p50 : 0 }
      evenness = ratio(all)
      evennessUndisturbed = ratio(quiet)
      undisturbedFrames = quiet.milliseconds.count
      let slow = pairs.filter { $0.element.0 > Self.slowness * all.p50 }.map { index, frame in
        SlowFrame(
          index: index, milliseconds: frame.0, waitedMilliseconds: frame.1.waitedMilliseconds,
          involuntarySwitches: frame.1.involuntarySwitches, pageFaults: frame.1.pageFaults,
          cause: Self.cause(frame.1, excess: frame.0 - all.p50))
      }
      slowFrames = slow.count
      causes = Dictionary(slow.map { ($0.cause.rawValue, 1) }, uniquingKeysWith: +)
      slowest = Array(slow.sorted { $0.milliseconds > $1.milliseconds }.prefix(Self.listed))
        .sorted { $0.index < $1.index }
      waitedMilliseconds = counted.reduce(0) { $0 + $1.waitedMilliseconds }
      involuntarySwitches = counted.reduce(0) { $0 + $1.involuntarySwitches }
      pageFaults = counted.reduce(0) { $0 + $1.pageFaults }
      self.stolenMilliseconds = stolenMilliseconds
    }

    /// Gives the causes of a report of an earlier release their present names.
    mutating func renameCauses() {
      causes = Dictionary(
        causes.map { (Cause(name: $0.key)?.rawValue ?? $0.key, $0.value) }, uniquingKeysWith: +)
    }

    static func cause(_ counted: KernelCounters.Reading, excess: Double) -> Cause {
      if counted.waitedMilliseconds >= 0.5 * excess { return .coreWait }
      if Double(counted.pageFaults) * millisecondsPerPage >= 0.5 * excess { return .pageFaults }
      return counted.involuntarySwitches > 0 ? .switches : .unknown
    }
  }
}
