import FrameCore

/// Writes ICC profiles byte by byte from ICC.1:2001-04 and ICC.1:2022, without LittleCMS, as an independent source.
struct ICCProfileBuilder {
  var version: UInt32 = 0x0210_0000
  var deviceClass = "mntr"
  var colorModel = "RGB "
  var connectionSpace = "XYZ "
  var tags: [(signature: String, data: [UInt8])] = []

  /// The whole profile: header, tag table, tag data.
  var data: ICCProfileData {
    let tableBytes = 4 + 12 * tags.count
    var table = Self.big(UInt32(tags.count))
    var body: [UInt8] = []
    for tag in tags {
      table += Array(tag.signature.utf8) + Self.big(UInt32(128 + tableBytes + body.count))
      table += Self.big(UInt32(tag.data.count))
      body += tag.data
      while body.count % 4 != 0 { body.append(0) }
    }
    var header = Self.big(UInt32(128 + tableBytes + body.count)) + Array("test".utf8) + Self.big(version)
    header += Array((deviceClass + colorModel + connectionSpace).utf8)
    header += [0x07, 0xCE, 0, 2, 0, 9, 0, 6, 0, 49, 0, 0] + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28) + Self.xyz(0.9642, 1, 0.8249).dropFirst(8)
    header += [UInt8](repeating: 0, count: 48)
    return ICCProfileData(header + table + body)
  }

  /// An RGB profile of a matrix and one curve for all channels.
  static func matrix(
    red: [Double], green: [Double], blue: [Double], curve: [UInt8], description: String = "Test RGB"
  ) -> ICCProfileBuilder {
    ICCProfileBuilder(tags: [
      ("desc", text(description)), ("wtpt", xyz(0.9642, 1, 0.8249)), ("rXYZ", xyz(red[0], red[1], red[2])),
      ("gXYZ", xyz(green[0], green[1], green[2])), ("bXYZ", xyz(blue[0], blue[1], blue[2])), ("rTRC", curve),
      ("gTRC", curve), ("bTRC", curve),
    ])
  }

  /// The colorants of the sRGB profile that Hewlett-Packard made in 1998, as its tags hold them.
  static func sRGB1998(curve: [UInt8]) -> ICCProfileBuilder {
    matrix(
      red: [0.43607, 0.22249, 0.01392], green: [0.38515, 0.71687, 0.09708],
      blue: [0.14307, 0.06061, 0.71410],
      curve: curve, description: "sRGB IEC61966-2.1")
  }

  /// A printer's profile with an 8-bit table of two nodes an edge: `lab` gives L*, a*, b* for inks of 0 or 1.
  static func cmyk(_ lab: ([Double]) -> SIMD3<Double>) -> ICCProfileBuilder {
    let identity = (0...255).map { UInt8($0) }
    var table = Array("mft1".utf8) + [0, 0, 0, 0, 4, 3, 2, 0]
    for element in [1, 0, 0, 0, 1, 0, 0, 0, 1] { table += big(fixed(Double(element))) }
    for _ in 0..<4 { table += identity }
    for node in 0..<16 {
      // The last channel, black, changes fastest.
      let color = lab([8, 4, 2, 1].map { node & $0 == 0 ? 0 : 1 })
      table += [UInt8(color.x * 2.55), UInt8(color.y + 128), UInt8(color.z + 128)]
    }
    for _ in 0..<3 { table += identity }
    return ICCProfileBuilder(
      deviceClass: "prtr", colorModel: "CMYK", connectionSpace: "Lab ",
      tags: [("desc", text("Test CMYK")), ("wtpt", xyz(0.9642, 1, 0.8249)), ("A2B0", table)])
  }

  /// A printer of three channels, linear in L*a*b* of its media: relative tables alone, in 16 bits.
  ///
  /// - Parameters:
  ///   - white, black: of the paper and the ink.
  static func printer(white: SIMD3<Double>, black: SIMD3<Double>) -> ICCProfileBuilder {
    // Media-relative: the paper is L* 100. Device values are L*, a*, b* over 0…1.
    let relative = black.x / white.x * 100
    func table(_ node: (SIMD3<Double>) -> SIMD3<Double>) -> [UInt8] {
      var table = Array("mft2".utf8) + [0, 0, 0, 0, 3, 3, 2, 0]
      for element in [1, 0, 0, 0, 1, 0, 0, 0, 1] { table += big(fixed(Double(element))) }
      table += big(UInt16(2)) + big(UInt16(2))
      let identity = big(UInt16(0)) + big(UInt16.max)
      for _ in 0..<3 { table += identity }
      for corner in 0..<8 {
        let color = node(SIMD3(Double(corner >> 2 & 1), Double(corner >> 1 & 1), Double(corner & 1)))
        for channel in 0..<3 { table += big(UInt16((color[channel] * 65535).rounded())) }
      }
      for _ in 0..<3 { table += identity }
      return table
    }
    // Version 2 encodes L* 100 as 0xFF00, and a*, b* 0 as 0x8000.
    let full = 65280.0 / 65535
    let toLab = table { SIMD3((relative + $0.x * (100 - relative)) / 100 * full, $0.y, $0.z) }
    let toDevice = table { lab in
      SIMD3(min(max((lab.x / full * 100 - relative) / (100 - relative), 0), 1), lab.y, lab.z)
    }
    func cube(_ x: Double) -> Double { x * x * x }
    let root = (white.x + 16) / 116
    let (x, y, z) = (cube(root + white.y / 500), cube(root), cube(root - white.z / 200))
    return ICCProfileBuilder(
      deviceClass: "prtr", connectionSpace: "Lab ",
      tags: [
        ("desc", text("Test printer")), ("wtpt", xyz(0.9642 * x, y, 0.8249 * z)), ("A2B1", toLab),
        ("B2A1", toDevice),
      ])
  }

  /// A grey profile with one curve.
  static func gray(curve: [UInt8]) -> ICCProfileBuilder {
    ICCProfileBuilder(
      colorModel: "GRAY",
      tags: [("desc", text("Test grey")), ("wtpt", xyz(0.9642, 1, 0.8249)), ("kTRC", curve)])
  }

  /// curveType with a table of `count` 16-bit entries.
  static func table(count: Int, _ function: (Double) -> Double) -> [UInt8] {
    var bytes = Array("curv".utf8) + big(UInt32(0)) + big(UInt32(count))
    for index in 0..<count {
      bytes += big(UInt16((function(Double(index) / Double(count - 1)) * 65535).rounded()))
    }
    return bytes
  }

  /// curveType with a gamma in steps of 1/256.
  static func gamma(_ steps: UInt16) -> [UInt8] {
    Array("curv".utf8) + big(UInt32(0)) + big(UInt32(1)) + big(steps)
  }

  /// textDescriptionType with an ASCII text only.
  static func text(_ text: String) -> [UInt8] {
    Array("desc".utf8) + big(UInt32(0)) + big(UInt32(text.utf8.count + 1)) + Array(text.utf8)
      + [UInt8](repeating: 0, count: 1 + 4 + 4 + 2 + 1 + 67)
  }

  static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    Array("XYZ ".utf8) + big(UInt32(0)) + big(fixed(x)) + big(fixed(y)) + big(fixed(z))
  }

  /// s15Fixed16Number.
  private static func fixed(_ value: Double) -> UInt32 {
    UInt32(bitPattern: Int32((value * 65536).rounded()))
  }

  private static func big<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}
