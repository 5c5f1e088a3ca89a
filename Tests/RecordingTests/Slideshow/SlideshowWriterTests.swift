import AudioProcessing
import FilterGraph
import FrameCore
import LibraryTestSupport
import MovieIO
import Testing

@testable import Recording

@Suite("Movies of stills with a voice")
struct SlideshowWriterTests {
  private let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private static let size = PixelSize(width: 64, height: 36)

  /// Plain pictures, one for each grey.
  private func pictures(
    _ greys: [Int], budget: Int = 1 << 20, named prefix: String = ""
  ) throws -> SlideshowPictures {
    let paths = try greys.enumerated().map { index, grey in
      let name = "\(prefix)\(index).png"
      try scratch.save(picture(32, 18) { _, _ in [grey << 8, grey << 8, grey << 8, 65_535] }, as: name)
      return scratch(name)
    }
    return try SlideshowPictures(
      paths, form: SlideshowForm(size: Self.size), format: .i420, budget: budget
    ) { _ in Recipe() }
  }

  private func voice(
    _ frames: Int, channels: ChannelLayout = .mono, rate: Int = 8000, named name: String = "take.wav"
  ) throws -> (path: String, samples: [Float]) {
    let samples = (0..<frames * channels.channelCount).map { Float($0 % 4001) / 8192 }
    let writer = try WaveFileWriter(
      path: scratch(name), format: AudioFormat(sampleRate: rate, layout: channels), sampleFormat: .float32)
    try writer.write(samples)
    try writer.finish()
    return (scratch(name), samples)
  }

  private func parts(_ disk: StandInDisk, delay: Int = 3) -> RecordingParts {
    RecordingParts(
      makePictureEncoder: { StandInPictureEncoder($0, delay: delay) },
      makeSoundEncoder: { StandInSoundEncoder($0) },
      makeAligner: { format, epoch, _ in StandInAligner(format, epoch) },
      makeFile: { _, _ in disk.makeFile() })
  }

  @Test(
    "have every sample of the voice, and frames up to its end",
    arguments: [ChannelLayout.mono, .stereo, .ambiX])
  func sound(layout: ChannelLayout) throws {
    let disk = StandInDisk(channels: layout.channelCount)
    let (path, samples) = try voice(20_011, channels: layout)
    let voice = try SlideshowVoice(path, layout: layout)
    #expect(voice.format == AudioFormat(sampleRate: 8000, layout: layout))
    #expect(voice.facts.duration == 20_011.0 / 8000)
    let shown = try pictures([40, 200])
    try shown.prepare()
    let timing = try SlideshowTiming(pictures: 2, voice: voice.facts)
    let result = try SlideshowWriter(parts(disk)).write(shown, timing, voice: voice)
    let file = try #require(disk.contents.first)
    #expect(file.samples == samples && file.isFinished && result.frames == 4)
    let last = try #require(file.pictures.last)
    #expect(last.presentation + last.duration == Int64((20_011.0 / 8000 * 90_000).rounded()))
  }

  @Test("show the pictures at their times, and mix them in a fade")
  func fade() throws {
    let disk = StandInDisk()
    let shown = try pictures([0, 255])
    try shown.prepare()
    var writer = SlideshowWriter(parts(disk))
    (writer.framesPerSecond, writer.fade) = (10, 0.3)
    try writer.write(shown, SlideshowTiming(pictures: 2, seconds: 2))
    // The first sample of luma, of limited range: black is 16 and white 235.
    let packets = try #require(disk.contents.first).pictures
    #expect(packets.map(\.presentation) == [0, 10, 19, 20, 21, 22, 32].map { $0 * 9000 })
    #expect(packets.compactMap(\.bytes.first) == [16, 16, 71, 126, 180, 235, 235])
    #expect(disk.contents.count == 1)
  }

