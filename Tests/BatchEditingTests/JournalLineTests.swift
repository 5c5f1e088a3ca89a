import LibraryTestSupport
import Safelight
import Foundation
import TestSupport
import Testing

@testable import BatchEditing

@Suite("Lines of journals")
struct JournalLineTests {
  private static let events: [BatchJournal.Event] = [
    .run(engine: "0.1.0"),
    .named(output: "a.jpg", input: "/in/a.jpg", naming: "{stem}{ext}\u{1F}keep\u{1F}"),
    .named(output: "new\nline \"\\\u{7F}\u{1}📷ä.jpg", input: "in/…", naming: ""),
    .planned(
      output: "b/c.jpg", input: "x", state: .init(bytes: 12, modified: [-5, 999_999_999]), edit: "f00"),
    .planned(
      output: "c.jpg", input: "x", state: .init(bytes: 1, modified: [0, 0]), edit: "f00",
      original: OriginalIdentity(inode: 7, born: [1, 2]), command: "export"),
    .started(output: "a.jpg"),
    .finished(output: "a.jpg", FileFingerprint(bytes: .max, hash: "99aa")),
    .failed(output: "", reason: "Cannot read a.jpg: it is a “thing”; do\tnot."),
  ]

  private static func decode(_ bytes: [UInt8]) -> BatchJournal.Event? {
    bytes.withUnsafeBufferPointer { JournalLine.decode($0) }
  }

  private static func decode(_ text: String) -> BatchJournal.Event? { decode(Array(text.utf8)) }

  @Test("Every event survives, and its line is one line of JSON for others too")
  func roundTrip() throws {
    for event in Self.events {
      let line = JournalLine.encode(event)
      #expect(line.last == 10 && line.dropLast().allSatisfy { $0 >= 0x20 })
      #expect(Self.decode(line.dropLast()) == event)
      // Foundation's reader, which is not ours.
      #expect(try JSONSerialization.jsonObject(with: Data(line)) is [String: Any])
    }
  }

  @Test("JSON as others write it is read: blanks, escapes, surrogates, unknown keys of any kind")
  func liberal() {
    #expect(
      Self.decode(
        #" { "x" : {"y":[1,{"z":null}],"event":"run"}, "event" : "started" , "n":-1.5e3, "output":"\u00e4\ud83d\udcf7\/\t" } "#
      ) == .started(output: "ä📷/\t"))
    #expect(Self.decode(#"{"event":"run","engine":"1"}"#) == .run(engine: "1", format: 1))
  }

  @Test(
    "What is no line of a journal is nothing",
    arguments: [
      "", "{", "}", "{}", "null", #""run""#, "[]", #"{"event":"run"}"#, #"{"event":"later","output":"a"}"#,
      #"{"event":"started","output":"a"}x"#, #"{"event":"started","output":"a""#,
      #"{"event":"started","output":5}"#, #"{"event":"started" "output":"a"}"#,
      #"{"event":"started","output":"\ud83d"}"#, #"{"event":"started","output":"\udcf7"}"#,
      #"{"event":"started","output":"\q"}"#,
      #"{"event":"finished","output":"a","bytes":9223372036854775808,"hash":"x"}"#,
      #"{"event":"finished","output":"a","bytes":1.5,"hash":"x"}"#,
      #"{"event":"planned","output":"a","input":"b","edit":"c","bytes":1,"modified":[1]}"#,
      // Names that lead out of the folder.
      #"{"event":"started","output":"../a.jpg"}"#, #"{"event":"started","output":"/etc/a.jpg"}"#,
      #"{"event":"started","output":"a/../../b"}"#, #"{"event":"started","output":"a//b."}"#,
      #"{"event":"started","output":"a/"}"#, #"{"event":"started","output":"a\u0000b"}"#,
    ])
  func damaged(line: String) { #expect(Self.decode(line) == nil) }

  @Test("Damage of any kind: no crash, no name that leads out, and whole lines around it stay known")
  func mutations() throws {
    var random = SeededRandom(seed: 5)
    let seeds = Self.events.map(JournalLine.encode)
    let tokens = [
      "\"", "\\", "\\u", "{", "}", "[", ",", ":", "../", "\0", "\u{FF}", "1e999", "\n", "\"output\"",
    ]
    .map { Array($0.utf8) }
    for round in 0..<4000 {
      var line = seeds[round % seeds.count]
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let place = Int.random(in: 0...line.count, using: &random)
        switch random.next() % 4 {
        case 0 where place < line.count: line[place] = UInt8.random(in: 0...255, using: &random)
        case 1: line.removeSubrange(place..<min(line.count, place + 5))
        case 2: line.insert(contentsOf: tokens[Int(random.next() % UInt64(tokens.count))], at: place)
        default: line = Array(line.prefix(place))
        }
      }
      guard let event = Self.decode(line) else { continue }
      if case .started(let output) = event {
        #expect(!output.hasPrefix("/") && !output.split(separator: "/").contains(".."), "round \(round)")
      }
      #expect(Self.decode(Array(JournalLine.encode(event).dropLast())) == event, "round \(round)")
    }
  }

  @Test("Journals of the corpus are read without a crash, and those that are whole are whole")
  func corpus() throws {
    let folder = packageFolder + "/Tests/Fuzz/journal"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }
    #expect(names.count >= 6)
    for name in names {
      let scratch = try Scratch()
      let bytes = try Array(Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
      try scratch.write(bytes, to: BatchJournal.fileName)
      let journal = try BatchJournal(in: scratch.path)
      #expect(journal.wasTorn == !name.hasPrefix("good-"), "\(name)")
      #expect(journal.record(of: "photo-1.jpg")?.result != nil, "\(name)")
      #expect(!journal.records.keys.contains { $0.path.contains("..") || $0.path.hasPrefix("/") }, "\(name)")
    }
  }
}
