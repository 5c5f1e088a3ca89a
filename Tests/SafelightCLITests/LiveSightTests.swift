import LibraryTestSupport
import FoundationEssentials
import Safelight
import Testing

@Suite("safelight live: what is seen, and what is done then")
struct LiveSightTests {
  private static let scene = ["live", "--source", "synthetic", "--size", "160x90", "--to", "null"]

  private func run(_ arguments: [String], in scratch: Scratch? = nil) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch ?? Scratch())
  }

  @Test(
    "refuses what cannot be seen or done, before anything is opened",
    arguments: [
      (["--analyze", "motoin"], "Unknown analysis “motoin”; did you mean “motion”?"),
      (["--analyze", "motion", "--zone", "door=0,0,2,0,1,1"], "outside the picture"),
      (["--analyze", "motion", "--zone", "door=0,0,1,1,1,0,0,1"], "edges that cross"),
      (["--analyze", "motion", "--zone", "door=0,0,1,1"], "has 2 corners"),
      (
        ["--analyze", "motion", "--zone", "a=0,0,1,0,1,1", "--zone", "a=0,0,1,0,1,1"],
        "Two zones are called a"
      ),
      (["--zone", "a=0,0,1,0,1,1"], "--zone has no effect without --analyze motion"),
      (["--overlay"], "--overlay has no effect without --analyze motion"),
      (["--analyze", "motion", "--on", "motion:strat", "capture"], "Unknown moment of motion “strat”"),
      (["--analyze", "motion", "--on", "motoin:start", "capture"], "Unknown kind of event “motoin”"),
      (["--analyze", "motion", "--on", "motion:start"], "--on takes an event and an action"),
      (["--analyze", "motion", "--on", "motion:start@gate", "capture"], "in a zone that is not given"),
      (["--on", "motion:start", "capture"], "does not happen without --analyze motion"),
      (["--analyze", "motion", "--on", "focus:peak", "capture"], "does not happen without --analyze focus"),
      (["--analyze", "motion", "--on", "motion:start", "record"], "has no effect without --to movie:FILE"),
      (["--mqtt", "broker"], "--mqtt has no effect without"),
      (["--analyze", "motion", "--mqtt", "a:0"], "cannot be read"),
      (["--on-every", "2"], "--on-every has no effect without --on"),
      (
        ["--analyze", "motion", "--on", "motion:start", "capture", "--on-deadline", "2"],
        "--on-deadline has no effect"
      ),
      (["--pre-roll", "2"], "--pre-roll has no effect"),
      (
        ["--analyze", "motion", "--on", "motion:start", "no-such-program x"],
        "There is no program no-such-program"
      ),
      (["--analyze", "motion", "--on", "motion:start", "sh 'x"], "ends within a quote"),
      (["--analyze", "motion", "--on", "motion:start", " "], "The command is empty"),
      (["--analyze", "motion", "--on", "motion:start", "capture", "--unpaced"], "do not come in real time"),
    ] as [([String], String)])
  func refused(_ arguments: [String], _ problem: String) throws {
    let run = try run(Self.scene + arguments + ["--frames", "1"])
    #expect(run.exitCode != 0 && run.errors.contains(problem), "\(run.errors)")
    #expect(run.output.isEmpty)
  }
}
