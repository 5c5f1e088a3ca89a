import FrameCore
import Libc

/// The proportions of a page, worked out from how a camera sees it, and how they were found.
///
/// The sides of a rectangle meet at right angles; with the camera's focal length f, in pixels, and columns a and b of
/// the map from the unit square to the picture, whose origin is the picture's centre,
///
///     width / height = |(ax/f, ay/f, aw)| / |(bx/f, by/f, bw)|,     f² = −(ax·bx + ay·by) / (aw·bw)
///
/// The second formula has no answer if a pair of sides is parallel in the picture, and a poor one nearby. So f is the
/// known one or else each one that cameras have, weighted by how usual it is and by how well the angle between the
/// sides agrees with a right one, as exactly as the corners are known. From the front f does not matter; where it
/// matters and cannot be told from the page, the deviation says so.
///
/// Source: Z. Zhang, L.-W. He, Whiteboard scanning and image enhancement, Digital Signal Processing 17, 2007.
public struct PageShape: Sendable, Hashable {
  /// A usual format.
  public enum Paper: String, Sendable, Hashable, Codable, CaseIterable {
    /// ISO 216, the A series: 1 : √2.
    case a4 = "A4"
    /// ANSI/ASME Y14.1, A: 8.5 × 11 in.
    case letter = "Letter"
    /// ISO/IEC 7810, ID-1: 85.60 × 53.98 mm, as bank cards.
    case card = "ID card"

    /// The longer side to the shorter one.
    public var longToShort: Double {
      switch self {
      case .a4: 2.0.squareRoot()
      case .letter: 11 / 8.5
      case .card: 85.60 / 53.98
      }
    }
  }

  /// How the focal length was found.
  public enum FocalSource: String, Sendable, Hashable, Codable {
    /// The caller knew it, as from EXIF.
    case known
    /// From the page's own vanishing points.
    case page
    /// The page says nothing of it: cameras' usual ones.
    case usual
  }

  /// The origin of the proportions.
  public enum Origin: Sendable, Hashable {
    /// Measured on the quad.
    case measured(FocalSource)
    /// Measured, and near enough to those of a usual format to be taken for it.
    case recognized(FocalSource)
    /// The caller's.
    case given
  }

  /// Width to height, as the outline's first corner is at the top left.
  public var ratio: Double
  /// The format, if the page has a usual one.
  public var paper: Paper?
  public var origin: Origin
  /// What was measured, before a format was recognized, and its relative standard deviation.
  public var measured: Double
  public var deviation: Double

  /// How far, relatively, a page may be from a format and be taken for it, at most. A4 and Letter are 9 % apart.
  private static let tolerance = 0.035
  /// Corners of a quad are exact to this, in long edges.
  private static let cornerError = 0.0008

  /// Works out the proportions of a page.
  ///
  /// - Parameters:
  ///   - outline: four corners, clockwise as displayed.
  ///   - size: the picture's size, as displayed. Its centre is taken for the lens's axis, so it is not cropped.
  ///   - focalLength: in long edges of the picture, if known; a focal length equivalent to 26 mm in the format of
  ///     36 × 24 mm is about 26 / 36.
  ///   - choice: what the page is said to be.
  /// - Throws: `SafelightError(.invalidValue)` if the outline is not that of a convex quad, or a value is not positive.
  public init(
    of outline: [NormalizedPoint], in size: PixelSize, focalLength: Double? = nil,
    choice: PageChoice = .automatic
  ) throws {
    try PixelBuffer.validate(size)
    if let focalLength, !(focalLength > 0.05 && focalLength < 100) {
      throw SafelightError(
        .invalidValue, "A focal length of \(focalLength) long edges is none of a camera",
        remedy: "leave it out")
    }
    let quad = try Quad(outline, in: size)
    let center = SIMD2(Double(size.width), Double(size.height)) / 2
    let long = Double(size.longEdge)
    let view = PageView(quad.map { ($0 - center) / long }, cornerError: Self.cornerError)
    guard let estimate = view.estimate(focalLength: focalLength) else {
      throw SafelightError(
        .invalidValue, "The four corners of the page are nearly in a line", remedy: "choose the corners again"
      )
    }
    (measured, deviation) = (estimate.ratio, estimate.deviation)
    (ratio, paper, origin) = (estimate.ratio, nil, .measured(estimate.source))
    switch choice {
    case .automatic: recognize(estimate.source)
    case .paper(let paper):
      // Upright or lying, as it is seen.
      (self.ratio, self.paper, origin) = (
        measured >= 1 ? paper.longToShort : 1 / paper.longToShort, paper, .given
      )
    case .ratio(let given):
      let isSame = (given >= 1) == (measured >= 1)
      (ratio, origin) = (isSame ? given : 1 / given, .given)
    }
  }

