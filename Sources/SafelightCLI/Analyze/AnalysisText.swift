import Safelight

/// What is measured of a photo, as people read it.
struct AnalysisText {
  private let photo: String
  private let analysis: PhotoAnalysis

  init(_ photo: String, _ analysis: PhotoAnalysis) {
    self.photo = photo
    self.analysis = analysis
  }

  func print() {
    Output.line("\(photo)  \(analysis.size)  \(analysis.formatName)")
    let verdicts = analysis.verdicts.map(\.rawValue)
    Output.line("  verdict     " + (verdicts.isEmpty ? "good" : verdicts.joined(separator: ", ")))
    Output.line("  lightness   " + Self.bars(analysis.histogram.lightness, cells: 64))
    Output.line(
      "  exposure    \(Self.exposure(analysis)) EV · contrast \(PlainNumber.fixed(analysis.tone.contrast, 2))"
        + " · range \(PlainNumber.fixed(analysis.tone.range, 2))")
    Output.line(
      "  clipping    highlights \(Self.percent(analysis.clipping.highlights)) %"
        + " · shadows \(Self.percent(analysis.clipping.shadows)) %")
    Output.line("  cast        \(Self.cast(analysis.cast))")
    Output.line(
      "  sharpness   \(Self.sharpness(analysis)) · noise \(PlainNumber.fixed(100 * analysis.noise, 2)) %"
    )
    Output.line("  horizon     \(HorizonText.answer(analysis.horizon))")
  }

  static func exposure(_ analysis: PhotoAnalysis) -> String { signed(analysis.tone.exposure, 1) }

  static func sharpness(_ analysis: PhotoAnalysis) -> String {
    guard let width = analysis.edges.edgeWidth, let value = analysis.edges.value else { return "no edges" }
    return "\(PlainNumber.fixed(value, 2)) · edges \(edgeWidth(width)) px wide"
  }

  /// In pixels at 100 %, which is all that is measured of the sharpest.
  static func edgeWidth(_ width: Double) -> String {
    width < 1 ? "<1" : PlainNumber.fixed(width, 1)
  }

  /// Two decimals below 9.95 %, one from there on: three digits of what matters.
  static func percent(_ part: Double) -> String { PlainNumber.fixed(100 * part, part < 0.0995 ? 2 : 1) }

  static func kelvin(_ cast: ColorCast) -> String { "\(10 * Int((cast.kelvin / 10).rounded())) K" }

  static func duv(_ cast: ColorCast) -> String { signed(cast.duv, 3) }

  private static func cast(_ cast: ColorCast?) -> String {
    cast.map { "\(kelvin($0)) · Duv \(duv($0))" } ?? "cannot be told: too few colours"
  }

  /// With its sign, so that columns of both read well.
  private static func signed(_ value: Double, _ decimals: Int) -> String {
    let text = PlainNumber.fixed(value, decimals)
    return text.hasPrefix("-") ? text : "+" + text
  }

  /// A histogram as eighths of a line's height; the tallest cell is whole, and what is not empty shows.
  static func bars(_ bins: [UInt32], cells: Int) -> String {
    let eighths = Array("▁▂▃▄▅▆▇█")
    let sums = (0..<cells).map { cell in
      bins[cell * bins.count / cells..<(cell + 1) * bins.count / cells].reduce(0) { $0 + Double($1) }
    }
    let tallest = max(sums.max() ?? 0, 1)
    return String(
      sums.map { sum in
        sum > 0 ? eighths[min(Int(sum / tallest * 8), eighths.count - 1)] : " "
      })
  }
}

/// One line per photo, for several photos.
struct AnalysisTable {
  private let nameWidth: Int

  /// Prints the head.
  init(_ photos: [String]) {
    nameWidth = min(max(photos.map { VisibleText.width($0) }.max() ?? 0, 5), 40)
    guard !photos.isEmpty else { return }
    Output.line(
      "photo".padded(to: nameWidth, left: true) + "  lightness    EV   clipped    low  edges  noise  verdict")
  }

  func print(_ photo: AnalyzedPhoto) {
    guard let analysis = photo.analysis else { return }
    let name = VisibleText.end(of: photo.path, width: nameWidth)
    let verdicts = photo.verdicts
    let fields = [
      name.padded(to: nameWidth, left: true),
      AnalysisText.bars(analysis.histogram.lightness, cells: 9),
      AnalysisText.exposure(analysis).padded(to: 4),
      "\(AnalysisText.percent(analysis.clipping.highlights)) %".padded(to: 8),
      AnalysisText.percent(analysis.clipping.shadows).padded(to: 5),
      (analysis.edges.edgeWidth.map(AnalysisText.edgeWidth) ?? "–").padded(to: 5),
      PlainNumber.fixed(100 * analysis.noise, 2).padded(to: 5),
      verdicts.isEmpty ? "good" : verdicts.joined(separator: ", "),
    ]
    Output.entry(fields.joined(separator: "  "))
  }
}
