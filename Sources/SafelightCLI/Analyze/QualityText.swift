import Safelight

extension PhotoQuality {
  /// A line for each measurement: its name, the word, the figures.
  var lines: [String] {
    let edges = sharpness.edgeWidth.map { "edges \(AnalysisText.edgeWidth($0)) px wide" } ?? "no edges"
    let middle = sharpness.middle.map { "middle \(PlainNumber.fixed($0, 2))" } ?? "no edges in the middle"
    let stops = PlainNumber.fixed(exposure.stops, 1)
    let lightness =
      "lightness mean \(PlainNumber.fixed(exposure.meanLightness, 2)), median "
      + PlainNumber.fixed(exposure.medianLightness, 2)
    let lines: [(String, String, String)] = [
      ("sharpness", sharpness.word.rawValue, "\(edges), \(middle)"),
      ("exposure", exposure.word.rawValue, "\(stops.hasPrefix("-") ? "" : "+")\(stops) EV, \(lightness)"),
      ("highlights", highlights.word.rawValue, "\(AnalysisText.percent(highlights.share)) % at full scale"),
      ("shadows", shadows.word.rawValue, "\(AnalysisText.percent(shadows.share)) % at zero"),
      ("noise", noise.word.rawValue, "\(PlainNumber.fixed(100 * noise.deviation, 2)) %"),
    ]
    return lines.map { "\($0.padded(to: 12, left: true))\($1.padded(to: 9, left: true))\($2)" }
  }
}
