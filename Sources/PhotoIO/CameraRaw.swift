import FrameCore

/// Recognises camera raw files in TIFF's clothes, of which a TIFF reader would deliver the thumbnail.
enum CameraRaw {
  /// - Throws: `SafelightError(.unsupported)` where the file's first picture is a preview or a digital negative.
  ///
  /// Sources: TIFF 6.0, section 2, and tag 254 (NewSubfileType, bit 0: a reduced version of another picture);
  /// DNG 1.7, tag 50706 (DNGVersion).
  static func refuse(_ file: InputFile) throws {
    let header = try file.bytes(8, at: 0)
    guard header.count == 8, header[2] == 42 || header[3] == 42 else { return }
    let isLittleEndian = header[0] == 0x49
    func number(_ bytes: ArraySlice<UInt8>) -> Int {
      (isLittleEndian ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
    }
    let offset = number(header[4..<8])
    let countBytes = try file.bytes(2, at: offset)
    guard countBytes.count == 2 else { return }
    let entries = try file.bytes(12 * number(countBytes[...]), at: offset + 2)
    for start in stride(from: 0, through: entries.count - 12, by: 12) {
      let tag = number(entries[start..<start + 2])
      let isPreview = tag == 254 && number(entries[start + 8..<start + 12]) & 1 == 1
      if tag == 50_706 || isPreview {
        throw SafelightError(
          .unsupported, "Cannot read \(file.path): it looks like a camera raw file",
          remedy: "develop it to a TIFF or JPEG first")
      }
    }
  }
}
