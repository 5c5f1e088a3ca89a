/// The comparison as human-readable text.
extension ProfileComparison {
  /// An aligned table, with the differences in conditions above it and the method of judging below.
  public var text: String {
    var out = differences.map { $0 + "\n" }.joined()
    if !differences.isEmpty { out += "The changes below are the result of all of this together.\n\n" }
    out += Self.aligned(
      [["", "before", "after", "change", "", onDevice ? "beside copies" : "beside memcpy", ""]]
        + rows.map(cells))
    out += "\n" + judged + "\n"
    if !notes.isEmpty { out += "\n" + notes.map { "note, \($0)\n" }.joined() }
    return out
  }

  private var judged: String {
    let confidence = ProfilePlotText.percent(confidence)
    let least = ProfilePlotText.percent(leastEffect)
    let copy = onDevice ? deviceCopies : processorCopies
    return """
      In brackets, the \(confidence) interval. Changes below \(least) do not count.
      \(copy)
      """.replacing("\u{A0}", with: " ")
  }

  private var processorCopies: String {
    copyChange.map { change in
      "memcpy itself: \(Self.signed(change)) time for each byte. A change counts if it holds beside that as well."
    }
      ?? "memcpy was not measured on as many threads in both runs, so a slower machine would look like slower code."
  }

  private var deviceCopies: String {
    guard let deviceCopyChange else {
      return "The runs were not on the same GPU, so a slower machine would look like slower code."
    }
    let processor = copyChange.map { ", memcpy: \(Self.signed($0))" } ?? ""
    return
      "Copies within the GPU's memory: \(Self.signed(deviceCopyChange)) time for each byte\(processor). What the GPU's "
      + "kernels do counts if it holds beside its copies as well, what the processor does beside memcpy."
  }

  private func cells(_ row: Row) -> [String] {
    func time(_ value: Double?) -> String {
      value.map { ProfilePlotText.milliseconds($0).replacing("\u{A0}", with: " ") } ?? "–"
    }
    let interval =
      if let lowest = row.lowest, let highest = row.highest {
        "[\(Self.signed(lowest)), \(Self.signed(highest))]"
      } else { "" }
    let verdict = row.verdict.text + (row.remark.map { ": \($0)" } ?? "")
    return [
      row.name, time(row.before), time(row.after), row.change.map(Self.signed) ?? "–", interval,
      row.changeBesideCopy.map(Self.signed) ?? "–", verdict,
    ]
  }

  private static func signed(_ part: Double) -> String {
    let text = ProfilePlotText.fixed(part * 100, abs(part) < 0.0995 ? 1 : 0)
    return (text.hasPrefix("−") || !text.contains { "123456789".contains($0) } ? "" : "+") + text + " %"
  }

  /// Aligns columns, two spaces apart, the first and the last to the left.
  private static func aligned(_ rows: [[String]]) -> String {
    let widths = (0..<(rows.first?.count ?? 0)).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, text in
        let fill = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 || column == row.count - 1 ? text + fill : fill + text
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  // MARK: What differs

  /// Returns the differences in conditions, except for the release, which is what is compared.
  static func differences(_ before: ProfileReport, _ after: ProfileReport) -> [String] {
    var sentences: [String] = []
    func compare(_ name: String, _ first: String, _ second: String) {
      guard first != second else { return }
      sentences.append("The \(name) differs: \(shown(first)) before, \(shown(second)) after.")
    }
    let (a, b) = (before.subject, after.subject)
    compare("name", a.name, b.name)
    compare("chain of filters", a.filters.joined(separator: " → "), b.filters.joined(separator: " → "))
    compare(
      "input", "\(a.inputWidth)×\(a.inputHeight) \(a.input)", "\(b.inputWidth)×\(b.inputHeight) \(b.input)")
    compare(
      "output", "\(a.outputWidth)×\(a.outputHeight) \(a.outputFormat)",
      "\(b.outputWidth)×\(b.outputHeight) \(b.outputFormat)")
    compare("backend", a.backend, b.backend)
    compare("GPU", before.device?.name ?? "", after.device?.name ?? "")
    compare("interpolation", a.interpolation ?? "sharp", b.interpolation ?? "sharp")
    compare("number of threads", "\(a.threads)", "\(b.threads)")
    let (old, new) = (before.machine, after.machine)
    compare("processor", old.processor, new.processor)
    compare("number of cores", "\(old.cores)", "\(new.cores)")
    compare("instruction set", old.instructionSet, new.instructionSet)
    compare("system", old.system, new.system)
    return sentences
  }

  private static func shown(_ text: String) -> String { text.isEmpty ? "none" : text }
}

extension ProfileComparison.Verdict {
  /// The text in the table.
  public var text: String {
    switch self {
    case .faster: "faster"
    case .slower: "slower"
    case .noSignificantChange: "no significant change"
    case .untested: "not tested"
    case .added: "new"
    case .removed: "gone"
    }
  }
}
