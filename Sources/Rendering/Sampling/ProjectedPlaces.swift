import FilterGraph
import PixelKernels

/// The places of pixels in the picture as stored, for fields and masks of a plan with a projection. Along a piece of a
/// row they are spaced evenly, so that for each piece there is an affine map to them.
struct ProjectedPlaces: Sendable {
  private let lines: ProjectedLines
  /// The number of grids in use, and of those that a frame's film moves.
  private let grids: Int

  /// Returns nil unless the plan has a projection and colours that depend on places.
  init?(_ plan: Plan, light: CompiledLight?) {
    guard let geometry = plan.projected, plan.stages.contains(where: { $0.isColor && $0.usesPosition }) else {
      return nil
    }
    lines = ProjectedLines(geometry)
    grids = light.map { max(1, $0.fields.count) } ?? 0
  }

  /// The number of pixels from column `x` on that one map is for.
  func count(from x: Int) -> Int { lines.length - x % lines.length }

  /// Sets the scratch's places to those of the piece of row `y` with column `x`.
  func enter(x: Int, y: Int, _ scratch: TileScratch) {
    let line = lines.line(x: x, y: y)
    let start = Double(line.first) + 0.5
    let toStored = AffineMap(
      a: line.dx, b: 0, c: line.x - line.dx * start, d: line.dy, e: 0, f: line.y - line.dy * start)
    scratch.setPlaces(toStored, grids: grids)
  }
}
