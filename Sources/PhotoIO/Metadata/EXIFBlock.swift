import FrameCore

/// The EXIF data of a photo: the few fields that an edit must read or correct.
///
/// Fields are patched in place and nothing is moved, since offsets within maker notes would break. Source of
/// the tags: EXIF 2.32, sections 4.6 and 4.5.4; TIFF 6.0, section 8.
struct EXIFBlock {
  var structure: TIFFStructure
  let image: TIFFDirectory
  /// The Exif directory, which holds the camera's data about the exposure.
  let photo: TIFFDirectory?
  private let interoperability: TIFFDirectory?
  private let thumbnail: TIFFDirectory?

  var bytes: [UInt8] { structure.bytes }

  private enum Tag {
    static let imageWidth: UInt16 = 0x0100
    static let imageLength: UInt16 = 0x0101
    static let stripOffsets: UInt16 = 0x0111
    static let orientation: UInt16 = 0x0112
    static let software: UInt16 = 0x0131
    static let copyright: UInt16 = 0x8298
    static let rating: UInt16 = 0x4746
    static let gpsDirectory: UInt16 = 0x8825
    static let stripByteCounts: UInt16 = 0x0117
    static let jpegOffset: UInt16 = 0x0201
    static let jpegLength: UInt16 = 0x0202
    static let exifDirectory: UInt16 = 0x8769
    static let makerNote: UInt16 = 0x927C
    static let colorSpace: UInt16 = 0xA001
    static let pixelXDimension: UInt16 = 0xA002
    static let pixelYDimension: UInt16 = 0xA003
    static let interoperabilityDirectory: UInt16 = 0xA005
    static let interoperabilityIndex: UInt16 = 0x0001
  }

  /// - Parameter bytes: the block, starting at its byte order mark.
  /// - Throws: `MetadataDamage` if the directories cannot be followed.
  init(_ bytes: [UInt8]) throws {
    structure = try TIFFStructure(bytes)
    let structure = structure
    image = try structure.directory(at: structure.firstDirectory)

    func child(_ tag: UInt16, of parent: TIFFDirectory?) throws -> TIFFDirectory? {
      guard let entry = parent?[tag], let offset = structure.integers(of: entry)?.first else { return nil }
      return try structure.directory(at: offset)
    }
    photo = try child(Tag.exifDirectory, of: image)
    // Many programs carelessly drop or move the interoperability directory; nothing depends on it.
    interoperability = try? child(Tag.interoperabilityDirectory, of: photo)
    // A dangling thumbnail directory is unlinked like a valid one.
    thumbnail = image.next == 0 ? nil : try? structure.directory(at: image.next)
  }

  /// The rotation of the stored picture for display; nil if the field is missing or not 1…8.
  var orientation: Orientation? {
    guard let entry = image[Tag.orientation], let value = structure.integers(of: entry)?.first else {
      return nil
    }
    return UInt8(exactly: value).flatMap(Orientation.init(rawValue:))
  }

  /// Whether the file follows DCF's option for Adobe RGB: an uncalibrated colour space with the
  /// interoperability index R03 (DCF 2.0, section 3.3; EXIF 2.32, section 4.6.6).
  var declaresAdobeRGB: Bool {
    guard let photo, let entry = photo[Tag.colorSpace], structure.integers(of: entry)?.first == 0xFFFF,
      let index = interoperability?[Tag.interoperabilityIndex]
    else { return false }
    return structure.rawValue(of: index)?.starts(with: [0x52, 0x30, 0x33]) ?? false
  }

  /// Stars, 0…5, as Windows and some cameras write them; nil if the field is missing or is something else.
  var rating: Int? {
    image[Tag.rating].flatMap(structure.integers)?.first.flatMap { (0...5).contains($0) ? $0 : nil }
  }

  /// The JPEG of the thumbnail; nil if there is none, or if it is not compressed.
  var thumbnailJPEG: ArraySlice<UInt8>? {
    guard let thumbnail, let offset = thumbnail[Tag.jpegOffset].flatMap(structure.integers)?.first,
      let length = thumbnail[Tag.jpegLength].flatMap(structure.integers)?.first, length > 4, offset >= 0,
      offset <= bytes.count - length
    else { return nil }
    let picture = bytes[offset..<offset + length]
    return picture.starts(with: [0xFF, 0xD8]) ? picture : nil
  }

  /// The program that declares to have made the file; nil if none does.
  var software: String? { text(of: image[Tag.software]).map { String(decoding: $0, as: UTF8.self) } }

  /// Returns the bytes of an ASCII field, trimmed; nil if nothing is left.
  func text(of entry: TIFFDirectory.Entry?) -> ArraySlice<UInt8>? {
    guard let entry, entry.type == 2, let bytes = structure.rawValue(of: entry) else { return nil }
    let written = bytes.prefix { $0 != 0 }
    guard let first = written.firstIndex(where: { $0 > 0x20 }),
      let last = written.lastIndex(where: { $0 > 0x20 })
    else { return nil }
    return written[first...last]
  }

