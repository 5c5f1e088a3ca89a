import Safelight

/// One run of `audio meter` on a microphone.
final class AudioMeterRun {
  private let command: AudioMeterCommand
  private let output = AudioDataOutput()
  private let sound: SoundSession
  private let line: SoundStatusLine

  /// Seconds between two reports in JSON.
  private static let interval = 1.0

  /// - Throws: `SafelightError` if there is no such microphone.
  init(_ command: AudioMeterCommand) throws {
    self.command = command
    line = SoundStatusLine(isJSON: command.json)
    let arrangement = command.spatial.map { SpatialArrangement.ambisonic($0) }
    sound = try SoundSession(
      command.source.makeInput(for: arrangement), to: output,
      request: command.source.request(isSpatial: arrangement != nil),
      connection: command.source.format.connection)
  }

  func run(_ signals: Signals) throws {
    defer { sound.close() }
    guard var format = try sound.open(signals) else { return }
    if let spatial = command.spatial {
      try SpatialArrangement.check(channelCount: format.channelCount)
      format.layout = spatial.layout
    }
    let keys = try CommandKeys<SoundKey>(isWanted: !command.json)
    defer { keys.close() }
    var reading = LoudnessReading(format: format)
    try follow(&reading, signals, keys)
    signals.release()
    sound.close()
    line.clear()
    tellNotes()
    if command.json {
      try Output.jsonLine(MeterReport("end", sound.name, reading))
    } else {
      Output.line(LevelText.summary(reading))
    }
    if let failure = sound.failure { throw failure }
    guard reading.meter.duration > 0 else {
      throw SafelightError(
        .device, "Less than 100 ms of sound came from \(sound.name)",
        remedy: "measure longer, or check that the microphone is connected")
    }
  }

  private func follow(_ reading: inout LoudnessReading, _ signals: Signals, _ keys: CommandKeys<SoundKey>)
    throws
  {
    var rest = command.seconds.map { Int64(($0 * Double(reading.meter.format.sampleRate)).rounded()) } ?? .max
    var reported = Timestamp.now
    while rest > 0, !output.isFinished {
      if signals.wait(seconds: 0.02) != nil || keys.take().contains(.quit) { return }
      while rest > 0, let buffer = output.nextBuffer(until: .now) {
        let frames = min(rest, Int64(buffer.frameCount))
        reading.process(Array(buffer.samples.prefix(Int(frames) * buffer.format.channelCount)))
        rest -= frames
      }
      tellNotes()
      let meter = reading.meter
      line.tick { Self.line(meter) }
      guard command.json, Timestamp.now.seconds(since: reported) >= Self.interval else { continue }
      reported = reported.advanced(bySeconds: Self.interval)
      try Output.jsonLine(MeterReport("level", sound.name, reading))
    }
  }

  private func tellNotes() { for message in sound.takeMessages() { line.message(message) } }

  /// `▮▮▮▮▮▯▯▯ −18 dB · M −23.1 S −22.8 I −23.0 LUFS · range 4.2 LU · peak −3.1 dBTP`
  static func line(_ meter: LoudnessMeter) -> String {
    let (momentary, shortTerm) = (
      LevelText.decibels(meter.momentary), LevelText.decibels(meter.shortTermLoudness)
    )
    let peaks = meter.truePeak.map(LevelText.decibels).joined(separator: " ")
    return [
      LevelText.bars(meter.levels.map(\.peak)),
      "M \(momentary) S \(shortTerm) I \(LevelText.decibels(meter.integrated)) LUFS",
      "range \(LevelText.signed(meter.range, 1)) LU", "peak \(peaks) dBTP",
    ].joined(separator: " · ")
  }
}
