import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("What a camera's level says")
struct CameraLevelTests {
  private func roll(_ fixture: MakerNoteFixture) -> Double? {
    PhotoMetadata(exif: fixture.bytes).gravityRoll
  }
  private func apple(_ vector: [Double], _ orientation: Int = 1) -> MakerNoteFixture {
    MakerNoteFixture(orientation: orientation, note: MakerNoteFixture.apple(vector))
  }
  private func expect(_ found: Double?, _ expected: Double, sourceLocation: SourceLocation = #_sourceLocation)
  {
    guard let found else {
      Issue.record("nil, not \(expected)", sourceLocation: sourceLocation)
      return
    }
    #expect(abs(found - expected) < 0.02, sourceLocation: sourceLocation)
  }

  // MARK: Apple

  // Gravity in the phone's axes: x to the right and y to the top of the screen. A phone that is turned clockwise by
  // 10°, as its user sees it, has gravity 10° counter-clockwise of where it was, and its picture shows the world turned
  // counter-clockwise: a clockwise turn of 10° levels it.
  @Test(
    "A phone's acceleration tells how its pictures are levelled",
    arguments: [
      // Upright, and lying on either long side or on its head, as iOS gives the orientations.
      ([0.0, -1, 0], 6, 0.0), ([-1, 0, 0], 1, 0), ([1, 0, 0], 3, 0), ([0, 1, 0], 8, 0),
      // Upright and turned clockwise by 10°; counter-clockwise; looking down by 40° as well.
      ([0.1736, -0.9848, 0], 6, 10), ([-0.1736, -0.9848, 0], 6, -10), ([0.133, -0.7544, -0.6428], 6, 10),
      // On its left side, the top to the left, turned clockwise by 5°: the top rises.
      ([-0.9962, -0.0872, 0], 1, 5),
      // An iPhone 6 with a photo of a post (the signs were checked by that post).
      ([-0.7891, -0.0539, 0.6028], 1, 3.91),
    ])
  func appleVectors(vector: [Double], orientation: Int, expected: Double) {
    expect(roll(apple(vector, orientation)), expected)
  }

  @Test("A mirrored picture is levelled by the opposite turn", arguments: [2, 4, 5, 7])
  func mirrored(orientation: Int) { expect(roll(apple([0.1736, -0.9848, 0], orientation)), -10) }

  @Test("Both byte orders of the block are read")
  func byteOrders() {
    for order in [ByteOrder.littleEndian, .bigEndian] {
      var fixture = apple([0.1736, -0.9848, 0])
      fixture.order = order
      expect(roll(fixture), 10)
    }
  }

  @Test(
    "A phone that looks almost straight up or down, or moves, has no level",
    arguments: [[0.0, -0.3, -0.95], [0.1, 0.1, 0.99], [0, -1.3, 0], [0, -0.5, 0], [0, 0, 0]])
  func unusable(vector: [Double]) { #expect(roll(apple(vector)) == nil) }

  @Test("Nothing is told of front cameras, unknown lenses and incomplete vectors")
  func unknown() {
    for lens in ["iPhone 11 front camera 2.71mm f/2.2", ""] {
      var fixture = apple([0, -1, 0])
      fixture.lens = lens
      #expect(roll(fixture) == nil)
    }
    #expect(roll(apple([0, -1])) == nil)
    #expect(roll(MakerNoteFixture(note: MakerNoteFixture.apple([0, -1, 0], denominator: 0))) == nil)
    #expect(roll(MakerNoteFixture(note: Array("Apple iOS\0".utf8))) == nil)
    #expect(roll(MakerNoteFixture(note: Array("SomethingElse".utf8))) == nil)
    #expect(PhotoMetadata().gravityRoll == nil)
    #expect(PhotoMetadata(exif: [1, 2, 3]).gravityRoll == nil)
  }

  // MARK: Panasonic

  @Test("Panasonic's roll is in tenths of a degree, clockwise", arguments: [25, -31, 875, -905, 0])
  func panasonic(tenths: Int) {
    for order in [ByteOrder.littleEndian, .bigEndian] {
      let note = MakerNoteFixture.panasonic(roll: tenths, pitch: -120, acceleration: [-250, 3, 12], order)
      let expected = (Double(tenths) / 10).remainder(dividingBy: 90)
      expect(roll(MakerNoteFixture(order: order, note: note)), expected)
    }
  }

  @Test("Panasonic cameras without a level, or that look straight down, tell nothing")
  func panasonicUnknown() {
    for (pitch, acceleration) in [(0, nil), (0, [0, 0, 0]), (850, [-20, 3, 250])] {
      let note = MakerNoteFixture.panasonic(
        roll: 0, pitch: pitch, acceleration: acceleration, .littleEndian)
      #expect(roll(MakerNoteFixture(order: .littleEndian, note: note)) == nil)
    }
  }

  // MARK: XMP

  @Test(
    "DJI's gimbal and Google's pose are read in both forms",
    arguments: [
      (#"<x drone-dji:GimbalRollDegree="+1.50" drone-dji:GimbalPitchDegree="-12.30"/>"#, 1.5),
      (#"<x drone-dji:GimbalRollDegree="-180.00" drone-dji:GimbalPitchDegree="-30"/>"#, 0),
      (
        "<drone-dji:GimbalRollDegree> -2.5 </drone-dji:GimbalRollDegree>"
          + "<drone-dji:GimbalPitchDegree>0</drone-dji:GimbalPitchDegree>", -2.5
      ),
      (
        #"<x GPano:PoseRollDegrees="-3.25" GPano:CroppedAreaImageWidthPixels="2000""#
          + #" GPano:FullPanoWidthPixels="8000"/>"#, -3.25
      ),
    ])
  func xmp(text: String, expected: Double) {
    expect(PhotoMetadata(xmp: Array(text.utf8)).gravityRoll, expected)
  }

  @Test(
    "XMP that does not say enough tells nothing",
    arguments: [
      #"<x drone-dji:GimbalRollDegree="1"/>"#,
      #"<x drone-dji:GimbalRollDegree="1" drone-dji:GimbalPitchDegree="-89.9"/>"#,
      #"<x drone-dji:GimbalRollDegree="nan" drone-dji:GimbalPitchDegree="0"/>"#,
      #"<x drone-dji:GimbalRollDegree="one" drone-dji:GimbalPitchDegree="0"/>"#,
      #"<x drone-dji:GimbalRollDegree=""#, "<drone-dji:GimbalRollDegree>1", "drone-dji:GimbalRollDegree",
      #"<x GPano:PoseRollDegrees="4"/>"#,
      #"<x GPano:PoseRollDegrees="4" GPano:CroppedAreaImageWidthPixels="8000" GPano:FullPanoWidthPixels="8000"/>"#,
    ])
  func xmpUnknown(text: String) { #expect(PhotoMetadata(xmp: Array(text.utf8)).gravityRoll == nil) }

  // MARK: Edits

  @Test("An edit that turns the picture erases the level, another keeps it; nothing else changes")
  func edits() throws {
    let panasonic = MakerNoteFixture(
      order: .littleEndian,
      note: MakerNoteFixture.panasonic(roll: 25, pitch: 10, acceleration: [1, 2, 3], .littleEndian))
    let dji = #"<x drone-dji:GimbalRollDegree="+1.50" drone-dji:GimbalPitchDegree="-12.30" a="+1.50"/>"#
    for metadata in [
      PhotoMetadata(exif: apple([0.1736, -0.9848, 0], 6).bytes), PhotoMetadata(exif: panasonic.bytes),
      PhotoMetadata(xmp: Array(dji.utf8)),
    ] {
      let size = PixelSize(width: 10, height: 20)
      let roll = try #require(metadata.gravityRoll)
      let kept = metadata.edited(size: size, colorSpace: .sRGB)
      #expect(kept.gravityRoll == roll)
      let turned = metadata.edited(size: size, colorSpace: .sRGB, keepsLevel: false)
      #expect(turned.gravityRoll == nil)
      if let exif = kept.exif, let erased = turned.exif {
        #expect(erased.count == exif.count)
        // Three rationals, or five numbers of 16 bits, none of whose bytes but the zeros are left.
        let changed = zip(exif, erased).filter { $0 != $1 }
        #expect(!changed.isEmpty && changed.count <= 24 && changed.allSatisfy { $1 == 0 })
      }
    }
    let turned = PhotoMetadata(xmp: Array(dji.utf8)).edited(
      size: PixelSize(width: 1, height: 1), colorSpace: .sRGB, keepsLevel: false)
    #expect(
      turned.xmp.map { String(decoding: $0, as: UTF8.self) }
        == #"<x drone-dji:GimbalRollDegree="" drone-dji:GimbalPitchDegree="-12.30" a="+1.50"/>"#)
  }

  // MARK: Damage

  @Test("A level that overlaps a directory makes the block unusable, with a warning as it is read")
  func overlaps() {
    let reason = "the camera's level overlaps a directory"
    func check(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
      var metadata = PhotoMetadata(exif: bytes)
      let turned = metadata.edited(
        size: PixelSize(width: 9, height: 9), colorSpace: .sRGB, keepsLevel: false)
      #expect(turned.exif == nil, sourceLocation: sourceLocation)
      #expect(
        metadata.examineEXIF().warning == "The EXIF data are damaged and were left out: \(reason)",
        sourceLocation: sourceLocation)
      #expect(metadata.exif == nil, sourceLocation: sourceLocation)
    }
    // The first directory, of 30 bytes, is moved to the end of a note that is the block's last part.
    func number(_ value: Int, _ order: ByteOrder) -> [UInt8] { order.encoded(value, 4) }
    let fixture = apple([0.1736, -0.9848, 0])
    var phone = fixture.bytes
    let start = phone.count - fixture.note.count
    phone.replaceSubrange(4..<8, with: number(phone.count, .bigEndian))
    phone.replaceSubrange(44..<48, with: number(fixture.note.count + 30, .bigEndian))
    phone.replaceSubrange(start + 36..<start + 40, with: number(fixture.note.count, .bigEndian))
    phone += phone[8..<38]
    check(phone)

    // Here the directory begins where the value of one more entry, a roll, ought to be.
    var panasonic = MakerNoteFixture(
      order: .littleEndian,
      note: MakerNoteFixture.panasonic(roll: 25, pitch: 10, acceleration: [1, 2, 3], .littleEndian)
    ).bytes
    panasonic[panasonic.count - 4 - 5 * 12 - 2] = 6
    panasonic.removeLast(4)
    panasonic += [0x90, 0, 3, 0, 1, 0, 0, 0]
    panasonic.replaceSubrange(4..<8, with: number(panasonic.count, .littleEndian))
    panasonic += panasonic[8..<38]
    check(panasonic)
  }

  @Test("Damaged maker notes give an angle or none, and never a crash")
  func mutations() {
    var random = SeededRandom(seed: 41)
    let fixtures = [
      apple([0.1736, -0.9848, 0], 6),
      MakerNoteFixture(
        order: .littleEndian,
        note: MakerNoteFixture.panasonic(roll: 25, pitch: 10, acceleration: [1, 2, 3], .littleEndian)),
    ]
    for fixture in fixtures {
      let whole = fixture.bytes
      for _ in 0..<3000 {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let odd: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = odd.randomElement(using: &random) ?? 0
        }
        if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
        let metadata = PhotoMetadata(exif: bytes)
        if let roll = metadata.gravityRoll { #expect(abs(roll) <= 45) }
        let turned = metadata.edited(
          size: PixelSize(width: 9, height: 9), colorSpace: .sRGB, keepsLevel: false)
        #expect(turned.gravityRoll == nil)
        // What an edit would leave out is left out with a warning when the photo is read.
        var examined = metadata
        if turned.exif == nil { #expect(examined.examineEXIF().warning != nil) }
      }
    }
    // Notes of random bytes after each signature.
    for signature in ["Apple iOS\0\0\u{1}MM", "Panasonic\0\0\0"] {
      for _ in 0..<1000 {
        let rest = (0..<Int.random(in: 0...80, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        let found = roll(MakerNoteFixture(note: Array(signature.utf8) + rest))
        #expect(abs(found ?? 0) <= 45)
      }
    }
  }
}
