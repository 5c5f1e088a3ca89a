import FilterGraph
import FrameCore
import PhotoIO
import Rendering

extension PhotoExport {
  /// The long edge of the picture that `shareBeyondGamut` looks at: 1/400 of its area is 400 pixels or more.
  private static let gamutEdge = 512

  /// Returns the part of an edited photo, 0…1, whose colours the device of `proof` cannot reproduce: more than ΔE2000 2
  /// away from what it makes of them. Measured on a small picture.
  ///
  /// - Returns: nil if there is no proof.
  /// - Throws: `SafelightError` if the photo cannot be read, or if the edit does not fit it.
  public func shareBeyondGamut(_ photo: String, through recipe: Recipe) throws -> Double? {
    guard let proof else { return nil }
    let space = try colorSpace.resolve(original: PhotoHeader.read(photo).tags).space
    let picture = try PhotoMiniature.picture(
      photo, through: recipe, edge: Self.gamutEdge, space: space, renderer: CPURenderer())
    return try proof.shareBeyondGamut(of: picture, in: space)
  }
}
