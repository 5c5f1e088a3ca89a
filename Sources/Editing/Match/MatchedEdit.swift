import ColorScience
import FilterGraph
import Filters
import FrameCore
import Libc

/// The filters of a match while they are found.
struct MatchedEdit {
  /// How the light of a camera raw is shown behind them.
  var scene: SceneLight?
  /// Filters beside them.
  var kept: [any Filter] = []
  var balance = WhiteBalance()
  var exposure = Exposure()
  var curve = PointCurve()
  var saturation = Saturation(0)
  var grading = Grading()

  var filters: [any Filter] {
    var filters: [any Filter] = []
    if balance != WhiteBalance() { filters.append(balance) }
    if exposure.stops != 0 { filters.append(exposure) }
    if curve != PointCurve() { filters.append(curve) }
    if saturation.amount != 0 { filters.append(saturation) }
    if grading != Grading() { filters.append(grading) }
    return filters
  }

  /// Returns what colours of linear Rec. 2020 become; those of a raw are as bright as shown, without a tone map.
  func apply(to colors: [SIMD3<Double>]) throws -> [SIMD3<Double>] {
    let space = PlanBuilder.workingSpace
    var input = PlanInput(size: PixelSize(width: 1, height: 1), format: .rgba16, space: space)
    input.scene = scene
    let plan = try Plan(
      Recipe(filters: [RawDetail(.none)] + kept + filters), input: input,
      output: PlanOutput(format: .rgba16, space: space), optimized: false)
    let stored = scene.map { Double($0.white) / exp2(Double($0.exposure)) } ?? 1
    return colors.map { color in plan.exactStages.reduce(stored * color) { $1.evaluate($0) } }
  }

  /// Tints a region by about a step in OKLab's a and b.
  mutating func grade(
    _ region: Grading.Region, by step: SIMD2<Double>, of third: Int, in colors: [SIMD3<Double>]
  ) throws {
    let length = hypot(step.x, step.y)
    guard length > 0.008 else { return }
    let hue = OKLab.lch(fromLab: SIMD3(0.7, step.x, step.y)).z.rounded()
    func tinted(_ saturation: Double) -> MatchedEdit {
      var edit = self
      edit.grading[region] = Grading.Wheel(hue: Float(hue), saturation: Float(saturation))
      return edit
    }
    // How far a little of it goes.
    let plain = LookStatistics(try apply(to: colors)).thirds[third]
    let probe = 10.0
    let moved = LookStatistics(try tinted(probe).apply(to: colors)).thirds[third] - plain
    let response = (moved.x * step.x + moved.y * step.y) / length
    guard response > 1e-4 else { return }
    // Part of the rest is what is in the pictures, so it is not followed all the way.
    let saturation = min(0.7 * probe * length / response, 25).rounded()
    if saturation >= 2 { self = tinted(saturation) }
  }
}
