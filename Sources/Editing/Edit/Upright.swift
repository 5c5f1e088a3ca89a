import Filters
import FrameCore

/// Which lines of a photo are made upright and level, from the places where they meet.
public enum Upright: String, Sendable, Hashable, Codable, CaseIterable {
  /// Upright lines where that is sure; else only the horizon.
  case auto
  /// Upright lines, and the horizon with them.
  case vertical
  /// Only the horizon.
  case level
  /// Upright lines, the horizon, and the level lines that are seen best.
  case full

  /// - Throws: `SafelightError` that names the choices.
  public init(_ text: String) throws {
    guard let upright = Self(rawValue: text) else {
      throw NearestName.error(
        unknown: "way to make a photo upright", text, among: Self.allCases.map(\.rawValue))
    }
    self = upright
  }
}
