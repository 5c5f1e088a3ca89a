/// What is known of maker notes, whose forms are the makers' own.
enum MakerNote {
  /// How notes begin whose offsets count from their own beginning, so that they may move: those of Apple, Nikon, Olympus,
  /// Fujifilm, Pentax and Ricoh. Source: ExifTool, MakerNotes.pm.
  private static let movable = [
    "Apple iOS\0", "Nikon\0\u{2}", "OLYMPUS\0", "OM SYSTEM\0", "FUJIFILM", "PENTAX \0", "RICOH\0",
  ]

  /// Whether what is in the note stays true wherever it lies.
  static func isMovable(_ note: [UInt8]) -> Bool { movable.contains { note.starts(with: $0.utf8) } }

  static let fixedWarning =
    "The maker note was left out: it holds places in the file that it was made in, which is not this one"
}
