import AnalysisKernels
import FrameCore
import Libc

/// Finds sheets of paper, cards, panels and screens: quads of straight edges that differ from what lies around them.
///
/// Straight edges are joined to lines, and fours of lines to quads. A quad is judged by how much of its sides is edge,
/// whether the edges end at its corners, whether luma steps across all sides in the same direction, and whether a
/// camera could see a rectangle like that. If letters or a busy ground hide the quad, the picture is searched once more
/// without its fine detail. Corners may be hidden, or lie outside of the picture by up to 0.15 of its long edge.
///
/// Outlines are exact to a fraction of a sample of the proxy, and begin with the corner nearest to the picture's top
/// left: which way up a page is read is not known. Quads of less than `leastConfidence` are left out.
///
/// Sources: D. Tropin and others, Advanced Hough-based method for on-device document localization, Computer Optics 45,
/// 2021 (contours first, then contrast); J. Zhukovsky and others, Segments graph-based approach for document capture in
/// a smartphone video stream, ICDAR 2017.
public final class DocumentDetector: FrameDetector {
  public static let name = "document"
  /// A quad is found if it is at least so likely a document, 0…1.
  public static let leastConfidence = 0.5

  /// The number of documents that are looked for; they do not overlap.
  public let maximumCount: Int
  /// Whether outlines of frames are moved onto the edges of the full picture, which takes longer: for photos.
  public let refines: Bool
  private var search = DocumentSearch()

  public init(maximumCount: Int = 1, refines: Bool = false) {
    (self.maximumCount, self.refines) = (max(maximumCount, 1), refines)
  }

  public func detections(in proxy: AnalysisProxy, of frame: Frame) throws -> [Detection] {
    var found = detections(in: proxy)
    guard refines else { return found }
    for index in found.indices { found[index].outline = try Self.refined(found[index].outline, in: frame) }
    return found
  }

  /// The documents in the picture that `proxy` was last updated from, the likeliest first; none if it is smaller than
  /// 64 × 64.
  public func detections(in proxy: AnalysisProxy) -> [Detection] {
    guard let base = proxy.luma.baseAddress else { return [] }
    let size = SIMD2(Double(proxy.size.width), Double(proxy.size.height))
    search.find(
      in: LumaPlane(base: base, width: proxy.size.width, height: proxy.size.height), most: maximumCount)
    return search.found.map { found in
      let outline = (0..<4).map { index in
        NormalizedPoint(found.quad[index].x / size.x, found.quad[index].y / size.y)
      }
      return Detection(.document, outline: outline, confidence: found.confidence)
    }
  }

  /// Returns an outline with its sides moved onto the edges of the full picture, to fractions of a pixel; sides without
  /// an edge nearby stay as they are.
  ///
  /// Pictures of more than 4096 pixels along the long edge are refined at that size.
  ///
  /// - Parameter outline: four corners, clockwise as displayed, at most about two samples of the proxy off.
  /// - Throws: `SafelightError(.invalidValue)` if the outline is not that of a convex quad, `.noMemory`.
  public static func refined(_ outline: [NormalizedPoint], in frame: Frame) throws -> [NormalizedPoint] {
    try OutlineRefinement(frame).refined(outline)
  }
}
