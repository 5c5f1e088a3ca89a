/// ICC profiles assembled after ICC.1:2010 (version 4.3), independent of any library.
enum ICCFixture {
  /// A matrix/TRC display profile with the D50-adapted primaries of Display P3 and a gamma of 2.2.
  static let displayP3 = matrixProfile(padding: 0)
  /// The same with a private tag that makes it need three JPEG markers.
  static let long = matrixProfile(padding: 150_000)

  private static func matrixProfile(padding: Int) -> [UInt8] {
    let curve = Array("curv".utf8) + long(0) + long(1) + [0x02, 0x33, 0, 0]
    var tags: [(String, [UInt8])] = [
      ("rXYZ", xyz([0.51512, 0.24120, -0.00105])),
      ("gXYZ", xyz([0.29198, 0.69225, 0.04189])),
      ("bXYZ", xyz([0.15710, 0.06657, 0.78407])),
      ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ]
    if padding > 0 { tags.append(("priv", (0..<padding).map { UInt8(truncatingIfNeeded: $0 &* 31) })) }
    return profile(deviceClass: "mntr", colorSpace: "RGB ", connectionSpace: "XYZ ", tags: tags)
  }

  private static func xyz(_ values: [Double]) -> [UInt8] {
    Array("XYZ ".utf8) + long(0) + values.flatMap { long(Int(($0 * 65_536).rounded())) }
  }

  /// Header, tag table and tags; every profile also gets a white point (D50), a description and a copyright.
  private static func profile(
    deviceClass: String, colorSpace: String, connectionSpace: String, tags: [(String, [UInt8])]
  ) -> [UInt8] {
    let text = Array("mluc".utf8) + long(0) + long(1) + long(12) + Array("enUS".utf8) + long(4) + long(28)
    let name = text + [0, 0x50, 0, 0x33]
    let all = tags + [("wtpt", xyz([0.9642, 1, 0.8249])), ("desc", name), ("cprt", name)]
    var table = long(all.count)
    var data: [UInt8] = []
    let dataStart = 128 + 4 + 12 * all.count
    for (signature, body) in all {
      table += Array(signature.utf8) + long(dataStart + data.count) + long(body.count)
      data += body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
    }
    var header = [UInt8](repeating: 0, count: 128)
    func put(_ bytes: [UInt8], at offset: Int) {
      header.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    put(long(dataStart + data.count), at: 0)
    put([4, 0x30, 0, 0], at: 8)
    put(Array(deviceClass.utf8), at: 12)
    put(Array(colorSpace.utf8), at: 16)
    put(Array(connectionSpace.utf8), at: 20)
    put(Array("acsp".utf8), at: 36)
    put(long(0xF6D6) + long(0x10000) + long(0xD32D), at: 68)
    return header + table + data
  }

  private static func long(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
}

extension ICCFixture {
  /// A grey profile whose samples are proportional to light (kTRC with gamma 1).
  static let linearGray = profile(
    deviceClass: "mntr", colorSpace: "GRAY", connectionSpace: "XYZ ",
    tags: [("kTRC", Array("curv".utf8) + long(0) + long(0))])

  /// A CMYK profile by a table of type lut8 (ICC.1:2010, 10.9) with two nodes an ink: neutral Lab with
  /// L* = 100 · (1 − K) · (1 − (C + M + Y) / 3).
  static let cmykTable = profile(
    deviceClass: "prtr", colorSpace: "CMYK", connectionSpace: "Lab ",
    tags: [
      (
        "A2B0",
        lut8(inputs: 4) { inks in
          255 * (1 - inks[3]) * (3 - inks[0] - inks[1] - inks[2]) / 3
        }
      )
    ])

  /// An RGB profile by a table: neutral Lab with L* = 100 · green.
  static let rgbTable = profile(
    deviceClass: "mntr", colorSpace: "RGB ", connectionSpace: "Lab ",
    tags: [("A2B0", lut8(inputs: 3) { 255 * $0[1] })])

  private static func lut8(inputs: Int, lightness: ([Int]) -> Int) -> [UInt8] {
    let identity = (0..<256).map { UInt8($0) }
    let unitMatrix = [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { long($0 << 16) }
    var lut = Array("mft1".utf8) + long(0) + [UInt8(inputs), 3, 2, 0] + unitMatrix
    for _ in 0..<inputs { lut += identity }
    for node in 0..<(1 << inputs) {
      // The first channel varies slowest.
      let coordinates = (0..<inputs).map { node >> (inputs - 1 - $0) & 1 }
      lut += [UInt8(lightness(coordinates)), 128, 128]
    }
    for _ in 0..<3 { lut += identity }
    return lut
  }
}
