import AnalysisTestSupport
import Foundation
import LibraryTestSupport
import Safelight
import Testing

@Suite("safelight scan --source")
struct LiveScanTests {
  private static let scene = ["scan", "--source", "synthetic:pages", "--size", "960x540"]

  @Test("A panel that moves, lies still and is taken by itself: the story is told, the page is a picture")
  func story() throws {
    let scratch = try Scratch()
    let run = try Program.run(
      Self.scene + ["-o", "page.png", "--paper", "A4", "--even", "--json"], in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    let told = run.errors.split(separator: "\n").map(String.init)
    #expect(told.first == "Looking for a page …", "\(told)")
    let order = ["A page: hold it still …", "Hold still …", "Page 1 taken: A4, "].map { text in
      told.lastIndex { $0.hasPrefix(text) } ?? -1
    }
    #expect(order.allSatisfy { $0 >= 0 } && order == order.sorted(), "\(told)")
    let reports = try JSONReport.list(run.output)
    #expect(reports.count == 1 && reports[0]["input"] as? String == "synthetic:pages")
    let picture = try scratch.photo("page.png").buffer
    #expect(reports[0]["width"] as? Int == picture.width)
    #expect(abs(Double(picture.height) / Double(picture.width) - 2.0.squareRoot()) < 0.01)
  }

  @Test("Pages of a PDF are taken until there are as many as asked for, and what was taken is kept")
  func pdf() throws {
    let scratch = try Scratch()
    let run = try Program.run(
      Self.scene + ["-o", "pages.pdf", "--black-and-white", "--pages", "2"], in: scratch)
    #expect(run.exitCode == 0 && run.output.contains("pages.pdf  2 pages"), "\(run.errors)")
    #expect(String(decoding: try scratch.read("pages.pdf"), as: UTF8.self).contains("/Count 2"))
    let short = try Program.run(
      Self.scene + ["-o", "short.pdf", "--pages", "3", "--seconds", "4.5"], in: scratch)
    #expect(short.exitCode == 1 && short.errors.contains("Only 1 of 3 pages were taken"), "\(short.errors)")
    #expect(String(decoding: try scratch.read("short.pdf"), as: UTF8.self).contains("/Count 1"))
  }

  @Test("A source that ends or a time that passes before a page is taken says why, and writes nothing")
  func none() throws {
    let scratch = try Scratch()
    let table = try DocumentScene(seed: 5, ground: .wood, hasPage: false).rgba()
    let page = try DocumentScene(seed: 5, ground: .wood).rgba()
    for number in 0..<4 {
      try scratch.save(table, as: "table-\(number).png")
      try scratch.save(page, as: "page-\(number).png")
    }
    let cases: [(arguments: [String], problem: String)] = [
      (["--source", "table-*.png"], "The source ended before a page was taken: none was seen"),
      // Four frames at 30 a second are too short.
      (["--source", "page-*.png"], "did not lie still and sharp for long enough"),
      (["--source", "synthetic", "--seconds", "0.5"], "No page was taken within 0.5 s: none was seen"),
    ]
    let before = try FileManager.default.contentsOfDirectory(atPath: scratch("")).sorted()
    for (arguments, problem) in cases {
      let run = try Program.run(["scan"] + arguments + ["-o", "out.png"], in: scratch)
      #expect(run.exitCode == 1 && run.errors.contains(problem), "\(arguments): \(run.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("")).sorted() == before)
    }
    // At four frames a second the same four are long enough.
    let slow = try Program.run(
      ["scan", "--source", "page-*.png", "--fps", "4", "-o", "out.png"], in: scratch)
    #expect(slow.exitCode == 0, "\(slow.errors)")
  }

  @Test("What cannot be taken or written is refused before the source is opened")
  func refused() throws {
    let scratch = try Scratch()
    try Data().write(to: URL(filePath: scratch("there.png")))
    let cases: [(arguments: [String], problem: String)] = [
      (["-o", "out.png"], "Missing photos of pages"),
      (["--source", "synthetic", "photo.jpg", "-o", "out.png"], "leave the photos out"),
      (["photo.jpg", "-o", "out.png", "--pages", "1"], "--pages has no effect without --source"),
      (["photo.jpg", "-o", "out.png", "--preview"], "--preview has no effect without --source"),
      (["--source", "synthetic", "-o", "out.png", "--pages", "2"], "2 pages need a PDF"),
      (["--source", "synthetic", "-o", "out.png", "--pages", "0"], "positive whole number"),
      (
        ["--source", "synthetic", "-o", "out.png", "--corners", "0,0 1,0 1,1 0,1"], "--corners is for a photo"
      ),
      (["--source", "no-such.mp4", "-o", "out.png"], "There is no source “no-such.mp4”"),
      (["--source", "synthetic", "-o", "out.xyz"], "xyz"),
      (["--source", "synthetic", "-o", "there.png"], "there.png"),
      (["--source", "synthetic", "-o", "missing/out.png"], "missing"),
    ]
    for (arguments, problem) in cases {
      let run = try Program.run(["scan"] + arguments, in: scratch)
      #expect(run.exitCode != 0 && run.errors.contains(problem), "\(arguments): \(run.errors)")
      #expect(run.output.isEmpty)
    }
    #expect(try scratch.read("there.png").isEmpty)
  }
}
