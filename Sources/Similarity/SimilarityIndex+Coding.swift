import Files
import FrameAnalysis
import FrameCore

// The file: `SLSI`, a version, the number of photos, the photos in the order of their names, and the XXH3 hash of all
// that. Numbers have their low byte first; texts follow their length.
extension SimilarityIndex {
  private static let magic = Array("SLSI".utf8)
  /// Changes when signatures do.
  private static let version: UInt32 = 1

  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let hash = Flags(rawValue: 1), taken = Flags(rawValue: 2), subSeconds = Flags(rawValue: 4)
  }

  func encoded() throws -> [UInt8] {
    var out = ByteWriter()
    out.bytes += Self.magic
    out.write(Self.version)
    out.write(UInt32(entries.count))
    for (name, entry) in entries.sorted(by: { $0.key < $1.key }) { Self.write(name, entry, &out) }
    out.bytes += Array(try FileFingerprint(of: out.bytes).hash.utf8)
    return out.bytes
  }

  private static func write(_ name: String, _ entry: Entry, _ out: inout ByteWriter) {
    let (stamp, signature) = (entry.stamp, entry.signature)
    out.write(name)
    out.write(UInt64(stamp.bytes))
    out.write(UInt64(bitPattern: Int64(stamp.seconds)))
    out.write(UInt32(stamp.nanoseconds))
    var flags: Flags = []
    if signature.hash != nil { flags.insert(.hash) }
    if signature.taken != nil { flags.insert(.taken) }
    if signature.hasSubSeconds { flags.insert(.subSeconds) }
    out.write(flags.rawValue)
    out.write(UInt8(signature.detail))
    let words = signature.hash?.words ?? .zero
    for place in 0..<4 { out.write(words[place]) }
    out.write(UInt32(signature.size.width))
    out.write(UInt32(signature.size.height))
    out.write(UInt64(bitPattern: signature.taken ?? 0))
    out.write(signature.camera)
    out.write(signature.burst)
    out.bytes += signature.small.samples
  }

  /// - Parameter path: the file's name, for errors.
  /// - Throws: `SafelightError(.corruptData)`.
  static func decode(_ bytes: [UInt8], path: String) throws -> SimilarityIndex {
    func damaged(_ what: String) -> SafelightError {
      SafelightError(.corruptData, "\(path) \(what)", remedy: "remove it; it is made anew")
    }
    var input = ByteReader(bytes[...])
    guard input.take(magic.count).map(Array.init) == magic else { throw damaged("is not an index of photos") }
    guard let found: UInt32 = input.read(), found == version else {
      throw damaged("is an index of another version of Safelight")
    }
    let hash = Array(bytes.suffix(32))
    guard bytes.count > 32, try FileFingerprint(of: Array(bytes.dropLast(32))).hash.utf8.elementsEqual(hash)
    else {
      throw damaged("is damaged")
    }
    input = ByteReader(bytes[8..<bytes.count - 32])
    guard let count: UInt32 = input.read() else { throw damaged("is damaged") }
    var index = SimilarityIndex()
    for _ in 0..<count {
      guard let (name, entry) = entry(&input) else { throw damaged("is damaged") }
      index.entries[name] = entry
    }
    guard input.isAtEnd, index.entries.count == Int(count) else { throw damaged("is damaged") }
    return index
  }

  private static func entry(_ input: inout ByteReader) -> (String, Entry)? {
    guard let name = input.text(), !name.isEmpty, let bytes: UInt64 = input.read(), bytes <= Int.max,
      let seconds: UInt64 = input.read(), let nanoseconds: UInt32 = input.read(),
      let flagBits: UInt8 = input.read(), let detail: UInt8 = input.read(), detail <= 100
    else { return nil }
    var words = SIMD4<UInt64>()
    for place in 0..<4 {
      guard let word: UInt64 = input.read() else { return nil }
      words[place] = word
    }
    guard let width: UInt32 = input.read(), let height: UInt32 = input.read(),
      let taken: UInt64 = input.read(),
      let camera = input.text(), let burst = input.text(),
      let samples = input.take(SmallPicture.edge * SmallPicture.edge)
    else { return nil }
    let flags = Flags(rawValue: flagBits)
    var signature = PhotoSignature(
      hash: flags.contains(.hash) ? PerceptualHash(words: words) : nil, detail: Int(detail),
      small: SmallPicture(samples: Array(samples)), size: PixelSize(width: Int(width), height: Int(height)))
    signature.taken = flags.contains(.taken) ? Int64(bitPattern: taken) : nil
    signature.hasSubSeconds = flags.contains(.subSeconds)
    (signature.camera, signature.burst) = (camera, burst)
    let stamp = Stamp(
      bytes: Int(bytes), seconds: Int(Int64(bitPattern: seconds)), nanoseconds: Int(nanoseconds))
    return (name, Entry(stamp: stamp, signature: signature))
  }
}

private struct ByteWriter {
  var bytes: [UInt8] = []

  mutating func write(_ number: some FixedWidthInteger & UnsignedInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  /// - Parameter text: at most 65,535 bytes are kept, which is more than a path may have.
  mutating func write(_ text: String) {
    let utf8 = Array(text.utf8.prefix(Int(UInt16.max)))
    write(UInt16(utf8.count))
    bytes += utf8
  }
}

private struct ByteReader {
  private var rest: ArraySlice<UInt8>
  var isAtEnd: Bool { rest.isEmpty }

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func read<Number: FixedWidthInteger & UnsignedInteger>() -> Number? {
    take(Number.bitWidth / 8).map { bytes in
      bytes.reversed().reduce(Number(0)) { $0 << 8 | Number($1) }
    }
  }

  mutating func text() -> String? {
    guard let count: UInt16 = read(), let bytes = take(Int(count)) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
