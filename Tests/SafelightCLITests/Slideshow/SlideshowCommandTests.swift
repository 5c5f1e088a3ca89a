import FoundationEssentials
import LibraryTestSupport
import Safelight
import Testing

@testable import SafelightCLI

@Suite("safelight slideshow")
struct SlideshowCommandTests {
  private func parse(_ arguments: String...) throws -> SlideshowCommand {
    try #require(try SafelightCommand.parseAsRoot(["slideshow"] + arguments) as? SlideshowCommand)
  }

  @Test("understands its times")
  func cuts() throws {
    #expect(try parse("a", "-o", "x.mp4").cut == .automatic)
    #expect(try parse("a", "-o", "x.mp4", "--cut", "3.2,7.9s").cut == .times([3.2, 7.9]))
    #expect(try parse("a", "-o", "x.mp4", "--voice", "v.wav", "--cut", "silence").cut == .pauses)
    for wrong in ["", "3,,4", "-1", "0", "nan", "pause"] {
      #expect(throws: (any Error).self, "\(wrong)") { try parse("a", "-o", "x.mp4", "--cut", wrong) }
    }
  }

  @Test(
    "refuses options that have no effect, odd sizes, and names of other files",
    arguments: [
      ["--cut", "marks"], ["--spatial", "ambix"], ["--size", "641x360"], ["--fps", "0.5"], ["-o", "x.jpg"],
      ["--voice", "v.wav", "--cut", "equal", "--seconds-per-picture", "2"], ["--fade", "0"],
    ])
  func refused(options: [String]) throws {
    let output = options.contains("-o") ? [] : ["-o", "x.mp4"]
    #expect(throws: (any Error).self) {
      try SafelightCommand.parseAsRoot(["slideshow", "a"] + output + options)
    }
  }

  @Test("takes pictures in natural order, or as they are given")
  func order() throws {
    let scratch = try Scratch()
    let paths = try ["10.png", "9.png", "b/1.png"].map { name in
      try scratch.makeFolder("b")
      return try scratch.write([], to: name)
    }
    #expect(try SlideshowRun.pictures(paths, .natural) == [paths[1], paths[0], paths[2]])
    #expect(try SlideshowRun.pictures(paths, .given) == paths)
    #expect(try SlideshowRun.pictures([scratch("b")], .given) == [paths[2]])
    #expect(throws: SafelightError.self) { try SlideshowRun.pictures([scratch("none")], .natural) }
  }

  private static let canEncode = MovieEncoderProbe.all().contains { $0.codec == .ffv1 && $0.isUsable }

  @Test(
    "makes a movie whose sound is the voice and whose chapters are its pictures, and replaces nothing",
    .enabled(if: canEncode, "FFmpeg's libraries are not installed"))
  func movie() throws {
    let scratch = try Scratch()
    for (index, grey) in [8_000, 30_000, 60_000].enumerated() {
      try scratch.save(picture(48, 36) { _, _ in [grey, grey, grey, 65_535] }, as: "\(index + 8).png")
    }
    let samples = (0..<48_000 * 3).map { Float($0 % 3000) / 4096 }
    let writer = try WaveFileWriter(
      path: scratch("take.wav"), format: AudioFormat(sampleRate: 48_000, layout: .mono), sampleFormat: .int16)
    try writer.write(samples)
    try writer.finish()
    // Codecs that every FFmpeg has, and no sound that is compressed with losses.
    let arguments = [
      "slideshow", "8.png", "9.png", "10.png", "--voice", "take.wav", "--size", "64x48", "-o", "s.mkv",
      "--codec",
      "ffv1", "--audio-codec", "flac", "--cut", "0.7,2", "--json",
    ]
    let outcome = try Program.run(arguments, in: scratch)
    try #require(outcome.exitCode == 0, "\(outcome.errors)")
    let report = try JSONDecoder().decode(SlideshowReport.self, from: Data(outcome.output.utf8))
    #expect(
      report.pictures.map(\.start) == [0, 0.7, 2]
        && report.pictures.map(\.path) == ["8.png", "9.png", "10.png"])
    #expect(report.path == "s.mkv" && report.seconds == 3)
    #expect(report.cutAt == "times" && report.voice?.channels == 1 && report.frames == 4)
    let reader = try SoundTrackReader(path: scratch("s.mkv"), mode: .samples)
    let chapters = try MovieContents(path: scratch("s.mkv")).chapters
    #expect(chapters.map { PlainNumber.rounded($0.start, 2) } == [0, 0.7, 2])
    var heard: [Float] = []
    while let block = try reader.nextBuffer() { heard += block.samples }
    #expect(heard == samples)
    // Its own chapters cut it again.
    let again = try Program.run(
      [
        "slideshow", "8.png", "9.png", "10.png", "--voice", "s.mkv", "--size", "64x48", "-o", "t.mkv",
        "--codec", "ffv1", "--json",
      ],
      in: scratch)
    let second = try JSONDecoder().decode(SlideshowReport.self, from: Data(again.output.utf8))
    #expect(second.cutAt == "marks" && second.pictures.map(\.start) == [0, 0.7, 2])
    let taken = try Program.run(arguments, in: scratch)
    #expect(taken.exitCode != 0 && taken.errors.contains("s.mkv already exists"))
  }
}
