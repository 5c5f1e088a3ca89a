import FilterGraph
import Filters

// Curves: for each of three channels 20 places of x and y, then the numbers of points and their kinds.
extension DarktableImport {
  private static let places = 20

  /// Returns the points of a channel; nil if their number is impossible.
  private static func points(_ parameters: DarktableParameters, channel: Int) -> [SIMD2<Double>]? {
    let count = parameters.integer(3 * places * 2 + channel)
    guard (2...places).contains(count) else { return nil }
    return (0..<count).map { index in
      let field = (channel * places + index) * 2
      return SIMD2(parameters.number(field), parameters.number(field + 1))
        .clamped(lowerBound: .zero, upperBound: .one)
    }
  }

  private static func isStraight(_ points: [SIMD2<Double>]) -> Bool {
    points.allSatisfy { abs($0.x - $0.y) < 1e-4 } && points[0].x < 0.01 && points[points.count - 1].x > 0.99
  }

  /// Returns a curve on tones encoded as sRGB; nil if it is straight, or cannot be had here, which is then told.
  private mutating func curve(
    _ module: DarktableStyle.Module, _ name: String, _ parameters: DarktableParameters, channel: Int,
    tone: (Double) -> Double
  ) -> [SIMD2<Double>]? {
    guard let points = Self.points(parameters, channel: channel) else {
      ignore(module, name, "", "its parameters are damaged")
      return nil
    }
    guard !Self.isStraight(points) else { return nil }
    do {
      let fitted = try CurvePoints.fitted(points.map { SIMD2(tone($0.x), tone($0.y)) })
      approximate(module, name, "\(points.count) points")
      return fitted
    } catch {
      ignore(
        module, name, "\(points.count) points", (error as? CurvePoints.Misfit)?.reason ?? "it is damaged")
      return nil
    }
  }

  /// On linear light, or with “compensate middle grey” on the lightness of CIELAB.
  mutating func rgbCurve(
    _ module: DarktableStyle.Module, _ parameters: DarktableParameters
  ) -> [any Filter] {
    let isLightness = parameters.integer(127) != 0
    let tone = isLightness ? CurvePoints.tone(ofLightness:) : CurvePoints.tone(ofLight:)
    var filter = PointCurve()
    if parameters.integer(126) == 0 {
      guard let points = curve(module, "rgb", parameters, channel: 0, tone: tone) else { return [] }
      // Colours are kept by a norm of the channels, unless that is 0.
      if parameters.integer(128) == 0 {
        (filter.red, filter.green, filter.blue) = (points, points, points)
      } else {
        filter.luminance = points
      }
    } else {
      filter.red = curve(module, "red", parameters, channel: 0, tone: tone) ?? filter.red
      filter.green = curve(module, "green", parameters, channel: 1, tone: tone) ?? filter.green
      filter.blue = curve(module, "blue", parameters, channel: 2, tone: tone) ?? filter.blue
    }
    return filter == PointCurve() ? [] : [filter]
  }

  /// On the lightness of CIELAB; in the mode of RGB, 3, on its channels.
  mutating func toneCurve(
    _ module: DarktableStyle.Module, _ parameters: DarktableParameters
  ) -> [any Filter] {
    let mode = parameters.integer(126)
    var filter = PointCurve()
    if let points = curve(module, "L", parameters, channel: 0, tone: CurvePoints.tone(ofLightness:)) {
      if mode == 3 { filter.rgb = points } else { filter.luminance = points }
    }
    if mode == 0 {
      for (channel, name) in [(1, "a"), (2, "b")] {
        if let points = Self.points(parameters, channel: channel), !Self.isStraight(points) {
          ignore(module, name, "\(points.count) points", "curves of CIELAB's a and b are not known here")
        }
      }
    }
    return filter == PointCurve() ? [] : [filter]
  }
}
