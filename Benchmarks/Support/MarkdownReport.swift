import Glibc

/// Text and tables as Markdown, printed at once and collected for a file.
public final class MarkdownReport {
  public private(set) var text = ""

  public init() {}

  public func title(_ title: String) { add("# \(title)\n\n") }

  public func heading(_ title: String) { add("## \(title)\n\n") }

  public func say(_ paragraph: String) { add(paragraph + "\n\n") }

  public func code(_ text: String) { add("```\n" + text + (text.hasSuffix("\n") ? "" : "\n") + "```\n\n") }

  /// Columns are right-aligned except for the first and those named.
  public func table(_ heads: [String], leftAligned: Set<Int> = [0], _ rows: [[String]]) {
    let widths = heads.indices.map { index in
      max(1, ([heads] + rows).map { index < $0.count ? $0[index].count : 0 }.max() ?? 0)
    }
    func line(_ cells: [String]) -> String {
      let padded = zip(cells, widths).enumerated().map { index, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return leftAligned.contains(index) ? cell.0 + space : space + cell.0
      }
      return "| " + padded.joined(separator: " | ") + " |\n"
    }
    let rule = widths.enumerated().map { index, width in
      leftAligned.contains(index)
        ? String(repeating: "-", count: width) : String(repeating: "-", count: max(width - 1, 1)) + ":"
    }
    add(line(heads) + line(rule) + rows.map(line).joined() + "\n")
  }

  private func add(_ more: String) {
    text += more
    print(more, to: STDOUT_FILENO)
  }
}
