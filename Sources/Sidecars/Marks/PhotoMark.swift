/// What people say of a photo while they choose among many: stars, a flag and a colour.
///
/// Marks are kept as XMP beside the photo, where other programs read and write them; the photo is never changed.
///
///     try PhotoMark.change(forPhoto: "shoot/DSC_0061.NEF", PhotoMark.Change(rating: 4, flag: .pick))
///     print(try PhotoMark.read(forPhoto: "shoot/DSC_0061.NEF").rating)   // 4
public struct PhotoMark: Sendable, Hashable, Codable {
  /// Whether a photo is one of the chosen.
  public enum Flag: String, Sendable, Hashable, Codable, CaseIterable {
    case none, pick, reject
  }

  /// The colours that Lightroom, Bridge, darktable and digiKam have in common.
  public enum Color: String, Sendable, Hashable, Codable, CaseIterable {
    case none, red, yellow, green, blue, purple
  }

  /// The stars that a photo can have.
  public static let ratings = 0...5

  /// Stars, 0…5; 0 is a photo that was not rated. A rejected photo keeps its stars.
  public var rating: Int
  public var flag: Flag
  public var color: Color

  /// No stars, no flag, no colour.
  public static let neutral = PhotoMark()

  public init(rating: Int = 0, flag: Flag = .none, color: Color = .none) {
    (self.rating, self.flag, self.color) = (min(max(rating, 0), 5), flag, color)
  }

  /// What is to be said anew; nil leaves what was said.
  public struct Change: Sendable, Hashable {
    /// Stars, 0…5.
    public var rating: Int?
    public var flag: Flag?
    public var color: Color?

    public init(rating: Int? = nil, flag: Flag? = nil, color: Color? = nil) {
      (self.rating, self.flag, self.color) = (rating, flag, color)
    }

    public var isEmpty: Bool { rating == nil && flag == nil && color == nil }
  }

  /// Returns the mark after a change.
  public func applying(_ change: Change) -> PhotoMark {
    PhotoMark(
      rating: change.rating ?? rating, flag: change.flag ?? flag, color: change.color ?? color)
  }
}
