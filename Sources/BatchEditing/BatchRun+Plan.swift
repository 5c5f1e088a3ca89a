import Files
import FrameCore

/// What a run would do to each photo, decided by the same rules as in the run.
extension BatchRun {
  /// The planned outcome of a photo; `safelight batch --dry-run --json` writes a list of these.
  public struct PlannedResult: JSONReport, Hashable {
    /// What would be done to the photo.
    public enum Action: String, Sendable, Hashable, Codable {
      case edit, skip, fail
    }
    public var input: String
    /// The path of the result, relative to the output folder; empty if the photo cannot be named.
    public var output: String
    public var action: Action
    /// Why it would not be edited; nil if it would.
    public var reason: String?
    /// True if an existing file would be replaced, else nil.
    public var replaces: Bool?
  }

  /// Returns what `run` would do; writes nothing.
  public func plan(_ photos: [BatchInputs.Photo]) throws -> [PlannedResult] {
    let journal =
      FileContents.kind(of: folder) == .folder
      ? try BatchJournal(in: folder, of: options.shard, forReading: true) : nil
    let planner = SharedNamePlanner(
      BatchNamePlanner(
        options.naming, in: folder, journal: journal,
        others: try BatchJournal.others(in: folder, besides: options.shard, resuming: options.resumes),
        resumes: options.resumes,
        otherInputs: options.otherInputs))
    return ofShard(planner.items(for: photos, examining: try namingEditor())).map { item in
      var line = PlannedResult(input: item.photo.path, output: item.output, action: .edit)
      switch item.decision {
      case .edit:
        do {
          switch try target(of: item, find(item.photo), journal, planner) {
          case .edit(let overwrite): line.replaces = overwrite ? true : nil
          case .rename: line.output = planner.rename(item)
          case .done: (line.action, line.reason) = (.skip, "done before")
          case .keep(let reason): (line.action, line.reason) = (.skip, reason)
          }
        } catch {
          (line.action, line.reason) = (.fail, "\(error)")
        }
      case .skip(let reason): (line.action, line.reason) = (.skip, reason)
      case .fail(let error): (line.action, line.reason) = (.fail, error.description)
      }
      return line
    }
  }

  /// Returns the current state of a photo.
  func find(_ photo: BatchInputs.Photo) throws -> FoundOriginal {
    guard let state = BatchJournal.FileState(photo.path) else {
      throw SafelightError(
        .file, "Cannot read \(photo.path): there is no such file", remedy: "it was removed in the meantime")
    }
    return FoundOriginal(
      path: photo.origin, state: state, identity: OriginalIdentity(photo.path),
      edit: try options.edit(photo.path))
  }

  func target(
    of item: BatchNaming.Item, _ photo: FoundOriginal, _ journal: BatchJournal?, _ planner: SharedNamePlanner
  ) throws -> BatchTarget {
    do {
      return try BatchTarget(
        item.output, in: folder, for: photo, options.naming.conflict,
        continuing: options.resumes ? journal : nil, by: options.command, isOriginal: planner.isOriginal,
        isOtherInput: planner.isOtherInput)
    } catch let error as SafelightError {
      // What an earlier run made with the same edit is mostly wanted as it is.
      guard !options.resumes, let journal,
        journal.isDone(item.output, input: photo.path, state: photo.state, edit: photo.edit, in: folder)
      else { throw error }
      throw SafelightError(error.code, error.problem, remedy: "give --resume to keep it, or \(error.remedy)")
    }
  }

  /// Returns an editor that reads headers, if names depend on metadata or sizes; it may have to be another
  /// process.
  func namingEditor() throws -> (any BatchEditor)? {
    let template = options.naming.template
    return template.needsMetadata || template.needsSize ? try makeEditor() : nil
  }
}
