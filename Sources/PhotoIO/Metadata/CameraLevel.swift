import Libc

extension PhotoMetadata {
  /// The rotation, according to the camera's own level, that levels the picture as displayed: clockwise, in
  /// degrees from −45 to 45. Nil if the file does not say, if the camera pointed within 20° of straight up or down
  /// or was being moved, or if its sign convention is unknown.
  ///
  /// Read from Apple's and Panasonic's maker notes, and from the XMP properties of DJI's cameras and of panoramas
  /// (`GPano`). The picture is assumed to be displayed the right way up, to the nearest quarter turn.
  /// Straightening by another program cannot be detected in these data; `edited` erases them when necessary.
  public var gravityRoll: Double? {
    let block = exif.flatMap { try? EXIFBlock($0) }
    guard let roll = block?.cameraRoll ?? xmp.flatMap({ XMPPacket($0).cameraRoll }) else { return nil }
    // Quarter turns do not matter here, but mirroring reverses the direction.
    let isMirrored = block?.orientation?.isMirrored ?? false
    let angle = (isMirrored ? -roll : roll).remainder(dividingBy: 90)
    return angle.isFinite ? angle : nil
  }
}

/// Camera tilt data.
private enum CameraLevel {
  /// Within this angle of straight up or down, in degrees, roll is not meaningful.
  static let steepest = 20.0

  /// Returns the roll of a camera tilted up by `pitch`, both in degrees; nil if it is too steep.
  static func roll(_ roll: Double, pitch: Double) -> Double? {
    abs(pitch) <= 90 - steepest ? roll : nil
  }
}

// Each gives the clockwise rotation, in degrees, that levels the stored picture, up to quarter turns.

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
    /// The offset of its directory in the block.
    case panasonic(Int)
  }

  /// The maker note, with its start, if it is of a kind that records the level.
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

  /// Overwrites the level in the maker note with zeros, as written by cameras without a level.
  ///
  /// - Throws: `MetadataDamage` if a directory overlaps it.
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

  /// The note has a signature of 10 bytes, a version of 2, a byte order mark, and a directory whose offsets count
  /// from the signature. `AccelerationVector` is in g: with the screen facing the viewer, a phone at rest gives
  /// (0, −1, 0) upright, (0, 0, −1) lying on its back, and (1, 0, 0) standing on its right side. In the picture
  /// stored by the back camera, the right side is towards the bottom of the phone and the lower side towards the
  /// left.
  ///
  /// The front camera sees the rotation reversed, and may store a mirrored picture without recording it.
  ///
  /// Source: ExifTool's tag names, Apple tags (0x0008), whose axes are reversed, as they describe the acceleration
  /// exerted by the ground.
  private func appleRoll(_ note: [UInt8]) -> Double? {
    guard let lens = photo?[Tag.lensModel].flatMap(structure.rawValue),
      String(decoding: lens, as: UTF8.self).contains("back"),
      let (structure, entry) = appleAcceleration(note), entry.count == 3,
      let vector = structure.signedRationals(of: entry)
    else { return nil }
    let level = hypot(vector[0], vector[1])
    let length = hypot(level, vector[2])
    // Any length other than 1 g includes more than gravity.
    guard (0.85...1.15).contains(length) else { return nil }
    let pitch = acos(min(level / length, 1)) * 180 / .pi
    return CameraLevel.roll(atan2(-vector[1], -vector[0]) * 180 / .pi, pitch: pitch)
  }

  private func appleAcceleration(_ note: [UInt8]) -> (TIFFStructure, TIFFDirectory.Entry)? {
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

  /// The note has a signature of 12 bytes and a directory in the block's byte order. `RollAngle` is the camera's
  /// clockwise roll and `PitchAngle` its downward tilt, both signed, in tenths of a degree. Cameras without a
  /// level write zeros, including for the accelerometer.
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

  /// DJI: the gimbal's angles relative to the horizon, in degrees; positive roll is clockwise as seen by the
  /// camera, negative pitch downwards.
  ///
  /// GPano: increasing `PoseRollDegrees` rotates the horizon counterclockwise in the picture. Only pictures that
  /// cover at most a third of a full turn can be levelled by rotation. Source: Google, Photo Sphere XMP Metadata.
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
