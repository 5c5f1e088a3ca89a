import Libc

extension PhotoMetadata {
  /// What the camera's own level says: the clockwise turn, in degrees from −45 to 45, that levels the picture as it is
  /// displayed. Nil where the file does not say, and where the camera pointed within 20° of straight up or down, was
  /// being moved, or is one whose sense of direction is not known.
  ///
  /// Read from Apple's and Panasonic's maker notes, and from the XMP properties of DJI's cameras and of panoramas
  /// (`GPano`). The picture is taken to be displayed the right way up, to the nearest quarter turn. That another
  /// program straightened it cannot be seen in these data; `edited` erases them where it must.
  public var gravityRoll: Double? {
    let block = exif.flatMap { try? EXIFBlock($0) }
    guard let roll = block?.cameraRoll ?? xmp.flatMap({ XMPPacket($0).cameraRoll }) else { return nil }
    // Quarter turns do not matter here, but a mirror turns left to right.
    let isMirrored = block?.orientation?.isMirrored ?? false
    let angle = (isMirrored ? -roll : roll).remainder(dividingBy: 90)
    return angle.isFinite ? angle : nil
  }
}

/// What cameras say of their tilt.
private enum CameraLevel {
  /// Within this angle of straight up or down there is no roll to speak of, degrees.
  static let steepest = 20.0

  /// The roll of a camera that looks up by `pitch`, both in degrees; nil where it looks too steeply.
  static func roll(_ roll: Double, pitch: Double) -> Double? {
    abs(pitch) <= 90 - steepest ? roll : nil
  }
}

// Each tells the clockwise turn that levels the stored picture or one that is turned from it by quarters, in degrees.

extension EXIFBlock {
  private enum Tag {
    static let makerNote: UInt16 = 0x927C
    static let lensModel: UInt16 = 0xA434
    static let appleAcceleration: UInt16 = 0x0008
    static let panasonicAcceleration: ClosedRange<UInt16> = 0x008C...0x008E
    static let panasonicLevel: Set<UInt16> = [0x008C, 0x008D, 0x008E, 0x0090, 0x0091]
    static let panasonicRoll: UInt16 = 0x0090
    static let panasonicPitch: UInt16 = 0x0091
  }

  private enum MakerNote {
    case apple([UInt8])
    /// Where its directory is in the block.
    case panasonic(Int)
  }

  /// The maker note where it is one that tells the level, and where it begins.
  private var levelNote: (note: MakerNote, start: Int)? {
    guard let entry = photo?[Tag.makerNote], let note = structure.rawValue(of: entry) else { return nil }
    let start = entry.values.lowerBound
    if note.starts(with: "Apple iOS\0".utf8) { return (.apple(Array(note)), start) }
    if note.starts(with: "Panasonic\0\0\0".utf8) { return (.panasonic(start + 12), start) }
    return nil
  }

  fileprivate var cameraRoll: Double? {
    switch levelNote?.note {
    case .apple(let note): appleRoll(note)
    case .panasonic(let directory): panasonicRoll(at: directory)
    case nil: nil
    }
  }

  /// Makes the maker note say what cameras without a level say: zeros, where the values were.
  ///
  /// - Throws: `MetadataDamage` where a directory lies there.
  mutating func eraseLevel() throws {
    guard let (note, start) = levelNote else { return }
    switch note {
    case .apple(let note):
      guard let (_, entry) = appleAcceleration(note), entry.values.upperBound <= note.count else { return }
      try eraseLevel(at: start + entry.values.lowerBound..<start + entry.values.upperBound)
    case .panasonic(let offset):
      guard let directory = try? structure.directory(at: offset) else { return }
      for entry in directory.entries where Tag.panasonicLevel.contains(entry.tag) && entry.values.count == 2 {
        try eraseLevel(at: entry.values)
      }
    }
  }

  private mutating func eraseLevel(at range: Range<Int>) throws {
    guard !(directories + thumbnailDirectory).contains(where: range.overlaps) else {
      throw MetadataDamage("the camera's level overlaps a directory")
    }
    structure.zero(range)
  }

