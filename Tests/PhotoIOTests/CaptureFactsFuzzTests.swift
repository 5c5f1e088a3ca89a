import FoundationEssentials
import TestSupport
import Testing

@testable import PhotoIO

/// Mutated EXIF blocks and XMP packets from a fixed seed, made from the seeds in `Tests/Fuzz`.
@Suite("Fuzzing the facts of photos")
struct CaptureFactsFuzzTests {
  private static func seeds(_ name: String) throws -> [(name: String, bytes: [UInt8])] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let folder = tests.appending(path: "Fuzz/\(name)")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { file in
      (file, try Array(Data(contentsOf: folder.appending(path: file))))
    }
  }

  @Test("The seed of a photo just taken has its facts, and packets have a burst as their names say")
  func corpus() throws {
    let exif = try #require(try Self.seeds("exif").first { $0.name == "good-capture-facts" }?.bytes)
    var expected = CapturedPhotoTests.facts
    (expected.burst, expected.colorTemperature) = (nil, nil)
    #expect(PhotoMetadata(exif: exif).captureFacts == expected)
    let packets = try Self.seeds("capture-xmp")
    #expect(packets.count >= 5)
    for (name, bytes) in packets {
      let facts = PhotoMetadata(xmp: bytes).captureFacts
      #expect((facts.burst != nil) == name.hasPrefix("good-"), "\(name)")
      #expect(facts.colorTemperature == (name == "good-burst.xmp" ? 5450 : nil), "\(name)")
    }
    let entities = try #require(packets.first { $0.name == "good-entities.xmp" }?.bytes)
    #expect(PhotoMetadata(xmp: entities).captureFacts.burst?.id == "&lt;&unknown;&")
  }

  @Test("20,000 mutated blocks give facts that can be told and written again")
  func mutations() throws {
    var generator = SeededRandom(seed: 0x5AFE_1171)
    let blocks = try Self.seeds("exif").filter { $0.bytes.count > 8 }.map(\.bytes)
    let own = try #require(try Self.seeds("exif").first { $0.name == "good-capture-facts" }?.bytes)
    let packets = try Self.seeds("capture-xmp").map(\.bytes)
    var dated = 0
    for round in 0..<20_000 {
      // Half of them of the block that has all fields.
      var exif = round % 2 == 0 ? own : blocks[round / 2 % blocks.count]
      var xmp = packets[round % packets.count]
      for _ in 0...(round % 5) {
        mutate(&exif, using: &generator)
        mutate(&xmp, using: &generator)
      }
      let facts = PhotoMetadata(exif: exif, xmp: xmp).captureFacts
      if facts.date != nil { dated += 1 }
      for number in [facts.exposureTime, facts.fNumber, facts.focalLength, facts.digitalZoom] {
        if let number { #expect(number > 0 && number.isFinite, "round \(round)") }
      }
      guard round % 20 == 0 else { continue }
      #expect(try JSONEncoder().encode(facts).count > 0)
      let again = PhotoMetadata.captured(facts, size: .init(width: 8, height: 8), in: .jpeg).metadata
      #expect(again.captureFacts.date == facts.date, "round \(round)")
    }
    // Were everything refused at its first byte, nothing would have been tried.
    #expect(dated > 2000 && dated < 18_000, "\(dated)")
  }

  private func mutate(_ bytes: inout [UInt8], using generator: inout SeededRandom) {
    guard !bytes.isEmpty else { return }
    let position = Int.random(in: 0..<bytes.count, using: &generator)
    let end = min(bytes.count, position + Int.random(in: 1...8, using: &generator))
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes[position] = UInt8.random(in: .min ... .max, using: &generator)
    case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    // Offsets and counts that lead far out.
    case 2: bytes.replaceSubrange(position..<end, with: [UInt8](repeating: 0xFF, count: end - position))
    case 3: bytes.replaceSubrange(position..<end, with: [UInt8](repeating: 0, count: end - position))
    case 4: bytes.removeSubrange(position..<end)
    default: bytes.insert(contentsOf: bytes[position..<end], at: position)
    }
  }
}
