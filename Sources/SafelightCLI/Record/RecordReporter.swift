import Libc
import Safelight

/// Says how a recording goes: one calm line on a terminal, JSON where asked for, and what happened as sentences.
final class RecordReporter {
  private let isJSON: Bool
  private let showsStatus: Bool
  private var lastTick: Timestamp?
  private var lastWritten = 0
  /// Complete files and their seconds.
  private var finished = (files: 0, seconds: 0.0)

  /// Seconds between two status lines, and between two reports in JSON.
  private static let (interval, reportInterval) = (0.5, 1.0)

  init(isJSON: Bool) {
    self.isJSON = isJSON
    showsStatus = !isJSON && isatty(2) == 1
  }

  func message(_ text: String) {
    if showsStatus { Output.statusLine("") }
    Output.note(text)
  }

  /// Shows the status, where it is time to.
  func tick(_ status: MovieStatus, pressure: SystemPressure?) throws {
    let now = Timestamp.now
    if isJSON {
      guard lastTick.map({ now.seconds(since: $0) >= Self.reportInterval }) ?? true else { return }
      lastTick = now
      return try Output.jsonLine(RecordReport(status, pressure: pressure))
    }
    guard showsStatus else { return }
    let seconds = lastTick.map { now.seconds(since: $0) } ?? Self.interval
    guard seconds >= Self.interval else { return }
    let rate = lastTick == nil ? nil : Double(status.written - lastWritten) / seconds
    (lastTick, lastWritten) = (now, status.written)
    Output.statusLine(Self.line(status, framesPerSecond: rate, pressure: pressure))
  }

  /// `● 0:01:23 · 12 MB · 30.0 fps · dropped 0 · −18 dB · drift +2 ppm`
  static func line(_ status: MovieStatus, framesPerSecond: Double?, pressure: SystemPressure?) -> String {
    var parts: [String]
    switch status.phase {
    case .standby, .ended: parts = ["○ ready, r records"]
    case .paused: parts = ["‖ " + clock(status.seconds)]
    case .recording: parts = ["● " + clock(status.seconds)]
    }
    if status.bytes > 0 { parts.append(ByteText.text(Int(status.bytes))) }
    if status.phase == .recording, let framesPerSecond {
      parts.append("\(PlainNumber.fixed(framesPerSecond, 1)) fps")
    }
    parts.append("dropped " + (status.dropped == 0 ? "0" : drops(status)))
    if let sound = status.sound {
      parts.append(level(sound.peak))
      parts.append("drift \(signed(sound.driftPPM, 0)) ppm")
      if sound.silentSamples > 0 { parts.append("sound is missing") }
    }
    if let worst = pressure?.worst, worst.level > .nominal {
      parts.append("\(worst.level.rawValue) (\(worst.reason.rawValue))")
    }
    return parts.joined(separator: " · ")
  }

  /// `1 too late, 2 for the encoder`
  static func drops(_ status: MovieStatus) -> String {
    MovieDrop.allCases.compactMap { reason in
      guard let count = status.drops[reason], count > 0 else { return nil }
      return switch reason {
      case .late: "\(count) too late"
      case .encoderBusy: "\(count) for the encoder"
      case .diskBusy: "\(count) for the disk"
      case .outOfOrder: "\(count) out of order"
      case .pressure: "\(count) to spare the machine"
      }
    }.joined(separator: ", ")
  }

  /// `0:01:23`
  static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }

  /// `▮▮▮▮▯▯▯▯ −18 dB`, one mark for 8 dB.
  static func level(_ peak: Double) -> String {
    let marks = max(0, min(8, Int(((peak + 64) / 8).rounded(.up))))
    let bar = String(repeating: "▮", count: marks) + String(repeating: "▯", count: 8 - marks)
    return peak.isFinite ? "\(bar) \(signed(peak, 0)) dB" : "\(bar) silent"
  }

  private static func signed(_ number: Double, _ digits: Int) -> String {
    let text = PlainNumber.fixed(abs(number), digits)
    return (number < 0 && Double(text) != 0 ? "−" : number > 0 && Double(text) != 0 ? "+" : "") + text
  }

  // MARK: Events

  /// The source is open, and the recording waits for a key or a signal.
  func ready() throws {
    if isJSON { return try Output.jsonLine(RecordReport.standby) }
    // The status line says so.
    guard !showsStatus else { return }
    Output.note("Ready: kill -USR1 \(getpid()) begins a recording, and ends it.")
  }

  /// Sentences go to people; what belongs to the recording is an event too.
  func tell(_ note: SessionNote) throws {
    message(note.text)
    if isJSON, note.kind != .note { try Output.jsonLine(RecordReport(note)) }
  }

  func tell(_ event: MovieEvent, _ status: MovieStatus) throws {
    if case .finished(_, let seconds, _) = event {
      finished = (finished.files + 1, finished.seconds + seconds)
    }
    if isJSON { return try Output.jsonLine(RecordReport(event, at: status.seconds)) }
    switch event {
    case .started(let path): message("Recording \(path)")
    case .paused: message("Paused at \(Self.clock(status.seconds))")
    case .resumed: message("Recording again")
    case .marked(let seconds): message("Marked \(Self.clock(seconds))")
    case .finished(let path, let seconds, let bytes):
      if showsStatus { Output.statusLine("") }
      Output.done(Self.file(path, seconds: seconds, bytes: bytes))
    case .ended(let end): if let words = Self.words(end) { message(words) }
    case .lost(let path): message("\(path) was removed or changed by somebody while it was recorded")
    // The error is told at the end of the run.
    case .failed: break
    }
  }

  /// `clip.mp4  12.0 s  3.4 MB`
  private static func file(_ path: String, seconds: Double, bytes: Int64) -> String {
    "\(path)  \(PlainNumber.fixed(seconds, 1)) s  \(ByteText.text(Int(bytes)))"
  }

  /// What has happened to a movie that is only one of a run's targets; nil for what the run's own report says.
  static func sentence(_ event: MovieEvent) -> String? {
    switch event {
    case .started, .paused, .resumed, .marked, .failed, .lost: nil
    case .finished(let path, let seconds, let bytes): file(path, seconds: seconds, bytes: bytes)
    case .ended(let end): words(end)
    }
  }

  /// Why a recording ended, if it was not asked to.
  private static func words(_ end: MovieEnd) -> String? {
    switch end {
    case .stopped, .failed: nil
    case .durationReached: "The time of --max-duration is over."
    case .bytesReached: "The size of --max-bytes is reached."
    case .diskLow: "The disk is nearly full, so the recording has ended."
    case .sourceFinished: nil
    }
  }

  /// The last words of a run.
  func end(_ status: MovieStatus) throws {
    if showsStatus { Output.statusLine("") }
    if isJSON {
      return try Output.jsonLine(
        RecordReport(end: status, files: finished.files, seconds: finished.seconds))
    }
    guard status.dropped > 0, status.written > 0 else { return }
    Output.note("\(status.written) pictures written; dropped \(Self.drops(status))")
  }
}
