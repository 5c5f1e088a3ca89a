/// A place in a picture as displayed: fractions of its width and height, from 0, 0 at its top left corner to 1, 1 at its
/// bottom right one. Values beyond these lie outside the picture.
public struct NormalizedPoint: Sendable, Hashable, Codable {
  public var x, y: Double

  public init(_ x: Double, _ y: Double) {
    (self.x, self.y) = (x, y)
  }
}

/// Something that a detector found in one picture.
public struct Detection: Sendable, Hashable {
  /// What was found.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A bar code or a two-dimensional code; `text` is what it says, `details["symbology"]` its kind.
    case code
    case face
    /// A line of text; `text` is what it says.
    case text
    /// A sheet of paper, a panel, a screen: four straight edges.
    case document
    /// Something that moves.
    case motion
  }

  public var kind: Kind
  /// The corners, clockwise as displayed, from the one that is the thing's own top left; at least three. A code that is
  /// read upside down begins at the picture's bottom right.
  public var outline: [NormalizedPoint]
  /// How certain the detector is, 0…1. Comparable within one kind only.
  public var confidence: Double
  /// What it says, exactly as read: from a stranger, so never to be run, and to be cleaned before it is shown.
  public var text: String?
  /// More about it, by names that the detector documents.
  public var details: [String: String]

  public init(
    _ kind: Kind, outline: [NormalizedPoint], confidence: Double, text: String? = nil,
    details: [String: String] = [:]
  ) {
    (self.kind, self.outline, self.confidence) = (kind, outline, confidence)
    (self.text, self.details) = (text, details)
  }
}
