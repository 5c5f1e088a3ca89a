/// ICC profiles assembled after ICC.1:2010 (version 4.3), independent of any library.
enum ICCFixture {
  /// A matrix/TRC display profile with the D50-adapted primaries of Display P3 and a gamma of 2.2.
  static let displayP3 = profile(colorSpace: "RGB ", padding: 0)
  /// The same with a private tag that makes it need three JPEG markers.
  static let long = profile(colorSpace: "RGB ", padding: 150_000)

  private static func profile(colorSpace: String, padding: Int) -> [UInt8] {
    let curve = Array("curv".utf8) + long(0) + long(1) + [0x02, 0x33, 0, 0]
    func xyz(_ values: [Double]) -> [UInt8] {
      Array("XYZ ".utf8) + long(0) + values.flatMap { long(Int(($0 * 65_536).rounded())) }
    }
    var tags: [(String, [UInt8])] = [
      ("wtpt", xyz([0.9642, 1, 0.8249])),
      ("rXYZ", xyz([0.51512, 0.24120, -0.00105])),
      ("gXYZ", xyz([0.29198, 0.69225, 0.04189])),
      ("bXYZ", xyz([0.15710, 0.06657, 0.78407])),
      ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
      (
        "desc",
        Array("mluc".utf8) + long(0) + long(1) + long(12) + Array("enUS".utf8) + long(4) + long(28)
          + [0, 0x50, 0, 0x33]
      ),
      (
        "cprt",
        Array("mluc".utf8) + long(0) + long(1) + long(12) + Array("enUS".utf8) + long(4) + long(28)
          + [0, 0x50, 0, 0x33]
      ),
    ]
    if padding > 0 { tags.append(("priv", (0..<padding).map { UInt8(truncatingIfNeeded: $0 &* 31) })) }
    var table = long(tags.count)
    var data: [UInt8] = []
    let dataStart = 128 + 4 + 12 * tags.count
    for (signature, body) in tags {
      table += Array(signature.utf8) + long(dataStart + data.count) + long(body.count)
      data += body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
    }
    var header = [UInt8](repeating: 0, count: 128)
    func put(_ bytes: [UInt8], at offset: Int) {
      header.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    put(long(dataStart + data.count), at: 0)
    put([4, 0x30, 0, 0], at: 8)
    put(Array("mntr".utf8), at: 12)
    put(Array(colorSpace.utf8), at: 16)
    put(Array("XYZ ".utf8), at: 20)
    put(Array("acsp".utf8), at: 36)
    put(long(0xF6D6) + long(0x10000) + long(0xD32D), at: 68)
    return header + table + data
  }

  private static func long(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
}
