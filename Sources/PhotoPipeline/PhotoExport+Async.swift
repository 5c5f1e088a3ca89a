import FrameCore
import FilterGraph
import Rendering

extension PhotoExport {
  /// As `run`, for async code: the work is done on threads of its own, so that no thread of Swift's pool waits for it.
  ///
  /// Where the task is cancelled, decoding and rendering stop within a band of about half a megapixel. Of WebP, HEIC, AVIF and
  /// JPEG XL the encoder has the whole picture in its last step, which ends by itself.
  ///
  /// - Throws: `CancellationError` where the task is cancelled before the file has its name, `SafelightError` where something
  ///   fails; then nothing is left at `output`, and a file that was there is untouched.
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
