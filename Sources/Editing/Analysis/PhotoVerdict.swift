import FrameAnalysis

/// A photo's fault, as someone culling a shoot would look for.
///
/// A verdict states a measurement, not an intention: a night is dark, and a panned shot may be blurred on purpose.
public enum PhotoVerdict: String, Sendable, Hashable, Codable, CaseIterable {
  /// No edge is sharp, visibly so without magnification.
  case blurred
  /// No edge is sharp at 100 %, but it does not show in the whole picture.
  case soft
  case underexposed
  case overexposed
  case highlightsClipped = "highlights clipped"
  case shadowsClipped = "shadows clipped"
  case noisy

  /// The maximum rise distance of sharp edges, in pixels at 100 %. Out-of-focus and shaken photos are above it;
  /// sharpened, heavily compressed and slightly noisy ones below.
  package static let sharpEdge = 2.75
  /// The same as a fraction of the picture's diagonal: wider edges are visible in the whole picture. Edges are
  /// about this wide at twice the circle of confusion used in depth-of-field tables, 1/1500 of the diagonal.
  package static let visibleEdge = 0.001
  /// Thresholds of the automatic exposure correction, in EV, for wrongly exposed photos. It never removes more
  /// than half of the excess.
  package static let (underexposure, overexposure) = (1.0, -0.25)
  /// Fractions of the pixels.
  package static let (clippedHighlights, clippedShadows) = (0.05, 0.15)
  /// A fraction of full scale, exceeded both at 640 pixels and at 100 %: what shows at 640 alone may be texture.
  package static let noise = 0.015
}

extension PhotoAnalysis {
  /// The faults of the photo, the worst first; empty if there are none.
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
