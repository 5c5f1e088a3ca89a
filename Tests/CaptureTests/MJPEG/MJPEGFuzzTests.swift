import FrameCore
import TestSupport
import Testing

@testable import Capture

/// Mutated frames from a fixed seed; the corpus is made by `FlatJPEG`, so it needs no files.
@Suite("Fuzzing Motion JPEG")
struct MJPEGFuzzTests {
  private static let size = PixelSize(width: 72, height: 40)

  private static let corpus: [[UInt8]] = MJPEGDecoderTests.samplings.flatMap { sampling in
    [FlatJPEG.Tables.own, .standardLeftOut].flatMap { tables in
      [0, 3].map { interval in
        var jpeg = sampling.jpeg(size.width, size.height)
        jpeg.tables = tables
        jpeg.restartInterval = interval
        return jpeg.bytes()
      }
    }
  }

  @Test(
    "20,000 mutated frames are decoded or refused, and a whole frame after them is as if they had not been")
  func mutations() throws {
    var generator = SeededRandom(seed: 0x5AFE_1168)
    let decoder = try MJPEGDecoder(expecting: Self.size, bufferCount: 2)
    let reference = MJPEGDecoderTests.samplings[1].jpeg(Self.size.width, Self.size.height)
    let referenceBytes = reference.bytes()
    var decoded = 0
    for round in 0..<20_000 {
      var bytes = Self.corpus[round % Self.corpus.count]
      for _ in 0...(round / Self.corpus.count % 4) { Self.mutate(&bytes, using: &generator) }
      switch try bytes.withUnsafeBytes({ try decoder.decode($0) }) {
      case .decoded(let buffer):
        decoded += 1
        #expect(buffer.size == Self.size, "round \(round)")
      case .damaged: #expect(!decoder.problem.isEmpty, "round \(round)")
      case .outOfBuffers: Issue.record("round \(round): nobody holds a buffer")
      }
      guard round % 40 == 0 else { continue }
      guard case .decoded(let buffer) = try referenceBytes.withUnsafeBytes({ try decoder.decode($0) }) else {
        Issue.record("round \(round): \(decoder.problem)")
        continue
      }
      let row = buffer.row(9, of: 1, as: UInt8.self)
      let expected = row.indices.map { reference.stored(1, $0, 9) }
      #expect(Array(row) == expected, "round \(round)")
    }
    // Were everything refused at its first byte, nothing would have been tried.
    #expect(decoded > 500 && decoded < 19_000, "\(decoded)")
  }

  private static func mutate(_ bytes: inout [UInt8], using generator: inout SeededRandom) {
    guard !bytes.isEmpty else { return }
    let position = Int.random(in: 0..<bytes.count, using: &generator)
    let end = min(bytes.count, position + Int.random(in: 1...12, using: &generator))
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: bytes[position] = UInt8.random(in: .min ... .max, using: &generator)
    case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    // Markers lead further than random bytes do.
    case 2:
      bytes.replaceSubrange(position..<end, with: [0xFF, UInt8.random(in: 0xC0...0xFE, using: &generator)])
    case 3: bytes.removeSubrange(position..<end)
    case 4: bytes.insert(contentsOf: bytes[position..<end], at: position)
    case 5: bytes.removeSubrange(position...)
    default:
      let other = corpus.randomElement(using: &generator) ?? []
      bytes = bytes[..<position] + other.suffix(Int.random(in: 0...other.count, using: &generator))
    }
  }
}
