/// One import or include found in a source file.
struct Import: Equatable {
  enum Kind { case module, header }

  var kind: Kind
  /// `FrameCore`, or `hwy/highway.h`.
  var name: String
  /// Counted from 1.
  var line: Int

  /// All imports of a Swift source. Comments and string literals over several lines are not told apart from code:
  /// none of them begins a line with `import`.
  static func inSwift(_ source: String) -> [Import] {
    lines(of: source).compactMap { number, line in
      var words = line.split { $0 == " " || $0 == "\t" }[...]
      // Attributes and access levels: @testable, @_exported, @_spi(…), public, internal …
      let modifiers: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
      while let word = words.first, word.hasPrefix("@") || modifiers.contains(word) { words.removeFirst() }
      guard words.first == "import" else { return nil }
      words.removeFirst()
      let kinds: Set<Substring> = ["class", "enum", "func", "let", "protocol", "struct", "typealias", "var"]
      if let word = words.first, kinds.contains(word) { words.removeFirst() }
      guard let path = words.first else { return nil }
      let name = path.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      return Import(kind: .module, name: String(name), line: number)
    }
  }

  /// All includes of a C or C++ source, quoted or in angle brackets.
  static func inC(_ source: String) -> [Import] {
    lines(of: source).compactMap { number, line in
      let text = line.filter { $0 != " " && $0 != "\t" }
      guard text.hasPrefix("#include") || text.hasPrefix("#import") else { return nil }
      guard let open = text.firstIndex(where: { $0 == "\"" || $0 == "<" }) else { return nil }
      let name = text[text.index(after: open)...].prefix { $0 != "\"" && $0 != ">" }
      return Import(kind: .header, name: String(name), line: number)
    }
  }

  private static func lines(of source: String) -> [(Int, Substring)] {
    source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0 + 1, $1) }
  }
}
