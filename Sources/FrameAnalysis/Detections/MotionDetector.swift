import FrameCore

/// Finds what moves in front of a camera that stands still.
///
/// The proxy's luma is averaged over cells, about 160 along the long edge. Each cell has a background, with the deviation
/// that waves, leaves or a swaying camera give it; what differs from it by more than that and than the noise is in front
/// of it. Areas of such cells count if part of them has changed within the last half second, so that neither what has
/// stopped nor the gap that something left behind moves. The background follows the light: a gain and an offset
/// for the whole picture, found robustly, are taken out first, so that a step of the exposure or a flickering lamp moves
/// nothing.
///
/// Nothing is found during the first second, and while most of the picture changes at once: the camera moves then, and the
/// background is learned anew.
///
/// Detections are of the kind `motion`. Their outline is convex, with at most 12 corners; the confidence is m/(m + 1),
/// where m is the mean difference over the least one that counts, so at least 0.5; `details["area"]` is the share of
/// the picture that it covers.
///
/// Sources: C. Wren and others, Pfinder, PAMI 19, 1997, for the running Gaussian of each place; D. Butler and others,
/// Real-time adaptive foreground/background segmentation, 2005, for its use on cells.
public struct MotionDetector: FrameDetector {
  public static let name = "motion"

  /// The least area that counts, as a share of the picture.
  private let leastArea: Double
  private var model = MotionModel()

  /// - Parameter leastArea: smaller areas are ignored; a share of the picture, 0…1. A tenth of a percent is a square of
  ///   25 pixels in a frame of 1280 × 720.
  /// - Throws: `SafelightError(.invalidValue)` if it is out of range.
  public init(leastArea: Double) throws {
    guard (0...1).contains(leastArea) else {
      throw SafelightError(
        .invalidValue, "The least area of a motion is \(leastArea)",
        remedy: "give a share of the picture, 0 to 1")
    }
    self.leastArea = leastArea
  }

  public init() { leastArea = 0.001 }

  public mutating func detections(in proxy: AnalysisProxy, of frame: Frame) throws -> [Detection] {
    guard let cells = model.look(proxy, at: frame.time) else { return [] }
    let least = max(Int((leastArea * Double(cells.count)).rounded()), MotionAreas.leastCells)
    return MotionAreas.areas(of: model).compactMap { area in
      guard area.cells >= least, area.isMoving else { return nil }
      let strength = Double(area.excess) / Double(area.cells)
      return Detection(
        .motion,
        outline: area.outline(columns: cells.columns, rows: cells.rows, in: proxy.size, cell: cells.edge),
        confidence: strength / (strength + 1),
        details: ["area": PlainNumber.fixed(Double(area.cells) / Double(cells.count), 4)])
    }
  }
}
