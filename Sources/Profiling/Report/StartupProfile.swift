import FrameCore

/// Where the time goes from the start of the program to the first rendered live frame, and to its end, as
/// `safelight profile --startup --json` prints it.
///
/// Times are wall-clock milliseconds over several runs of the program.
public struct StartupProfile: JSONReport, Hashable {
  public struct Step: Codable, Sendable, Hashable {
    public var name: String
    /// What is done in it.
    public var text: String
    /// The median.
    public var milliseconds: Double
    public var minimum: Double

    public init(name: String, text: String, milliseconds: Double, minimum: Double) {
      (self.name, self.text) = (name, text)
      (self.milliseconds, self.minimum) = (milliseconds, minimum)
    }
  }

  /// The format version of this report.
  public static let currentVersion = 1

  public var version = Self.currentVersion
  /// The command line that was run.
  public var command: String
  /// The number of measured runs.
  public var runs: Int
  /// The steps in the order in which they are done; they add up to `whole`, apart from the differences between
  /// medians.
  public var steps: [Step]
  /// From the start of the program to its first rendered frame.
  public var firstFrame: Step
  /// From the start of the program to its end.
  public var whole: Step
  /// What the system counted in the run of median length: minor and major page faults.
  public var pageFaults: Int
  /// How often a thread was preempted in that run.
  public var involuntarySwitches: Int
  /// The processor time of that run, of all threads, in user and kernel mode.
  public var processorMilliseconds: Double

  public init(
    command: String, runs: Int, steps: [Step], firstFrame: Step, whole: Step, pageFaults: Int,
    involuntarySwitches: Int, processorMilliseconds: Double
  ) {
    (self.command, self.runs, self.steps) = (command, runs, steps)
    (self.firstFrame, self.whole) = (firstFrame, whole)
    (self.pageFaults, self.involuntarySwitches) = (pageFaults, involuntarySwitches)
    self.processorMilliseconds = processorMilliseconds
  }
}
