import ColorScience
import FilterGraph
import Filters
import FrameAnalysis
import FrameCore
import Libc

/// The edit that takes a photo near the look of another: exposure, white balance, a curve, saturation and grading, as plain
/// values that can be changed by hand.
///
/// It compares statistics of small proxies, not places: tones by how much of a picture is darker, balance by the colours
/// next to grey, tints by the darkest, the middle and the brightest third. What is in the pictures differs, so values
/// are bounded, and a curve is never steeper than 2.5 or flatter than 0.4.
public struct LookMatch: Sendable {
  /// The edit, for a target without one.
  public let recipe: Recipe
  /// How far the target was from the reference, and how far it is with the edit: the mean difference of tones in levels
  /// of 8 bits, and of colours in hundredths of OKLab, where 2 is about what one sees side by side.
  public let before, after: Difference

  public struct Difference: Sendable, Hashable {
    public let tones, colors: Double
  }

  /// The filters whose values are found.
  public static let kinds: Set<FilterID> = [
    WhiteBalance.id, Exposure.id, PointCurve.id, Saturation.id, Grading.id,
  ]

  /// The most samples of a photo that are looked at.
  private static let sampleCount = 1024

  /// - Throws: `SafelightError` if a photo's ICC profile is damaged or is not a matrix with curves, or if nothing of it is
  ///   visible.
  public init(of target: PhotoSample, to reference: PhotoSample) throws {
    try self.init(of: Self.colors(target), to: Self.colors(reference))
  }

  /// - Parameters: linear Rec. 2020.
  init(of target: [SIMD3<Double>], to reference: [SIMD3<Double>]) throws {
    let wanted = LookStatistics(reference)
    let stored = LookStatistics(target)
    var edit = MatchedEdit()
    func now() throws -> LookStatistics { LookStatistics(try edit.apply(to: target)) }

    /// Takes a step unless it leads away from the reference.
    func step(_ change: (inout MatchedEdit) throws -> Void) throws {
      let (old, distance) = (edit, try now().distance(to: wanted))
      // A copy, since the change may look at where the edit is now.
      var next = edit
      try change(&next)
      edit = next
      if try now().distance(to: wanted) > distance { edit = old }
    }

    // What counts as next to grey changes with the balance, and brightness does a little.
    var (aim, light) = (wanted.grey, wanted.middle)
    for _ in 0..<3 {
      try step {
        $0.balance = Self.balance(from: stored.grey, to: aim)
        $0.exposure = Self.exposure(from: stored.middle, to: light)
      }
      let reached = try now()
      aim += wanted.grey - reached.grey
      light *= max(wanted.middle, 1e-4) / max(reached.middle, 1e-4)
    }
    try step { $0.curve = Self.curve(from: try now().tones, to: wanted.tones) }
    let chroma = try now().chroma
    if chroma > 0.004 {
      let amount = (100 * (min(max(wanted.chroma / chroma, 0), 1.4) - 1)).rounded()
      try step { $0.saturation = Saturation(abs(amount) < 3 ? 0 : Float(amount)) }
    }
    for (index, region) in [(0, Grading.Region.shadows), (2, .highlights), (1, .mids)] {
      try step {
        try $0.grade(region, by: wanted.thirds[index] - now().thirds[index], of: index, in: target)
      }
    }

    before = Self.difference(stored, wanted)
    after = Self.difference(try now(), wanted)
    recipe = Recipe(filters: edit.filters)
  }

  private static func difference(_ look: LookStatistics, _ wanted: LookStatistics) -> Difference {
    Difference(tones: look.toneDifference(to: wanted), colors: look.colorDifference(to: wanted))
  }

  private static func colors(_ sample: PhotoSample) throws -> [SIMD3<Double>] {
    let colors = try LinearColors(sample.proxy, of: sample.buffer).visible
    guard !colors.isEmpty else {
      throw SafelightError(
        .invalidValue, "Nothing of \(sample.path) is visible, so it has no look",
        remedy: "choose another photo")
    }
    let step = max(1, colors.count / sampleCount)
    return stride(from: step / 2, to: colors.count, by: step).map { SIMD3<Double>(colors[$0]) }
  }

  // MARK: Values

  private static func exposure(from light: Double, to wanted: Double) -> Exposure {
    let stops = log2(max(wanted, 1e-4) / max(light, 1e-4))
    let rounded = (20 * min(max(stops, -3), 3)).rounded() / 20
    return Exposure(stops: abs(rounded) < 0.1 ? 0 : Float(rounded))
  }

