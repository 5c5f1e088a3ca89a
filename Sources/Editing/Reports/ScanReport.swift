import FrameAnalysis
import FrameCore

/// A page that was scanned.
public struct ScanReport: JSONReport {
  /// The photo or the live source, and the file that the page went to.
  public var input: String
  public var output: String
  /// The page's number in the file, from 1.
  public var page: Int
  /// The size of the page in pixels.
  public var width: Int
  public var height: Int
  /// The corners in the photo or frame as displayed, 0…1, clockwise from the page's top left.
  public var corners: [[Double]]
  /// How certain it is that this is a page, 0…1; null if the corners were given.
  @OrNull public var confidence: Double?
  /// Width to height.
  public var proportions: Double
  /// A4, Letter or card, if it was taken for one.
  @OrNull public var paper: String?
  /// How the proportions were found.
  public var explanation: String

  public init(_ page: DocumentScan.Page, number: Int, of input: String, writtenTo output: String) {
    (self.input, self.output, self.page) = (input, output, number)
    (width, height) = (page.picture.width, page.picture.height)
    corners = page.outline.map { [PlainNumber.rounded($0.x, 5), PlainNumber.rounded($0.y, 5)] }
    _confidence = OrNull(wrappedValue: page.confidence.map { PlainNumber.rounded($0, 3) })
    proportions = PlainNumber.rounded(page.shape.ratio, 4)
    _paper = OrNull(wrappedValue: page.shape.paper?.rawValue)
    explanation = page.shape.explanation
  }
}