  /// A signature of 10 bytes, a version of 2, a byte order mark, and a directory whose offsets count from the
  /// signature on. `AccelerationVector` is in g; with the screen towards the viewer and the top up, a phone at rest
  /// says (0, −1, 0), lying on its back (0, 0, −1), and standing on its right side (1, 0, 0). The back camera's stored
  /// picture has its right side towards the bottom of the phone and its lower side towards the left.
  ///
  /// The front camera sees the same turn the other way round, and may store it mirrored without a word.
  ///
  /// Source: ExifTool's tag names, Apple tags (0x0008), whose axes are the opposite ones because it speaks of the
  /// acceleration that the ground exerts.
  private func appleRoll(_ note: [UInt8]) -> Double? {
    guard let lens = photo?[Tag.lensModel].flatMap(structure.rawValue),
      String(decoding: lens, as: UTF8.self).contains("back"),
      let (structure, entry) = appleAcceleration(note), entry.count == 3,
      let vector = structure.signedRationals(of: entry)
    else { return nil }
    let level = hypot(vector[0], vector[1])
    let length = hypot(level, vector[2])
    // Anything but 1 g is more than gravity.
    guard (0.85...1.15).contains(length) else { return nil }
    let pitch = acos(min(level / length, 1)) * 180 / .pi
    return CameraLevel.roll(atan2(-vector[1], -vector[0]) * 180 / .pi, pitch: pitch)
  }

  private func appleAcceleration(_ note: [UInt8]) -> (TIFFStructure, TIFFStructure.Entry)? {
    guard note.count > 14 else { return nil }
    let order: ByteOrder
    switch (note[12], note[13]) {
    case (0x4D, 0x4D): order = .bigEndian
    case (0x49, 0x49): order = .littleEndian
    default: return nil
    }
    let structure = TIFFStructure(note, order: order)
    return (try? structure.directory(at: 14)[Tag.appleAcceleration]).map { (structure, $0) }
  }

  /// A signature of 12 bytes and a directory in the block's byte order. `RollAngle` is the camera's clockwise turn and
  /// `PitchAngle` its downward tilt, both signed and in tenths of a degree. Cameras without a level write zeros, for
  /// the accelerometer too.
  ///
  /// Source: ExifTool's tag names, Panasonic tags (0x008C…0x0091).
  private func panasonicRoll(at offset: Int) -> Double? {
    guard let directory = try? structure.directory(at: offset) else { return nil }
    func tenths(_ tag: UInt16) -> Double? {
      guard let entry = directory[tag], entry.type == 3 || entry.type == 8, entry.count == 1,
        let bytes = structure.rawValue(of: entry), let first = bytes.first, let last = bytes.last
      else { return nil }
      let (high, low) = structure.order == .bigEndian ? (first, last) : (last, first)
      return Double(Int16(truncatingIfNeeded: Int(high) << 8 | Int(low)))
    }
    guard let roll = tenths(Tag.panasonicRoll), let pitch = tenths(Tag.panasonicPitch),
      Tag.panasonicAcceleration.contains(where: { (tenths($0) ?? 0) != 0 })
    else { return nil }
    return CameraLevel.roll(roll / 10, pitch: pitch / 10)
  }
}

extension XMPPacket {
  private static let gimbalRoll = "drone-dji:GimbalRollDegree"
  private static let poseRoll = "GPano:PoseRollDegrees"

  mutating func eraseLevel() {
    clear(Self.gimbalRoll)
    clear(Self.poseRoll)
  }

  /// DJI: the gimbal's angles relative to the horizon, degrees, positive roll being clockwise as the camera looks and
  /// negative pitch downwards.
  ///
  /// GPano: as `PoseRollDegrees` rises, the horizon turns counter-clockwise in the picture. Only pictures that show at
  /// most a third of the way round are levelled by a turn. Source: Google, Photo Sphere XMP Metadata.
  fileprivate var cameraRoll: Double? {
    if let roll = number(Self.gimbalRoll) {
      return number("drone-dji:GimbalPitchDegree").flatMap { CameraLevel.roll(roll, pitch: $0) }
    }
    guard let roll = number(Self.poseRoll),
      let part = number("GPano:CroppedAreaImageWidthPixels"), let whole = number("GPano:FullPanoWidthPixels"),
      part > 0, 3 * part <= whole
    else { return nil }
    return CameraLevel.roll(roll, pitch: number("GPano:PosePitchDegrees") ?? 0)
  }
}
