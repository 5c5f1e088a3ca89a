import FilterGraph
import FrameAnalysis
import FrameCore
import PhotoPipeline
import Rendering

/// The look that photos are to come near.
public struct LookReference: Sendable {
  /// Linear Rec. 2020, as shown.
  let colors: [SIMD3<Double>]

  /// Takes the look of a photo without an edit; of a camera raw, as it is shown.
  ///
  /// - Throws: as `LookMatch.init(of:to:keeping:)`.
  public init(_ sample: PhotoSample) throws {
    colors = try MatchedEdit(scene: sample.scene).apply(
      to: LookMatch.colors(sample.proxy, of: sample.buffer, sample.path))
  }

  /// Takes the look of an edited photo.
  ///
  /// - Parameter recipe: its files loaded.
  /// - Throws: `SafelightError` if the photo cannot be read, or if nothing of it is visible.
  public init(_ photo: String, through recipe: Recipe) throws {
    let picture = try PhotoMiniature.picture(
      photo, through: recipe, edge: PhotoSample.longEdge, renderer: CPURenderer())
    let proxy = AnalysisProxy()
    try proxy.update(from: picture, orientation: .up)
    colors = try LookMatch.colors(proxy, of: picture, photo)
  }
}
