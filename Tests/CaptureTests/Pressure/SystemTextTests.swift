import FoundationEssentials
import FrameCore
import TestSupport
import Testing

@testable import Capture

@Suite("Text of /proc and /sys")
struct SystemTextTests {
  private func integer(_ text: String) -> Int? { Array(text.utf8).withUnsafeBytes { SystemText.integer($0) } }
  private func number(_ key: String, _ line: String, _ text: String) -> Double? {
    Array(text.utf8).withUnsafeBytes { SystemText.number(of: key, inLine: line, $0) }
  }

  @Test("Whole numbers are read with the white space around them and nothing else")
  func integers() {
    for (text, expected) in [
      ("42000\n", 42000), (" 7\t", 7), ("-273200\n", -273_200), ("0", 0),
      ("999999999999999999", 999_999_999_999_999_999),
    ] { #expect(integer(text) == expected, "\(text)") }
    for text in ["", "\n", "-", "4 2", "4.2", "0x10", "N/A", "9999999999999999999", "1e5", "--1"] {
      #expect(integer(text) == nil, "\(text)")
    }
  }

  @Test("Numbers are found by their line and their key")
  func numbers() {
    let stalls = "some avg10=1.25 avg60=0.50 avg300=0.00 total=9\nfull avg10=0.75 avg60=2 avg300=3 total=4\n"
    #expect(number("avg10=", "some ", stalls) == 1.25)
    #expect(number("avg10=", "full ", stalls) == 0.75)
    #expect(number("total=", "full ", stalls) == 4)
    #expect(number("avg10=", "none ", stalls) == nil)
    #expect(number("avg99=", "some ", stalls) == nil)
    #expect(number("", "MemAvailable:", "MemFree: 1 kB\nMemAvailable:   2048 kB\n") == 2048)
    #expect(number("avg10=", "some ", "some avg10=") == nil)
    #expect(number("avg10=", "some ", "some avg10=-1") == nil)
    #expect(number("avg10=", "some ", "some avg10=.5") == nil)
  }

  @Test("The group of version 2 is found among those of version 1, and none outside the container's view")
  func controlGroups() {
    func path(_ text: String) -> String? { Array(text.utf8).withUnsafeBytes { ControlGroup.path($0) } }
    #expect(path("0::/\n") == "/")
    #expect(path("12:cpu:/a\n0::/user.slice/b.scope\n") == "/user.slice/b.scope")
    #expect(path("0::/../../other\n") == nil)
    #expect(path("0::/gone (deleted)\n") == nil)
    #expect(path("1:name=systemd:/x\n") == nil)
    #expect(path("") == nil)
  }

  /// The seeds of `Tests/Fuzz/pressure`.
  private static func seeds() throws -> [(name: String, bytes: [UInt8])] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fuzz/pressure").standardizedFileURL.path
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .filter { $0 != "README.md" }
      .map { ($0, Array(try Data(contentsOf: URL(filePath: "\(folder)/\($0)")))) }
  }

  /// What every reader makes of some bytes; each must be nil or in its range.
  private func read(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes { text in
      var found = 0
      if let number = SystemText.integer(text) {
        found += 1
        #expect(abs(number) < 1_000_000_000_000_000_000)
      }
      for kind in ["some", "full"] {
        guard let share = StallFile.share(kind, text) else { continue }
        found += 1
        #expect((0...100).contains(share))
      }
      if let bytes = FreeMemory.bytes("MemAvailable:", text) {
        found += 1
        #expect(bytes >= 0 && bytes.isFinite)
      }
      if let path = ControlGroup.path(text) {
        found += 1
        #expect(path.hasPrefix("/") && !path.split(separator: "/").contains(".."))
      }
      return found
    }
  }

  @Test("Seeds called good are read, those called bad are not")
  func corpus() throws {
    let seeds = try Self.seeds()
    #expect(seeds.count >= 12)
    for seed in seeds { #expect((read(seed.bytes) > 0) == seed.name.hasPrefix("good-"), "\(seed.name)") }
  }

  @Test("100,000 mutated files are read within range or refused")
  func mutations() throws {
    var random = SeededRandom(seed: 0x5AFE_0018)
    let seeds = try Self.seeds()
    var found = 0
    for round in 0..<100_000 {
      var bytes = seeds[round % seeds.count].bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[position] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes.remove(at: position)
        case 2: bytes.insert(contentsOf: bytes[position...].prefix(20), at: position)
        default: bytes.removeLast(bytes.count - position)
        }
      }
      found += min(1, read(bytes))
    }
    // Were everything refused at its first byte, nothing would have been tried.
    #expect(found > 20_000 && found < 90_000, "\(found)")
  }
}
