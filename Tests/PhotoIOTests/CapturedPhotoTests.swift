import FoundationEssentials
import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("Photos that were just taken", .everyFormatIsWritable)
struct CapturedPhotoTests {
  /// Every fact there is.
  static var facts: CaptureFacts {
    var facts = CaptureFacts(
      date: .init(
        year: 2026, month: 11, day: 23, hour: 14, minute: 5, second: 9, nanosecond: 123_456_000,
        minutesFromUTC: -210), camera: "HD Webcam C920")
    facts.make = "Logitech"
    facts.serialNumber = "A1B2"
    facts.exposureTime = 0.0333
    facts.fNumber = 2.2
    facts.exposureBias = -0.667
    facts.exposureMode = .autoBracket
    facts.exposureProgram = .shutterPriority
    facts.iso = 320
    facts.whiteBalance = .manual
    facts.colorTemperature = 5450
    facts.focalLength = 3.67
    facts.focalLengthIn35mmFilm = 28
    facts.subjectDistance = .metres(1.2)
    facts.digitalZoom = 1.5
    facts.uniqueID = "00112233445566778899aabbccddeeff"
    facts.burst = .init(id: "b7a1f0c2 <&\"'>", isPrimary: true)
    facts.mergedFrames = 8
    return facts
  }

  @Test("All facts come back from every format", arguments: PhotoFileFormat.allCases)
  func roundTrip(format: PhotoFileFormat) throws {
    let scratch = try Scratch()
    let path = scratch("photo.\(format.pathExtensions[0])")
    #expect(try PhotoWriter.write(makeGradient(33, 21), to: path, Self.facts) == [])
    let read = try Photo(contentsOf: path)
    #expect(read.metadata.captureFacts == Self.facts)
    #expect(read.metadata.software == SafelightVersion.software)
    #expect(read.warnings == [])
    #expect(try scratch.names == ["photo.\(format.pathExtensions[0])"])
  }

  /// What exiftool 12.57 (`-n -D`) reads from the block below: the directory, the tag, the value.
  private static let recorded: [(EXIFWriter.Directory, UInt16, String)] = [
    (.image, 271, "Logitech"), (.image, 272, "HD Webcam C920"), (.image, 274, "6"), (.image, 282, "72"),
    (.image, 283, "72"), (.image, 296, "2"), (.image, 305, "Safelight 0.1.0"),
    (.image, 306, "2026:11:23 14:05:09"), (.image, 531, "1"), (.photo, 33_434, "0.0333"),
    (.photo, 33_437, "2.2"), (.photo, 34_850, "4"), (.photo, 34_855, "320"), (.photo, 34_864, "0"),
    (.photo, 36_864, "0232"), (.photo, 36_867, "2026:11:23 14:05:09"),
    (.photo, 36_868, "2026:11:23 14:05:09"),
    (.photo, 36_880, "-03:30"), (.photo, 36_881, "-03:30"), (.photo, 36_882, "-03:30"),
    (.photo, 37_121, "1 2 3 0"), (.photo, 37_380, "-0.667"), (.photo, 37_382, "1.2"), (.photo, 37_384, "20"),
    (.photo, 37_386, "3.67"), (.photo, 37_520, "123456"), (.photo, 37_521, "123456"),
    (.photo, 37_522, "123456"), (.photo, 40_960, "0100"), (.photo, 40_961, "1"), (.photo, 40_962, "321"),
    (.photo, 40_963, "123"), (.photo, 41_986, "2"), (.photo, 41_987, "1"), (.photo, 41_988, "1.5"),
    (.photo, 41_989, "28"), (.photo, 42_016, "00112233445566778899aabbccddeeff"), (.photo, 42_033, "A1B2"),
    (.photo, 42_080, "3"), (.photo, 42_081, "8 8"),
  ]

