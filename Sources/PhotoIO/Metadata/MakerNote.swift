/// Knowledge about maker notes, whose formats are proprietary.
enum MakerNote {
  /// Signatures of notes whose offsets count from their own start, so that they may be moved: those of Apple,
  /// Nikon, Olympus, Fujifilm, Pentax and Ricoh. Source: ExifTool, MakerNotes.pm.
  private static let movable = [
    "Apple iOS\0", "Nikon\0\u{2}", "OLYMPUS\0", "OM SYSTEM\0", "FUJIFILM", "PENTAX \0", "RICOH\0",
  ]

  /// Whether the note remains valid when it is moved.
  static func isMovable(_ note: [UInt8]) -> Bool { movable.contains { note.starts(with: $0.utf8) } }

  static let fixedWarning =
    "The maker note was left out: it holds offsets into the file that it was made for, which is not this one"
}
