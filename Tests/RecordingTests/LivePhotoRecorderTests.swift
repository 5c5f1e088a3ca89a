import Foundation
import FrameCore
import Libc
import MovieIO
import TestSupport
import Testing

@testable import Recording

/// A recorder whose pictures are compressed by nobody, fed as fast as it takes them.
private struct LiveSource {
  static let rate = 8000
  let start = Timestamp.now
  let live: LivePhotoRecorder
  var frame = 0

  init(_ form: LivePhotoForm = .motionPhoto, withSound: Bool = true) throws {
    let parts = RecordingParts(
      makePictureEncoder: { StandInPictureEncoder($0, delay: 2) },
      makeSoundEncoder: { StandInSoundEncoder($0) },
      makeAligner: { format, epoch, _ in StandInAligner(format, epoch) },
      makeFile: { _, _ in StandInDisk().makeFile() })
    live = try LivePhotoRecorder(form, MovieSettings(), parts: parts, hasSound: withSound)
    try live.sink.recorder.open(
      MoviePictures(size: PixelSize(width: 8, height: 2), format: .gray8, tags: .sRGB, framesPerSecond: 30)
    ) { withSound ? AudioFormat(sampleRate: Self.rate, layout: .mono) : nil }
    try live.start()
  }

  func moment(_ frame: Int) -> Timestamp { start.advanced(bySeconds: Double(frame) / 30) }

  /// Delivers the frames before a number, and as much sound.
  mutating func run(until last: Int) throws {
    let recorder = live.sink.recorder
    while frame < last {
      let picture = try PixelBuffer(size: PixelSize(width: 8, height: 2), format: .gray8, tags: .sRGB)
      let row = picture.row(0, as: UInt8.self)
      for index in 0..<4 { row[index] = UInt8(truncatingIfNeeded: frame >> (8 * index)) }
      while recorder.pictures.isFull { usleep(200) }
      recorder.offer(picture, at: moment(frame))
      let samples = (frame + 1) * Self.rate / 30 - frame * Self.rate / 30
      recorder.offer(
        AudioBuffer(
          format: AudioFormat(sampleRate: Self.rate, layout: .mono),
          samples: [Float](repeating: 0.5, count: samples), time: moment(frame)))
      frame += 1
    }
    while recorder.pictures.count + recorder.sounds.count > 0 { usleep(200) }
    usleep(3000)
  }

  /// Returns what became of `count` photos; waits at most ten seconds.
  func outcomes(_ count: Int) -> [Result<LivePhoto, any Error>] {
    var outcomes: [Result<LivePhoto, any Error>] = []
    for _ in 0..<1000 where outcomes.count < count {
      outcomes += live.takeOutcomes()
      usleep(10_000)
    }
    return outcomes
  }

  func close() {
    live.sink.recorder.close(at: nil)
    live.finish()
  }
}

