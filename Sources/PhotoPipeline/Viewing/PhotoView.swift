import FilterGraph
import FrameCore
import Rendering

/// A part of an edited photo, rendered for a window.
public struct PhotoView: Sendable {
  /// `rgba8` in the viewport's colour space. Where it is smaller than the window's part, it is shown enlarged.
  public let picture: PixelBuffer
  /// The size of the whole edited photo.
  public let fullSize: PixelSize
  /// The size of the whole edited photo at this zoom, in pixels of the window.
  public let scaledSize: PixelSize
  /// The part of it that the picture shows.
  public let window: Region
  /// Where places of the whole edited photo are in the photo.
  package let places: PicturePlaces
  /// The plan that rendered it.
  public let plan: Plan
  /// Remarks for the person who edits, each a sentence without its full stop.
  public let notes: [String]
}
