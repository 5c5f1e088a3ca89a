import FrameAnalysis
import FrameCore

/// What was found in a photo, or why it could not be searched.
public struct FindingsReport: JSONReport, Hashable {
  /// Something found.
  public struct Thing: Codable, Sendable, Hashable {
    /// A name of `Detection.Kind`.
    public var kind: String
    /// x and y of each corner, as fractions of the picture as displayed from its top left, clockwise from the thing's own
    /// top left.
    public var outline: [[Double]]
    /// 0…1, comparable within one kind only.
    public var confidence: Double
    /// What it says, exactly as read: from a stranger. Left out if it says nothing.
    public var text: String?
    /// More about it, by the names that its detector documents.
    public var details: [String: String]

    public init(_ detection: Detection) {
      kind = detection.kind.rawValue
      outline = detection.outline.map { [PlainNumber.rounded($0.x, 4), PlainNumber.rounded($0.y, 4)] }
      confidence = PlainNumber.rounded(detection.confidence, 3)
      (text, details) = (detection.text, detection.details)
    }
  }

  public var photo: String
  /// Why the photo could not be read; left out if it was.
  public var error: String?
  /// The size of the photo as displayed, in pixels; left out if it could not be read.
  public var width: Int?
  public var height: Int?
  public var found: [Thing]
  /// What its measurements mean; left out if that was not asked for.
  public var quality: PhotoQuality?
  /// Why something could not be looked for in this photo, one sentence each.
  public var problems: [String]
  /// The file that the findings were drawn to; left out if they were not.
  public var drawing: String?

  public init(_ photo: String, error: String) {
    (self.photo, self.error) = (photo, error)
    (found, problems) = ([], [])
  }

  public init(_ photo: String, size: PixelSize, _ found: [Detection], problems: [String], drawing: String?) {
    self.photo = photo
    (width, height) = (size.width, size.height)
    self.found = found.map(Thing.init)
    (self.problems, self.drawing) = (problems, drawing)
  }
}
