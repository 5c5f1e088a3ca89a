import FrameCore
import MovieIO
import Testing

@testable import Recording

@Suite("Cutting the movie around a photo")
struct LivePhotoCutTests {
  private static let rate = 48_000
  /// When the recording began, in nanoseconds.
  private static let start: Int64 = 5_000_000_123

  /// The movie's pictures of 10 s at about 30 a second, a key picture a second, and its sound.
  private func keeper(seconds: Double = 10, sound: Double? = nil) throws -> PacketKeeper {
    let keeper = PacketKeeper()
    let video = EncodedVideoFormat(
      codec: .h264, size: PixelSize(width: 16, height: 16), configuration: [1], fourCC: "avc1", tags: .sRGB)
    let audio = EncodedAudioFormat(
      codec: .aac, format: AudioFormat(sampleRate: Self.rate, layout: .mono), configuration: [0x11, 0x88],
      priming: 1024, samplesPerPacket: 1024)
    keeper.open([.video(video)] + (sound == nil ? [] : [.audio(audio)]), from: Self.start)
    // Nothing is dropped, so that a test sees what a cut takes.
    _ = keeper.hold(from: 0)
    for index in 0..<Int(seconds * 30) {
      let time = Self.time(index)
      try keeper.write(
        EncodedPacket(
          bytes: [UInt8(index & 0xFF)], presentation: time, duration: Self.time(index + 1) - time,
          isKey: index % 30 == 0), track: RecordingFile.videoTrack)
    }
    for index in 0..<Int((sound ?? 0) * Double(Self.rate) / 1024) {
      try keeper.write(
        EncodedPacket(bytes: [1], presentation: Int64(index) * 1024 - 1024, duration: 1024),
        track: RecordingFile.soundTrack)
    }
    return keeper
  }

  /// The time of a picture in 1/90000 s: cameras are never quite regular.
  private static func time(_ index: Int) -> Int64 { index == 0 ? 0 : Int64(index) * 3003 + Int64(index % 7) }

  /// When a picture was captured, as its frame says.
  private static func moment(_ index: Int) -> Timestamp {
    Timestamp(nanoseconds: start + time(index) * 100_000 / 9)
  }

  @Test(
    "It begins 1.5 s before the photo and ends 1.5 s after it; the photo's moment is exact",
    arguments: 60..<90)
  func whole(index: Int) throws {
    let kept = try keeper().state.read { $0 }
    let cut = try #require(LivePhotoCut(kept, around: Self.moment(index)))
    #expect(cut.still == Self.time(index) && cut.presentation == 1_500_000)
    #expect(cut.start == Self.time(index) - 135_000 && cut.end == Self.time(index) + 135_000)
    #expect(cut.pictures.first?.isKey == true)
    // Everything from the last key picture on that is not after the start.
    #expect(cut.pictures.filter(\.isKey).count { $0.presentation <= cut.start } == 1)
    #expect(try #require(cut.pictures.first).presentation <= cut.start)
    let last = try #require(cut.pictures.last)
    #expect(last.presentation < cut.end && last.presentation + last.duration >= cut.end)
    #expect(cut.sound.isEmpty && cut.tracks.count == 1)
  }

  @Test("Where seconds are missing it is shorter, and the photo's moment stays exact", arguments: 0..<45)
  func early(index: Int) throws {
    let kept = try keeper().state.read { $0 }
    let cut = try #require(LivePhotoCut(kept, around: Self.moment(index)))
    let still = try #require(cut.still)
    #expect(still == Self.time(index) && (still - cut.start) % 9 == 0)
    // At most 100 µs of the first picture are cut.
    #expect((0..<9).contains(cut.start - max(0, still - 135_000)))
    #expect(cut.presentation == (still - cut.start) / 9 * 100)
  }

