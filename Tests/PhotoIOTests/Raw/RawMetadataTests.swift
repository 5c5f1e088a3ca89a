import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("Metadata of camera raws", .libRawIsInstalled)
struct RawMetadataTests {
  private func file(_ change: (inout DNGFile) -> Void = { _ in }) -> DNGFile {
    var file = DNGFile(width: 32, height: 24) { _, _, _ in 0.4 }
    file.neutral = [0.5, 1, 0.7]
    change(&file)
    return file
  }

  private func read(_ file: DNGFile) throws -> Photo {
    let scratch = try Scratch()
    return try Photo(contentsOf: try scratch.write(file.bytes, to: "photo.dng"))
  }

  @Test("The date and the camera are told")
  func captureFacts() throws {
    let photo = try read(file { $0.date = "2026:07:14 06:05:04" })
    let facts = photo.metadata.captureFacts
    #expect(facts.camera == "Test Camera")
    #expect(facts.date == CaptureFacts.Date(year: 2026, month: 7, day: 14, hour: 6, minute: 5, second: 4))
  }

  /// The bytes of a field of the photo's directory.
  private func field(_ photo: Photo, _ tag: UInt16) throws -> [UInt8]? {
    let block = try EXIFBlock(try #require(photo.metadata.exif))
    guard let entry = block.photo?[tag] else { return nil }
    return block.structure.rawValue(of: entry).map(Array.init)
  }

  @Test("Exposure, lens and place are kept to the bit")
  func fields() throws {
    let photo = try read(
      file {
        $0.exposure = (time: 250, aperture: 5.6, focalLength: 85, iso: 400)
        $0.lens = "85 mm f/1.8"
        $0.location = (47.5, 11.25)
      })
    #expect(try field(photo, 0x829A) == [1, 0, 0, 0, 250, 0, 0, 0])
    #expect(try field(photo, 0x8827) == [0x90, 1])
    #expect(try field(photo, 0xA434) == Array("85 mm f/1.8\0".utf8))
    let block = try EXIFBlock(try #require(photo.metadata.exif))
    let image = try block.structure.directory(at: block.structure.firstDirectory)
    let place = try block.structure.directory(
      at: try #require(image[0x8825].flatMap(block.structure.integers)?.first))
    let latitude = try #require(place[2].flatMap(block.structure.rawValue))
    #expect(latitude.prefix(4).elementsEqual([0xE0, 0xCA, 0xD4, 0x02]))  // 47,500,000 millionths
    // And go with the other places a photo can be told from.
    let stripped = photo.metadata.withoutLocation
    let bare = try EXIFBlock(try #require(stripped.exif))
    #expect(try bare.structure.directory(at: bare.structure.firstDirectory)[0x8825] == nil)
  }

  @Test("Fields that the file does not have are not made up")
  func missing() throws {
    let photo = try read(file())
    for tag: UInt16 in [0x829A, 0x829D, 0x8827, 0x920A, 0x9003, 0xA434] {
      #expect(try field(photo, tag) == nil, "\(tag)")
    }
    #expect(photo.metadata.gravityRoll == nil)
    #expect(photo.metadata.xmp == nil)
  }

  @Test("The camera's level is told", arguments: [-7.5, 0, 12.25])
  func level(roll: Double) throws {
    // A phone held upright and turned: the vector of gravity as Apple's note has it.
    let note = MakerNoteFixture.apple([-0.9, 0.1, 0.02])
    let photo = try read(
      file {
        $0.make = "Apple"
        $0.lens = "iPhone 6 back camera 4.15mm f/2.2"
        $0.makerNote = note
      })
    let direct = PhotoMetadata(exif: MakerNoteFixture(note: note).bytes)
    #expect(direct.gravityRoll != nil)
    #expect(photo.metadata.gravityRoll == direct.gravityRoll)
  }

  @Test("A maker note whose offsets count from the start of the file stays at its place")
  func makerNote() throws {
    let scratch = try Scratch()
    let note = Array("A note with offsets of its own".utf8)
    let bytes = file { $0.makerNote = note }.bytes
    let offset = try #require(
      bytes.indices.first { bytes[$0...].starts(with: note) })
    let photo = try Photo(contentsOf: try scratch.write(bytes, to: "photo.dng"))
    let exif = try #require(photo.metadata.exif)
    #expect(exif[offset...].starts(with: note))
    #expect(try field(photo, 0x927C) == note)
  }

  @Test("A maker note that cannot be kept is told, and all else is kept")
  func lostNotes() throws {
    let long = try read(
      file { $0.makerNote = Array("Nikon\0\u{2}".utf8) + [UInt8](repeating: 7, count: 60_000) })
    #expect(
      long.warnings == [
        "The maker note (60007 bytes) is longer than EXIF data may be and was left out"
      ])
    // 200 by 160 pixels of two bytes lie ahead of it: too far for an EXIF block.
    var far = DNGFile(width: 200, height: 160) { _, _, _ in 0.4 }
    (far.neutral, far.makerNote) = ([0.5, 1, 0.7], Array("A note with offsets of its own".utf8))
    let photo = try read(far)
    #expect(photo.warnings == [MakerNote.fixedWarning])
    for photo in [long, photo] {
      #expect(photo.metadata.captureFacts.camera == "Test Camera")
      #expect(try field(photo, 0x927C) == nil)
    }
  }

  @Test("Notes that may move are the same for raws and for TIFF: Pentax's and Ricoh's stay")
  func movableNotes() throws {
    // An empty directory follows the maker's name.
    let notes = ["PENTAX \0II\0\0\0\0", "RICOH\0II\0\0\0\0"]
    for note in notes.map({ Array($0.utf8) }) {
      var far = DNGFile(width: 200, height: 160) { _, _, _ in 0.4 }
      (far.neutral, far.makerNote) = ([0.5, 1, 0.7], note)
      let photo = try read(far)
      #expect(!photo.warnings.contains(MakerNote.fixedWarning))
      #expect(try field(photo, 0x927C) == note)
    }
  }

  @Test("Where EXIF is too long for JPEG with its maker note, only the note goes, with a warning")
  func longBlock() throws {
    var exif = EXIFWriter(order: .bigEndian)
    exif[.image, 0x0110] = exif.text("Odd")
    exif[.photo, 0x9003] = exif.text("2026:07:14 06:05:04")
    exif[.location, 1] = exif.text("N")
    // It ends beyond what a marker can hold.
    exif.setMakerNote([UInt8](repeating: 9, count: 40_000), offset: 25_600)
    let block = exif.block()
    let (markers, warnings) = JPEGMetadata.markers(for: PhotoMetadata(exif: block), iccProfile: nil)
    #expect(
      warnings == [
        "The EXIF data (\(block.count) bytes) do not fit a JPEG file with the maker note, which was left out"
      ])
    let kept = try EXIFBlock(try #require(JPEGMetadata.parse(markers).metadata.exif))
    #expect(kept.captureFacts.camera == "Odd" && kept.captureFacts.date?.second == 4)
    #expect(kept.photo?[0x927C] == nil)
    #expect(kept.bytes.count < 400)
  }

  @Test("XMP is kept")
  func xmp() throws {
    let packet = "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF/></x:xmpmeta>"
    let photo = try read(file { $0.xmp = packet })
    #expect(photo.metadata.xmp == Array(packet.utf8))
  }

  @Test("An edit's EXIF is upright, of its size, sRGB, and without another colour space's promise")
  func edited() throws {
    let photo = try read(file { $0.orientation = 6 })
    let edited = photo.metadata.edited(size: PixelSize(width: 24, height: 32), colorSpace: .sRGB)
    let block = try EXIFBlock(try #require(edited.exif))
    #expect(block.orientation == .up)
    #expect(!block.declaresAdobeRGB)
    let fields = [0xA001, 0xA002, 0xA003].map { (tag: UInt16) in
      block.photo?[tag].flatMap(block.structure.integers)
    }
    #expect(fields == [[1], [24], [32]])
  }

  @Test("The header says what reading says, without the sensor's data")
  func header() throws {
    let scratch = try Scratch()
    let bytes = file { $0.date = "2026:07:14 06:05:04" }.bytes
    let path = try scratch.write(bytes, to: "photo.dng")
    let photo = try Photo(contentsOf: path)
    let header = try PhotoHeader.read(path)
    #expect(header.size == photo.buffer.size)
    #expect(header.metadata == photo.metadata)
    #expect(header.tags == photo.buffer.tags)
    #expect(header.bitsPerSample == 16)
    #expect(header.formatName == "DNG" && photo.formatName == "DNG")
    #expect(header.fileFormat == nil)
  }

  @Test("Fields are written so that the block can be read and edited again", arguments: [false, true])
  func writer(isBig: Bool) throws {
    var exif = EXIFWriter(order: isBig ? .bigEndian : .littleEndian)
    exif[.image, 0x0110] = exif.text("Odd")
    exif[.photo, 0x829A] = exif.rationals([1.0 / 60])
    exif[.photo, 0x829D] = exif.rationals([2.8])
    exif[.photo, 0x9003] = exif.text("2026:07:14 06:05:04")
    exif[.location, 1] = exif.text("N")
    for offset in [nil, 20, 400] {
      var noted = exif
      noted.setMakerNote([1, 2, 3, 4, 5], offset: offset)
      let block = try EXIFBlock(noted.block())
      #expect(block.captureFacts.camera == "Odd")
      #expect(block.captureFacts.date?.second == 4)
      let time = try #require(block.photo?[0x829A])
      #expect(
        block.structure.rawValue(of: time).map(Array.init)
          == (isBig ? [0, 0, 0, 1, 0, 0, 0, 60] : [1, 0, 0, 0, 60, 0, 0, 0]))
      let note = try #require(block.photo?[0x927C])
      #expect(block.structure.rawValue(of: note).map(Array.init) == [1, 2, 3, 4, 5])
      if let offset { #expect(note.values.lowerBound == offset) }
    }
  }
}
