import Foundation
import LibraryTestSupport
import Safelight
import TestSupport
import Testing

@testable import Sidecars

/// Damaged XMP with marks: whatever the bytes, they are read and changed, or refused with an error for people.
@Suite("Damaged XMP with marks")
struct MarkFuzzTests {
  static let folder = packageFolder + "/Tests/Fuzz/marks"
  static let seeds = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".xmp") }.sorted()

  static func bytes(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
  }

  private static let changes = [
    PhotoMark.Change(rating: 5), PhotoMark.Change(flag: .reject),
    PhotoMark.Change(flag: .pick, color: .purple),
    PhotoMark.Change(rating: 0, flag: PhotoMark.Flag.none, color: PhotoMark.Color.none),
  ]

  /// Reads and changes a packet; what was changed reads as it was meant, and everything else as before.
  private static func exercise(_ packet: [UInt8], _ comment: Comment) -> Bool {
    do {
      var properties = try XMPProperties(packet: packet, file: "a.xmp")
      var editor = XMPPacketEditor(packet, file: "a.xmp")
      for change in changes {
        let mark = XMPMark(properties).mark(over: XMPMark()).applying(change)
        try editor.apply(XMPMark.changes(for: mark, after: change, in: properties, over: XMPMark()))
        properties = try XMPProperties(packet: editor.bytes, file: "a.xmp")
        #expect(XMPMark(properties).mark(over: XMPMark()) == mark, comment)
      }
      return true
    } catch {
      #expect(error is SafelightError, comment)
      return false
    }
  }

  @Test("There are seeds, valid and broken")
  func seedsExist() throws {
    for seed in Self.seeds {
      #expect(Self.exercise(try Self.bytes(seed), "\(seed)") == seed.hasPrefix("good-"), "\(seed)")
    }
    #expect(Self.seeds.count >= 14)
  }

  @Test("Mutated packets are read and changed or refused, never more", arguments: seeds)
  func mutations(seed: String) throws {
    let original = try Self.bytes(seed)
    for round in 0..<200 {
      var random = SeededRandom(seed: UInt64(round))
      var bytes = original
      for _ in 0...(round % 4) { SidecarFuzzTests.mutate(&bytes, using: &random) }
      _ = Self.exercise(bytes, "\(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
