import Safelight

/// A horizon as people read it.
enum HorizonText {
  /// `-2.3° ± 0.21° · confidence 0.91 · verticals, horizontals`
  static func answer(_ horizon: Horizon) -> String {
    guard let degrees = horizon.degrees else { return "no horizon found" }
    let confidence = PlainNumber.fixed(horizon.confidence, 2)
    let kinds = horizon.evidence.kindNames
    let evidence = kinds.isEmpty ? "" : " · " + kinds.joined(separator: ", ")
    let exactness = horizon.deviation.map { " ± \(PlainNumber.fixed($0, 2))°" } ?? ""
    let answer = "\(angle(degrees))\(exactness) · confidence \(confidence)\(evidence)"
    return horizon.isConfident ? answer : "not sure: " + answer
  }

  /// `-2.3° (0.91)`, `? 4.2° (0.31)`, `none`
  static func short(_ horizon: Horizon) -> String {
    guard let degrees = horizon.degrees else { return "none" }
    let text = "\(angle(degrees)) (\(PlainNumber.fixed(horizon.confidence, 2)))"
    return horizon.isConfident ? text : "? " + text
  }

  static func angle(_ degrees: Double) -> String { PlainNumber.fixed(degrees, 1) + "°" }

  /// `51 of 207 lines within 2° of level or upright · 74 upright, 18 level · 2 vanishing points · boundary · camera level 1.2°`
  static func evidence(_ found: PhotoHorizon) -> String {
    let evidence = found.evidence
    func count(_ role: HorizonEvidence.Role) -> Int { evidence.lines.count { $0.role == role } }
    let total = found.horizon.evidence.segmentCount
    var parts = [
      "\(found.horizon.evidence.agreeingCount) of \(total) \(total == 1 ? "line" : "lines") within 2° of level or upright",
      "\(count(.upright)) upright, \(count(.level)) level",
    ]
    let points = evidence.vanishingPoints.count
    if points > 0 { parts.append("\(points) vanishing \(points == 1 ? "point" : "points")") }
    if evidence.boundary != nil { parts.append("boundary") }
    if let gravity = evidence.gravityDegrees { parts.append("camera level \(angle(gravity))") }
    return parts.joined(separator: " · ")
  }
}
