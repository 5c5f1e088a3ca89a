import FilterGraph
import FrameCore

/// An edit that takes a photo near the look of another, or why it could not be found.
public struct MatchReport: JSONReport {
  /// How far a photo is from the reference.
  public struct Difference: Codable, Sendable {
    /// The mean difference of tones, in levels of 8 bits.
    public var tones: Double
    /// The mean difference of the colours of dark, middle and bright parts, in hundredths of OKLab.
    public var colors: Double

    public init(_ difference: LookMatch.Difference) {
      tones = PlainNumber.rounded(difference.tones)
      colors = PlainNumber.rounded(difference.colors)
    }
  }

  public var photo: String
  /// Why the photo could not be read; nil if it was, and then the values below are there.
  public var error: String?
  public var before: Difference?
  public var after: Difference?
  /// The flags of “safelight edit” that give the edit.
  public var flags: String?
  public var warnings: [String]?

  public init(_ photo: String, error: String) { (self.photo, self.error) = (photo, error) }

  public init(_ photo: String, _ match: LookMatch, flags: String, warnings: [String]) {
    (self.photo, self.flags, self.warnings) = (photo, flags, warnings)
    (before, after) = (Difference(match.before), Difference(match.after))
  }
}
