import ArgumentParser
import Safelight

/// `--bits`.
enum TakeBits: String, ExpressibleByArgument, CaseIterable {
  case int16 = "16"
  case int24 = "24"
  case float32 = "32"

  var format: WaveSampleFormat {
    switch self {
    case .int16: .int16
    case .int24: .int24
    case .float32: .float32
    }
  }
}

struct AudioRecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Records a microphone to a WAV file, every sample as it came.",
    discussion: """
      Nothing is resampled. What is missing, since the device lost it or was
      unplugged, becomes silence of the same length and is told. The file plays at
      every moment, also after a crash, and beyond 4 GiB (BW64).

      Keys: p pauses, which cuts what comes until the next p; m sets a mark, at
      which slide shows change; q ends. Without a terminal, Ctrl-C or SIGTERM ends.

      --spatial makes ambisonics of four channels: AmbiX, or FuMa (.wav or .amb).
      --capsules says what the channels are: type1 or type2, an array of capsules
      with radius=14.7mm, pattern=cardioid, mounting=upside-down, gains=0/0.5/0/0 or
      order=flu/frd/bld/bru; or ambix or fuma, of a microphone that converts by
      itself.

      Examples:
        safelight audio record -o take.wav
        safelight audio record -o take.wav --bits 24 --gain 6 --max-duration 5m
        safelight audio record -o room.wav --spatial ambix --monitor
        safelight audio record -o room.amb --spatial fuma --capsules type2
        safelight audio record -o beeps.wav --microphone synthetic --max-duration 10s
      """)

  @OptionGroup(title: "Sound")
  var source: SoundSourceOptions

  @OptionGroup(title: "Spatial sound")
  var spatial: SpatialOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write: a name in .wav, or .amb of FuMa", valueName: "out"),
    completion: .file(extensions: ["wav", "amb"]))
  var output: String

  @Option(
    help: ArgumentHelp(
      "Bits of a sample; 32 are floats, which cannot clip (default: 24, and 32 of ambisonics)",
      valueName: "bits"))
  var bits: TakeBits?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End after this time, such as 90s, 5m or 1h", valueName: "time"),
    transform: MovieOptionText.duration)
  var maxDuration: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End before the file is larger than this, such as 2GB", valueName: "size"),
    transform: BatchOptionText.bytes)
  var maxBytes: Int?

  @OptionGroup
  var overwriting: OverwriteOption

  @Flag(help: "Hear what is recorded, from the default loudspeaker or headphones")
  var monitor = false

  @Flag(help: "Report as JSON, one object per line")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    try spatial.check(channels: source.format.channels)
    try Self.check(name: output, spatial: spatial.spatial)
  }

  /// Rejects names that promise another kind of file.
  ///
  /// - Throws: `ValidationError`.
  static func check(name: String, spatial: AmbisonicFormat?) throws {
    let file = name.fileName
    let dot = file.dropFirst().lastIndex(of: ".")
    switch dot.map({ file[file.index(after: $0)...].lowercased() }) {
    case "wav", "wave", "bw64", "rf64": return
    case "amb":
      guard spatial == .fuMa else {
        throw ValidationError("A file in .amb holds FuMa; give --spatial fuma, or a name in .wav.")
      }
    case let other?:
      throw ValidationError("Sound by itself is written as WAV, not as .\(other); give a name in .wav.")
    case nil: throw ValidationError("The name \(name) has no extension; give a name in .wav.")
    }
  }

  /// How the sound of a session becomes the file.
  func settings(for format: AudioFormat) -> TakeSettings {
    TakeSettings(
      path: output, overwrite: overwriting.overwrite, source: format,
      sampleFormat: (bits ?? (spatial.spatial == nil ? .int24 : .float32)).format,
      arrangement: spatial.arrangement, ambisonics: spatial.spatial ?? .ambiX, maximumDuration: maxDuration,
      maximumBytes: maxBytes.map(Int64.init))
  }

  func run() throws {
    try OpenFileLimit.check()
    // Before any thread is started.
    let signals = try Signals()
    try AudioRecordRun(self).run(signals)
  }
}
