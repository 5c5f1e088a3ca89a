import LibraryTestSupport
import ArgumentParser
import Safelight
import Testing

@testable import SafelightCLI

@Suite("Help of every command")
struct HelpTests {
  private static func all(below command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    [command] + command.configuration.subcommands.flatMap { all(below: $0) }
  }

  private static let commands = all(below: SafelightCommand.self)

  private func help(of command: any ParsableCommand.Type) -> [String] {
    SafelightCommand.helpMessage(for: command, includeHidden: true, columns: 80)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The lines of a command's description that show the program in use.
  private func examples(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.discussion.split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("  ") && $0.contains("safelight ") }
  }

  @Test("No line is longer than 80 columns, and no example is broken")
  func width() {
    #expect(Self.commands.count > 20)
    for command in Self.commands {
      let lines = help(of: command)
      for line in lines { #expect(line.count <= 80, "\(command): \(line)") }
      for example in examples(of: command) { #expect(lines.contains(example), "\(command): \(example)") }
    }
  }

  @Test("Every example is one that the program understands")
  func parsing() throws {
    var count = 0
    for command in Self.commands {
      for example in examples(of: command) {
        for words in Self.calls(in: example) {
          // `--gpu list` and `help` are answered without a command.
          guard !words.starts(with: ["--gpu", "list"]), words.first != "help" else { continue }
          #expect(throws: Never.self, "\(example)") { _ = try SafelightCommand.parseAsRoot(words) }
          count += 1
        }
      }
    }
    #expect(count > 60)
  }

  /// The arguments of each `safelight` in a line of a shell, as far as examples go: pipes, redirections and quotes.
  private static func calls(in line: String) -> [[String]] {
    line.split(separator: "|").compactMap { part in
      var words: [String] = []
      var word = ""
      var quote: Character?
      for character in part + " " {
        if let open = quote {
          if character == open { quote = nil } else { word.append(character) }
        } else if character == "'" || character == "\"" {
          quote = character
        } else if character == " " {
          if !word.isEmpty { words.append(word) }
          word = ""
        } else {
          word.append(character)
        }
      }
      guard let start = words.firstIndex(of: "safelight") else { return nil }
      return Array(words[(start + 1)...].prefix { $0 != ">" && $0 != "2>" && $0 != "&" })
    }
  }

  @Test("A default is told once for each option")
  func defaults() {
    for command in Self.commands {
      let help = SafelightCommand.helpMessage(for: command, includeHidden: true, columns: 4000)
      for line in help.split(separator: "\n") where line.hasPrefix("  ") {
        #expect(line.ranges(of: "default:").count <= 1, "\(command): \(line)")
      }
    }
  }

  @Test("Every command takes --quiet and --verbose, and not both")
  func verbosity() throws {
    for command in Self.commands
    where command.configuration.subcommands.isEmpty && command.configuration.shouldDisplay {
      let options = TypedArguments.options(of: command)
      #expect(options.contains("--quiet") && options.contains("--verbose"), "\(command)")
    }
    let both = try Program.run(["filters", "--quiet", "--verbose"], in: Scratch())
    #expect(
      both.error == "--quiet and --verbose exclude each other; give one of them." && both.exitCode == 64)
  }

  @Test("Every command has a manual page with its options and examples")
  func manual() throws {
    let scratch = try Scratch()
    let run = try Program.run(["manual", "man1"], in: scratch)
    #expect(run.exitCode == 0 && run.output == "" && run.errors == "")
    for name in ["safelight", "safelight-edit", "safelight-recipe-set", "safelight-presets-sheet"] {
      let page = String(decoding: try scratch.read("man1/\(name).1"), as: UTF8.self)
      #expect(page.hasPrefix(".TH \"\(name.uppercased())\" 1 "), "\(page.prefix(80))")
      for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"] {
        #expect(page.contains("\n.SH \(section)\n"), "\(name)")
      }
    }
    let edit = String(decoding: try scratch.read("man1/safelight-edit.1"), as: UTF8.self)
    #expect(edit.contains("\\fB\\-\\-exposure <EV>\\fR\n"))
    #expect(
      edit.contains("\n  safelight edit in.jpg \\-o warm.jpg \\-\\-preset warm\\-film \\-\\-strength 70\n"))
    #expect(!edit.split(separator: "\n").contains { $0.hasPrefix("'") })
  }
}
