@testable import Files
import FoundationEssentials
import FrameAnalysis
import FrameCore
import LibraryTestSupport
import TestSupport
import Testing

@testable import Similarity

@Suite("The index of a folder's photos")
struct SimilarityIndexTests {
  static func signature(_ random: inout SeededRandom) -> PhotoSignature {
    var signature = PhotoSignature(
      hash: Bool.random(using: &random)
        ? PerceptualHash(words: SIMD4((0..<4).map { _ in random.next() })) : nil,
      detail: Int.random(in: 0...100, using: &random),
      small: SmallPicture(samples: (0..<256).map { _ in UInt8.random(in: 0...255, using: &random) }),
      size: PixelSize(
        width: Int.random(in: 1...65535, using: &random), height: Int.random(in: 1...65535, using: &random)))
    if Bool.random(using: &random) {
      signature.taken = Int64.random(in: .min ... .max, using: &random)
      signature.hasSubSeconds = Bool.random(using: &random)
    }
    signature.camera = ["", "Sony ILCE-7M4 12345", "Ж\u{1F4F7}"].randomElement(using: &random) ?? ""
    signature.burst = ["", "B7A3"].randomElement(using: &random) ?? ""
    return signature
  }

  static func index(_ count: Int, seed: UInt64 = 1) -> SimilarityIndex {
    var random = SeededRandom(seed: seed)
    var index = SimilarityIndex()
    for number in 0..<count {
      index.entries["folder \(number % 3)/ünïcode\n\(number).jpg"] = SimilarityIndex.Entry(
        stamp: SimilarityIndex.Stamp(
          bytes: Int.random(in: 0...(.max), using: &random),
          seconds: Int.random(in: -10...(1 << 40), using: &random),
          nanoseconds: Int.random(in: 0..<1_000_000_000, using: &random)),
        signature: signature(&random))
    }
    return index
  }

  @Test("is read as it was written", arguments: [0, 1, 2, 300])
  func roundTrip(_ count: Int) throws {
    let folder = try Scratch()
    #expect(try SimilarityIndex.read(in: folder.path).count == 0)
    let index = Self.index(count)
    try index.write(in: folder.path)
    #expect(try SimilarityIndex.read(in: folder.path) == index)
    // Replaced whole.
    try SimilarityIndex().write(in: folder.path)
    #expect(try SimilarityIndex.read(in: folder.path).count == 0)
  }

  @Test("is read or refused as its name says")
  func seeds() throws {
    let folder = packageFolder + "/Tests/Fuzz/similar"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".index") }
    #expect(names.count > 5)
    for name in names {
      let bytes = try Array(Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
      let isRead = (try? SimilarityIndex.decode(bytes, path: name)) != nil
      #expect(isRead == name.hasPrefix("good-"), "\(name)")
    }
  }

  @Test("is refused when a byte was changed, lost or added")
  func damage() throws {
    let bytes = try Self.index(4).encoded()
    var random = SeededRandom(seed: 3)
    for _ in 0..<300 {
      var damaged = bytes
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        damaged[Int.random(in: damaged.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      case 1: damaged = Array(damaged.prefix(Int.random(in: damaged.indices, using: &random)))
      default: damaged.append(UInt8.random(in: 0...255, using: &random))
      }
      #expect(throws: SafelightError.self) { try SimilarityIndex.decode(damaged, path: "x") }
    }
  }

  /// With a right hash at their end, so that the fields are read.
  @Test("is refused, or read, whatever it holds")
  func random() throws {
    let bytes = Array(try Self.index(3).encoded().dropLast(32))
    var random = SeededRandom(seed: 4)
    var refused = 0
    for _ in 0..<3000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        changed[Int.random(in: 8..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        changed = Array(changed.prefix(Int.random(in: 8...changed.count, using: &random)))
      }
      changed += Array(try FileFingerprint(of: changed).hash.utf8)
      do {
        #expect(try SimilarityIndex.decode(changed, path: "x").count <= 3)
      } catch is SafelightError { refused += 1 }
    }
    #expect(refused > 1000)
  }
}