@Suite("Photos with the seconds around them")
struct LivePhotoRecorderTests {
  private static func jpeg() throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fuzz/jpeg")
    return try Array(Data(contentsOf: folder.appending(path: "good-gray.jpg").standardizedFileURL))
  }

  @Test("Presses whose seconds overlap each get a movie of their own, and the photo is there before")
  func overlapping() throws {
    let scratch = try Scratch()
    let jpeg = try Self.jpeg()
    var source = try LiveSource()
    let frames = [60, 75, 76, 100]
    for frame in frames {
      try source.run(until: frame + 1)
      source.live.add(try scratch.write(jpeg, to: "\(frame).MP.jpg"), capturedAt: source.moment(frame))
    }
    #expect(source.live.pending == 4 && source.live.takeOutcomes().isEmpty)
    #expect(try scratch.read("60.MP.jpg") == jpeg)
    try source.run(until: 180)
    let photos = try source.outcomes(4).map { try $0.get() }
    #expect(photos.map(\.path) == frames.map { scratch("\($0).MP.jpg") })
    for photo in photos {
      #expect(photo.presentationMicroseconds == 1_500_000 && abs(photo.seconds - 3) < 1e-9 && photo.hasSound)
      let file = try Array(Data(contentsOf: URL(filePath: photo.path)))
      let range = try #require(try MotionPhoto.movie(in: file))
      #expect(range.count == photo.movieBytes && file.count == photo.bytes)
    }
    #expect(source.live.pending == 0)
    // What is shown at the stated moment is the frame of the photo: packets hold the numbers of their frames.
    let kept = source.live.keeper.state.read { $0 }
    let cut = try #require(LivePhotoCut(kept, around: source.moment(100)))
    let shown = try #require(cut.pictures.first { $0.presentation == cut.still })
    #expect(shown.bytes == [100, 0, 0, 0])
    source.close()
    #expect(try scratch.names == frames.map { "\($0).MP.jpg" }.sorted())
  }

  @Test("At the end of a run the movie is what there is")
  func end() throws {
    let scratch = try Scratch()
    var source = try LiveSource(withSound: false)
    try source.run(until: 40)
    source.live.add(try scratch.write(try Self.jpeg(), to: "a.MP.jpg"), capturedAt: source.moment(30))
    source.close()
    let photo = try #require(source.live.takeOutcomes().first).get()
    // 30 pictures before the photo, and ten from it on.
    #expect(abs(photo.seconds - 40.0 / 30) < 0.04 && !photo.hasSound)
    #expect(abs((photo.presentationMicroseconds ?? 0) - 1_000_000) <= 100)
  }

  @Test("A photo that was changed meanwhile is left alone, and so is one that is gone")
  func changed() throws {
    let scratch = try Scratch()
    var source = try LiveSource(withSound: false)
    try source.run(until: 60)
    for name in ["a.MP.jpg", "b.MP.jpg"] {
      source.live.add(try scratch.write(try Self.jpeg(), to: name), capturedAt: source.moment(59))
    }
    try scratch.write("mine", to: "a.MP.jpg")
    try FileManager.default.removeItem(atPath: scratch("b.MP.jpg"))
    source.close()
    let messages = source.live.takeOutcomes().map { outcome in message { _ = try outcome.get() } ?? "" }
    #expect(messages.count == 2)
    for (message, name) in zip(messages, ["a.MP.jpg", "b.MP.jpg"]) {
      #expect(
        message
          == "\(scratch(name)) has no movie, and is a photo by itself: another program has changed or moved "
          + "the photo in the meantime; leave photos alone until their movie is there.")
    }
    #expect(try scratch.names == ["a.MP.jpg"])
    #expect(try scratch.read("a.MP.jpg") == Array("mine".utf8))
  }

  @Test("Apple's pair has one identifier, and its movie replaces nothing")
  func pair() throws {
    let scratch = try Scratch()
    try scratch.write("mine", to: "a.mov")
    var source = try LiveSource(.applePair)
    try source.run(until: 60)
    source.live.add(try scratch.write(try Self.jpeg(), to: "a.jpg"), capturedAt: source.moment(59))
    source.close()
    let outcome = try #require(source.live.takeOutcomes().first)
    let photo = try outcome.get()
    #expect(photo.movie == scratch("a-2.mov"))
    let identifier = try #require(photo.identifier)
    for name in ["a.jpg", "a-2.mov"] {
      let text = String(decoding: try scratch.read(name), as: UTF8.self)
      #expect(text.contains(identifier), "\(name)")
    }
    #expect(try scratch.read("a.mov") == Array("mine".utf8))
    #expect(try MotionPhoto.movie(in: try scratch.read("a.jpg")) == nil)
  }

  @Test("A folder that is gone is told, with the photo's name")
  func missing() throws {
    let scratch = try Scratch()
    let source = try LiveSource()
    source.live.add(scratch("none/a.MP.jpg"), capturedAt: source.moment(0))
    let outcome = try #require(source.live.takeOutcomes().first)
    #expect(
      message { _ = try outcome.get() }?.hasPrefix("\(scratch("none/a.MP.jpg")) has no movie") == true)
    source.close()
  }
}
