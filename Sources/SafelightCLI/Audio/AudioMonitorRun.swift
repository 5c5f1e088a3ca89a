import Safelight

/// One run of `audio monitor`.
final class AudioMonitorRun {
  private let command: AudioMonitorCommand
  private let output = AudioDataOutput()
  private let sound: SoundSession
  private let loudspeaker: AudioDevice
  private let heads: MonitorHeads
  private let line = SoundStatusLine(isJSON: false)

  /// The delay in seconds that monitoring promises, and the time after which it is settled.
  private static let promise = 0.020
  private static let settling = 3.0
  /// As short as devices allow, since half of the delay is waiting for it.
  private static let period = 0.005

  /// - Throws: `SafelightError` if there is no such device, or what binaural sound needs is missing.
  init(_ command: AudioMonitorCommand) throws {
    self.command = command
    let arrangement = command.spatial.arrangement
    do {
      loudspeaker = try AudioDevice.device(command.output, .playback)
    } catch let failure as CaptureFailure {
      throw failure.error
    }
    let input = try command.source.makeInput(for: arrangement, period: Self.period)
    heads = try MonitorHeads(arrangement: arrangement, sampleRate: command.source.format.sampleRate)
    sound = try SoundSession(
      input, to: output, request: command.source.request(isSpatial: arrangement != nil),
      connection: command.source.format.connection)
  }

  func run(_ signals: Signals) throws {
    defer { sound.close() }
    guard let format = try sound.open(signals) else { return }
    let player = try SoundPlayer(loudspeaker, format: format, heads: heads)
    defer { player.stop() }
    try sound.add(player, connection: command.source.format.connection)
    if command.output == "default", !command.source.isSynthetic { Output.warning(SoundPlayer.feedback) }
    let keys = try CommandKeys<SoundKey>(isWanted: true)
    defer { keys.close() }
    Output.note("\(sound.name) is heard from \(loudspeaker.name); q or Ctrl-C ends.")
    let statistics = follow(player, format, signals, keys)
    signals.release()
    line.clear()
    tellNotes()
    if let failure = player.failure?.error ?? sound.failure { throw failure }
    if let statistics { Output.done(Self.summary(statistics)) }
  }

  /// - Returns: the last measurements while something was heard.
  private func follow(
    _ player: SoundPlayer, _ format: AudioFormat, _ signals: Signals, _ keys: CommandKeys<SoundKey>
  ) -> MonitorStatistics? {
    let began = Timestamp.now
    var (meter, last): (LoudnessMeter, MonitorStatistics?) = (LoudnessMeter(format: format), nil)
    var toldDelay = false
    var (wasFailing, elapsed) = (false, 0.0)
    while !output.isFinished, elapsed < command.seconds ?? .infinity {
      if signals.wait(seconds: 0.02) != nil || keys.take().contains(.quit) { break }
      while let buffer = output.nextBuffer(until: .now) { meter.process(buffer) }
      elapsed = Timestamp.now.seconds(since: began)
      tellNotes()
      let failure = player.failure
      if let failure, !wasFailing { line.message("Nothing is heard: \(failure)") }
      if failure == nil, wasFailing { line.message("The sound is heard again.") }
      wasFailing = failure != nil
      let statistics = player.statistics
      if let latency = statistics.latency {
        last = statistics
        if !toldDelay, elapsed > Self.settling, latency.total > Self.promise {
          toldDelay = true
          line.message(Self.lateness(latency))
        }
      }
      line.tick { Self.line(statistics, meter.levels.map(\.peak)) }
    }
    return last
  }

  private func tellNotes() { for message in sound.takeMessages() { line.message(message) } }

  private static func lateness(_ latency: MonitorLatency) -> String {
    "The sound is heard after \(LevelText.milliseconds(latency.total)), which is late; name both devices"
      + " as ALSA has them, such as --microphone hw:1,0 --output hw:0,0, since a sound server adds a delay."
  }

  /// `▮▮▮▮▮▯▯▯ −18 dB · heard after 14.2 ms · 2 interruptions`
  static func line(_ statistics: MonitorStatistics, _ peaks: [Double]) -> String {
    let latency = statistics.latency.map { "heard after \(LevelText.milliseconds($0.total))" }
    return [
      LevelText.bars(peaks), latency ?? "not heard yet",
      interruptionCount(statistics) > 0 ? interruptions(statistics) : "",
    ].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// `heard after 14.2 ms: 8.1 ms from the microphone, 6.1 ms to the loudspeaker; 0 interruptions`
  static func summary(_ statistics: MonitorStatistics) -> String {
    guard let latency = statistics.latency else { return interruptions(statistics) }
    return "heard after \(LevelText.milliseconds(latency.total)): "
      + "\(LevelText.milliseconds(latency.capture)) from the microphone, "
      + "\(LevelText.milliseconds(latency.playback)) to the loudspeaker; \(interruptions(statistics))"
  }

  /// `2 interruptions`
  private static func interruptions(_ statistics: MonitorStatistics) -> String {
    let count = interruptionCount(statistics)
    return count == 1 ? "1 interruption" : "\(count) interruptions"
  }

  private static func interruptionCount(_ statistics: MonitorStatistics) -> Int {
    statistics.underruns + statistics.starvations + statistics.jumps
  }
}
