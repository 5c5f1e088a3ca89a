import FrameCore
import FilterGraph
import Rendering

extension PhotoExport {
  /// Edits a photo, on threads of its own. A photo that would be replaced by an unchanged edit of itself is left as
  /// it is, since recompressing it would only lose quality.
  ///
  /// If the task is cancelled, decoding and rendering stop within a band of about half a megapixel. The last step
  /// of encoding WebP, HEIC, AVIF and JPEG XL covers the whole picture and cannot be interrupted.
  ///
  /// - Parameter bakes: tables shared by several photos with one edit: reused from earlier photos, and extended
  ///   here.
  /// - Throws: `CancellationError` if the task is cancelled before the file has its name, `SafelightError` if
  ///   something fails; then nothing is left at `output`, and an existing file is untouched.
  public func run(
    _ input: String, through recipe: Recipe, to output: String, renderer: any Renderer = CPURenderer(),
    bakes: BakeCache? = nil
  ) async throws -> Report {
    var export = self
    let cancellation = WorkCancellation()
    export.cancellation = cancellation
    return try await runOnThread(named: "export", cancelling: cancellation) { [export] in
      try export.run(input, through: recipe, to: output, renderer: renderer, bakes: bakes)
    }
  }

  // Not an overload of `run`: at the top level of a program, where `await` is allowed too, the compiler would prefer
  // the one that blocks.

  /// As `run`, on the caller's thread, for code that cannot await.
  public func runBlocking(
    _ input: String, through recipe: Recipe, to output: String, renderer: any Renderer = CPURenderer(),
    bakes: BakeCache? = nil
  ) throws -> Report {
    try run(input, through: recipe, to: output, renderer: renderer, bakes: bakes)
  }
}
