import BenchmarkSupport
@_spi(HorizonEvaluation) import FrameAnalysis

extension MarkdownReport {
  /// The accuracy of the answers, for each kind and over all.
  func accuracy(_ answers: [Answer], kinds: [String]) {
    func row(_ name: String, _ rows: [Answer]) -> [String] {
      let errors = rows.map(\.error)
      let accepted = rows.filter(\.horizon.isConfident)
      return [name, "\(rows.count)"]
        + [1.0, 5, 10].map { fixed(100 * areaUnderRecall(errors, limit: $0), 1) }
        + [0.5, 0.9].map { fixed(percentile(errors, $0), 2) }
        + [
          percent(accepted.count, of: rows.count),
          percent(accepted.count { $0.error <= 1 }, of: accepted.count),
        ]
    }
    let known = answers.filter { $0.truth != nil }
    table(
      [
        "scene", "pictures", "AUC@1°", "AUC@5°", "AUC@10°", "median°", "P90°", "accepted",
        "of these within 1°",
      ],
      kinds.map { kind in row(kind, known.filter { $0.group == kind }) } + [row("all", known)])
  }

  /// How often a horizon is found in a picture without one.
  func falseAcceptance(_ answers: [Answer], kinds: [String]) {
    func row(_ name: String, _ rows: [Answer]) -> [String] {
      let accepted = rows.count(where: \.horizon.isConfident)
      return [name, "\(rows.count)", "\(accepted)", percent(accepted, of: rows.count)]
    }
    let without = answers.filter { $0.truth == nil }
    table(
      ["no horizon", "pictures", "accepted", "part"],
      kinds.map { kind in row(kind, without.filter { $0.group == kind }) } + [row("all", without)])
  }

  /// What other thresholds would accept.
  func thresholds(_ answers: [Answer]) {
    let (with, without) = (answers.filter { $0.truth != nil }, answers.filter { $0.truth == nil })
    let rows = stride(from: 0.1, through: 0.91, by: 0.1).map { threshold in
      let accepted = with.filter { $0.horizon.isAccepted(from: threshold - 1e-9) }
      let falsely = without.count { $0.horizon.isAccepted(from: threshold - 1e-9) }
      return [
        fixed(threshold, 1), percent(accepted.count, of: with.count),
        percent(accepted.count { $0.error <= 1 }, of: accepted.count),
        percent(accepted.count { $0.error <= 2 }, of: accepted.count), percent(falsely, of: without.count),
      ]
    }
    table(["confidence ≥", "accepted", "within 1°", "within 2°", "falsely accepted"], rows)
  }

  /// The calibration of the confidence: the fraction of right answers by stated confidence.
  func reliability(_ answers: [Answer], limit: Double) {
    let edges = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01]
    let rows = zip(edges, edges.dropFirst()).compactMap { low, high -> [String]? in
      let inside = answers.filter {
        $0.horizon.degrees != nil && $0.horizon.confidence >= low && $0.horizon.confidence < high
      }
      guard !inside.isEmpty else { return nil }
      let stated = inside.reduce(0) { $0 + $1.horizon.confidence } / Double(inside.count)
      return [
        "\(fixed(low, 1))…\(fixed(min(high, 1), 1))", "\(inside.count)",
        fixed(100 * stated, 1) + " %", percent(inside.count { $0.error <= limit }, of: inside.count),
      ]
    }
    table(["confidence", "answers", "stated", "right to \(fixed(limit, 0))°"], rows)
  }
}

func percent(_ part: Int, of whole: Int) -> String {
  whole == 0 ? "-" : fixed(100 * Double(part) / Double(whole), 1) + " %"
}