  @Test("Each EXIF field has the value that exiftool reads, and there are no others")
  func recordedFields() throws {
    let (metadata, warnings) = PhotoMetadata.captured(
      Self.facts, size: PixelSize(width: 321, height: 123), orientation: .right, in: .jpeg)
    #expect(warnings == [])
    let block = try EXIFBlock(try #require(metadata.exif))
    let photo = try #require(block.photo)
    for (directory, tag, expected) in Self.recorded {
      let entry = try #require((directory == .image ? block.image : photo)[tag], "\(tag)")
      #expect(try text(of: entry, in: block.structure) == expected, "\(tag)")
    }
    // And the pointer to the Exif directory.
    #expect(block.image.entries.count + photo.entries.count == Self.recorded.count + 1)
  }

  /// The values of a field as exiftool writes them.
  private func text(of entry: TIFFDirectory.Entry, in structure: TIFFStructure) throws -> String {
    let bytes = Array(try #require(structure.rawValue(of: entry)))
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { (sum: Int, index: Int) -> Int in sum | Int(bytes[place + index]) << (8 * index)
      }
    }
    switch entry.type {
    case 2: return String(decoding: bytes.dropLast(), as: UTF8.self)
    case 3: return (0..<entry.count).map { "\(number(2 * $0, 2))" }.joined(separator: " ")
    case 4: return (0..<entry.count).map { "\(number(4 * $0, 4))" }.joined(separator: " ")
    case 5, 10:
      let numerator = entry.type == 5 ? number(0, 4) : Int(Int32(truncatingIfNeeded: number(0, 4)))
      let value = Double(numerator) / Double(number(4, 4))
      return value == value.rounded() ? "\(Int(value))" : "\(value)"
    default:
      let isText = bytes.allSatisfy { (0x30...0x39).contains($0) }
      return isText ? String(decoding: bytes, as: UTF8.self) : bytes.map(String.init).joined(separator: " ")
    }
  }

  @Test("exiftool finds nothing wrong with the files", .installed(.exiftool))
  func validated() throws {
    let scratch = try Scratch()
    var paths: [String] = []
    // libvips' TIFF is not a baseline one: its compression is newer than TIFF 6.0.
    for format in PhotoFileFormat.allCases where format != .tiff {
      for (name, facts) in [("all", Self.facts), ("none", CaptureFacts())] {
        let path = scratch("\(name).\(format.pathExtensions[0])")
        try PhotoWriter.write(makeGradient(33, 21), to: path, facts, orientation: .left)
        paths.append(path)
      }
    }
    #expect(try ExifTool.complaints(paths) == [])
  }

  @Test(
    "Shown upright, the photo is the same in all formats and orientations",
    arguments: [PhotoFileFormat.jpeg, .png, .tiff, .webp, .jxl], Orientation.allCases)
  func orientation(format: PhotoFileFormat, orientation: Orientation) throws {
    let scratch = try Scratch()
    // A red square at the stored picture's upper left corner, a blue one at its upper right.
    let buffer = try PixelBuffer(size: PixelSize(width: 48, height: 32), format: .rgba8)
    for y in 0..<32 {
      let row = buffer.row(y, as: UInt8.self)
      for x in 0..<48 {
        let isTop = y < 16
        row[4 * x] = isTop && x < 16 ? 255 : 0
        row[4 * x + 1] = 0
        row[4 * x + 2] = isTop && x >= 32 ? 255 : 0
        row[4 * x + 3] = 255
      }
    }
    let path = scratch("photo.\(format.pathExtensions[0])")
    try PhotoWriter.write(buffer, to: path, CaptureFacts(), orientation: orientation, quality: 100)
    let photo = try Photo(contentsOf: path)
    #expect(photo.orientation.applied(to: photo.buffer.size) == orientation.applied(to: buffer.size))
    // EXIF 2.32, table 7: where the 0th row and column of the stored picture are shown.
    let red = [
      1: (0.0, 0.0), 2: (1, 0), 3: (1, 1), 4: (0, 1), 5: (0, 0), 6: (1, 0), 7: (1, 1), 8: (0, 1),
    ][Int(orientation.rawValue)]
    let blue = [
      1: (1.0, 0.0), 2: (0, 0), 3: (0, 1), 4: (1, 1), 5: (0, 1), 6: (1, 1), 7: (1, 0), 8: (0, 0),
    ][Int(orientation.rawValue)]
    #expect(try corner(of: photo, 0) == (try #require(red)))
    #expect(try corner(of: photo, 2) == (try #require(blue)))
  }

  /// The corner of the shown picture, 0 or 1 across and down, where a channel is bright.
  private func corner(of photo: Photo, _ channel: Int) throws -> (Double, Double) {
    let shown = TurnedRows(photo.buffer, orientation: photo.orientation)
    let upright = try PixelBuffer(size: shown.size, format: .rgba8)
    shown.copy(0..<shown.size.height, to: upright)
    var found: [(Double, Double)] = []
    for y in [4, shown.size.height - 5] {
      for x in [4, shown.size.width - 5] where row8(upright, y)[4 * x + channel] > 128 {
        found.append((x < 10 ? 0 : 1, y < 10 ? 0 : 1))
      }
    }
    try #require(found.count == 1)
    return found[0]
  }

  @Test("Large pictures are turned band by band", arguments: [PixelFormat.rgba8, .rgba16])
  func bands(format: PixelFormat) throws {
    let scratch = try Scratch()
    // Several bands, the last one shorter.
    let buffer = try makeGradient(701, 1003, format: format)
    try PhotoWriter.write(buffer, to: scratch("photo.tif"), CaptureFacts(), orientation: .right)
    let turned = try Photo(contentsOf: scratch("photo.tif")).buffer
    #expect(turned.size == PixelSize(width: 1003, height: 701) && turned.format == format)
    for (x, y) in [(0, 0), (1002, 0), (0, 700), (1002, 700), (500, 333)] {
      // Turned clockwise, the left column is the top row, from the bottom up.
      for channel in 0..<4 {
        let (stored, shown) =
          format == .rgba8
          ? (Int(row8(buffer, 1002 - x)[4 * y + channel]), Int(row8(turned, y)[4 * x + channel]))
          : (Int(row16(buffer, 1002 - x)[4 * y + channel]), Int(row16(turned, y)[4 * x + channel]))
        #expect(stored == shown, "(\(x), \(y))")
      }
    }
  }

  @Test("What EXIF cannot hold is left out and told, and the photo is written")
  func implausible() throws {
    let scratch = try Scratch()
    var facts = CaptureFacts()
    facts.exposureTime = -1
    facts.exposureBias = .nan
    facts.iso = 100_000
    facts.focalLength = .infinity
    facts.focalLengthIn35mmFilm = 0
    facts.subjectDistance = .metres(-.infinity)
    facts.digitalZoom = 0.5
    facts.fNumber = 0
    facts.uniqueID = "photo 1"
    let warnings = try PhotoWriter.write(makeGradient(16, 16), to: scratch("photo.jpg"), facts)
    #expect(
      warnings == [
        "The exposure time (-1.0 seconds) is implausible and was left out of the EXIF data",
        "The exposure bias (nan EV) is implausible and was left out of the EXIF data",
        "The sensitivity (100000.0 ISO) is implausible and was left out of the EXIF data",
        "The f-number (0.0) is implausible and was left out of the EXIF data",
        "The focal length (inf mm) is implausible and was left out of the EXIF data",
        "The focal length on 35 mm film (0.0 mm) is implausible and was left out of the EXIF data",
        "The subject distance (-inf m) is implausible and was left out of the EXIF data",
        "The digital zoom (0.5) is implausible and was left out of the EXIF data",
        "The unique id “photo 1” is not 32 hexadecimal digits and was left out of the EXIF data",
      ])
    #expect(try Photo(contentsOf: scratch("photo.jpg")).metadata.captureFacts == CaptureFacts())
  }

