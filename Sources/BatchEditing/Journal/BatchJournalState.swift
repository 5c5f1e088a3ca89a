import Files
import FrameCore

extension BatchJournal {
  /// The combined state described by the lines of a journal.
  struct State {
    var records: [PathKey: Record] = [:]
    /// The number of complete lines read.
    var lineCount = 0
    var laterFormat: Int?
    /// The order of the newest name.
    var order = 0
    var wasTorn = false
    var damagedLines = 0
    /// Whether the file ends in an incomplete line.
    var endsInLine = false
  }
}

extension BatchJournal.State {
  /// Whether far fewer lines would suffice, as after weeks of watching. A record takes up to four.
  var isMostlyDead: Bool { lineCount > 4096 && lineCount > 8 * records.count }

  /// The complete state, in as few lines as possible.
  var lines: [UInt8] {
    let known = records.sorted { ($0.value.order, $0.key.path) < ($1.value.order, $1.key.path) }
    let events = known.flatMap { $1.events(output: $0.path) }
    return ([.run(engine: SafelightVersion.current)] + events).flatMap(JournalLine.encode)
  }

  mutating func note(_ event: BatchJournal.Event) {
    switch event {
    case .run(_, let format): if format > BatchJournal.format { laterFormat = format }
    case .named(let output, let input, let naming):
      let key = PathKey(output)
      var record = records[key] ?? BatchJournal.Record(input: input)
      if PathKey(record.input) != PathKey(input) { record = BatchJournal.Record(input: input) }
      record.naming = naming
      order += 1
      record.order = order
      records[key] = record
    case .planned(let output, let input, let state, let edit, let original, let command):
      let old = records[PathKey(output)]
      // A continued run plans finished photos again: that alone does not invalidate them.
      if let old, PathKey(old.input) == PathKey(input), old.state == state, old.edit == edit {
        records[PathKey(output)]?.original = original
        records[PathKey(output)]?.command = command
        return
      }
      var record = BatchJournal.Record(input: input)
      (record.state, record.edit, record.original, record.command) = (state, edit, original, command)
      if let old {
        (record.naming, record.order) = (old.naming, old.order)
        // A result of another photo, or of another command, is not a result of this one.
        if old.isOf(input, state, original, by: command) {
          (record.isUnderWay, record.lastResult) = (old.isUnderWay, old.lastResult)
        }
      }
      records[PathKey(output)] = record
    case .started(let output):
      change(output) { record in
        record.isUnderWay = true
        (record.result, record.failure) = (nil, nil)
      }
    case .finished(let output, let result):
      change(output) { record in
        record.isUnderWay = false
        (record.result, record.lastResult, record.failure) = (result, result, nil)
      }
    case .failed(let output, let reason):
      change(output) { record in
        record.isUnderWay = false
        (record.result, record.failure) = (nil, reason)
      }
    }
  }

  private mutating func change(_ output: String, _ body: (inout BatchJournal.Record) -> Void) {
    let key = PathKey(output)
    guard let at = records.index(forKey: key) else { return }
    body(&records.values[at])
  }
}
