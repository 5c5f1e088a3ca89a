import Safelight

/// Says how a take goes: a calm line on a terminal, JSON where asked for, and what happened as sentences.
final class TakeReporter {
  private let isJSON: Bool
  private let path: String
  private let line: SoundStatusLine

  init(path: String, isJSON: Bool) {
    (self.path, self.isJSON) = (path, isJSON)
    line = SoundStatusLine(isJSON: isJSON)
  }

  func message(_ text: String) { line.message(text) }

  func tick(_ status: TakeStatus, heard: MonitorStatistics?) { line.tick { Self.line(status, heard: heard) } }

  /// `● 0:01:23 · 12 MB · ▮▮▮▮▮▯▯▯ ▮▮▮▮▯▯▯▯ −18 dB · M −23.1 S −22.8 LUFS · clipped 3 · silence 0.4 s`
  static func line(_ status: TakeStatus, heard: MonitorStatistics? = nil) -> String {
    var parts = [(status.isPaused ? "‖ " : "● ") + RecordReporter.clock(status.seconds)]
    if status.bytes > 0 { parts.append(ByteText.text(Int(status.bytes))) }
    if !status.isPaused {
      parts.append(LevelText.bars(status.peaks))
      parts.append(LevelText.loudness(momentary: status.momentary, shortTerm: status.shortTerm))
    }
    if status.clipped > 0 { parts.append("clipped \(status.clipped)") }
    if status.silence.total > 0 { parts.append("silence \(seconds(status.silence.total, status))") }
    if let latency = heard?.latency { parts.append("heard after \(LevelText.milliseconds(latency.total))") }
    return parts.joined(separator: " · ")
  }

  /// Where silence stands in place of sound, as a sentence; nil if nowhere.
  static func silence(_ status: TakeStatus) -> String? {
    let reasons: [(Int64, String)] = [
      (status.silence.overrun, "where the device lost sound"),
      (status.silence.disconnected, "while the device was away"),
      (status.silence.disk, "where the disk was too slow"),
    ]
    let parts = reasons.filter { $0.0 > 0 }.map { "\(seconds($0.0, status)) \($0.1)" }
    return parts.isEmpty ? nil : "Silence stands in for sound: " + parts.joined(separator: ", ") + "."
  }

  private static func seconds(_ frames: Int64, _ status: TakeStatus) -> String {
    let seconds = Double(frames) / Double(status.format.sampleRate)
    return seconds < 0.1
      ? LevelText.milliseconds(seconds) : "\(PlainNumber.fixed(seconds, 1)) s"
  }

  // MARK: Events

  func started(_ status: TakeStatus, from name: String, _ sampleFormat: WaveSampleFormat) throws {
    if isJSON { return try Output.jsonLine(TakeReport("started", path, status)) }
    let format = status.format
    message(
      "Recording \(path) from \(name): \(format.sampleRate) Hz, \(format.layout.label), "
        + "\(sampleFormat.bitsPerSample) bits")
  }

  func paused(_ isPaused: Bool, _ status: TakeStatus) throws {
    if isJSON { return try Output.jsonLine(TakeReport(isPaused ? "paused" : "resumed", path, status)) }
    message(isPaused ? "Paused at \(RecordReporter.clock(status.seconds))" : "Recording again")
  }

  func marked(_ status: TakeStatus) throws {
    if isJSON { return try Output.jsonLine(TakeReport("marked", path, status)) }
    message("Marked \(RecordReporter.clock(status.seconds))")
  }

  /// - Parameter isFloat: whether the file keeps what is beyond full scale.
  private static func clipping(_ count: Int64, isFloat: Bool) -> String? {
    guard count > 0 else { return nil }
    return isFloat
      ? "\(count) samples are at full scale or beyond it, where the file keeps them; lower it before you store "
        + "it as integers."
      : "\(count) samples are at full scale; lower the microphone's level or --gain."
  }

  /// The last words of a take.
  func end(_ outcome: TakeRecorder.Outcome) throws {
    line.clear()
    let status = outcome.status
    if isJSON { return try Output.jsonLine(TakeReport(outcome, path)) }
    switch outcome.end {
    case .durationReached: Output.note("The time of --max-duration is over.")
    case .bytesReached: Output.note("The size of --max-bytes is reached.")
    case .stopped, .sourceFinished, nil: break
    }
    if let silence = Self.silence(status) { Output.note(silence) }
    if let clipping = Self.clipping(status.clipped, isFloat: outcome.isFloat) { Output.note(clipping) }
    // Of a take that is lost, the error tells.
    guard status.frames > 0, !outcome.isLost else { return }
    let loudness = outcome.loudness.integrated.map { "  \(LevelText.decibels($0)) LUFS" } ?? ""
    Output.done(
      "\(path)  \(PlainNumber.fixed(status.seconds, 1)) s  \(ByteText.text(Int(status.bytes)))\(loudness)")
  }
}

extension ChannelLayout {
  /// Such as `stereo` or `6 channels`.
  var label: String {
    switch self {
    case .mono: "mono"
    case .stereo: "stereo"
    case .ambiX: "AmbiX"
    case .fuMa: "FuMa"
    case .discrete(let count): "\(count) channels"
    }
  }
}

/// An event of a take as JSON.
struct TakeReport: JSONReport {
  var event: String
  var path: String
  /// In the file so far.
  var seconds: Double
  var frames: Int64
  var bytes: Int64
  var sampleRate: Int
  var channels: Int
  /// Such as `stereo`, `AmbiX` or `6 channels`.
  var layout: String
  /// Samples at full scale or beyond.
  var clipped: Int64
  /// Samples per channel, by reason.
  var silence: TakeSilence
  /// Why the take ended: a `TakeEnd`, or the sentence of a failure. Only at the end.
  var reason: String?
  /// Only at the end.
  var loudness: LoudnessReport?

  init(_ event: String, _ path: String, _ status: TakeStatus) {
    (self.event, self.path) = (event, path)
    (seconds, frames, bytes) = (PlainNumber.rounded(status.seconds), status.frames, status.bytes)
    (sampleRate, channels) = (status.format.sampleRate, status.format.channelCount)
    layout = status.format.layout.label
    (clipped, silence) = (status.clipped, status.silence)
  }

  init(_ outcome: TakeRecorder.Outcome, _ path: String) {
    self.init("end", path, outcome.status)
    reason = outcome.failure?.description ?? outcome.end?.rawValue
    loudness = outcome.loudness
  }
}
