import FrameAnalysis

/// What is wrong with a photo, in words: what somebody who culls a shoot looks for.
///
/// A verdict says what was measured, not what was meant: a night is dark, and a panned picture may be blurred on purpose.
public enum PhotoVerdict: String, Sendable, Hashable, Codable, CaseIterable {
  /// No edge anywhere is sharp, and it shows without a magnifier.
  case blurred
  /// No edge anywhere is sharp at 100 %; in the whole picture it does not show.
  case soft
  case underexposed
  case overexposed
  case highlightsClipped = "highlights clipped"
  case shadowsClipped = "shadows clipped"
  case noisy

  /// Pixels at 100 % in which sharp edges rise at most. Out-of-focus and shaken photos are above it. Sharpened,
  /// heavily compressed and slightly noisy ones are below.
  public static let sharpEdge = 2.75
  /// The same as a part of the picture's diagonal: wider edges show where the whole picture is seen. Twice the circle of
  /// confusion of a fifteen-hundredth of the diagonal, of tables of depth of field, has edges about this wide.
  public static let visibleEdge = 0.001
  /// What automatic exposure adds to, or takes from, photos that count as exposed wrongly, EV. It never takes more than
  /// half of what is too much.
  public static let (underexposure, overexposure) = (1.0, -0.25)
  /// The parts of the pixels.
  public static let (clippedHighlights, clippedShadows) = (0.05, 0.15)
  /// Of full scale, at 640 pixels and at 100 %: what is seen at 640 alone may be texture.
  public static let noise = 0.015
}

extension PhotoAnalysis {
  /// What is wrong with the photo, the worst first; empty where nothing is.
  public var verdicts: [PhotoVerdict] {
    var found: [PhotoVerdict] = []
    if let width = edges.edgeWidth, width > PhotoVerdict.sharpEdge {
      let (long, short) = (Double(size.width), Double(size.height))
      let diagonal = (long * long + short * short).squareRoot()
      found.append(width > PhotoVerdict.visibleEdge * diagonal ? .blurred : .soft)
    }
    if missingExposure >= PhotoVerdict.underexposure { found.append(.underexposed) }
    if missingExposure <= PhotoVerdict.overexposure { found.append(.overexposed) }
    if clipping.highlights >= PhotoVerdict.clippedHighlights { found.append(.highlightsClipped) }
    if clipping.shadows >= PhotoVerdict.clippedShadows { found.append(.shadowsClipped) }
    if min(noise, edges.noise) >= PhotoVerdict.noise { found.append(.noisy) }
    return found
  }
}
