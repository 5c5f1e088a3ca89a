/// Decompresses data of the DEFLATE method, as darktable stores long parameters.
///
/// Sources: RFC 1950 (ZLIB), RFC 1951 (DEFLATE).
struct Inflate {
  /// Why data cannot be decompressed.
  struct Damaged: Error {}

  /// - Parameters:
  ///   - data: a stream of the ZLIB format.
  ///   - limit: the most bytes that it may hold.
  /// - Throws: `Damaged`; its checksum is checked.
  static func zlib(_ data: [UInt8], atMost limit: Int) throws -> [UInt8] {
    guard data.count >= 6, data[0] & 0x0F == 8, (Int(data[0]) << 8 | Int(data[1])) % 31 == 0,
      data[1] & 0x20 == 0
    else { throw Damaged() }
    var inflate = Inflate(data, from: 2, limit: limit)
    try inflate.run()
    let end = inflate.byteIndex
    guard end + 4 <= data.count else { throw Damaged() }
    let sum = data[end..<end + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard sum == adler32(inflate.output) else { throw Damaged() }
    return inflate.output
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }

  private let data: [UInt8]
  private let limit: Int
  private var index: Int
  private var (bits, count): (UInt32, Int) = (0, 0)
  private var output: [UInt8] = []

  private init(_ data: [UInt8], from index: Int, limit: Int) {
    (self.data, self.index, self.limit) = (data, index, limit)
  }

  /// The first byte behind the blocks; whole bytes that were read ahead are given back.
  private var byteIndex: Int { index - count / 8 }

  private mutating func run() throws {
    var isLast = false
    while !isLast {
      isLast = try take(1) == 1
      switch try take(2) {
      case 0: try stored()
      case 1: try block(Self.fixedLiterals, Self.fixedDistances)
      case 2:
        let (literals, distances) = try tables()
        try block(literals, distances)
      default: throw Damaged()
      }
    }
  }

  /// Returns the next bits, the first one the lowest.
  private mutating func take(_ wanted: Int) throws -> Int {
    while count < wanted {
      guard index < data.count else { throw Damaged() }
      bits |= UInt32(data[index]) << UInt32(count)
      index += 1
      count += 8
    }
    let value = bits & (1 << UInt32(wanted) - 1)
    bits >>= UInt32(wanted)
    count -= wanted
    return Int(value)
  }

  private mutating func emit(_ byte: UInt8) throws {
    guard output.count < limit else { throw Damaged() }
    output.append(byte)
  }

  private mutating func stored() throws {
    _ = try take(count % 8)
    let (length, complement) = (try take(16), try take(16))
    guard length == ~complement & 0xFFFF else { throw Damaged() }
    for _ in 0..<length { try emit(UInt8(try take(8))) }
  }

  /// A Huffman code: how many words have each length, and their symbols in order (RFC 1951, 3.2.2).
  private struct Code {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    init(_ lengths: [Int]) {
      for length in lengths { counts[length] += 1 }
      counts[0] = 0
      symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    }
  }

  private mutating func symbol(_ code: Code) throws -> Int {
    var (word, first, place) = (0, 0, 0)
    for length in 1...15 {
      word |= try take(1)
      let count = code.counts[length]
      // Lengths that no code can have.
      guard word >= first else { throw Damaged() }
      if word - first < count { return code.symbols[place + word - first] }
      place += count
      first = (first + count) << 1
      word <<= 1
    }
    throw Damaged()
  }

  private static let fixedLiterals = Code(
    [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
      + [Int](repeating: 8, count: 8))
  private static let fixedDistances = Code([Int](repeating: 5, count: 30))
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// The codes of a block with its own (3.2.7).
  private mutating func tables() throws -> (literals: Code, distances: Code) {
    let (literals, distances, words) = (try take(5) + 257, try take(5) + 1, try take(4) + 4)
    var lengths = [Int](repeating: 0, count: 19)
    for place in Self.order.prefix(words) { lengths[place] = try take(3) }
    let code = Code(lengths)
    var all: [Int] = []
    while all.count < literals + distances {
      switch try symbol(code) {
      case 16:
        guard let last = all.last else { throw Damaged() }
        all += [Int](repeating: last, count: try take(2) + 3)
      case 17: all += [Int](repeating: 0, count: try take(3) + 3)
      case 18: all += [Int](repeating: 0, count: try take(7) + 11)
      case let length: all.append(length)
      }
    }
    guard all.count == literals + distances, literals <= 286, distances <= 30 else { throw Damaged() }
    return (Code(Array(all[..<literals])), Code(Array(all[literals...])))
  }

  private static let lengths = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let offsets = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
    4097,
    6145, 8193, 12_289, 16_385, 24_577,
  ]
  private static let offsetBits = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
  ]

  private mutating func block(_ literals: Code, _ distances: Code) throws {
    while true {
      let found = try symbol(literals)
      if found < 256 {
        try emit(UInt8(found))
        continue
      }
      if found == 256 { return }
      guard found - 257 < Self.lengths.count else { throw Damaged() }
      let length = Self.lengths[found - 257] + (try take(Self.lengthBits[found - 257]))
      let code = try symbol(distances)
      guard code < Self.offsets.count else { throw Damaged() }
      let offset = Self.offsets[code] + (try take(Self.offsetBits[code]))
      guard offset <= output.count else { throw Damaged() }
      for _ in 0..<length { try emit(output[output.count - offset]) }
    }
  }
}
