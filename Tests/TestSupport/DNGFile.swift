/// A digital negative with an uncompressed mosaic, assembled byte by byte after the DNG specification 1.4 and TIFF 6.0,
/// independent of the code under test.
///
/// Sensor values are given as fractions: 0 is the black level and 1 the white level.
public struct DNGFile {
  /// The colours of two by two pixels, or six by six, row by row: of `R`, `G` and `B`.
  public var pattern = "RGGB"
  public var width: Int
  public var height: Int
  /// The sensor's value at a pixel, for channel 0 (red), 1 or 2.
  public var sensor: (_ x: Int, _ y: Int, _ channel: Int) -> Double

  /// 12, 14 or 16; depths below 16 are packed, as DNG wants.
  public var bits = 16
  public var black = 0
  /// Nil: the largest value.
  public var white: Int?
  /// XYZ → sensor colours under D65, row by row, as in tag ColorMatrix1.
  public var colorMatrix = Self.nikonD65
  /// The sensor's colour of what was white; nil leaves AsShotNeutral out.
  public var neutral: [Double]?
  public var orientation = 1
  /// Left, top, width and height of the part to be shown.
  public var defaultCrop: [Int]?
  /// Top, left, bottom and right of what the sensor exposes to light.
  public var activeArea: [Int]?
  public var baselineExposure: Double?
  /// Further tags, such as those of a camera profile. They replace others of the same number.
  public var tags: [Int: Values] = [:]
  /// Tag 51008, 51009 or 51022, and its bytes.
  public var opcodeList: (tag: Int, bytes: [UInt8])?
  /// Of every colour at every pixel (LinearRaw) instead of a mosaic; of one for a sensor without filters.
  public var linearChannels: Int?
  public var make = "Safelight"
  public var model = "Test Camera"
  public var date: String?
  /// Of a second, f-number, millimetres, ISO.
  public var exposure: (time: Int, aperture: Double, focalLength: Double, iso: Int)?
  public var lens: String?
  public var makerNote: [UInt8]?
  /// Degrees north and east.
  public var location: (Double, Double)?
  public var xmp: String?
  /// Sizes that the header claims instead of the true ones.
  public var claimedSize: (Int, Int)?

  /// The values of a tag.
  public enum Values {
    case short([Int])
    case long([Int])
    /// As fractions of 10,000.
    case signed([Double])
    case float([Float])
  }

  /// Fujifilm's mosaic X-Trans.
  public static let xTrans = "GGRGGBGGBGGRBRGRBGGGBGGRGGRGGBRBGBRG"

  /// A DSLR's ColorMatrix for D65, to four digits as makers give them.
  public static let nikonD65 = [
    0.8139, -0.2171, -0.0663, -0.8747, 1.6541, 0.2295, -0.1925, 0.2008, 0.8093,
  ]

  public init(
    width: Int, height: Int, sensor: @escaping (_ x: Int, _ y: Int, _ channel: Int) -> Double
  ) {
    (self.width, self.height, self.sensor) = (width, height, sensor)
  }

  public var bytes: [UInt8] {
    let pixels = self.pixels
    var image: [(Int, Field)] = [
      (254, .long([0])), (256, .long([claimedSize?.0 ?? width])), (257, .long([claimedSize?.1 ?? height])),
      (258, .short([Int](repeating: bits, count: linearChannels ?? 1))), (259, .short([1])),
      (262, .short([linearChannels == nil ? 32_803 : 34_892])), (271, .text(make)), (272, .text(model)),
      (274, .short([orientation])), (277, .short([linearChannels ?? 1])),
      (278, .long([claimedSize?.1 ?? height])), (279, .long([pixels.count])), (284, .short([1])),
      (50_706, .bytes([1, 4, 0, 0])), (50_708, .text("\(make) \(model)")), (50_714, .long([black])),
      (50_717, .long([whiteLevel])),
    ]
    if linearChannels == nil {
      let side = pattern.count == 36 ? 6 : 2
      image += [(33_421, .short([side, side])), (33_422, .bytes(mosaic))]
    }
    if linearChannels != 1 { image += [(50_721, .signed(colorMatrix)), (50_778, .short([21]))] }
    if let neutral { image.append((50_728, .rational(neutral))) }
    if let activeArea { image.append((50_829, .long(activeArea))) }
    if let defaultCrop {
      image += [(50_719, .long(Array(defaultCrop[..<2]))), (50_720, .long(Array(defaultCrop[2...])))]
    }
    if let baselineExposure { image.append((50_730, .signed([baselineExposure]))) }
    if let opcodeList { image.append((opcodeList.tag, .undefined(opcodeList.bytes))) }
    if let xmp { image.append((700, .bytes(Array(xmp.utf8)))) }

    image.removeAll { tags[$0.0] != nil }
    image += tags.map { ($0.key, Field($0.value)) }

    var photo: [(Int, Field)] = []
    if let date { photo.append((0x9003, .text(date))) }
    if let exposure {
      photo += [
        (0x829A, .fraction(1, exposure.time)), (0x829D, .rational([exposure.aperture])),
        (0x8827, .short([exposure.iso])), (0x920A, .rational([exposure.focalLength])),
      ]
    }
    if let lens { photo.append((0xA434, .text(lens))) }
    if let makerNote { photo.append((0x927C, .undefined(makerNote))) }
    var place: [(Int, Field)] = []
    if let location {
      place = [
        (0, .bytes([2, 3, 0, 0])), (1, .text("N")), (2, .rational([location.0, 0, 0])), (3, .text("E")),
        (4, .rational([location.1, 0, 0])),
      ]
    }

    // The header, the pixels, then the directories, each with its values behind it.
    var file =
      Array("II".utf8) + Self.number(42, 2) + Self.number(8 + pixels.count + pixels.count % 2, 4) + pixels
    if pixels.count % 2 == 1 { file.append(0) }
    image.append((273, .long([8])))
    let extra = (photo.isEmpty ? 0 : 1) + (place.isEmpty ? 0 : 1)
    let photoStart = file.count + Self.length(image) + 12 * extra
    if !photo.isEmpty { image.append((34_665, .long([photoStart]))) }
    if !place.isEmpty {
      image.append((34_853, .long([photoStart + (photo.isEmpty ? 0 : Self.length(photo))])))
    }
    for directory in [image, photo, place] where !directory.isEmpty {
      file += Self.directory(directory, at: file.count)
    }
    return file
  }

