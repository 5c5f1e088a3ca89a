/// The page's modules in one file, and its style sheets in another: a browser takes some milliseconds for each file that
/// it fetches, and the page has more than a hundred.
///
/// Modules stay what they are in the tree, plain ES modules that a browser runs as they stand. Each becomes a block with
/// its own scope, behind those that it imports; what it exports is kept under its path.
struct PageBundle {
  /// The files by their paths, such as `core/dom.js`.
  let files: [String: String]

  enum Problem: Error, Equatable {
    case missing(String)
    /// A line that imports or exports in a way that is not understood.
    case line(String, in: String)
    case cycle(String)
  }

  // MARK: Modules

  /// Returns a module and all that it needs as one script.
  ///
  /// - Throws: `Problem`.
  func script(from entry: String) throws -> String {
    var blocks: [String] = []
    var state: [String: Bool] = [:]
    try add(entry, to: &blocks, &state)
    return "const $modules = {};\n" + blocks.joined()
  }

  /// - Parameter state: false for modules whose imports are being added, true for those that are there.
  private func add(_ path: String, to blocks: inout [String], _ state: inout [String: Bool]) throws {
    guard let isThere = state[path] else {
      guard let text = files[path] else { throw Problem.missing(path) }
      state[path] = false
      let module = try Module(text, path: path)
      for needed in module.needs { try add(needed, to: &blocks, &state) }
      blocks.append("{ // \(path)\n\(module.body)$modules[\"\(path)\"] = { \(module.exports) };\n}\n")
      state[path] = true
      return
    }
    guard isThere else { throw Problem.cycle(path) }
  }

  private struct Module {
    private(set) var needs: [String] = []
    private(set) var body = ""
    private var names: [String] = []
    var exports: String { names.joined(separator: ", ") }

    init(_ text: String, path: String) throws {
      var statement = ""
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if !statement.isEmpty || line.hasPrefix("import ") {
          // An import may be broken over several lines.
          statement += (statement.isEmpty ? "" : " ") + line
          guard statement.hasSuffix(";") else { continue }
          try add(imported: statement, path)
          statement = ""
        } else if line.hasPrefix("export ") {
          body += try add(exported: line.dropFirst("export ".count), path) + "\n"
        } else {
          body += line + "\n"
        }
      }
      // Workers are files of their own, named relative to the module that starts them.
      body = body.replacing("import.meta.url", with: "(location.origin + \"/studio/\(path)\")")
    }

    /// `import { a, b as c } from "./x.js";` or `import * as x from "./x.js";`
    private mutating func add(imported statement: String, _ path: String) throws {
      let parts = statement.dropFirst("import ".count).split(separator: " from \"")
      guard parts.count == 2, parts[1].hasSuffix("\";") else { throw Problem.line(statement, in: path) }
      let needed = Self.path(String(parts[1].dropLast(2)), from: path)
      if !needs.contains(needed) { needs.append(needed) }
      let what: String
      if parts[0].hasPrefix("{"), parts[0].hasSuffix("}") {
        what = String(parts[0].replacing(" as ", with: ": "))
      } else if parts[0].hasPrefix("* as ") {
        what = String(parts[0].dropFirst("* as ".count))
      } else {
        throw Problem.line(statement, in: path)
      }
      body += "const \(what) = $modules[\"\(needed)\"];\n"
    }

    /// `function name(…`, `async function name(…`, `const name = …`
    private mutating func add(exported declaration: Substring, _ path: String) throws -> String {
      let kinds = ["function ", "async function ", "const ", "class "]
      guard let kind = kinds.first(where: declaration.hasPrefix) else {
        throw Problem.line(String(declaration), in: path)
      }
      let name = declaration.dropFirst(kind.count).prefix {
        $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$"
      }
      guard !name.isEmpty else { throw Problem.line(String(declaration), in: path) }
      names.append(String(name))
      return String(declaration)
    }

    /// `core/dom.js` for `../core/dom.js` in `adjust/slider.js`.
    private static func path(_ name: String, from module: String) -> String {
      var parts = module.split(separator: "/").dropLast().map(String.init)
      for part in name.split(separator: "/") where part != "." {
        if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
      }
      return parts.joined(separator: "/")
    }
  }

  // MARK: Styles

  /// Returns the page with one style sheet in the place of the first that it names, and that sheet.
  func joiningStyles(of html: String) -> (html: String, styles: String) {
    var lines: [Substring] = []
    var styles = ""
    for line in html.split(separator: "\n", omittingEmptySubsequences: false) {
      guard let start = line.firstRange(of: "<link rel=\"stylesheet\" href=\"/studio/"),
        let end = line[start.upperBound...].firstIndex(of: "\""),
        let sheet = files[String(line[start.upperBound..<end])]
      else {
        lines.append(line)
        continue
      }
      if styles.isEmpty { lines.append("  <link rel=\"stylesheet\" href=\"/studio/style.css\">") }
      styles += sheet
    }
    return (lines.joined(separator: "\n"), styles)
  }
}
