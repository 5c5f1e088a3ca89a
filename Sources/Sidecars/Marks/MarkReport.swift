import FrameCore

/// The mark of a photo; `safelight rate --json` prints a list of these.
public struct MarkReport: JSONReport, Hashable {
  /// The path of the photo, as it was given.
  public var file: String
  /// Stars, 0…5.
  public var rating: Int
  public var flag: PhotoMark.Flag
  public var color: PhotoMark.Color

  public init(_ photo: String, _ mark: PhotoMark) {
    (file, rating, flag, color) = (photo, mark.rating, mark.flag, mark.color)
  }
}
