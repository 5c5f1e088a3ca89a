import FrameCore

/// A mask whose edges follow those of the picture: its coverage as drawn, and how far edges may move.
///
///     a = cov(e, p) / (var(e) + 0.01),   b = mean(p) − a · mean(e)         in the window of each node
///     mask = S((A · e + B − 1/4) · 2)                                      A, B: means of a and b in that window
///
/// with p the coverage as drawn and e the brightness of the colour that reaches the first group, in EV (`LocalLight`),
/// both at the nodes of the fine grid of the picture as it is stored; of a pixel, e is its own. S(w) = 3w² − 2w³, w
/// clipped to 0…1. Windows are squares whose half side is twice the radius. Where brightness changes by more than about
/// 0.1 EV within the radius of the mask's edge, the mask changes there, and as steeply as the picture; where it does
/// not, it fades over the radius on both sides.
///
/// The line A · e + B alone leaves a seam of half a mask as wide as the window, since what was drawn on the wrong side
/// counts as much as what was drawn on the right one; S takes the side of the larger part. Of what was drawn beyond an
/// edge by six tenths of the radius, less than a quarter is left.
///
/// Sources: He, Sun, Tang, "Guided image filtering", IEEE TPAMI 2013, whose section on feathering the line is. ε was
/// chosen by masks drawn by hand on skies, buildings and faces: with 0.06, edges of half a stop are lost.
public struct MaskGuide: Sendable, Hashable {
  /// p.
  public let shape: MaskShape
  /// As a part of the long edge.
  public let radius: Double

  package static let epsilon = 0.01
  /// The most of them in the groups of a recipe: each needs grids of its own, made of each picture.
  public static let limit = 8

  package init(shape: MaskShape, radius: Double) { (self.shape, self.radius) = (shape, radius) }

  package var filter: LightGrid.Filter { LightGrid.Filter(radius: 2 * radius, epsilon: Self.epsilon) }

  /// Returns the mask at a node.
  ///
  /// - Parameters:
  ///   - node: in nodes of the fine grid.
  ///   - brightness: e of the pixel.
  ///   - lines: A and B; nil takes the mask as it was drawn.
  func value(at node: (x: Double, y: Double), brightness: Double, lines: NodePlanes?) -> Double {
    guard let line = lines?.numbers(at: node) else { return shape.coverage(at: node.x, node.y) }
    return ToneCurve.smoothStep(0.25, 0.75, line[0] * brightness + line[1])
  }
}
