import FrameCore

/// Distinguishes camera raws from other files.
enum CameraRaw {
  /// File name extensions of camera raws that LibRaw reads, in lower case without a dot. `.raw` and `.tif`, used
  /// by a few cameras, are too ambiguous.
  static let pathExtensions: Set<String> = [
    "3fr", "arw", "bay", "cr2", "cr3", "crw", "dcr", "dng", "erf", "fff", "iiq", "k25", "kdc", "mef", "mos",
    "mrw",
    "nef", "nrw", "orf", "pef", "raf", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
  ]

  /// Returns the kind of a camera raw that its first bytes alone identify; nil for other files.
  ///
  /// Sources: ExifTool's list of file signatures; LibRaw's `identify`.
  static func kind(signature head: [UInt8]) -> String? {
    func starts(_ bytes: [UInt8], at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: bytes) }
    func starts(_ text: String, at offset: Int = 0) -> Bool { starts(Array(text.utf8), at: offset) }

    if starts([0x49, 0x49, 0x2A, 0]), starts("CR", at: 8) { return "CR2" }
    if starts("ftypcrx ", at: 4) { return "CR3" }
    if starts("FUJIFILMCCD-RAW") { return "RAF" }
    // A TIFF with a different magic number.
    if starts("IIRO") || starts("IIRS") || starts("MMOR") { return "ORF" }
    if starts([0x49, 0x49, 0x55, 0]) { return "RW2" }
    if starts("FOVb") { return "X3F" }
    if starts([0] + Array("MRM".utf8)) { return "MRW" }
    if starts("HEAPCCDR", at: 6) { return "CRW" }
    return nil
  }

  /// Returns the kind of a camera raw in a file that begins like a TIFF or with unknown bytes; nil if it is not
  /// one.
  ///
  /// A TIFF is a camera raw if it is a DNG, if one of its pictures is a sensor mosaic, if its first picture is only a
  /// preview, or if its name has a raw extension: a TIFF reader would deliver the preview.
  ///
  /// Sources: TIFF 6.0, tag 254 (NewSubfileType, bit 0: a reduced version of another picture); DNG 1.4, tag 50706
  /// (DNGVersion); TIFF/EP (ISO 12234-2), PhotometricInterpretation 32803.
  static func kind(of file: InputFile) -> String? {
    let named = pathExtension(of: file.path).flatMap { pathExtensions.contains($0) ? $0.uppercased() : nil }
    guard let tiff = TIFFFile(file) else { return named }
    guard let first = tiff.directory(at: tiff.firstDirectory) else { return named }
    if first[.dngVersion] != nil { return "DNG" }
    let isPreview = first[.newSubfileType].flatMap(tiff.integers)?.first.map { $0 & 1 == 1 } ?? false
    let isMosaic = tiff.pictures.contains {
      $0[.photometricInterpretation].flatMap(tiff.integers)?.first == 32_803
    }
    return named ?? (isPreview || isMosaic ? "camera raw" : nil)
  }

  /// Returns a file's name extension in lower case.
  static func pathExtension(of path: String) -> String? {
    guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: ".") else { return nil }
    return name[name.index(after: dot)...].lowercased()
  }
}
