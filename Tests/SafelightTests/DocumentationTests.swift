import LibraryTestSupport
import FoundationEssentials
import Safelight
import Testing

@Suite("Articles of the documentation")
struct DocumentationTests {
  static let articles = [
    "EditAPhoto", "LiveFrames", "RecordMovies", "ManyPhotos", "WriteAFilter", "WriteARenderer",
    "AnalyzeFrames",
  ]

  private func article(_ name: String) throws -> String {
    try packageFile("Sources/Safelight/Safelight.docc/\(name).md")
  }

  /// The blocks of Swift in an article.
  private func blocks(of text: String) -> [String] {
    text.components(between: "```swift\n", and: "```")
  }

  @Test("Every article is linked from the overview, and is tested here")
  func overview() throws {
    let folder = packageFolder + "/Sources/Safelight/Safelight.docc"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
    #expect(files.sorted() == (Self.articles + ["Safelight"]).map { "\($0).md" }.sorted())
    let overview = try article("Safelight")
    #expect(Self.articles.allSatisfy { overview.contains("- <doc:\($0)>\n") })
  }

  @Test("The code of the articles compiles: it stands in the examples, word for word", arguments: articles)
  func examples(name: String) throws {
    let source = try packageFile("Tests/SafelightTests/DocumentationExamples.swift")
    let blocks = try blocks(of: article(name))
    #expect(!blocks.isEmpty)
    for (index, block) in blocks.enumerated() {
      let mark = "// \(name) \(index + 1)"
      let begin = try #require(source.firstRange(of: "\(mark) begins\n"), "\(mark)")
      let end = try #require(source.firstRange(of: "\(mark) ends"), "\(mark)")
      let lines = source[begin.upperBound..<end.lowerBound].split(
        separator: "\n", omittingEmptySubsequences: false
      ).dropLast()
      let indent = lines.first.map { $0.prefix { $0 == " " }.count } ?? 0
      let example = lines.map { String($0.dropFirst(indent)) + "\n" }.joined()
      #expect(example == block, "\(mark)")
    }
    let marks = source.split(separator: "\n").filter { line in
      line.contains("// \(name) ") && line.hasSuffix(" begins")
    }
    #expect(marks.count == blocks.count)
  }

  @Test("The filter of the article does what it says, in code and in files")
  func filter() throws {
    let scratch = try Scratch()
    let recipe = Recipe { Sepia(100) }
    try scratch.write(recipe.json(), to: "r.json")
    let catalog = try FilterCatalog.standard.adding(Sepia.self)
    #expect(try Recipe(contentsOf: scratch("r.json"), catalog: catalog) == recipe)

    let photo = try makePhoto(makePicture(40, 30))
    let neutral = try CPURenderer().render(photo, through: Recipe { Sepia() })
    #expect(pixel(neutral.buffer, 20, 15) == pixel(photo.buffer, 20, 15))
    let faded = pixel(try CPURenderer().render(photo, through: recipe).buffer, 20, 15)
    // A warm grey.
    #expect(faded[0] > faded[1] && faded[1] > faded[2] && faded[0] - faded[2] < 30, "\(faded)")
  }
}

extension String {
  /// The texts between each of one mark and the next of another.
  fileprivate func components(between first: String, and last: String) -> [String] {
    var (rest, found) = (self[...], [String]())
    while let begin = rest.firstRange(of: first),
      let end = rest[begin.upperBound...].firstRange(of: last)
    {
      found.append(String(rest[begin.upperBound..<end.lowerBound]))
      rest = rest[end.upperBound...]
    }
    return found
  }
}
