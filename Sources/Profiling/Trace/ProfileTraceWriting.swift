import Files
import FilterGraph
import FrameCore
import PhotoIO

/// Writes the trace to a file.
///
/// Source: Duffy and Sinclair, "Trace Event Format", the JSON object format: complete events (`X`) and metadata (`M`),
/// times in microseconds.
extension ProfileTrace {
  /// Writes a file that appears only when it is complete.
  ///
  /// - Returns: properties of a replaced file that could not be kept, one sentence each.
  /// - Throws: `SafelightError` if it cannot be written; `.exists` if the file exists and `overwrite` is false.
  @discardableResult
  public func write(to path: String, overwrite: Bool = false) throws -> [String] {
    let file = try OutputFile(path: path, overwrite: overwrite)
    try writeJSON { try file.write($0) }
    try file.commit()
    return file.warnings
  }

  /// Passes the file as UTF-8 in pieces of about 64 KiB: a trace of a minute is too large to be held as text as
  /// well.
  package func writeJSON(_ write: (_ piece: [UInt8]) throws -> Void) rethrows {
    var text = ProfileTraceText()
    for thread in rows {
      for line in thread.lanes { text.add(metadataOf: line) }
      for place in thread.places {
        text.add(events[place.index], row: thread.lanes[place.lane].id)
        if text.isLarge { try write(text.take()) }
      }
    }
    text.finish(process: process)
    try write(text.take())
  }

  /// A row of the viewer.
  struct Row {
    let id: Int
    let name: String
  }

  /// The rows of each thread, and its events assigned to them.
  private var rows: [(lanes: [Row], places: [ProfileTraceLanes.Place])] {
    var indices: [Int: [Int]] = [:]
    for (index, event) in events.enumerated() { indices[event.thread, default: []].append(index) }
    var shown: [Thread] = []
    var known: Set<Int> = []
    for thread in threads where known.insert(thread.id).inserted { shown.append(thread) }
    for id in indices.keys.sorted() where known.insert(id).inserted {
      shown.append(Thread(id: id, name: "thread \(id)"))
    }
    // Numbered in display order, since Perfetto sorts by number and ignores the sort index; and different from the
    // number of the process, whose thread would be treated as the main one and come first.
    var number = ProfileTraceText.process
    return shown.map { thread in
      let places = ProfileTraceLanes.places(of: indices[thread.id] ?? [], in: events)
      let count = (places.map(\.lane).max() ?? 0) + 1
      let lanes = (0..<count).map { lane in
        number += 1
        return Row(id: number, name: lane == 0 ? thread.name : "\(thread.name) (\(lane + 1))")
      }
      return (lanes, places)
    }
  }
}

/// Builds the text of a trace and passes it on in pieces.
private struct ProfileTraceText {
  /// The number of the only process, which viewers require.
  static let process = 1
  private static let pieceSize = 65_536

  private var text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":["
  private var isFirst = true

  var isLarge: Bool { text.utf8.count >= Self.pieceSize }

  mutating func take() -> [UInt8] {
    defer { text = "" }
    return Array(text.utf8)
  }

  mutating func add(_ event: ProfileTrace.Event, row: Int) {
    begin("X", event.name, row: row)
    text += ",\"cat\":\(JSONValue.quoted(event.category)),\"ts\":\(Self.microseconds(event.start))"
    text += ",\"dur\":\(Self.microseconds(max(0, event.duration)))"
    if !event.arguments.isEmpty {
      text += ",\"args\":{"
      var names: Set<String> = []
      for argument in event.arguments where names.insert(argument.name).inserted {
        if names.count > 1 { text += "," }
        text += "\(JSONValue.quoted(argument.name)):\(Self.json(argument.value))"
      }
      text += "}"
    }
    text += "}"
  }

  mutating func add(metadataOf row: ProfileTrace.Row) {
    begin("M", "thread_name", row: row.id)
    text += ",\"args\":{\"name\":\(JSONValue.quoted(row.name))}}"
    begin("M", "thread_sort_index", row: row.id)
    text += ",\"args\":{\"sort_index\":\(row.id)}}"
  }

  mutating func finish(process name: String) {
    begin("M", "process_name", row: nil)
    text += ",\"args\":{\"name\":\(JSONValue.quoted(name))}}\n]}\n"
  }

  private mutating func begin(_ phase: String, _ name: String, row: Int?) {
    text += isFirst ? "\n" : ",\n"
    isFirst = false
    text += "{\"ph\":\"\(phase)\",\"name\":\(JSONValue.quoted(name)),\"pid\":\(Self.process)"
    if let row { text += ",\"tid\":\(row)" }
  }

  /// Returns exact microseconds; a Double would not be exact after some days of uptime.
  private static func microseconds(_ nanoseconds: Int) -> String {
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    let fraction = "\(rest)"
    let decimals = rest == 0 ? "" : "." + String(repeating: "0", count: 3 - fraction.count) + fraction
    return "\(nanoseconds < 0 ? "-" : "")\(whole)\(decimals)"
  }

  private static func json(_ value: ProfileTrace.Argument.Value) -> String {
    switch value {
    case .integer(let integer): "\(integer)"
    case .number(let number) where number.isFinite: PlainNumber.text(number)
    case .number(let number): JSONValue.quoted("\(number)")
    case .text(let text): JSONValue.quoted(text)
    }
  }
}
