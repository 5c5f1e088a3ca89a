import FilterGraph
import FrameCore
import Synchronization

/// A picture whose noise is removed tile by tile, where it is looked at.
final class DenoisedTiles: Sendable {
  /// Undefined where no tile was made.
  private let picture: PixelBuffer
  private let made = Mutex<Set<Int>>([])

  /// - Parameter picture: as large as the source.
  init(_ picture: PixelBuffer) { self.picture = picture }

  var bytes: Int { picture.bytes }

  /// Returns the picture once it has no noise in a region.
  ///
  /// - Parameter make: removes the noise of some tiles of the picture.
  func picture(
    showing region: Region, through denoising: CompiledDenoising, _ make: ([Int], PixelBuffer) -> Void
  ) -> PixelBuffer {
    made.withLock { made in
      let missing = denoising.tiles(of: region).filter { !made.contains($0) }
      if !missing.isEmpty { make(missing, picture) }
      made.formUnion(missing)
    }
    return picture
  }
}