  public var whiteLevel: Int { white ?? (1 << bits) - 1 }

  /// The channels of the pattern.
  private var mosaic: [UInt8] { pattern.map { "RGB".position(of: $0) } }

  private var pixels: [UInt8] {
    var bytes: [UInt8] = []
    let channels = linearChannels ?? 1
    let mosaic = self.mosaic
    let side = mosaic.count == 36 ? 6 : 2
    for y in 0..<height {
      var (buffer, pending) = (0, 0)
      for x in 0..<width {
        for band in 0..<channels {
          let channel =
            linearChannels != nil ? band : Int(mosaic[side * (y % side) + x % side])
          let value = sensor(x, y, channel) * Double(whiteLevel - black) + Double(black)
          let code = Int(min(max(value.rounded(), 0), Double((1 << bits) - 1)))
          if bits == 16 {
            bytes += Self.number(code, 2)
          } else {
            // Most significant bit first, rows padded to whole bytes; TIFF 6.0, FillOrder 1.
            buffer = buffer << bits | code
            pending += bits
            while pending >= 8 {
              bytes.append(UInt8(truncatingIfNeeded: buffer >> (pending - 8)))
              pending -= 8
            }
            buffer &= (1 << pending) - 1
          }
        }
      }
      if pending > 0 { bytes.append(UInt8(truncatingIfNeeded: buffer << (8 - pending))) }
    }
    return bytes
  }

  private struct Field {
    let type: Int
    let count: Int
    let bytes: [UInt8]

    init(type: Int, count: Int, bytes: [UInt8]) { (self.type, self.count, self.bytes) = (type, count, bytes) }

    init(_ values: Values) {
      switch values {
      case .short(let values): self = .short(values)
      case .long(let values): self = .long(values)
      case .signed(let values): self = .signed(values)
      case .float(let values):
        self.init(type: 11, count: values.count, bytes: values.flatMap { number(Int($0.bitPattern), 4) })
      }
    }

    static func bytes(_ values: [UInt8]) -> Field { Field(type: 1, count: values.count, bytes: values) }
    static func undefined(_ values: [UInt8]) -> Field { Field(type: 7, count: values.count, bytes: values) }
    static func text(_ text: String) -> Field {
      Field(type: 2, count: text.utf8.count + 1, bytes: Array(text.utf8) + [0])
    }
    static func short(_ values: [Int]) -> Field {
      Field(type: 3, count: values.count, bytes: values.flatMap { number($0, 2) })
    }
    static func long(_ values: [Int]) -> Field {
      Field(type: 4, count: values.count, bytes: values.flatMap { number($0, 4) })
    }
    static func fraction(_ numerator: Int, _ denominator: Int) -> Field {
      Field(type: 5, count: 1, bytes: number(numerator, 4) + number(denominator, 4))
    }
    static func rational(_ values: [Double]) -> Field {
      Field(
        type: 5, count: values.count,
        bytes: values.flatMap { number(Int(($0 * 1_000_000).rounded()), 4) + number(1_000_000, 4) })
    }
    static func signed(_ values: [Double]) -> Field {
      Field(
        type: 10, count: values.count,
        bytes: values.flatMap { number(Int(($0 * 10_000).rounded()), 4) + number(10_000, 4) })
    }
  }

  private static func directory(_ fields: [(Int, Field)], at start: Int) -> [UInt8] {
    var entries = number(fields.count, 2)
    var values: [UInt8] = []
    let valuesStart = start + 2 + 12 * fields.count + 4
    for (tag, field) in fields.sorted(by: { $0.0 < $1.0 }) {
      entries += number(tag, 2) + number(field.type, 2) + number(field.count, 4)
      if field.bytes.count <= 4 {
        entries += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
      } else {
        entries += number(valuesStart + values.count, 4)
        values += field.bytes + (field.bytes.count % 2 == 1 ? [0] : [])
      }
    }
    return entries + number(0, 4) + values
  }

  private static func length(_ fields: [(Int, Field)]) -> Int {
    fields.reduce(6 + 12 * fields.count) {
      $0 + ($1.1.bytes.count > 4 ? $1.1.bytes.count + $1.1.bytes.count % 2 : 0)
    }
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

extension String {
  fileprivate func position(of character: Character) -> UInt8 {
    UInt8(Array(self).firstIndex(of: character) ?? 0)
  }
}
