import ArgumentParser
import Safelight

struct AudioMeterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "meter",
    abstract: "Measures the loudness of a microphone or of a file, as EBU R128 has it.",
    usage: "safelight audio meter [<in>] [<options>]",
    discussion: """
      M is the loudness of the last 400 ms, S of the last 3 s, I of everything, in
      LUFS; the range is between soft and loud parts, in LU; true peaks are between
      samples too, for each channel in dBTP.

      WAV files cannot say that their channels are ambisonics; --spatial does. Other
      sound, and movies, are read by FFmpeg.

      Keys: q ends.

      Examples:
        safelight audio meter
        safelight audio meter --microphone synthetic --seconds 10 --json
        safelight audio meter clip.mp4
        safelight audio meter room.wav --spatial ambix --json
      """)

  @Argument(
    help: ArgumentHelp("A file with sound, instead of a microphone", valueName: "in"), completion: .file())
  var file: String?

  @OptionGroup(title: "Sound")
  var source: SoundSourceOptions

  @Option(help: ArgumentHelp("The four channels are ambisonics, in this order", valueName: "format"))
  var spatial: AmbisonicFormat?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End after this time, such as 30 or 5m; of a file, measure no more", valueName: "time"),
    transform: MovieOptionText.duration)
  var seconds: Double?

  @Flag(help: "Report as JSON: an object a second, and one at the end; one for a file")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    if let channels = source.format.channels, spatial != nil, channels != 4 {
      throw ValidationError("Ambisonics have four channels; leave --channels out, or --spatial.")
    }
    guard file != nil else { return }
    let isForDevices =
      source.microphone != "default" || source.format.sampleRate != nil || source.format.channels != nil
      || source.format.gain != nil
    guard !isForDevices else {
      throw ValidationError("A file is measured as it is; leave out either its name or the options of sound.")
    }
  }

  func run() throws {
    if let file {
      let reading = try MeteredFile.measure(file, spatial: spatial, seconds: seconds)
      if json { return try Output.json(MeterReport("end", file, reading)) }
      return Output.line(LevelText.summary(reading))
    }
    try OpenFileLimit.check()
    // Before any thread is started.
    let signals = try Signals()
    try AudioMeterRun(self).run(signals)
  }
}

/// A measurement as JSON.
struct MeterReport: JSONReport {
  /// `level` while it goes on, and `end`.
  var event: String
  /// The microphone or the file.
  var source: String
  var sampleRate: Int
  var channels: Int
  var loudness: LoudnessReport

  init(_ event: String, _ source: String, _ reading: LoudnessReading) {
    (self.event, self.source) = (event, source)
    (sampleRate, channels) = (reading.meter.format.sampleRate, reading.meter.format.channelCount)
    loudness = LoudnessReport(reading)
  }
}

/// Measures the sound of a file.
enum MeteredFile {
  /// - Parameters:
  ///   - spatial: what four channels are, where the file does not say.
  ///   - seconds: measures no more than this from the beginning.
  /// - Throws: `SafelightError` if the file cannot be read, or has no sound.
  static func measure(_ path: String, spatial: AmbisonicFormat?, seconds: Double?) throws -> LoudnessReading {
    let reading = try read(path, spatial: spatial, seconds: seconds)
    guard reading.meter.duration > 0 else {
      throw SafelightError(
        .corruptData, "Less than 100 ms of sound could be read from \(path)",
        remedy: "choose a longer file, or check that it plays elsewhere")
    }
    return reading
  }

  private static func read(
    _ path: String, spatial: AmbisonicFormat?, seconds: Double?
  ) throws -> LoudnessReading {
    let wave: WaveFileReader
    do {
      wave = try WaveFileReader(path: path, channels: spatial?.layout)
    } catch let error as SafelightError where error.code == .corruptData || error.code == .unsupported {
      return try decode(path, spatial: spatial, seconds: seconds)
    }
    var reading = LoudnessReading(format: wave.format)
    var rest = frames(seconds, wave.format)
    while rest > 0 {
      let samples = try wave.read(Int(min(rest, Int64(wave.format.sampleRate))))
      guard !samples.isEmpty else { break }
      reading.process(samples)
      rest -= Int64(samples.count / wave.format.channelCount)
    }
    return reading
  }

  private static func decode(
    _ path: String, spatial: AmbisonicFormat?, seconds: Double?
  ) throws -> LoudnessReading {
    let reader = try SoundTrackReader(path: path, mode: .samples)
    var format = reader.format
    if let spatial {
      try SpatialArrangement.check(channelCount: format.channelCount)
      format.layout = spatial.layout
    }
    var reading = LoudnessReading(format: format)
    var rest = frames(seconds, format)
    while rest > 0, let buffer = try reader.nextBuffer() {
      reading.process(
        Array(buffer.samples.prefix(Int(min(rest, Int64(buffer.frameCount))) * format.channelCount)))
      rest -= Int64(buffer.frameCount)
    }
    return reading
  }

  private static func frames(_ seconds: Double?, _ format: AudioFormat) -> Int64 {
    seconds.map { Int64(($0 * Double(format.sampleRate)).rounded()) } ?? .max
  }
}
