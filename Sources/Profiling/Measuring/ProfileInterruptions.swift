import Rendering

extension ProfileReport {
  /// Why some frames took much longer than most: the kernel's counters while they were rendered.
  public struct Interruptions: Codable, Sendable, Hashable {
    /// A frame that took more than `slowness` times the median.
    public struct SlowFrame: Codable, Sendable, Hashable {
      /// Its index in `frames.milliseconds`.
      public var index: Int
      public var milliseconds: Double
      /// The total time that threads of the program were ready to run but had to wait for a core: behind other
      /// programs, or behind each other if there are more threads than cores.
      public var waitedMilliseconds: Double
      public var involuntarySwitches: Int
      public var pageFaults: Int
      public var cause: Cause
    }

    public enum Cause: String, Codable, Sendable, Hashable {
      /// Threads had to wait for a core for at least half of the additional time of the frame.
      case coreWait
      /// The page faults account for at least as much.
      case pageFaults
      /// A thread was preempted, for less time than that.
      case switches
      /// None of the kernel's counters explains it: the cause is the work itself, the processor's clock, or a
      /// hypervisor.
      case unknown

      /// Creates a cause from its name in a report; earlier releases called waiting for a core `otherPrograms`.
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

    /// The factor over the median from which a frame is slow.
    public static let slowness = 1.5
    /// The approximate time of a page fault: the kernel maps the page and clears it.
    static let millisecondsPerPage = 0.001
    /// The maximum number of slow frames listed.
    static let listed = 200

    /// The ratio of p99.9 to p50 of all frames, and of those without an interruption counted by the kernel.
    package var evenness: Double
    public var evennessUndisturbed: Double
    public var undisturbedFrames: Int
    public var slowFrames: Int
    /// The number of slow frames by cause.
    public var causes: [String: Int]
    /// The slowest frames, in chronological order.
    public var slowest: [SlowFrame]
    /// The totals of all frames.
    public var waitedMilliseconds: Double
    public var involuntarySwitches: Int
    public var pageFaults: Int
    /// The time that a hypervisor took from all cores of the machine during the measurement; nil if it is not
    /// counted.
    public var stolenMilliseconds: Double?

    /// - Parameter counted: the kernel's counters for each frame of `milliseconds`.
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

    /// Renames the causes in a report of an earlier release to their current names.
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
