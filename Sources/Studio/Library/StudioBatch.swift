import Safelight

/// Something that is done to many photos, one after another. Belongs to the desk's thread.
final class StudioBatch {
  enum Kind {
    case paste(StudioEdit, Set<EditPart>)
    /// Takes back what was pasted, or gives it again; with the steps of each photo's history just after the paste.
    case stepOfPaste(isUndo: Bool, [String: Int])
    case export(StudioExport)
  }
  struct Failure {
    let photo: String
    let error: any Error
  }

  let request: Int
  let kind: Kind
  let photos: [String]
  /// The page that asked for it, or `script`.
  let peer: Int
  /// The number of no page: whoever asked is told when he asks again.
  static let script = -1
  var isOfScript: Bool { peer == Self.script }
  let began = Timestamp.now
  /// How many were begun.
  var next = 0
  /// Whether one of them is in work.
  var isInWork = false
  var done: [String] = []
  /// What scripts are told of the files that were written, in the order of `done`.
  var files: [JSONValue] = []
  var failed: [Failure] = []
  /// The steps of the history of each photo that a paste changed.
  var steps: [String: Int] = [:]
  /// Those of `done` that were exported with an edit.
  var edited: Set<String> = []
  /// Of the files that were written.
  var bytes = 0
  var folder: String?
  var isCancelled = false

  init(_ request: Int, _ kind: Kind, _ photos: [String], for peer: Int) {
    (self.request, self.kind, self.photos, self.peer) = (request, kind, photos, peer)
  }

  /// What there is to tell of each photo that failed.
  var failures: JSONValue {
    .array(
      failed.map { failure in
        let known = failure.error as? SafelightError
        return .object([
          "photo": .string(failure.photo), "message": .string(known?.problem ?? "\(failure.error)"),
          "remedy": .string(known?.remedy ?? ""),
        ])
      })
  }
}
