import Safelight

/// One run of `audio record`, from opening the microphone to the complete file.
final class AudioRecordRun {
  private let command: AudioRecordCommand
  private let output = AudioDataOutput(keepingNewest: AudioRecordRun.patience)
  private let sound: SoundSession
  private let heads: MonitorHeads
  private let reporter: TakeReporter
  private var player: SoundPlayer?
  private var toldMute = false

  /// The seconds of sound that wait for a slow disk before some is lost.
  private static let patience = 30.0

  /// - Throws: `SafelightError` if the file exists, there is no such microphone, or what `--monitor` needs is
  ///   missing.
  init(_ command: AudioRecordCommand) throws {
    self.command = command
    reporter = TakeReporter(path: command.output, isJSON: command.json)
    var files = OutputFiles(overwrite: command.overwriting.overwrite)
    try files.write(command.output, "--output")
    let arrangement = command.spatial.arrangement
    // Shorter pieces are heard sooner.
    let input = try command.source.makeInput(for: arrangement, period: command.monitor ? 0.005 : 0.01)
    heads = try MonitorHeads(
      arrangement: command.monitor ? arrangement : nil, sampleRate: command.source.format.sampleRate)
    sound = try SoundSession(
      input, to: output, request: command.source.request(isSpatial: arrangement != nil),
      connection: command.source.format.connection)
  }

  func run(_ signals: Signals) throws {
    defer { sound.close() }
    try Folder.makeWithParents(FolderListing.parent(of: command.output))
    guard let format = try sound.open(signals) else { return Output.note("Nothing was recorded.") }
    let settings = command.settings(for: format)
    if command.monitor { try hear(format) }
    let recorder = try TakeRecorder(settings, from: output)
    let keys = try CommandKeys<SoundKey>(isWanted: !command.json)
    defer { keys.close() }
    var problem: (any Error)?
    do {
      try reporter.started(recorder.status, from: sound.name, settings.sampleFormat)
      try follow(recorder, signals, keys)
    } catch {
      problem = error
    }
    // The rest may wait for the disk.
    signals.release()
    player?.stop()
    recorder.requestStop()
    sound.close()
    let outcome = recorder.waitUntilDone()
    tellNotes(outcome.status)
    try reporter.end(outcome)
    if let failure = problem ?? outcome.failure ?? sound.failure { throw failure }
    guard outcome.status.frames > 0 else {
      throw SafelightError(
        .device, "No sound came from \(sound.name), so \(command.output) is empty",
        remedy: "check that the microphone is connected and not muted")
    }
  }

  private func hear(_ format: AudioFormat) throws {
    let player = try SoundPlayer(.default, format: format, heads: heads)
    try sound.add(player, connection: command.source.format.connection)
    self.player = player
    if !command.source.isSynthetic { Output.warning(SoundPlayer.feedback) }
  }

  private func follow(_ recorder: TakeRecorder, _ signals: Signals, _ keys: CommandKeys<SoundKey>) throws {
    while recorder.outcome == nil {
      if signals.wait(seconds: 0.02) != nil { return }
      for key in keys.take() {
        switch key {
        case .quit: return
        case .mark:
          recorder.mark()
          try reporter.marked(recorder.status)
        case .pause: try reporter.paused(recorder.togglePause(), recorder.status)
        }
      }
      let status = recorder.status
      tellNotes(status)
      reporter.tick(status, heard: player?.statistics)
    }
  }

  private func tellNotes(_ status: TakeStatus) {
    for message in sound.takeMessages() { reporter.message(message) }
    guard status.isMute, !toldMute else { return }
    toldMute = true
    reporter.message("Only silence comes from \(sound.name); check that it is not muted (alsamixer).")
  }
}
