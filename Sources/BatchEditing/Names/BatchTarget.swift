import Files
import FrameCore

/// What to do with an existing file of a result's name. Decided only here, when the photo is edited, both for runs
/// and for plans.
///
/// A file is replaced if the run continues an earlier one and the file is the batch's own: it still is what the
/// journal finished last for this very photo, or it was started but not ended. All other cases follow
/// `--on-conflict`. A result of another command is not the batch's own, and an input of the run is never replaced.
enum BatchTarget: Sendable, Hashable {
  case edit(overwrite: Bool)
  /// The photo needs another name.
  case rename
  /// The result already exists.
  case done(BatchJournal.Record?)
  case keep(String)
}

/// The state of a photo when it is about to be edited.
struct FoundOriginal: Sendable, Hashable {
  var path: String
  var state: BatchJournal.FileState
  var identity: OriginalIdentity?
  /// Identifies its edit.
  var edit: String
}

extension BatchTarget {
  /// - Parameters:
  ///   - output: relative to `folder`.
  ///   - journal: nil if there is none, or if the run does not continue an earlier one.
  ///   - command: the command that makes the result.
  ///   - isOriginal: whether a file is one of the photos of the batch.
  ///   - isOtherInput: whether a file is another input of the batch.
  /// - Throws: `SafelightError` if the photo fails.
  init(
    _ output: String, in folder: String, for photo: FoundOriginal, _ conflict: BatchConflict,
    continuing journal: BatchJournal?, by command: String, isOriginal: (FileIdentity) -> Bool,
    isOtherInput: (FileIdentity) -> Bool
  ) throws {
    let path = FolderListing.path(output, in: folder)
    if let journal,
      journal.isDone(output, input: photo.path, state: photo.state, edit: photo.edit, in: folder)
    {
      self = .done(journal.record(of: output))
      return
    }
    guard let found = FileIdentity(path) else {
      self = .edit(overwrite: false)
      return
    }
    guard !isOriginal(found) else {
      throw SafelightError(
        .invalidValue, "The result of \(photo.path) would replace an original, \(output)",
        remedy: "write to another folder, or use another --name")
    }
    guard !isOtherInput(found) else {
      throw SafelightError(
        .invalidValue, "The result of \(photo.path) would replace \(output), which this run reads",
        remedy: "write to another folder, or use another --name")
    }
    let record = journal?.record(of: output)
    let isOwn = record?.isOf(photo.path, photo.state, photo.identity, by: command) ?? false
    if let record, isOwn, record.isUnderWay || record.lastResult.map({ $0.isOf(path) }) == true {
      self = .edit(overwrite: true)
      return
    }
    switch conflict {
    case .overwrite: self = .edit(overwrite: true)
    case .rename: self = .rename
    case .skip, .fail:
      let error =
        switch record {
        case .some(let record) where isOwn && record.lastResult != nil:
          SafelightError(
            .file, "\(output) was changed since it was written",
            remedy: "move it away, or choose --on-conflict skip, overwrite or rename")
        case .some(let record)
        where !isOwn && PathKey(record.input) == PathKey(photo.path) && (record.command ?? command) == command
          && record.lastResult.map { $0.isOf(path) } == true:
          // A photo that a program saved as a new file cannot be distinguished from another one that took its
          // name, whose result must not be lost: only the user can decide.
          SafelightError(
            .file, "\(output) already exists, made before another file took the place of its photo",
            remedy:
              "if it is the same photo saved again, run this for it alone with --on-conflict overwrite; otherwise rename "
              + "or skip")
        default:
          SafelightError(
            .file, "\(output) already exists", remedy: "choose --on-conflict skip, overwrite or rename")
        }
      guard conflict == .skip else { throw error }
      self = .keep(error.problem)
    }
  }
}

extension FileFingerprint {
  /// Whether a file has this fingerprint.
  func isOf(_ path: String) -> Bool {
    BatchJournal.FileState(path)?.bytes == bytes && (try? FileFingerprint(contentsOf: path)) == self
  }
}
