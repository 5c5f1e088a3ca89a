/// What a DNG asks to be corrected: pixels and gains of its mosaic, and its lens.
struct RawCorrections {
  private(set) var badPixels: [BadPixels] = []
  private(set) var gainMaps: [GainMap] = []
  /// Nil if the file says nothing of the lens.
  private(set) var lens: EmbeddedLens?
  /// What is not corrected, by its names in the specification.
  private(set) var ignored: [String] = []

  /// Bytes of a list: a gain map of a camera has some thousand points.
  private static let largest = 1 << 24
  /// Corrections of one kind, each of which goes over the whole mosaic: cameras ask for four gain maps, one for each colour
  /// of the mosaic.
  private static let most = 16

  /// Takes the lists of the main picture: others are of previews, or of pictures that are not developed.
  ///
  /// - Parameter isBayer: whether the samples are a mosaic of two by two, as gain maps are made for.
  init(_ pictures: [TIFFFile.Directory], in tiff: TIFFFile?, isBayer: Bool) {
    guard let tiff else { return }
    // NewSubfileType 0 is the main picture.
    let main = pictures.first { picture in
      (picture[.newSubfileType].flatMap(tiff.integers)?.first ?? 0) == 0
        && TIFFFile.Tag.opcodeLists.contains { picture[$0] != nil }
    }
    guard let main else { return }
    let isTabled = main[.linearizationTable] != nil
    for tag in TIFFFile.Tag.opcodeLists {
      guard let entry = main[tag], entry.byteCount > 0 else { continue }
      guard let list = tiff.bytes(of: entry, limit: Self.largest).flatMap(OpcodeList.init) else {
        ignore("a damaged list")
        continue
      }
      for opcode in list.opcodes { take(opcode, from: tag, isBayer: isBayer, isTabled: isTabled) }
    }
  }

  private mutating func ignore(_ name: String) {
    if !ignored.contains(name) { ignored.append(name) }
  }

  private mutating func take(
    _ opcode: OpcodeList.Opcode, from tag: TIFFFile.Tag, isBayer: Bool, isTabled: Bool
  ) {
    // The second list is for the mosaic, the third for the picture.
    if tag == TIFFFile.Tag.opcodeLists[1], opcode.kind == .gainMap, isBayer, gainMaps.count < Self.most,
      let map = GainMap(opcode.parameters)
    {
      return gainMaps.append(map)
    }
    // The first list is for all that is stored. Behind it, or behind a table, a constant is no longer the stored one.
    let isStored = tag == TIFFFile.Tag.opcodeLists[0] && !isTabled
    if tag != TIFFFile.Tag.opcodeLists[2], isBayer, isStored || opcode.kind != .fixBadPixelsConstant,
      badPixels.count < Self.most,
      let bad = BadPixels(opcode, isOfExposed: tag == TIFFFile.Tag.opcodeLists[1])
    {
      return badPixels.append(bad)
    }
    var next = lens ?? EmbeddedLens()
    if tag == TIFFFile.Tag.opcodeLists[2], next.take(opcode) {
      lens = next
      return
    }
    ignore(opcode.name)
  }

  /// Has all that concerns the mosaic made when a photo is developed.
  ///
  /// - Returns: false if there is no memory for it.
  func install(in photo: OpaquePointer) -> Bool {
    badPixels.allSatisfy { $0.install(in: photo) } && gainMaps.allSatisfy { $0.install(in: photo) }
  }

  /// What users are to be told; nil if all is corrected.
  var warning: String? {
    guard !ignored.isEmpty else { return nil }
    return "The file asks for corrections (opcode lists), of which these are not made: "
      + ignored.joined(separator: ", ")
  }
}