  @Test("A photo at the end has what there is, and one outside of the movie no moment in it")
  func outside() throws {
    let kept = try keeper(seconds: 3).state.read { $0 }
    let last = try #require(LivePhotoCut(kept, around: Self.moment(89)))
    #expect(last.presentation == 1_500_000 && last.end == Self.time(90))
    let before = try #require(LivePhotoCut(kept, around: Timestamp(nanoseconds: Self.start - 500_000_000)))
    #expect(before.presentation == nil && before.start == 0 && before.end == 90_000)
    #expect(LivePhotoCut(kept, around: Timestamp(nanoseconds: Self.start + 9_000_000_000)) == nil)
    #expect(LivePhotoCut(PacketKeeper.Kept(), around: Self.moment(0)) == nil)
  }

  @Test("A photo whose picture was dropped keeps its own moment")
  func dropped() throws {
    var kept = try keeper().state.read { $0 }
    kept.pictures.remove(at: 70)
    let cut = try #require(LivePhotoCut(kept, around: Self.moment(70)))
    #expect(cut.still == Self.time(70) && cut.presentation == 1_500_000)
  }

  @Test("Sound covers the movie, with one packet before for the decoder, and is waited for")
  func sound() throws {
    let kept = try keeper(sound: 10).state.read { $0 }
    let moment = Self.moment(75)
    let cut = try #require(LivePhotoCut(kept, around: moment))
    let times = cut.sound.map { Double($0.presentation) / Double(Self.rate) * 90_000 }
    let packet = 1024.0 / Double(Self.rate) * 90_000
    let first = try #require(times.first)
    #expect(first <= Double(cut.start) - packet && first > Double(cut.start) - 2 * packet - 1)
    let last = try #require(times.last)
    #expect(last < Double(cut.end) && last + packet >= Double(cut.end) - 1)
    #expect(cut.tracks.count == 2)
    #expect(LivePhotoCut.isComplete(kept, around: moment))
    let behind = try keeper(sound: 3.9).state.read { $0 }
    #expect(!LivePhotoCut.isComplete(behind, around: moment))
    #expect(LivePhotoCut.isComplete(behind, around: moment, needsSound: false))
    let short = try keeper(seconds: 3.9, sound: 10).state.read { $0 }
    #expect(!LivePhotoCut.isComplete(short, around: moment, needsSound: false))
  }

  @Test("Without a hold three seconds and the pictures before up to a key are kept; a hold keeps more")
  func keeping() throws {
    let keeper = try keeper(seconds: 10, sound: 10)
    // The helper holds everything by its first number.
    #expect(keeper.state.read { $0.pictures.count } == 300)
    let late = keeper.hold()
    keeper.release(1)
    let held = keeper.state.read { $0 }
    #expect(held.pictures.first?.isKey == true)
    let span = Self.time(299) - (held.pictures.first?.presentation ?? 0)
    #expect((270_000..<364_000).contains(span))
    let soundSpan = 10 - Double(held.sound.first?.presentation ?? 0) / Double(Self.rate)
    #expect((3.0..<3.2).contains(soundSpan))
    for index in 300..<600 {
      try keeper.write(
        EncodedPacket(bytes: [0], presentation: Self.time(index), duration: 3003, isKey: index % 30 == 0),
        track: RecordingFile.videoTrack)
    }
    #expect(keeper.state.read { $0.pictures.first?.presentation } == held.pictures.first?.presentation)
    keeper.release(late)
    let after = keeper.state.read { $0 }
    #expect((270_000..<364_000).contains(Self.time(599) - (after.pictures.first?.presentation ?? 0)))
  }

  @Test("Sound alone does not fill the memory while the camera is away")
  func soundAlone() throws {
    let keeper = try keeper(seconds: 2, sound: 2)
    keeper.release(1)
    for index in 94..<10_000 {
      try keeper.write(
        EncodedPacket(bytes: [1], presentation: Int64(index) * 1024 - 1024, duration: 1024),
        track: RecordingFile.soundTrack)
    }
    let kept = keeper.state.read { $0 }
    #expect(kept.sound.count < 150 && kept.pictures.count <= 30)
  }
}
