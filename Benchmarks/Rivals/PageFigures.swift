/// The bars of a results page, with the values measured when it was printed.
struct PageFigures {
  private var measured: [String: String] = [:]

  init(_ markdown: String) {
    let sections = markdown.split(separator: "\n## ")
    guard let bars = sections.first(where: { $0.hasPrefix("Bars\n") }) else { return }
    for line in bars.split(separator: "\n") where line.hasPrefix("|") {
      let cells = line.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
      // Name, contender, measured, bar, verdict; figures begin with a digit.
      if cells.count == 5, cells[2].first?.isNumber == true { measured[cells[0]] = cells[2] }
    }
  }

  /// The value as printed on the page, with its unit; nil if there is none.
  subscript(name: String) -> String? { measured[name] }
}
