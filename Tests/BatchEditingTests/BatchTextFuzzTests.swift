import LibraryTestSupport
import Safelight
import Foundation
import TestSupport
import Testing

@testable import BatchEditing

/// Texts that a batch reads from strangers, damaged: name templates, reports, and what worker processes say.
@Suite("Damaged texts of a batch")
struct BatchTextFuzzTests {
  private static let tokens = [
    "{", "}", "{{", "{stem}", "{ext}", "{index:18}", "{date:%s%n%9999Y}", ":", "/", "..", "../", "\0", "%",
    "ä",
    "\u{202E}", "\"", "\\", "[", "]", ",", "null", "1e999", "-1", "99999999999999999999",
    "\"folder\":\"../x\",",
    "\"index\":-5,", "\"status\":\"failed\",", "{\"ready\":{}}",
  ].map { Array($0.utf8) }

  private static func mutated(_ seed: [UInt8], _ round: Int, using random: inout SeededRandom) -> [UInt8] {
    var bytes = seed
    for _ in 0...(round % 4) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...12, using: &random))
      switch random.next() % 5 {
      case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 3: bytes.replaceSubrange(place..<end, with: tokens.randomElement(using: &random) ?? [])
      default: bytes.insert(contentsOf: tokens.randomElement(using: &random) ?? [], at: place)
      }
    }
    return bytes
  }

  @Test("Names of 10,000 templates stay below their folder, or are refused with a sentence")
  func templates() throws {
    var random = SeededRandom(seed: 0x5AFE_1171)
    let seeds = ["{stem}{ext}", "{date:%Y/%m}/{camera}-{index:04}{ext}", "{{{preset}}} {width}x{height}"]
    let values = NameTemplate.Values(
      stem: "../a", pathExtension: ".jpg", preset: "..", index: .max,
      date: CaptureFacts.Date(year: 9999, month: 12, day: 31), camera: "../../x\n", size: nil)
    var named = 0
    for round in 0..<10_000 {
      let text = String(
        decoding: Self.mutated(Array(seeds[round % 3].utf8), round, using: &random), as: UTF8.self)
      do {
        var own = values
        // A stem is a file's name: it has no slash, and anything else.
        own.stem = round % 2 == 0 ? ".." : "photo\u{1B}[2J"
        let name = try NameTemplate(text).name(own)
        named += 1
        #expect(FolderListing.isBelowFolder(name) && !name.isEmpty, "round \(round): \(name)")
        #expect(name.split(separator: "/").allSatisfy { $0.utf8.count <= 255 }, "round \(round): \(name)")
      } catch {
        #expect(error is SafelightError, "round \(round): \(text)")
      }
    }
    #expect(named > 500 && named < 9500, "\(named)")
  }

  @Test(
    "A report whose photos would be written elsewhere is refused",
    arguments: ["../x", "/tmp", "a/../..", "a/./b", "."])
  func leadingOut(folder: String) throws {
    let scratch = try Scratch()
    try scratch.write(Array(Self.report(folder: folder).utf8), to: "report.json")
    #expect { try BatchReport(contentsOf: scratch("report.json")) } throws: {
      "\($0)".hasSuffix(
        "report.json leads out of the output folder: “\(folder)”; give a file that --json wrote.")
    }
    try scratch.write(Array(Self.report(folder: "a/b").utf8), to: "report.json")
    #expect(try BatchReport(contentsOf: scratch("report.json")).failedPhotos.map(\.folder) == ["a/b"])
  }

  private static func report(folder: String) -> String {
    """
    {"entries":[{"index":1,"input":"in/a.jpg","folder":"\(folder)","output":"a.jpg","status":"failed","warnings":[]}],
    "total":1,"seconds":1.5,"megapixels":0}
    """
  }

  @Test("1,000 damaged reports are read or refused with a sentence, and lead nowhere else")
  func reports() throws {
    var random = SeededRandom(seed: 0x5AFE_1172)
    let scratch = try Scratch()
    var read = 0
    for round in 0..<1000 {
      try scratch.write(
        Self.mutated(Array(Self.report(folder: "sub").utf8), round, using: &random), to: "report.json")
      do {
        let photos = try BatchReport(contentsOf: scratch("report.json")).failedPhotos
        read += 1
        #expect(photos.allSatisfy { FolderListing.isBelowFolder($0.folder) }, "round \(round)")
      } catch {
        #expect(error is SafelightError, "round \(round)")
      }
    }
    #expect(read > 5 && read < 980, "\(read)")
  }

  @Test("5,000 damaged messages of workers are no crash, and what is sensible is within bounds")
  func messages() throws {
    var random = SeededRandom(seed: 0x5AFE_1173)
    let hash = String(repeating: "0", count: 32)
    let seeds = try [
      WorkerLine.encode(WorkerHello(edit: "e")),
      WorkerLine.encode(WorkerReply(failed: WorkerFailure(SafelightError(.file, "a", remedy: "b")))),
      Array(
        """
        {"edited":{"width":64,"height":48,"seconds":0.5,"fingerprint":{"bytes":5,"hash":"\(hash)"},"warnings":[]}}
        """.utf8),
    ]
    for round in 0..<5000 {
      let line = Self.mutated(seeds[round % seeds.count], round, using: &random)
      guard let result = (try? WorkerLine.decode(WorkerReply.self, from: line))?.edited, result.isSensible
      else { continue }
      #expect(result.width * result.height > 0 && result.seconds >= 0, "round \(round)")
    }
    for text in ["", "{", "[[[[", #"{"do":"edit","output":5}"#, #"{"do":"eat"}"#] {
      #expect(throws: (any Error).self) { try WorkerLine.decode(WorkerRequest.self, from: text.utf8) }
    }
  }
}
