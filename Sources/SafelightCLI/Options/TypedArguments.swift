import ArgumentParser
import Safelight

/// What people type: accepts other spellings, and suggests the nearest command or option for an unknown one.
enum TypedArguments {
  /// Replaces the British spelling of options with the American one.
  static func normalized(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments[..<end].map { argument in
      argument.hasPrefix("--colour") ? "--color" + argument.dropFirst("--colour".count) : argument
    } + arguments[end...]
  }

  /// Rejects a word such as `-dash.jpg`, which the parser would read as the flags -d, -a, -s and -h.
  ///
  /// - Throws: `ValidationError`.
  static func checkDashes(in arguments: [String], of command: any ParsableCommand.Type) throws {
    let filterFlags = FilterCatalog.all.flatMap { $0.parameters.compactMap { $0.flag } }
    let takingAnyWord = Set((filterFlags + ["gpu"]).map { "--" + $0 })
    var previous = ""
    for word in arguments.prefix(while: { $0 != "--" }) {
      defer { previous = word }
      guard word.hasPrefix("-"), !takingAnyWord.contains(previous) else { continue }
      let name = word.dropFirst().prefix { $0 != "=" }
      // Options of one letter, long ones, negative numbers, and what the parser reads as --help.
      guard name.count > 1, let first = name.first, first.isLetter, !name.hasPrefix("help") else { continue }
      if options(of: command).contains("-\(word.prefix { $0 != "=" })") {
        throw ValidationError("Unknown option '\(word.prefix(60))'. Did you mean '-\(word.prefix(60))'?")
      }
      throw ValidationError(
        "Unknown option '\(word.prefix(60))'; a name that begins with - goes after --, or is written "
          + "./\(word.prefix(60)).")
    }
  }

  /// Returns the commands that arguments name, beginning with the program itself.
  ///
  /// - Throws: `ValidationError` for an unknown word in the place of a command.
  static func commands(
    in arguments: [String], of root: any ParsableCommand.Type
  ) throws -> [any ParsableCommand.Type] {
    var path: [any ParsableCommand.Type] = [root]
    for word in arguments {
      let known = path[path.count - 1].configuration.subcommands
      guard !known.isEmpty, !word.hasPrefix("-") else { break }
      if path.count == 1, word == "help" { continue }
      guard let next = known.first(where: { names(of: $0).contains(word) }) else {
        let shown = known.filter { $0.configuration.shouldDisplay }.flatMap(names)
        let all = known.filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }
        let near = NearestName.match(word, among: shown).map { "did you mean “\($0)”? Known: " } ?? "known: "
        let place = path.dropFirst().compactMap { $0.configuration.commandName }.map { "\($0) " }.joined()
        throw ValidationError(
          "Unknown command “\(place)\(word.prefix(60))”; \(near)\(all.joined(separator: ", ")).")
      }
      path.append(next)
    }
    if let usual = path[path.count - 1].configuration.defaultSubcommand { path.append(usual) }
    return path
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    [command.configuration.commandName ?? ""] + command.configuration.aliases
  }

  /// Names of options in other editors, and the nearest equivalent here.
  private static let otherWords = [
    "--brightness": "Brightness is '--exposure' here",
    "--bw": "Black and white is '--black-and-white 100' or '--preset noir' here",
    "--curves": "Curves are '--curve' here, such as '--curve 0,0 0.25,0.2 1,1'",
    "--grayscale": "Black and white is '--black-and-white 100' or '--preset noir' here",
    "--monochrome": "Black and white is '--black-and-white 100' or '--preset noir' here",
    "--denoise": "Noise reduction is '--noise-reduction' here",
    "--gamma": "Gamma is '--levels-gamma' here",
    "--unsharp": "Sharpening is '--sharpen' here",
  ]

  /// Returns a message of the parser; if it is about an unknown option, with the nearest of the command's own.
  static func message(_ text: String, for command: any ParsableCommand.Type) -> String {
    if command == EditCommand.self, let end = text.firstIndex(of: "\n"),
      text[..<end].lowercased().contains("unexpected argument")
    {
      return "\(text[..<end])\(hint(on: text[..<end]))\(text[end...])"
    }
    let start = "Error: Unknown option '"
    guard text.hasPrefix(start) else { return text }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let option = String(lines[0].dropFirst(start.count).prefix { $0 != "'" && $0 != "=" })
    guard option.hasPrefix("--") else { return text }
    let own = options(of: command)
    if let words = otherWords[option.lowercased()], own.contains("--exposure") {
      lines[0] = "\(start)\(option)'. \(words)."
    } else {
      lines[0] =
        "\(start)\(option)'" + (nearest(to: option, among: own).map { ". Did you mean '\($0)'?" } ?? ".")
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the remedy for a surplus argument of `edit`: a second photo is for `batch`.
  private static func hint(on message: Substring) -> String {
    let quoted = message.split(separator: "'", omittingEmptySubsequences: false).dropFirst().first
    guard let word = quoted.map(String.init) else { return "." }
    let pathExtension = word.split(separator: ".").last.map { $0.lowercased() } ?? ""
    let isPhoto =
      PhotoFileFormat.readablePathExtensions.contains(pathExtension) || FileContents.isRegular(word)
    return isPhoto ? "; edit takes one photo, and safelight batch takes many." : "."
  }

  static func nearest(to option: String, among options: [String]) -> String? {
    // A common beginning of two letters or more says more than the edit distance.
    let name = option.lowercased().dropFirst(2)
    if name.count >= 2,
      let longer = options.filter({ $0.dropFirst(2).hasPrefix(name) }).min(by: { $0.count < $1.count })
    {
      return longer
    }
    return NearestName.match(String(name), among: options.map { String($0.dropFirst(2)) }).map { "--" + $0 }
  }

  /// Returns the long names of a command's options, as its help shows them.
  static func options(of command: any ParsableCommand.Type) -> [String] {
    let help = SafelightCommand.helpMessage(for: command, columns: 200)
    var options: [String] = []
    for line in help.split(separator: "\n") where line.hasPrefix("  -") {
      // The label ends where two spaces follow it.
      let label = line.dropFirst(2).firstRange(of: "  ").map { line[..<$0.lowerBound] } ?? line
      for word in label.split(whereSeparator: { " ,/".contains($0) }) where word.hasPrefix("--") {
        options.append(String(word))
      }
    }
    return options
  }
}
