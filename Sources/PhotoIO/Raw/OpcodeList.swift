import FrameCore

/// A list of corrections that a DNG asks for, in the order in which they are made.
///
/// Source: DNG 1.7.1.0, chapter 7. All numbers are big-endian, whatever the order of the file.
struct OpcodeList {
  /// Corrections by their numbers.
  enum Kind: Int {
    case warpRectilinear = 1
    case warpFisheye, fixVignetteRadial, fixBadPixelsConstant, fixBadPixelsList, trimBounds, mapTable,
      mapPolynomial
    case gainMap, deltaPerRow, deltaPerColumn, scalePerRow, scalePerColumn, warpRectilinear2

    /// As in the specification.
    var name: String {
      let text = "\(self)"
      return text.prefix(1).uppercased() + text.dropFirst()
    }
  }

  struct Opcode {
    /// Its number.
    let id: Int
    let parameters: [UInt8]

    var kind: Kind? { Kind(rawValue: id) }
    var name: String { kind?.name ?? "opcode \(id)" }
  }

  let opcodes: [Opcode]

  /// More than any camera writes.
  private static let most = 4096

  /// - Returns: nil if the bytes end early or claim too much.
  init?(_ bytes: [UInt8]) {
    var numbers = OpcodeNumbers(bytes)
    guard let count = numbers.next(), count <= Self.most else { return nil }
    var opcodes: [Opcode] = []
    for _ in 0..<count {
      // Its version and its flags do not change what is done here.
      guard let id = numbers.next(), numbers.next() != nil, numbers.next() != nil,
        let length = numbers.next(),
        let parameters = numbers.bytes(length)
      else { return nil }
      opcodes.append(Opcode(id: id, parameters: parameters))
    }
    self.opcodes = opcodes
  }
}

/// Reads the numbers of opcodes one after another.
struct OpcodeNumbers {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// How many bytes follow.
  var count: Int { rest.count }

  /// An unsigned number of 32 bits; nil at the end.
  mutating func next() -> Int? { bytes(4).map { ByteOrder.bigEndian.number($0[...]) } }

  /// A finite number of 64 bits; nil if there is none.
  mutating func double() -> Double? {
    guard let bytes = bytes(8) else { return nil }
    let value = Double(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    return value.isFinite ? value : nil
  }

  /// Finite numbers of 64 bits; nil if one is missing.
  mutating func doubles(_ count: Int) -> [Double]? {
    guard count >= 0, count <= rest.count / 8 else { return nil }
    let values = (0..<count).compactMap { _ in double() }
    return values.count == count ? values : nil
  }

  /// Finite numbers of 32 bits; nil if one is missing.
  mutating func floats(_ count: Int) -> [Float]? {
    guard count >= 0, count <= rest.count / 4 else { return nil }
    let values = (0..<count).compactMap { _ -> Float? in
      guard let bits = next() else { return nil }
      let value = Float(bitPattern: UInt32(bits))
      return value.isFinite ? value : nil
    }
    return values.count == count ? values : nil
  }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}
