import Safelight
import WebServer

/// What scripts have asked for and wait for. Belongs to the desk's thread.
///
/// Small things are done by the workers that pages use: reads and marks in turn with those of pages, changes of edits behind
/// what pages wait for. Large ones, which are pictures and exports, take turns: one at a time, and none begins while something is dragged on a page.
final class ScriptWork {
  /// What waits at most; more is refused.
  static let (mostSmall, mostPictures, mostExports) = (256, 64, 8)
  /// The exports that are remembered when they have ended.
  private static let mostEnded = 64

  /// Small things that were asked for and are not answered.
  private(set) var small = 0
  private var turns: [(StudioDesk) -> Void] = []
  /// Whether a large thing is in work.
  private var isBusy = false
  private var pictures = 0
  private var exports: [String: ScriptExport] = [:]
  private var ended: [String] = []
  private var lastExport = 0

  // MARK: Small things

  /// - Throws: `ScriptRefusal` if too many wait.
  func beginSmall() throws {
    guard small < Self.mostSmall else { throw ScriptRefusal.tooMany("requests", small) }
    small += 1
  }

  func endSmall() { small -= 1 }

  // MARK: Turns

  var isWaiting: Bool { !turns.isEmpty && !isBusy }

  /// - Parameter turn: calls `endTurn` when what it has begun is done.
  func wait(for turn: @escaping (StudioDesk) -> Void) { turns.append(turn) }

  /// Has the next one begin; another may follow at once.
  func takeTurn(_ desk: StudioDesk) {
    isBusy = true
    turns.removeFirst()(desk)
  }

  func endTurn() { isBusy = false }

  /// - Throws: `ScriptRefusal` if too many wait.
  func beginPicture() throws {
    guard pictures < Self.mostPictures else { throw ScriptRefusal.tooMany("pictures", pictures) }
    pictures += 1
  }

  func endPicture() { pictures -= 1 }

  // MARK: Exports

  subscript(export id: String) -> ScriptExport? { exports[id] }

  /// - Throws: `ScriptRefusal` if too many wait.
  func beginExport(_ photos: [String], _ options: StudioExport) throws -> ScriptExport {
    let running = exports.values.filter { !$0.hasEnded }.count
    guard running < Self.mostExports else { throw ScriptRefusal.tooMany("exports", running) }
    lastExport += 1
    let batch = StudioBatch(lastExport, .export(options), photos, for: StudioBatch.script)
    let export = ScriptExport(batch)
    exports[export.id] = export
    return export
  }

  /// An export has ended: those that ended long before are forgotten.
  func ended(_ batch: StudioBatch, command: JSONValue) {
    guard let export = exports.values.first(where: { $0.batch === batch }) else { return }
    if export.end(command: command) {
      forget(export.id)
      return
    }
    ended.append(export.id)
    if ended.count > Self.mostEnded { forget(ended[0]) }
  }

  func forget(_ id: String) {
    exports[id] = nil
    ended.removeAll { $0 == id }
  }
}

/// An export that a script has asked for.
final class ScriptExport {
  let batch: StudioBatch
  /// Whoever waits for its end.
  var replies: [ScriptReply] = []
  private var command = JSONValue.null
  private(set) var seconds: Double?

  var id: String { "\(batch.request)" }
  var hasEnded: Bool { seconds != nil }

  init(_ batch: StudioBatch) { self.batch = batch }

  /// Returns whether somebody waited for it, who is told.
  func end(command: JSONValue) -> Bool {
    self.command = command
    seconds = (Timestamp.now.seconds(since: batch.began) * 1000).rounded() / 1000
    let text = json.text
    for reply in replies { reply.give(.json(text)) }
    return !replies.isEmpty
  }

  var json: JSONValue {
    let ready = batch.done.count + batch.failed.count
    let state =
      hasEnded ? (batch.isCancelled ? "cancelled" : "done") : (batch.next == 0 ? "waiting" : "running")
    return .object([
      "export": .string(id), "state": .string(state), "done": .number(ready),
      "count": .number(batch.photos.count),
      "fraction": .number(Double(ready) / Double(max(batch.photos.count, 1))),
      "files": .array(batch.files), "failed": batch.failures, "bytes": .number(batch.bytes),
      "seconds": seconds.map { .number($0) } ?? .null, "command": command,
    ])
  }
}