  @Test("are the same where pictures are not kept in memory")
  func budget() throws {
    let (kept, rendered) = (StandInDisk(), StandInDisk())
    for (disk, budget) in [(kept, 1 << 20), (rendered, 4000)] {
      let shown = try pictures([10, 90, 180, 250], budget: budget, named: "\(budget)-")
      try shown.prepare()
      var writer = SlideshowWriter(parts(disk))
      writer.fade = 0.2
      try writer.write(shown, SlideshowTiming(pictures: 4, seconds: 1))
    }
    let bytes = try #require(kept.contents.first).pictures.map(\.bytes)
    #expect(try #require(rendered.contents.first).pictures.map(\.bytes) == bytes)
    #expect(Set(bytes).count > 4)
  }

  @Test("that fail on a full disk end with a finished file")
  func fullDisk() throws {
    let disk = StandInDisk(limit: 100)
    let shown = try pictures([10, 90])
    try shown.prepare()
    #expect(throws: SafelightError.self) {
      try SlideshowWriter(parts(disk)).write(shown, SlideshowTiming(pictures: 2, seconds: 60))
    }
    #expect(disk.contents.first?.isFinished == true)
  }

  @Test("turn FuMa into AmbiX")
  func fuMa() throws {
    let (path, samples) = try voice(1000, channels: .fuMa)
    let voice = try SlideshowVoice(path)
    #expect(voice.format.layout == .ambiX)
    let first = try #require(try voice.open().next())
    // W is 3 dB higher; Y, Z and X follow.
    #expect(abs(first[4 * 7] - samples[4 * 7] * Float(2).squareRoot()) < 1e-6)
    #expect(first[4 * 7 + 1] == samples[4 * 7 + 2] && first[4 * 7 + 3] == samples[4 * 7 + 1])
  }

  @Test("begin only once every picture was read")
  func damaged() throws {
    let shown = try pictures([10, 90])
    let bytes = try scratch.read("1.png")
    try scratch.write(Array(bytes.prefix(bytes.count / 2)), to: "1.png")
    #expect(message { try shown.prepare() }?.contains("1.png") == true)
    try scratch.write("no picture", to: "2.png")
    #expect(throws: SafelightError.self) {
      try SlideshowPictures(
        [scratch("0.png"), scratch("2.png")], form: SlideshowForm(size: Self.size)
      ) { _ in Recipe() }
    }
  }

  @Test("show pictures of other proportions on black, or their middle")
  func proportions() throws {
    let form = SlideshowForm(size: Self.size)
    #expect(
      SlideshowPictures.scaled(PixelSize(width: 100, height: 100), to: form)
        == PixelSize(width: 36, height: 36))
    let filling = SlideshowForm(size: Self.size, fit: .fill)
    #expect(
      SlideshowPictures.scaled(PixelSize(width: 100, height: 100), to: filling)
        == PixelSize(width: 64, height: 64))
    let square = try makePlain([200, 100, 50])
    let frame = try PixelBuffer(size: PixelSize(width: 8, height: 4), format: .rgba8)
    SlideshowPictures.place(square, into: frame)
    #expect(pixel(frame, 1, 0) == [0, 0, 0, 255] && pixel(frame, 2, 0) == [200, 100, 50, 255])
    #expect(pixel(frame, 5, 3) == [200, 100, 50, 255] && pixel(frame, 6, 3) == [0, 0, 0, 255])
    let clear = try picture(8, 4, alpha: .straight) { _, _ in [60_000, 60_000, 60_000, 32_768] }
    SlideshowPictures.place(clear, into: frame)
    #expect(pixel(frame, 0, 0) == [117, 117, 117, 255])
  }

  @Test("name their chapters after the pictures")
  func titles() {
    #expect(SlideshowWriter.title("panels/harbour.at.night.jpg") == "harbour.at.night")
    #expect(SlideshowWriter.title("/a/.hidden") == ".hidden" && SlideshowWriter.title("b") == "b")
  }
}
