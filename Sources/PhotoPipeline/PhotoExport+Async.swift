import FrameCore
import FilterGraph
import Rendering

extension PhotoExport {
  /// The async form of `run`: the work is done on its own threads, so that no thread of Swift's pool blocks.
  ///
  /// If the task is cancelled, decoding and rendering stop within a band of about half a megapixel. The last step
  /// of encoding WebP, HEIC, AVIF and JPEG XL covers the whole picture and cannot be interrupted.
  ///
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
}
