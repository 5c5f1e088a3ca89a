import Sidecars
import PhotoPipeline
import FilterGraph
import FrameCore
import PhotoIO

/// Edits many photos with one recipe into a folder:
///
///     let report = try await Batch(["shoot/"], through: recipe, to: "edited").run()
///     print(report.count(.done), "done,", report.count(.failed), "failed")
///
/// Several photos are edited at a time, in this process: a photo that fails does not affect the others, but a
/// codec that crashes ends the process. For untrusted files, give `BatchRun` an `IsolatedBatchEditor`, as
/// `safelight batch` does.
public struct Batch: Sendable {
  /// Photos, folders, and patterns such as `shoot/*.jpg`.
  public var photos: [String]
  /// The output folder; created if it does not exist.
  public var folder: String
  /// How results are written. Each photo is decoded, rendered and encoded by one thread, whatever `export` says
  /// about threads.
  public var export = PhotoExport()
  /// The format of the results; nil takes that of `export`, or if that is nil too, that of each photo.
  public var format: PhotoFileFormat?
  /// The name template; nil means `{stem}{ext}`, the name of the photo.
  public var name: NameTemplate?
  /// What to do if a result's name is taken.
  public var conflict = BatchConflict.fail
  /// Whether subfolders are searched.
  public var isRecursive = false
  /// The number of photos edited at a time; nil means the number of usable processors.
  public var jobs: Int?
  /// The memory that all photos being edited may take together, in bytes.
  public var memory = 2 << 30
  /// Whether results recorded in the folder's journal are kept, so that an interrupted run is continued.
  public var resumes = false
  /// The part of the photos that this run edits, where several machines share a batch; nil edits all of them.
  public var shard: BatchShard?

  private let recipe: @Sendable (_ photo: String) throws -> Recipe

  /// - Parameter photos: files, folders and patterns of glob(7); in folders only pictures are taken, recognized by
  ///   their extensions.
  public init(_ photos: [String], through recipe: Recipe, to folder: String) {
    self.init(photos, to: folder) { _ in recipe }
  }

  /// - Parameter recipe: returns the recipe of a photo, which must be the same at every call; called on several
  ///   threads at a time.
  public init(
    _ photos: [String], to folder: String, recipe: @escaping @Sendable (_ photo: String) throws -> Recipe
  ) {
    (self.photos, self.folder, self.recipe) = (photos, folder, recipe)
  }

  /// Edits all photos, on threads of its own.
  ///
  /// If the task is cancelled, photos being edited stop within a band and leave no file; existing results stay,
  /// and another run with `resumes` continues from them.
  ///
  /// - Parameter follow: called on one thread of the batch every tenth of a second, and once at the end.
  /// - Returns: the outcome of each photo. Failed photos are not thrown; `BatchReport.failures` gives the reasons.
  /// - Throws: `CancellationError` if the task is cancelled; `SafelightError` if the run could not start: there
  ///   are no photos, the folder is not writable or is used by another batch, or `format` and `export.format`
  ///   differ.
  @discardableResult
  public func run(
    progress follow: @escaping @Sendable (BatchRun.Progress) -> Void = { _ in }
  ) async throws -> BatchReport {
    let cancellation = WorkCancellation()
    return try await runOnThread(named: "batch", cancelling: cancellation) {
      try run(cancellation, follow)
    }
  }

  private func run(
    _ cancellation: WorkCancellation, _ follow: (BatchRun.Progress) -> Void
  ) throws -> BatchReport {
    let inputs = BatchInputs(photos, recursive: isRecursive, output: folder)
    guard !inputs.photos.isEmpty else {
      throw inputs.problems.first
        ?? SafelightError(
          .file, "There are no photos among the inputs", remedy: "name photos or folders that contain some")
    }
    // The names of the results and their contents have the same format.
    if let own = self.format, let other = self.export.format, own != other {
      throw SafelightError(
        .invalidValue, "The format of the batch is \(own.name), and that of its export is \(other.name)",
        remedy: "set one of them, or both to the same")
    }
    let format = self.format ?? self.export.format
    var export = self.export
    export.format = format
    export.cancellation = cancellation
    let options = export.fingerprintOptions
    let naming = BatchNaming(
      template: try name ?? NameTemplate("{stem}{ext}"), format: format, conflict: conflict)
    let settings = LocalBatchEditor.Settings(export: export, format: format) { [recipe] in
      try recipe($0.path)
    }
    var runOptions = BatchRun.Options(
      naming: naming, edit: { [recipe] in try recipe($0).fingerprint(options: options) },
      jobs: jobs ?? ProcessorCount.usable, memory: memory, resumes: resumes)
    runOptions.shard = shard
    let run = BatchRun(to: folder, runOptions, editor: { LocalBatchEditor(settings) })
    let handler = try cancellation.add { run.stop() }
    defer { cancellation.remove(handler) }
    var report = try run.run(inputs.photos, follow: follow)
    try cancellation.check()
    if !inputs.problems.isEmpty { report.unusable = inputs.problems.map(\.description) }
    return report
  }
}
