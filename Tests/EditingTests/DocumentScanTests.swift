import AnalysisTestSupport
import Editing
import FilterGraph
import Filters
import FoundationEssentials
import FrameAnalysis
import FrameCore
import LibraryTestSupport
import PhotoIO
import Rendering
import TestSupport
import Testing

@Suite("Scans of pages")
struct DocumentScanTests {
  private func photo(_ scene: DocumentScene) throws -> Photo { try makePhoto(scene.rgba()) }

  @Test("A page is found, and shown straight on in its proportions", arguments: [3, 5, 8] as [UInt64])
  func found(seed: UInt64) throws {
    let scene = try DocumentScene(seed: seed, ground: .wood)
    let corners = try #require(scene.corners)
    let page = try DocumentScan().scan(photo(scene), renderer: CPURenderer())
    let size = scene.size
    #expect(try #require(page.confidence) >= DocumentDetector.leastConfidence)
    let outline = page.outline.map { SIMD2($0.x * Double(size.width), $0.y * Double(size.height)) }
    #expect(documentJaccard(outline, corners, ratio: scene.ratio) > 0.97)
    // Which way up a page is read is not known, so it may lie.
    let ratio = Double(page.picture.width) / Double(page.picture.height)
    let off = min(abs(ratio / scene.ratio - 1), abs(ratio * scene.ratio - 1))
    #expect(off < 0.12, "\(ratio) of \(scene.ratio), \(page.shape.explanation)")
    #expect(page.picture.format == .rgba8)
    // The edit of the report makes the same picture.
    let plan = try Plan(
      Recipe(filters: [page.perspective]), input: PlanInput(scene.rgba()), output: PlanOutput())
    #expect(plan.outputSize == page.picture.size)
  }

  @Test("Evened out, a page's paper is white")
  func even() throws {
    let scene = try DocumentScene(seed: 5, ground: .wood)
    func paper(_ finish: DocumentScan.Finish) throws -> Double {
      let page = try DocumentScan(finish: finish).scan(photo(scene), renderer: CPURenderer()).picture
      // Most of a page is paper: the median tells its light.
      var counts = [Int](repeating: 0, count: 256)
      for y in 0..<page.height {
        let row = page.row(y, as: UInt8.self)
        for x in 0..<page.width { counts[Int(row[4 * x + 1])] += 1 }
      }
      var (level, sum) = (0, 0)
      while sum < page.size.pixelCount / 2 {
        sum += counts[level]
        level += 1
      }
      return Double(level - 1)
    }
    let (plain, even, black) = (try paper(.photo), try paper(.even), try paper(.blackAndWhite))
    #expect(plain < 235 && even > 245 && black == 255, "\(plain), \(even), \(black)")
  }

  @Test("Without a page there is an error with the remedy, and given corners are taken as they are")
  func given() throws {
    let scene = try DocumentScene(seed: 5, ground: .wood, hasPage: false)
    let error = #expect(throws: SafelightError.self) {
      try DocumentScan().scan(photo(scene), renderer: CPURenderer())
    }
    #expect(
      error?.description.contains("No page was found") == true && error?.remedy.contains("corners") == true)
    let corners = [(0.1, 0.1), (0.8, 0.15), (0.85, 0.9), (0.05, 0.8)].map { NormalizedPoint($0.0, $0.1) }
    let page = try DocumentScan(paper: .paper(.a4), corners: corners).scan(
      photo(scene), renderer: CPURenderer())
    #expect(page.outline == corners && page.confidence == nil && page.shape.origin == .given)
    let line = [(0.1, 0.1), (0.5, 0.5), (0.9, 0.9), (0.1, 0.9)].map { NormalizedPoint($0.0, $0.1) }
    #expect(throws: SafelightError.self) {
      try DocumentScan(corners: line).scan(photo(scene), renderer: CPURenderer())
    }
  }

  @Test("Several pages become a PDF whose table of objects is right", arguments: DocumentScan.Finish.allCases)
  func pdf(finish: DocumentScan.Finish) throws {
    let scratch = try Scratch()
    let scene = try DocumentScene(seed: 3, ground: .plain)
    let pages = try ScannedPages(to: scratch("pages.pdf"))
    for _ in 0..<2 {
      let photo = try photo(scene)
      try pages.append(DocumentScan(finish: finish).scan(photo, renderer: CPURenderer()), of: photo)
    }
    #expect(!FileManager.default.fileExists(atPath: scratch("pages.pdf")))
    let length = try pages.finish()
    let bytes = Array(try Data(contentsOf: URL(filePath: scratch("pages.pdf"))))
    #expect(bytes.count == length)
    // A reader starts at the end: the place of the table, and in it that of each object.
    let tail = String(decoding: bytes.suffix(400), as: UTF8.self)
    let start = try #require(
      tail.firstRange(of: "startxref\n").flatMap { Int(tail[$0.upperBound...].prefix { $0.isNumber }) })
    let table = String(decoding: bytes[start...], as: UTF8.self).split(separator: "\n")
    #expect(table[0] == "xref")
    let count = try #require(Int(table[1].split(separator: " ")[1]))
    #expect(count == 1 + 2 + 3 * 2)
    for number in 1..<count {
      let place = try #require(Int(table[2 + number].prefix(10)))
      let mark = Array("\(number) 0 obj\n".utf8)
      #expect(Array(bytes[place..<place + mark.count]) == mark)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("/Count 2") && text.hasPrefix("%PDF-1.5\n") && text.hasSuffix("%%EOF\n"))
    #expect(text.contains(finish == .blackAndWhite ? "/FlateDecode" : "/DCTDecode"))
  }

  @Test("A picture has room for one page, and nothing is left of what was not finished")
  func one() throws {
    let scratch = try Scratch()
    let photo = try photo(DocumentScene(seed: 3, ground: .plain))
    let page = try DocumentScan().scan(photo, renderer: CPURenderer())
    do {
      let pages = try ScannedPages(to: scratch("page.png"))
      try pages.append(page, of: photo)
      #expect(throws: SafelightError.self) { try pages.append(page, of: photo) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("")).isEmpty)
  }
}
