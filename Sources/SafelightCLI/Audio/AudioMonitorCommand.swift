import ArgumentParser
import Safelight

struct AudioMonitorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Plays a microphone at once, and shows how late it is heard.",
    usage: "safelight audio monitor [<options>]",
    discussion: """
      The sound is heard within 20 ms where both devices are named as ALSA has them
      (hw:1,0); a sound server adds a delay of its own. The two clocks are kept
      together. Use headphones: a loudspeaker near the microphone howls.

      With --spatial, four channels are heard as two ears would hear them (binaural),
      for which libmysofa1 is needed. --capsules says what the channels are, as in
      “safelight audio record”.

      Keys: q ends.

      Examples:
        safelight audio monitor
        safelight audio monitor --microphone hw:1,0 --output hw:0,0 --gain -6
        safelight audio monitor --spatial ambix --capsules type1,radius=14.7mm
      """)

  @OptionGroup(title: "Sound")
  var source: SoundSourceOptions

  @OptionGroup(title: "Spatial sound")
  var spatial: SpatialOptions

  @Option(
    help: ArgumentHelp(
      "Where to play: default, or a loudspeaker's name or id from “safelight audio devices”",
      valueName: "name"),
    completion: .list(["default"]))
  var output = "default"

  @Option(
    parsing: .unconditional, help: ArgumentHelp("End after this time, such as 30 or 5m", valueName: "time"),
    transform: MovieOptionText.duration)
  var seconds: Double?

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws { try spatial.check(channels: source.format.channels) }

  func run() throws {
    try OpenFileLimit.check()
    // Before any thread is started.
    let signals = try Signals()
    try AudioMonitorRun(self).run(signals)
  }
}
