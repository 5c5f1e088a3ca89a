import FilterGraph
import Filters
import FrameCore

// Tone curves: those of points, the parametric one, and those of channels.
extension AdobeImport.Draft {
  /// Curves of points in 0…255. Adobe's are splines, and ours never turn back between points.
  mutating func curves() throws -> [any Filter] {
    var curve = PointCurve()
    var tones = try points("ToneCurvePV2012") ?? PointCurve.straight
    if AdobeLegacy.isMeant(in: settings) { tones = try points("ToneCurve") ?? tones }
    let refined = tones == PointCurve.straight ? 100 : try refinement()
    if let regions = try regions() {
      do {
        tones = try CurvePoints.composed(regions, then: tones)
      } catch let misfit as CurvePoints.Misfit {
        throw SafelightError(.corruptData, "\(settings.file): \(misfit.reason)")
      }
    }
    // Refined to 0, a curve keeps the saturation.
    if refined < 50 { curve.luminance = tones } else { curve.rgb = tones }
    curve.red = try points("ToneCurvePV2012Red") ?? curve.red
    curve.green = try points("ToneCurvePV2012Green") ?? curve.green
    curve.blue = try points("ToneCurvePV2012Blue") ?? curve.blue
    return curve == PointCurve() ? [] : [curve]
  }

  private mutating func refinement() throws -> Double {
    Double(try detail("CurveRefineSaturation", in: 0...200, usual: 100))
  }

  /// Returns the points of a curve; nil if it is straight, or is one that `PointCurve` has not.
  private mutating func points(_ name: String) throws -> [SIMD2<Double>]? {
    guard !AdobeNeutral.isNeutral(name, in: settings), case .list(let items)? = settings.values[name] else {
      return nil
    }
    let points = try items.map { item -> SIMD2<Double> in
      let numbers = item.split(separator: ",").map { part in
        AdobeSettings.number(String(part.filter { $0 != " " }))
      }
      guard numbers.count == 2, let x = numbers[0], let y = numbers[1], (0...255).contains(x),
        (0...255).contains(y)
      else {
        throw SafelightError(
          .corruptData, "\(settings.file): crs:\(name) has the point “\(item.prefix(60))”",
          remedy: "a point is two numbers in 0…255")
      }
      return SIMD2(x, y) / 255
    }
    do {
      let fitted = try CurvePoints.fitted(points)
      note(name, fitted.count < points.count ? "\(fitted.count) of its \(points.count) points" : nil)
      return fitted == PointCurve.straight ? nil : fitted
    } catch let misfit as CurvePoints.Misfit {
      leave(name, misfit.reason)
      return nil
    }
  }

  /// The farthest that a slider moves the middle of its region.
  private static let reach = 0.12

  /// Returns the points of the parametric curve; nil if it is straight.
  ///
  /// Its shape is not published. Here each slider at 100 moves the middle of its region by 0.12, and both ends of it by
  /// half of that; black and white stay.
  private mutating func regions() throws -> [SIMD2<Double>]? {
    let amounts = try ["Shadows", "Darks", "Lights", "Highlights"].map {
      Double(try amount("Parametric" + $0)) / 100
    }
    guard amounts.contains(where: { $0 != 0 }) else { return nil }
    let splits = try zip(["Shadow", "Midtone", "Highlight"], [25.0, 50, 75]).map { name, usual in
      Double(try detail("Parametric\(name)Split", in: 0...100, usual: usual)) / 100
    }
    let borders = [0] + splits + [1]
    guard zip(borders, borders.dropFirst()).allSatisfy({ $1 - $0 >= 2 * PointCurve.leastStep }) else {
      throw SafelightError(
        .corruptData,
        "\(settings.file): the regions of the parametric curve end at "
          + splits.map { PlainNumber.text(($0 * 100).rounded()) }.joined(separator: ", "),
        remedy: "they rise from shadows to highlights")
    }
    var points = [SIMD2(0.0, 0.0)]
    for region in 0..<4 {
      let (low, high) = (borders[region], borders[region + 1])
      // A narrow region moves no farther than it is wide.
      let reach = min(Self.reach, (high - low) * 0.48)
      let middle = (low + high) / 2
      points.append(SIMD2(middle, middle + reach * amounts[region]))
      guard region < 3 else { continue }
      points.append(SIMD2(high, high + reach * (amounts[region] + amounts[region + 1]) / 2))
    }
    points.append(SIMD2(1, 1))
    var highest = 0.0
    let rising = points.map { point -> SIMD2<Double> in
      highest = max(highest, min(max(point.y, 0), 1))
      return CurvePoints.rounded(SIMD2(point.x, highest))
    }
    return rising
  }
}
