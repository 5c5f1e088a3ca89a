import AnalysisTestSupport
import Foundation
import LibraryTestSupport
import Safelight
import Testing

@Suite("safelight scan")
struct ScanTests {
  private func prepare() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.save(DocumentScene(seed: 5, ground: .wood).rgba(), as: "page.png")
    try scratch.save(DocumentScene(seed: 5, ground: .wood, hasPage: false).rgba(), as: "table.png")
    return scratch
  }

  @Test("A page becomes a picture, several a PDF, and JSON says where they were")
  func scans() throws {
    let scratch = try prepare()
    let run = try Program.run(["scan", "page.png", "-o", "out.png", "--even", "--json"], in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    let reports = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
    #expect(reports.count == 1 && (reports[0]["corners"] as? [[Double]])?.count == 4)
    let picture = try scratch.photo("out.png").buffer
    #expect(reports[0]["width"] as? Int == picture.width && reports[0]["height"] as? Int == picture.height)
    let both = try Program.run(
      ["scan", "page.png", "page.png", "-o", "out.pdf", "--black-and-white", "--paper", "A4"], in: scratch)
    #expect(both.exitCode == 0 && both.output.contains("2 pages"), "\(both.errors)")
    #expect(try scratch.read("out.pdf").starts(with: Array("%PDF-".utf8)))
  }

  @Test("What cannot be scanned is one sentence with the remedy, and writes nothing")
  func refusals() throws {
    let scratch = try prepare()
    let cases: [(arguments: [String], text: String)] = [
      (["table.png", "-o", "out.png"], "table.png: No page was found"),
      (["page.png", "table.png", "-o", "out.pdf"], "table.png: No page was found"),
      (["page.png", "page.png", "-o", "out.png"], "need a PDF"),
      (["page.png", "-o", "out.png", "--corners", "0,0 1,1 0.5,0.5 0,1"], "sides cross"),
      (["page.png", "-o", "out.png", "--corners", "0,0 1,1"], "four places"),
      (["page.png", "-o", "out.png", "--paper", "A9"], "no shape of a page"),
      (["page.png", "-o", "out.xyz"], "xyz"),
      (["missing.png", "-o", "out.png"], "missing.png"),
      (["page.png", "-o", "page.png"], "page.png"),
    ]
    let before = try FileManager.default.contentsOfDirectory(atPath: scratch("")).sorted()
    for (arguments, text) in cases {
      let run = try Program.run(["scan"] + arguments, in: scratch)
      #expect(run.exitCode != 0 && run.errors.contains(text), "\(arguments): \(run.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("")).sorted() == before)
    }
  }
}
