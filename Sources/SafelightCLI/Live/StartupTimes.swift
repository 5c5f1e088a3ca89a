import Safelight

/// The times at which the steps between the start of the program and its end were done, in nanoseconds on the
/// monotonic clock, which all programs of a machine share.
struct StartupTimes: JSONReport {
  /// The command line was read; before that, the system loads the program and its libraries.
  var arguments: Int64 = 0
  /// Presets and tables were read.
  var look: Int64 = 0
  /// Renderer, sinks and pipeline were made.
  var prepared: Int64 = 0
  /// The source was open.
  var opened: Int64 = 0
  /// The first frame reached the frame loop, had its plan, and was rendered.
  var received: Int64 = 0
  var planned: Int64 = 0
  var rendered: Int64 = 0
  /// The run had ended, and everything was closed.
  var ended: Int64 = 0
  var closed: Int64 = 0

  mutating func mark(_ step: WritableKeyPath<StartupTimes, Int64>) {
    self[keyPath: step] = Timestamp.now.nanoseconds
  }
}

extension LiveRun {
  /// All times, once the run is over.
  var finishedStartup: StartupTimes {
    var times = startup
    if let first = statistics.first {
      times.received = first.received.nanoseconds
      times.planned = first.planned.nanoseconds
      times.rendered = first.rendered.nanoseconds
    }
    return times
  }
}