  /// Returns the balance that moves a colour next to grey to another, by Newton's method on temperature, in mireds, and
  /// tint.
  private static func balance(from grey: SIMD2<Double>, to wanted: SIMD2<Double>) -> WhiteBalance {
    guard hypot(wanted.x - grey.x, wanted.y - grey.y) > 0.004 else { return WhiteBalance() }
    let space = PlanBuilder.workingSpace
    let color = space.toXYZ.inverse * OKLab.toXYZ(SIMD3(0.6, grey.x, grey.y))
    func filter(_ at: SIMD2<Double>) -> WhiteBalance {
      WhiteBalance(temperature: Float(1e6 / at.x), tint: Float(at.y))
    }
    func miss(_ at: SIMD2<Double>) -> SIMD2<Double> {
      let lab = OKLab.fromXYZ(space.toXYZ * (filter(at).matrix * color))
      // At the same lightness.
      return SIMD2(lab.y, lab.z) * (0.6 / max(lab.x, 0.05)) - wanted
    }
    // Beyond these it is what is in the pictures that differs, not the light: 4500 to 12,000 K.
    let bounds = (lower: SIMD2(83.0, -30.0), upper: SIMD2(222.0, 30.0))
    var at = SIMD2(1e6 / 6500, 0.0)
    for _ in 0..<8 {
      let here = miss(at)
      let alongMired = (miss(at + SIMD2(2, 0)) - here) / 2
      let alongTint = (miss(at + SIMD2(0, 2)) - here) / 2
      let determinant = alongMired.x * alongTint.y - alongMired.y * alongTint.x
      guard abs(determinant) > 1e-12 else { break }
      let step = SIMD2(
        (alongTint.y * here.x - alongTint.x * here.y) / determinant,
        (alongMired.x * here.y - alongMired.y * here.x) / determinant)
      at -= step.clamped(lowerBound: SIMD2(-40, -25), upperBound: SIMD2(40, 25))
      at = at.clamped(lowerBound: bounds.lower, upperBound: bounds.upper)
    }
    let found = filter(at)
    return WhiteBalance(
      temperature: (found.temperature / 50).rounded() * 50, tint: found.tint.rounded())
  }

  /// Returns a curve through what tones become, from black to white.
  private static func curve(from tones: [Double], to wanted: [Double]) -> PointCurve {
    guard zip(tones, wanted).contains(where: { abs($0 - $1) > 0.012 }) else { return PointCurve() }
    var points = [SIMD2(0.0, 0.0)]
    for (x, y) in zip(tones, wanted) where x > points[points.count - 1].x + 0.04 && x < 0.96 {
      let last = points[points.count - 1]
      // The first of them may lift black, as faded looks do.
      let low = points.count == 1 ? 0 : last.y + 0.4 * (x - last.x)
      let high = points.count == 1 ? 1 : last.y + 2.5 * (x - last.x)
      points.append(SIMD2(x, min(max(y, low), min(high, 1))))
    }
    guard points.count > 1 else { return PointCurve() }
    // Below the first point the curve goes on as steeply as between the next two, and never below black.
    let first = points[1]
    let slope = points.count > 2 ? (points[2].y - first.y) / (points[2].x - first.x) : 1
    points[0].y = min(max(first.y - slope * first.x, 0), 0.15)
    let end = points[points.count - 1]
    points.append(SIMD2(1, min(max(end.y + 0.4 * (1 - end.x), end.y), 1)))
    // White stays white unless the reference has none.
    if wanted[wanted.count - 1] > 0.9 { points[points.count - 1].y = 1 }
    return PointCurve(points.map { SIMD2(rounded($0.x), rounded($0.y)) })
  }

  private static func rounded(_ value: Double) -> Double { (100 * value).rounded() / 100 }
}

/// The filters of a match while they are found.
private struct MatchedEdit {
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

  /// Returns what colours of linear Rec. 2020 become.
  func apply(to colors: [SIMD3<Double>]) throws -> [SIMD3<Double>] {
    let space = PlanBuilder.workingSpace
    let plan = try Plan(
      Recipe(filters: filters),
      input: PlanInput(size: PixelSize(width: 1, height: 1), format: .rgba16, space: space),
      output: PlanOutput(format: .rgba16, space: space), optimized: false)
    return colors.map { color in plan.exactStages.reduce(color) { $1.evaluate($0) } }
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