  /// Corrects the fields that an edit changes: orientation 1, the new size and colour space, and no
  /// thumbnail.
  ///
  /// - Throws: `MetadataDamage` if directories overlap, so that correcting one field would destroy another.
  mutating func adapt(to size: PixelSize, colorSpace: PhotoMetadata.EditedColorSpace) throws {
    try removeThumbnail()
    try eraseNotedPictures()
    eraseStrayPictures()
    for entry in image.entries {
      switch entry.tag {
      case Tag.orientation: structure.setInteger(1, of: entry)
      case Tag.imageWidth: structure.setInteger(size.width, of: entry)
      case Tag.imageLength: structure.setInteger(size.height, of: entry)
      default: break
      }
    }
    for entry in photo?.entries ?? [] {
      switch entry.tag {
      case Tag.pixelXDimension: structure.setInteger(size.width, of: entry)
      case Tag.pixelYDimension: structure.setInteger(size.height, of: entry)
      case Tag.colorSpace: structure.setInteger(colorSpace == .sRGB ? 1 : 0xFFFF, of: entry)
      default: break
      }
    }
    // With anything but "R03", only the colour space field and the ICC profile determine the meaning.
    if let index = interoperability?[Tag.interoperabilityIndex], index.values.count == 4 {
      structure.replace(
        at: index.values.lowerBound, with: colorSpace == .adobeRGB ? "R03\0".utf8 : "R98\0".utf8)
    }
    let result = try EXIFBlock(bytes)
    guard result.orientation ?? .up == .up, result.image.next == 0 else {
      throw MetadataDamage("its directories overlap")
    }
  }

  /// Sets the program that made the picture, and the copyright.
  ///
  /// - Parameter copyright: nil keeps the existing one.
  mutating func setOrigin(software: String, copyright: String?) throws {
    var texts = [Tag.software: software]
    texts[Tag.copyright] = copyright
    try structure.rewriteFirstDirectory(setting: texts, removing: [])
    self = try EXIFBlock(structure.bytes)
  }

  /// Unlinks the GPS directory and erases it with all its values.
  ///
  /// - Throws: `MetadataDamage` if some of it cannot be found and might remain in the block.
  mutating func removeLocation() throws {
    let links = image.fields.count { $0.tag == Tag.gpsDirectory }
    guard links > 0 else { return }
    guard links == 1, let entry = image[Tag.gpsDirectory], let offset = structure.integers(of: entry)?.first
    else { throw MetadataDamage("it does not say where the GPS data are") }
    let location = try structure.directory(at: offset)
    guard location.entries.count == location.fields.count else {
      throw MetadataDamage("a field of the GPS data is of an unknown type")
    }
    let kept = [0..<8, image.range] + [photo, interoperability, thumbnail].compactMap { $0?.range }
    for range in [location.range] + location.entries.map(\.values) {
      guard range.upperBound <= bytes.count else { throw MetadataDamage("the GPS data lie outside") }
      guard !kept.contains(where: range.overlaps) else {
        throw MetadataDamage("the GPS data overlap a directory")
      }
      structure.zero(range)
    }
    try structure.rewriteFirstDirectory(setting: [:], removing: [Tag.gpsDirectory])
    self = try EXIFBlock(structure.bytes)
  }

  /// The ranges of the header and of the directories that an edited block needs.
  var directories: [Range<Int>] {
    [0..<8, image.range] + [photo, interoperability].compactMap { $0?.range }
  }

  /// The range of the thumbnail's directory; empty if there is none.
  var thumbnailDirectory: [Range<Int>] { thumbnail.map { [$0.range] } ?? [] }

  /// Erases JPEG pictures in the maker note, which are previews of the photo before the edit.
  private mutating func eraseNotedPictures() throws {
    guard let entry = photo?[Tag.makerNote], let note = structure.rawValue(of: entry) else { return }
    let kept = directories + thumbnailDirectory
    for picture in EmbeddedJPEG.ranges(in: note) {
      guard !kept.contains(where: picture.overlaps) else {
        throw MetadataDamage("a picture in the maker note overlaps a directory")
      }
      structure.zero(picture)
    }
  }

  /// Erases JPEG pictures outside all directories and their values: the maker notes of Minolta, Pentax and
  /// some of Samsung refer to a preview elsewhere in the block.
  private mutating func eraseStrayPictures() {
    let location = image[Tag.gpsDirectory].flatMap { entry in
      structure.integers(of: entry)?.first.flatMap { try? structure.directory(at: $0) }
    }
    let end = bytes.count
    var taken: [Range<Int>] = [0..<8, end..<end]
    for directory in [image, photo, interoperability, thumbnail, location].compactMap({ $0 }) {
      taken.append(directory.range)
      taken += directory.entries.map(\.values)
    }
    // Ignore values that lie outside the block.
    taken = taken.filter { $0.upperBound <= end }.sorted { $0.lowerBound < $1.lowerBound }
    var position = 0
    for range in taken {
      if position < range.lowerBound {
        for picture in EmbeddedJPEG.ranges(in: bytes[position..<range.lowerBound], startsWhole: false) {
          structure.zero(picture)
        }
      }
      position = max(position, range.upperBound)
    }
  }

  /// Unlinks the thumbnail's directory and erases its picture, which shows the photo before the edit.
  private mutating func removeThumbnail() throws {
    guard image.next != 0, let nextField = image.nextField else { return }
    if let thumbnail {
      var pictures: [Range<Int>] = []
      for (offsetTag, lengthTag) in [
        (Tag.jpegOffset, Tag.jpegLength), (Tag.stripOffsets, Tag.stripByteCounts),
      ] {
        let offsets = thumbnail[offsetTag].flatMap(structure.integers) ?? []
        let lengths = thumbnail[lengthTag].flatMap(structure.integers) ?? []
        pictures += zip(offsets, lengths).map { $0..<$0 + $1 }
      }
      for picture in pictures {
        guard !directories.contains(where: picture.overlaps) else {
          throw MetadataDamage("the thumbnail overlaps a directory")
        }
        structure.zero(picture)
      }
    }
    structure.store(0, byteCount: 4, at: nextField)
  }
}