  @Test("Facts go through JSON, whatever a file says")
  func codable() throws {
    for distance in [CaptureFacts.Distance.infinity, .metres(0.5)] {
      var facts = Self.facts
      facts.subjectDistance = distance
      let data = try JSONEncoder().encode(facts)
      #expect(try JSONDecoder().decode(CaptureFacts.self, from: data) == facts)
    }
    // As written before there were more facts than these.
    let old = #"{"camera":"X","date":{"year":2024,"month":2,"day":29,"hour":1,"minute":2,"second":3}}"#
    let read = try JSONDecoder().decode(CaptureFacts.self, from: Data(old.utf8))
    #expect(
      read
        == CaptureFacts(
          date: .init(year: 2024, month: 2, day: 29, hour: 1, minute: 2, second: 3), camera: "X"))
  }

  @Test("A focus at infinity stays there")
  func infinity() throws {
    var facts = CaptureFacts()
    facts.subjectDistance = .infinity
    let (metadata, warnings) = PhotoMetadata.captured(facts, size: PixelSize(width: 8, height: 8), in: .png)
    #expect(warnings == [])
    #expect(metadata.captureFacts.subjectDistance == .infinity)
  }

  @Test("A bracket keeps the bias of each photo", arguments: [-2.0, -1 / 3.0, 0, 0.5, 2])
  func bracket(bias: Double) throws {
    var facts = CaptureFacts()
    (facts.exposureBias, facts.exposureMode) = (bias, .autoBracket)
    let metadata = PhotoMetadata.captured(facts, size: PixelSize(width: 8, height: 8), in: .jpeg).metadata
    let read = metadata.captureFacts
    #expect(read.exposureMode == .autoBracket)
    #expect(abs(try #require(read.exposureBias) - bias) <= 0.0005)
  }

  @Test("Colours other than sRGB are declared uncalibrated, and the profile says which")
  func colors() throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(16, 16, tags: .displayP3)
    try PhotoWriter.write(buffer, to: scratch("photo.jpg"), CaptureFacts())
    let photo = try Photo(contentsOf: scratch("photo.jpg"))
    let block = try EXIFBlock(try #require(photo.metadata.exif))
    #expect(block.photo?[0xA001].flatMap(block.structure.integers) == [0xFFFF])
    #expect(photo.buffer.tags.iccProfile != nil)
  }

  @Test("Refusals leave no file, and existing files are not replaced unasked")
  func refusals() throws {
    let scratch = try Scratch()
    let yuv = try PixelBuffer(size: PixelSize(width: 16, height: 16), format: .nv12)
    let path = scratch("photo.jpg")
    #expect(
      message { try PhotoWriter.write(yuv, to: path, CaptureFacts()) }
        == "Cannot write \(path): its pixels are nv12; render them to rgba8 or rgba16.")
    #expect(try scratch.names == [])
    let picture = try makeGradient(16, 16)
    try scratch.write("mine", to: "photo.jpg")
    #expect(
      message { try PhotoWriter.write(picture, to: path, CaptureFacts()) }?.contains(
        "the file already exists") == true)
    #expect(try scratch.read("photo.jpg") == Array("mine".utf8))
    try PhotoWriter.write(picture, to: path, CaptureFacts(), overwrite: true)
    #expect(try scratch.names == ["photo.jpg"])
  }

  @Test("Unique ids are 128 bits in hexadecimal digits, never the same")
  func uniqueIDs() {
    let ids = (0..<100).map { _ in CaptureFacts.makeUniqueID() }
    #expect(Set(ids).count == 100)
    #expect(ids.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test("Gain 1 is ISO 100", arguments: [(1.0, 100), (2.5, 250), (1e9, 65_535), (0.001, 1)])
  func gain(gain: Double, iso: Int) {
    #expect(CaptureFacts.iso(ofGain: gain) == iso)
    #expect(CaptureFacts.iso(ofGain: -gain) == nil)
  }
}
