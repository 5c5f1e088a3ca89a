import ArgumentParser
import Safelight

/// A man page, made from the help of a command.
///
/// Source of the format: man(7) of groff.
struct ManualPage {
  /// The command's path, beginning with the program itself.
  private let path: [any ParsableCommand.Type]

  static func all(of command: any ParsableCommand.Type, below path: [any ParsableCommand.Type] = [])
    -> [ManualPage]
  {
    let path = path + [command]
    let shown = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    return [ManualPage(path: path)] + shown.flatMap { all(of: $0, below: path) }
  }

  private var names: [String] { path.compactMap { $0.configuration.commandName } }
  private var name: String { names.joined(separator: "-") }
  private var configuration: CommandConfiguration { path[path.count - 1].configuration }

  var fileName: String { name + ".1" }

  var text: String {
    var lines = [
      ".TH \"\(name.uppercased())\" 1 \"\" \"Safelight \(SafelightVersion.current)\" \"User Commands\"",
      ".SH NAME", Self.escaped("\(name) - \(configuration.abstract)"),
    ]
    var sections = Self.sections(
      SafelightCommand.helpMessage(for: path[path.count - 1], columns: 4000))
    lines += [".SH SYNOPSIS", ".nh"] + sections.usage.flatMap { [Self.escaped($0), ".br"] } + [".hy"]
    if !configuration.discussion.isEmpty {
      lines.append(".SH DESCRIPTION")
      lines += Self.paragraphs(configuration.discussion)
    }
    sections.entries.removeAll { $0.title == "SUBCOMMANDS" && $0.items.isEmpty }
    for section in sections.entries {
      lines.append(".SH " + Self.escaped(section.title))
      for item in section.items { lines += [".TP", Self.bold(item.label), Self.escaped(item.help)] }
    }
    lines += [".SH SEE ALSO", seeAlso]
    return lines.joined(separator: "\n") + "\n"
  }

  private var seeAlso: String {
    let below = configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .compactMap { $0.configuration.commandName.map { "\(name)-\($0)" } }
    let above = path.count > 1 ? [names.dropLast().joined(separator: "-")] : []
    return (above + below).map { Self.bold($0) + " (1)" }.joined(separator: ",\n")
      .replacing(" (1)", with: "(1)")
  }

  // MARK: The help's text

  private struct Section {
    var title: String
    var items: [(label: String, help: String)]
  }

  /// - Parameter help: help text whose lines are not wrapped.
  private static func sections(_ help: String) -> (usage: [String], entries: [Section]) {
    var usage: [String] = []
    var entries: [Section] = []
    var isInOptions = false
    for line in help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("USAGE: ") {
        usage.append(String(line.dropFirst("USAGE: ".count)))
        isInOptions = true
      } else if isInOptions, line.hasSuffix(":"), !line.hasPrefix(" ") {
        entries.append(Section(title: line.dropLast().uppercased(), items: []))
      } else if isInOptions, !entries.isEmpty, line.hasPrefix("  ") {
        let last = entries.count - 1
        let text = line.drop { $0 == " " }
        // The pages themselves say where to read more.
        guard !text.hasPrefix("See 'safelight") else { continue }
        if line.hasPrefix("   ") {
          guard !entries[last].items.isEmpty else { continue }
          entries[last].items[entries[last].items.count - 1].help += " " + text
        } else if let gap = text.firstRange(of: "  ") {
          entries[last].items.append(
            (String(text[..<gap.lowerBound]), String(text[gap.upperBound...].drop { $0 == " " })))
        } else {
          entries[last].items.append((String(text), ""))
        }
      }
    }
    return (usage, entries)
  }

  // MARK: roff

  /// Text is filled; tables and examples stay as they are.
  private static func paragraphs(_ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.split(separator: "").flatMap { paragraph -> [String] in
      let isTable = paragraph.contains { $0.hasPrefix(" ") || $0.contains("   ") }
      guard isTable else { return [".PP"] + paragraph.map(escaped) }
      return [".PP", ".in -4n", ".nf"] + paragraph.map(escaped) + [".fi", ".in"]
    }
  }

  private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  /// Returns text that roff shows unchanged.
  private static func escaped(_ text: String) -> String {
    let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}
