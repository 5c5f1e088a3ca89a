import ColorScience
import FilterGraph
import Filters
import FrameAnalysis
import FrameCore
import Files
import Libc
import PhotoPipeline
import Rendering

/// The edit that takes a photo near the look of another: exposure, white balance, a curve, saturation and grading, as plain
/// values that can be changed by hand.
///
/// It compares statistics of small proxies, not places: tones by how much of a picture is darker, balance by the colours
/// next to grey, tints by the darkest, the middle and the brightest third. What is in the pictures differs, so values
/// are bounded, and a curve is never steeper than 2.5 or flatter than 0.4.
public struct LookMatch: Sendable {
  /// What is found, to be added to what is kept of the target's edit.
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

  /// - Parameter kept: what stays of the target's own edit, as `kept(of:)` returns it, its files loaded.
  /// - Throws: `SafelightError` if a photo's ICC profile is damaged or is not a matrix with curves, or if nothing of it is
  ///   visible.
  public init(of target: PhotoSample, to reference: LookReference, keeping kept: Recipe = Recipe()) throws {
    try self.init(
      of: Self.colors(target.proxy, of: target.buffer, target.path), to: reference.colors,
      MatchedEdit(scene: target.scene, kept: kept.filters.filter(Self.actsOnColorsAlone)))
  }

  /// - Parameters: linear Rec. 2020.
  init(
    of target: [SIMD3<Double>], to reference: [SIMD3<Double>], _ start: MatchedEdit = MatchedEdit()
  ) throws {
    let wanted = LookStatistics(reference)
    var edit = start
    let stored = LookStatistics(try edit.apply(to: target))
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

  /// Returns an edit without values of the kinds that are found; a look keeps its own.
  public static func kept(of recipe: Recipe) throws -> Recipe {
    guard recipe.order == .canonical else { return recipe }
    var edit = PartedEdit(recipe)
    let flags = FilterCatalog.standard.filters.filter { kinds.contains($0.id) }
      .flatMap { $0.parameters.compactMap(\.flag) }
    for flag in flags { edit.values.values[flag] = nil }
    edit.base.filters.removeAll { kinds.contains(type(of: $0).id) }
    return try edit.recipe(in: FileSnapshot())
  }

  /// Whether a filter changes each colour by itself; what is in a photo, and where, is not looked at here.
  private static func actsOnColorsAlone(_ filter: any Filter) -> Bool {
    switch type(of: filter).phase {
    case .noise, .lens, .orientation, .perspective, .straighten, .crop, .resize, .light, .group, .detail:
      false
    case .input, .whiteBalance, .exposure, .range, .toneMap, .tone, .color, .look, .gamut: true
    }
  }

  private static func difference(_ look: LookStatistics, _ wanted: LookStatistics) -> Difference {
    Difference(tones: look.toneDifference(to: wanted), colors: look.colorDifference(to: wanted))
  }

  static func colors(
    _ proxy: AnalysisProxy, of buffer: PixelBuffer, _ path: String
  ) throws -> [SIMD3<Double>] {
    let colors = try LinearColors(proxy, of: buffer).visible
    guard !colors.isEmpty else {
      throw SafelightError(
        .invalidValue, "Nothing of \(path) is visible, so it has no look", remedy: "choose another photo")
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

  /// Returns the balance that moves a colour next to grey to another.
  private static func balance(from grey: SIMD2<Double>, to wanted: SIMD2<Double>) -> WhiteBalance {
    guard hypot(wanted.x - grey.x, wanted.y - grey.y) > 0.004 else { return WhiteBalance() }
    let color = PlanBuilder.workingSpace.toXYZ.inverse * OKLab.toXYZ(SIMD3(0.6, grey.x, grey.y))
    // Beyond these it is what is in the pictures that differs, not the light: 4500 to 12,000 K.
    let search = BalanceSearch(mireds: 83...222, tints: -30...30, kelvinStep: 50)
    return search.balance(from: color, to: wanted).filter
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
