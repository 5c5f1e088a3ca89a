import Glibc

/// Text and tables, as Markdown: printed as they come, and kept for a file.
final class Report {
  private(set) var text = ""

  func say(_ paragraph: String) { add(paragraph + "\n\n") }

  func heading(_ title: String) { add("## \(title)\n\n") }

  /// The first column is left-aligned, the others right-aligned.
  func table(_ heads: [String], _ rows: [[String]]) {
    let widths = heads.indices.map { index in
      ([heads] + rows).map { index < $0.count ? $0[index].count : 0 }.max() ?? 0
    }
    func line(_ cells: [String]) -> String {
      let padded = zip(cells, widths).enumerated().map { index, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return index == 0 ? cell.0 + space : space + cell.0
      }
      return "| " + padded.joined(separator: " | ") + " |\n"
    }
    let rule = widths.enumerated().map { index, width in
      index == 0
        ? String(repeating: "-", count: max(width, 1))
        : String(repeating: "-", count: max(width - 1, 1)) + ":"
    }
    add(line(heads) + line(rule) + rows.map(line).joined() + "\n")
  }

  private func add(_ more: String) {
    text += more
    HorizonEvaluation.say(more, to: STDOUT_FILENO)
  }
}