  /// Takes the page for a format if exactly one is near.
  private mutating func recognize(_ source: FocalSource) {
    let far = abs(log(measured))
    let near = Paper.allCases.filter {
      abs(far - log($0.longToShort)) <= min(max(1.5 * deviation, 0.012), Self.tolerance)
    }
    guard let paper = near.first, near.count == 1 else { return }
    self.paper = paper
    ratio = measured >= 1 ? paper.longToShort : 1 / paper.longToShort
    origin = .recognized(source)
  }

  /// How the proportions were found, as a clause.
  public var explanation: String {
    func focal(_ source: FocalSource) -> String {
      switch source {
      case .known: "with the camera's focal length"
      case .page: "from the page's perspective"
      case .usual: "for cameras' usual focal lengths"
      }
    }
    let value = "\(Self.text(measured)) ± \(Self.text(measured * deviation))"
    return switch origin {
    case .given: "as given"
    case .measured(let source): "measured \(focal(source)): \(value)"
    case .recognized(let source):
      "taken for \(paper?.rawValue ?? "a usual format"): measured \(focal(source)) \(value)"
    }
  }

  private static func text(_ value: Double) -> String {
    let thousandths = Int((value * 1000).rounded())
    let digits = String(thousandths % 1000)
    return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
  }

  /// The size in pixels that keeps the detail of the page where the camera was nearest to it.
  ///
  /// - Throws: `SafelightError` if the outline is not that of a convex quad, or the page would be too large.
  public func pixelSize(of outline: [NormalizedPoint], in size: PixelSize) throws -> PixelSize {
    let quad = try Quad(outline, in: size)
    func length(_ index: Int) -> Double { (quad.side(index) * quad.side(index)).sum().squareRoot() }
    let across = max(length(0), length(2))
    let down = max(length(1), length(3))
    let height = max(down, across / ratio)
    let result = PixelSize(
      width: max(Int(min(height * ratio, 1e6).rounded()), 1), height: max(Int(min(height, 1e6).rounded()), 1))
    try PixelBuffer.validate(result)
    return result
  }
}

/// What a page is said to be.
public enum PageChoice: Sendable, Hashable {
  /// To be found out.
  case automatic
  case paper(PageShape.Paper)
  /// Width to height, or height to width if the page is seen lying.
  case ratio(Double)

  /// Reads `auto`, `A4`, `letter`, `card` or proportions such as `3:2`.
  ///
  /// - Throws: `SafelightError(.invalidValue)` for anything else.
  public init(_ text: String) throws {
    switch text.lowercased() {
    case "auto": self = .automatic
    case "a4": self = .paper(.a4)
    case "letter": self = .paper(.letter)
    case "card": self = .paper(.card)
    default:
      let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
      guard parts.count == 2, let width = parts[0], let height = parts[1], width > 0, height > 0,
        width.isFinite, height.isFinite, width / height >= 0.05, width / height <= 20
      else {
        throw SafelightError(
          .invalidValue, "“\(text)” is no shape of a page",
          remedy: "use auto, A4, letter, card or proportions from 1:20 to 20:1 such as 3:2")
      }
      self = .ratio(width / height)
    }
  }
}
