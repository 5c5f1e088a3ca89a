import Safelight

/// An event of a recording as JSON; each has the values that belong to it.
struct RecordReport: JSONReport {
  var event: String
  /// The file.
  var path: String?
  /// Of the file, or of the recording so far; at the end of all files.
  var seconds: Double?
  /// Of the file; in `status` and at the end of all files.
  var bytes: Int64?
  /// Complete files.
  var files: Int?
  /// Pictures of the whole run.
  var written: Int?
  /// Lost pictures of the whole run, by reason.
  var dropped: [String: Int]?
  /// Why, as a word or a sentence.
  var reason: String?
  /// The highest sample of the last moments, in dB below full scale.
  var peak: Double?
  var driftPPM: Double?
  var soundOffsetMilliseconds: Double?
  /// The level of the pressure that the machine is under.
  var pressure: String?

  private init(event: String) { self.event = event }

  /// - Parameter seconds: of the recording.
  init(_ event: MovieEvent, at seconds: Double) {
    switch event {
    case .started(let path):
      self.init(event: "started")
      self.path = path
    case .paused:
      self.init(event: "paused")
      self.seconds = seconds
    case .resumed:
      self.init(event: "resumed")
      self.seconds = seconds
    case .marked(let seconds):
      self.init(event: "marked")
      self.seconds = seconds
    case .finished(let path, let seconds, let bytes):
      self.init(event: "finished")
      (self.path, self.seconds, self.bytes) = (path, seconds, bytes)
    case .lost(let path):
      self.init(event: "lost")
      self.path = path
    case .ended(let end):
      self.init(event: "ended")
      (self.seconds, reason) = (seconds, end.rawValue)
    case .failed(let error):
      self.init(event: "failed")
      reason = "\(error)"
    }
  }

  init(_ note: SessionNote) {
    self.init(event: note.kind.rawValue)
    reason = note.text
  }

  static var standby: RecordReport { RecordReport(event: "standby") }

  /// How the run goes.
  init(_ status: MovieStatus, pressure: SystemPressure?) {
    self.init(event: "status")
    seconds = status.seconds
    path = status.path
    addTotals(of: status)
    peak = status.sound.flatMap { $0.peak.isFinite ? PlainNumber.rounded($0.peak, 1) : nil }
    self.pressure = pressure?.worst.map { $0.level.rawValue }
  }

  /// The end of the run.
  ///
  /// - Parameter seconds: of all files.
  init(end status: MovieStatus, files: Int, seconds: Double) {
    self.init(event: "end")
    (self.files, self.seconds) = (files, seconds)
    addTotals(of: status)
  }

  private mutating func addTotals(of status: MovieStatus) {
    (bytes, written) = (status.bytes, status.written)
    dropped = Dictionary(uniqueKeysWithValues: status.drops.map { ($0.key.rawValue, $0.value) })
    driftPPM = status.sound?.driftPPM
    soundOffsetMilliseconds = status.sound?.offsetMilliseconds
  }
}
