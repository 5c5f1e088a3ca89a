/// What a picture looks like, in 256 bits: pictures that look alike differ in few of them, others in about half.
///
/// It survives another size, compression, sharpness, contrast and colour, but no crop of more than some percent and no
/// turn. Bit 16·v + u, counted from the last one as written, says whether the picture has more than the median of the
/// wave with u + 1 half periods across and v + 1 down.
///
/// Source: PDQ, Facebook, “The TMK+PDQF Video-Hashing Algorithm and the PDQ Image-Hashing Algorithm”, 2019.
public struct PerceptualHash: Sendable, Hashable, Comparable {
  /// From the last word as written to the first.
  package var words: SIMD4<UInt64>

  /// The most bits in which the hashes of two copies of a picture differ; those of unrelated pictures differ in about
  /// 128.
  public static let nearestOthers = 31
  /// Hashes of pictures with less detail than this are no use: whatever is nearly uniform looks alike.
  public static let leastDetail = 50

  package init(words: SIMD4<UInt64>) { self.words = words }

  /// The number of bits that differ, 0…256.
  public func distance(to other: PerceptualHash) -> Int {
    let differing = words ^ other.words
    return differing.indices.reduce(0) { $0 + differing[$1].nonzeroBitCount }
  }

  /// Parses 64 hexadecimal digits; nil for anything else.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    var words = SIMD4<UInt64>()
    for place in 0..<4 {
      let part = digits[16 * place..<16 * (place + 1)]
      guard part.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let word = UInt64(String(decoding: part, as: UTF8.self), radix: 16)
      else { return nil }
      words[3 - place] = word
    }
    self.words = words
  }

  public static func < (a: PerceptualHash, b: PerceptualHash) -> Bool {
    for place in (0..<4).reversed() where a.words[place] != b.words[place] {
      return a.words[place] < b.words[place]
    }
    return false
  }
}

extension PerceptualHash: CustomStringConvertible {
  /// 64 hexadecimal digits.
  public var description: String {
    (0..<4).reversed().map { place in
      let digits = String(words[place], radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

extension PerceptualHash: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let hash = PerceptualHash(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a hash has 64 hexadecimal digits"))
    }
    self = hash
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
