import LibraryTestSupport
import Foundation
import Testing

@Suite("Completions of the shell")
struct CompletionTests {
  /// What `--experimental-dump-help` says of the program.
  private struct Dump: Decodable {
    let command: Command
  }

  private struct Command: Decodable {
    let commandName: String
    let subcommands: [Command]?
    let arguments: [Argument]?

    var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }
  }

  private struct Argument: Decodable {
    let kind: String
    let valueName: String?
    let completionKind: Completion?
  }

  private struct Completion: Decodable {
    struct Nothing: Decodable {}
    struct Words: Decodable {
      let values: [String]
    }
    let file: Nothing?
    let directory: Nothing?
    let list: Words?
  }

  private func dump() throws -> [Command] {
    let text = try Program.run(["--experimental-dump-help"], in: Scratch()).output
    return try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command.all
  }

  @Test("Every argument that is a path is completed with names of files or folders")
  func paths() throws {
    let words: Set<String> = ["in", "out", "photo", "from", "to", "dir", "folder", "source"]
    var count = 0
    for command in try dump() where command.commandName != "help" {
      for argument in command.arguments ?? [] where argument.kind != "flag" {
        guard let name = argument.valueName else { continue }
        // Such as file.json; the ranges in other names have no full stop.
        guard words.contains(name) || name.contains(".") else { continue }
        count += 1
        let completion = argument.completionKind
        #expect(completion?.file != nil || completion?.directory != nil, "\(command.commandName) <\(name)>")
      }
    }
    #expect(count > 30)
  }

  @Test("Names of presets and lists of words are completed")
  func words() throws {
    let edit = try #require(try dump().first { $0.commandName == "edit" })
    let lists = (edit.arguments ?? []).compactMap { $0.completionKind?.list?.values }
    for word in ["golden-hour", "white-balance", "auto", "display-p3", "crop", "90", "h"] {
      #expect(lists.contains { $0.contains(word) }, "\(word)")
    }
  }
}
