import FoundationEssentials
import Testing

@testable import Sidecars

/// Streams made by Python's zlib, which is zlib itself.
@Suite("Decompressing parameters")
struct InflateTests {
  private static func bytes(_ base64: String) throws -> [UInt8] {
    try [UInt8](#require(Data(base64Encoded: base64)))
  }

  @Test("Stored, fixed and dynamic blocks give what zlib compressed")
  func blocks() throws {
    func text(_ base64: String) throws -> String {
      try String(decoding: Inflate.zlib(Self.bytes(base64), atMost: 1000), as: UTF8.self)
    }
    #expect(try text("eAEBDADz/3N0b3JlZCBibG9jax+ABL0=") == "stored block")
    #expect(try text("eAFLTEpOREIKaZkVqSkAV2cH7w==") == "abcabcabcabcabc fixed")
    // zlib.compress(bytes((i*i)%251 for i in range(600)) + b'a'*800, 9)
    let squares = (0..<600).map { UInt8($0 * $0 % 251) } + [UInt8](repeating: UInt8(ascii: "a"), count: 800)
    #expect(try Inflate.zlib(Self.bytes(Self.dynamic), atMost: 1400) == squares)
    #expect(throws: Inflate.Damaged.self) { try Inflate.zlib(Self.bytes(Self.dynamic), atMost: 1399) }
  }

  private static let dynamic =
    "eNpjYGThFJBUMXQITKmcsPLIQ1Y1z7yp+15Ke1WveywfMfmCSOiMu5pFe/nj1rPHbBbMOanb9zH6kMFs3pq3qbfCzvufCbgYeS/rc7PoEquz6cxzbG7WKh8rkDlaqn6tx+Xn1mLjD1uqnHguLyx0Fn9xYFZZiInY19uH185sL8+MDfZ2dbS3d3T1Do7NLG+fufbw7a9iJiFlsw68EHcuXHiZx6lqywfj4q0/XXquqZcelSk4plx702YOc/pZqyWizZ+z7kVeDDjjfz7sVurbGt7ZBoeiP/bpnswR3BzDvj6Of2+R5t0ZoSIXJkfIP15X7SX9ct/UPE811odHVk6oTAl0MFSRFOBkYWQY9TrtvJ44CkbBKMAJAIbSQ5k="

  @Test("Damage anywhere is found, by the checksum at the latest, unless it is in bits that fill a byte")
  func damage() throws {
    let whole = try Self.bytes(Self.dynamic)
    let text = try Inflate.zlib(whole, atMost: 5000)
    var found = 0
    for index in whole.indices {
      var bytes = whole
      bytes[index] ^= 0x10
      do {
        #expect(try Inflate.zlib(bytes, atMost: 5000) == text, "\(index)")
      } catch {
        found += 1
      }
      #expect(throws: Inflate.Damaged.self, "\(index)") {
        try Inflate.zlib(Array(whole[..<index]), atMost: 5000)
      }
    }
    #expect(found >= whole.count - 1)
  }
}
