/// What is needed to look into a JPEG file without the code under test (ITU-T T.81, annex B).
struct JPEGFile {
  let bytes: [UInt8]

  /// The bodies of the marker segments 0xFF`marker` ahead of the picture data.
  func segments(_ marker: UInt8) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var place = 2
    while place + 4 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] != 0xDA {
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      if bytes[place + 1] == marker { found.append(Array(bytes[place + 4..<place + 2 + length])) }
      place += 2 + length
    }
    return found
  }

  /// The embedded profile, where it fits one segment (ICC.1, annex B.4).
  var profile: [UInt8]? {
    let head = Array("ICC_PROFILE\0".utf8) + [1, 1]
    return segments(0xE2).first { $0.starts(with: head) }.map { Array($0.dropFirst(head.count)) }
  }

  /// The EXIF block, from its byte order on.
  var exif: [UInt8]? {
    let head = Array("Exif\0\0".utf8)
    return segments(0xE1).first { $0.starts(with: head) }.map { Array($0.dropFirst(head.count)) }
  }

  /// The value of EXIF's tag 0x0112 in the first directory, for either byte order.
  var orientation: Int? {
    guard let exif, exif.count >= 10 else { return nil }
    let isLittle = exif[0] == 0x49
    func number(_ at: Int) -> Int {
      guard at + 1 < exif.count else { return 0 }
      return isLittle ? Int(exif[at]) | Int(exif[at + 1]) << 8 : Int(exif[at]) << 8 | Int(exif[at + 1])
    }
    let directory = isLittle ? number(4) : number(6)
    let entries = (0..<number(directory)).map { directory + 2 + 12 * $0 }
    return entries.first { number($0) == 0x0112 }.map { number($0 + 8) }
  }

  /// This file with an EXIF block that says nothing but the orientation.
  func oriented(_ value: UInt8) -> [UInt8] {
    let block: [UInt8] =
      Array("Exif\0\0MM\0*".utf8) + [
        0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0,
      ]
    return Array(bytes[..<2]) + [0xFF, 0xE1, 0, UInt8(block.count + 2)] + block + bytes[2...]
  }
}
