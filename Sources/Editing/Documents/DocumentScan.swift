import ColorScience
import FilterGraph
import Filters
import FrameAnalysis
import FrameCore
import PhotoIO
import PhotoPipeline
import Rendering

/// Makes photos of pages, and frames that show them, look like scans: finds the page, shows it straight on in its own proportions, and evens it out.
///
///     let page = try DocumentScan(finish: .even).scan(Photo(contentsOf: "receipt.jpg"), renderer: CPURenderer())
public struct DocumentScan: Sendable {
  /// What becomes of the light on the page.
  public enum Finish: String, Sendable, Hashable, Codable, CaseIterable {
    /// As photographed.
    case photo
    /// Without shadows and the tint of the paper.
    case even
    case blackAndWhite = "black-and-white"
  }

  /// What the page is said to be.
  public var paper: PageChoice
  public var finish: Finish
  /// The page's corners, clockwise from its top left one; nil finds them.
  public var corners: [NormalizedPoint]?

  public init(paper: PageChoice = .automatic, finish: Finish = .photo, corners: [NormalizedPoint]? = nil) {
    (self.paper, self.finish, self.corners) = (paper, finish, corners)
  }

  /// A scanned page.
  public struct Page: Sendable {
    /// sRGB of 8 bits, the right way up as photographed.
    public var picture: PixelBuffer
    /// The page's corners in the photo as displayed.
    public var outline: [NormalizedPoint]
    /// How certain it is that this is a page, 0…1; nil if the corners were given.
    public var confidence: Double?
    public var shape: PageShape
    public var finish: Finish
    /// The edit that shows the page straight on.
    public var perspective: Perspective
  }

  /// Scans the page in a photo.
  ///
  /// - Throws: `SafelightError` if no page is found, or the corners are not those of a convex quad.
  public func scan(_ photo: Photo, renderer: some Renderer) throws -> Page {
    let size = photo.orientation.applied(to: photo.buffer.size)
    return try scan(
      Frame(buffer: photo.buffer, orientation: photo.orientation), input: photo.planInput, showing: nil,
      focalLength: photo.metadata.captureFacts.focalLength(inLongEdgesOf: size), renderer: renderer)
  }

  /// Scans the page in a frame.
  ///
  /// - Parameter page: where it was found in the frame; nil finds it.
  /// - Throws: as for a photo.
  public func scan(_ frame: Frame, showing page: Detection? = nil, renderer: some Renderer) throws -> Page {
    try scan(frame, input: frame.planInput, showing: page, focalLength: nil, renderer: renderer)
  }

  private func scan(
    _ frame: Frame, input: PlanInput, showing page: Detection?, focalLength: Double?, renderer: some Renderer
  ) throws -> Page {
    let size = frame.orientation.applied(to: frame.buffer.size)
    var (outline, confidence) = (corners, page?.confidence)
    if outline == nil, let page {
      outline = try DocumentDetector.refined(page.outline, in: frame)
    } else if outline == nil {
      let proxy = AnalysisProxy()
      try proxy.update(from: frame)
      guard let found = DocumentDetector().detections(in: proxy).first else {
        throw SafelightError(
          .invalidValue,
          "No page was found: it must show all four edges, and differ from what lies around it",
          remedy: "give its corners, clockwise from the top left, as 'x,y x,y x,y x,y' in 0…1")
      }
      confidence = found.confidence
      outline = try DocumentDetector.refined(found.outline, in: frame)
    }
    let corners = outline ?? []
    let shape = try PageShape(
      of: corners, in: size, focalLength: focalLength, choice: paper)
    let pixels = try shape.pixelSize(of: corners, in: size)
    let perspective = Perspective(
      .places(corners.map { SIMD2($0.x, $0.y) }),
      proportions: .ratio(width: Double(pixels.width), height: Double(pixels.height)))
    let output = PlanOutput(format: .rgba8, space: .sRGB)
    let plan = try renderer.plan(Recipe(filters: [perspective]), input: input, output: output)
    var picture = try renderer.render(frame.buffer, through: plan).retagged(.sRGB)
    switch finish {
    case .photo: break
    case .even: picture = try PageEvening.evened(picture)
    case .blackAndWhite: picture = try PageEvening.blackAndWhite(picture)
    }
    return Page(
      picture: picture, outline: corners, confidence: confidence, shape: shape, finish: finish,
      perspective: perspective)
  }
}

extension CaptureFacts {
  /// The focal length in long edges of a picture of `size`; nil if it is not known.
  ///
  /// What is given for 35 mm film is that of the same angle across the diagonal.
  fileprivate func focalLength(inLongEdgesOf size: PixelSize) -> Double? {
    guard let onFilm = focalLengthIn35mmFilm else { return nil }
    let (width, height) = (Double(size.width), Double(size.height))
    let length =
      Double(onFilm) / Keystone.filmDiagonal * (width * width + height * height).squareRoot()
      / max(width, height)
    return (0.06...90).contains(length) ? length : nil
  }
}
