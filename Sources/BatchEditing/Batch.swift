import Sidecars
import PhotoPipeline
import FilterGraph
import FrameCore
import PhotoIO

/// Many photos through one recipe into a folder:
///
///     let report = try await Batch(["shoot/"], through: recipe, to: "edited").run()
///     print(report.count(.done), "done,", report.count(.failed), "failed")
///
/// Several photos are edited at a time, in this process: a photo that fails costs no other, but a codec that crashes takes
/// the process along. Where files come from strangers, give `BatchRun` an `IsolatedBatchEditor`, as `safelight batch` does.
public struct Batch: Sendable {
  /// Photos, folders, and patterns such as `shoot/*.jpg`.
  public var photos: [String]
  /// Where results go; made if it is missing.
  public var folder: String
  /// How results are written. Each photo is decoded, rendered and encoded by one thread, whatever it says about that.
  public var export = PhotoExport()
  /// Of the results; nil takes that of `export`, and where it has none either, that of each photo.
  public var format: PhotoFileFormat?
  /// Nil stands for `{stem}{ext}`, the name of the photo.
  public var name: NameTemplate?
  /// What happens where a result's name is taken.
  public var conflict = BatchConflict.fail
  /// Whether folders in folders are looked into.
  public var isRecursive = false
  /// Photos edited at a time; nil stands for as many as there are processors to run on.
  public var jobs: Int?
  /// What all photos at work may take together, bytes.
  public var memory = 2 << 30
  /// Whether results that the journal in the folder knows are kept, so that a run which was ended goes on.
  public var resumes = false

  private let recipe: @Sendable (_ photo: String) throws -> Recipe

  /// - Parameter photos: files, folders and patterns of glob(7); in folders only pictures are taken, told by their endings.
  public init(_ photos: [String], through recipe: Recipe, to folder: String) {
    self.init(photos, to: folder) { _ in recipe }
  }

  /// - Parameter recipe: the recipe of each photo, which must be the same whenever it is asked for; called on several
  ///   threads at a time.
  public init(
    _ photos: [String], to folder: String, recipe: @escaping @Sendable (_ photo: String) throws -> Recipe
  ) {
    (self.photos, self.folder, self.recipe) = (photos, folder, recipe)
  }

  /// Edits all of them, on threads of its own.
  ///
  /// Where the task is cancelled, photos at work stop within a band; they leave no file, and the results that are there stay:
  /// with `resumes` another run goes on from them.
  ///
  /// - Parameter follow: called on one thread of the batch every tenth of a second, and once at the end.
  /// - Returns: what became of each photo. Photos that failed are no error; `BatchReport.failures` says why they did.
  /// - Throws: `CancellationError` where the task is cancelled; `SafelightError` where nothing could start: there
  ///   are no photos, or the folder cannot be written to, or another batch has it, or `format` and
  ///   `export.format` are two formats.
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
          .file, "There are no photos among what was named", remedy: "name photos or folders that hold some")
    }
    // One format names the results and is written.
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
    let settings = LocalBatchEditor.Settings(export: export, format: format, recipe: recipe)
    let run = BatchRun(
      to: folder,
      BatchRun.Options(
        naming: naming, edit: { [recipe] in try recipe($0).fingerprint(options: options) },
        jobs: jobs ?? ProcessorCount.usable, memory: memory, resumes: resumes),
      editor: { LocalBatchEditor(settings) })
    let handler = try cancellation.add { run.stop() }
    defer { cancellation.remove(handler) }
    var report = try run.run(inputs.photos, follow: follow)
    try cancellation.check()
    if !inputs.problems.isEmpty { report.unusable = inputs.problems.map(\.description) }
    return report
  }
}
