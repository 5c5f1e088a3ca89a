import FoundationEssentials
import LibraryTestSupport
import Safelight
import Testing

@testable import SafelightCLI

@Suite("safelight capture --live-photo")
struct LivePhotoTests {
  private static let scene = ["capture", "--source", "synthetic", "--size", "160x90", "--live-photo"]
  private static let hasTools = Program.succeeds("exiftool -ver && ffmpeg -version && ffprobe -version")
  private static let reason: Comment = "exiftool, ffmpeg or ffprobe is not installed"

  /// The reports of a run: those of photos, and those of movies.
  private func reports(_ outcome: Program.Outcome) throws -> (photos: [DeliveredPhoto], movies: [LivePhoto]) {
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    var reports: (photos: [DeliveredPhoto], movies: [LivePhoto]) = ([], [])
    for line in outcome.output.split(separator: "\n") {
      let data = Data(line.utf8)
      if line.contains("\"movieBytes\"") {
        reports.movies.append(try JSONDecoder().decode(LivePhoto.self, from: data))
      } else {
        reports.photos.append(try JSONDecoder().decode(DeliveredPhoto.self, from: data))
      }
    }
    return reports
  }

  /// What a line of the shell prints.
  private func text(_ line: String, in scratch: Scratch) throws -> String {
    let outcome = try Program.shell(line, in: scratch)
    #expect(outcome.exitCode == 0, "\(line): \(outcome.errors)")
    return outcome.output
  }

  @Test(
    "adds the movie with the look and the sound, and its picture at the stated moment is the photo's",
    .enabled(if: hasTools, reason))
  func motionPhoto() throws { try untilStillIsShown(motionPhotoOnce) }

  /// A busy machine may lose the very picture of the photo, so another photo is taken then.
  private func untilStillIsShown(_ shoot: () throws -> Bool) throws {
    for _ in 1...4 where try shoot() { return }
    Issue.record("Four movies in a row lack the picture of their photo.")
  }

  /// - Returns: whether the movie has the picture of the photo.
  private func motionPhotoOnce() throws -> Bool {
    let scratch = try Scratch()
    let outcome = try Program.run(
      Self.scene + ["-o", "a.jpg", "--microphone", "synthetic", "--exposure", "-1", "--json"], in: scratch)
    let (photos, movies) = try reports(outcome)
    #expect(photos.map(\.path) == ["a.MP.jpg"] && movies.map(\.path) == ["a.MP.jpg"])
    #expect(try scratch.names == ["a.MP.jpg"])
    let movie = try #require(movies.first)
    #expect(movie.hasSound && movie.presentationMicroseconds == 1_500_000)
    #expect(movie.seconds > 2.9 && movie.seconds <= 3)
    #expect(try scratch.read("a.MP.jpg").count == movie.bytes)

    let tags = try text("exiftool -s -struct -XMP:all a.MP.jpg", in: scratch)
    #expect(tags.contains("Item={Length=\(movie.movieBytes),Mime=video/mp4,Padding=0,Semantic=MotionPhoto}"))
    let stated = try text("exiftool -s3 -MotionPhotoPresentationTimestampUs a.MP.jpg", in: scratch)
    #expect(stated == "1500000\n")
    #expect(try text("exiftool -warning -error -s3 a.MP.jpg", in: scratch).isEmpty)

    let file = try scratch.read("a.MP.jpg")
    let range = try #require(try MotionPhoto.movie(in: file))
    try scratch.write(Array(file[range]), to: "a.mp4")
    let streams = try text("ffprobe -v error -show_entries stream=codec_name -of csv=p=0 a.mp4", in: scratch)
    #expect(Set(streams.split(separator: "\n")) == ["h264", "aac"])
    return try expectStill("a.MP.jpg", isAt: 1.5, in: "a.mp4", scratch)
  }

  /// Compares a photo with the movie's picture at its moment. Compressed motion trails behind by a picture where it is
  /// slow, so pictures are not told apart by what they show; their times are exact.
  ///
  /// - Returns: whether the movie has a picture of this moment.
  private func expectStill(_ photo: String, isAt seconds: Double, in movie: String, _ scratch: Scratch) throws
    -> Bool
  {
    // The movie as players show it: without what was cut.
    let raw = "-fps_mode passthrough -f rawvideo -pix_fmt gray"
    _ = try text("ffmpeg -v error -i \(movie) -an \(raw) movie.gray", in: scratch)
    _ = try text("ffmpeg -v error -f mjpeg -i \(photo) -frames:v 1 \(raw) photo.gray", in: scratch)
    let times = try text(
      "ffprobe -v error -select_streams v -show_entries frame=pts_time -of csv=p=0 \(movie)", in: scratch)
    let shown = times.split(separator: "\n").compactMap { line in
      Double(line.prefix { $0.isNumber || $0 == "." || $0 == "-" })
    }
    guard let index = shown.firstIndex(where: { abs($0 - seconds) < 1e-5 }) else { return false }
    let (pictures, still) = (try scratch.read("movie.gray"), try scratch.read("photo.gray"))
    let size = 160 * 90
    try #require(still.count == size && pictures.count == shown.count * size)
    let difference = (0..<size).reduce(0) { $0 + abs(Int(pictures[index * size + $1]) - Int(still[$1])) }
    #expect(difference < size * 3, "mean difference \(Double(difference) / Double(size))")
    return true
  }

  @Test(
    "writes Apple's pair with one identifier, which exiftool finds in both", .enabled(if: hasTools, reason))
  func pair() throws { try untilStillIsShown(pairOnce) }

  private func pairOnce() throws -> Bool {
    let scratch = try Scratch()
    let outcome = try Program.run(Self.scene + ["-o", "a.jpg", "--apple-pair", "--json"], in: scratch)
    let movie = try #require(try reports(outcome).movies.first)
    #expect(movie.path == "a.jpg" && movie.movie == "a.mov" && !movie.hasSound)
    #expect(try scratch.names == ["a.jpg", "a.mov"])
    let identifier = try #require(movie.identifier)
    let inPhoto = try text("exiftool -s3 -Apple:ContentIdentifier -Apple:MediaGroupUUID a.jpg", in: scratch)
    #expect(inPhoto == identifier + "\n")
    #expect(try text("exiftool -s3 -Keys:ContentIdentifier a.mov", in: scratch) == identifier + "\n")
    #expect(try text("exiftool -ee -s3 -StillImageTime a.mov", in: scratch) == "-1\n")
    return try expectStill("a.jpg", isAt: 1.5, in: "a.mov", scratch)
  }

  @Test("numbers both files of a pair alike, and replaces neither")
  func pairNames() throws {
    let scratch = try Scratch()
    try scratch.write([1], to: "a.mov")
    let refused = try Program.run(Self.scene + ["-o", "a.jpg", "--apple-pair"], in: scratch)
    #expect(refused.exitCode == 1 && refused.error?.contains("a.mov already exists") == true)
    let outcome = try Program.run(
      Self.scene + ["-o", "a.jpg", "--apple-pair", "--interval", "100ms", "--count", "2"], in: scratch)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(try scratch.names == ["a-2.jpg", "a-2.mov", "a-3.jpg", "a-3.mov", "a.mov"])
    #expect(try scratch.read("a.mov") == [1])
  }

  @Test("gives presses whose seconds overlap a movie each")
  func overlapping() throws {
    let scratch = try Scratch()
    let outcome = try Program.run(
      Self.scene + ["-o", "b/{index}.jpg", "--interval", "400ms", "--count", "3", "--json"], in: scratch)
    let (photos, movies) = try reports(outcome)
    let names = (1...3).map { "b/\($0).MP.jpg" }
    #expect(photos.map(\.path) == names && movies.map(\.path) == names)
    #expect(movies.allSatisfy { $0.presentationMicroseconds == 1_500_000 && $0.seconds > 2.9 })
  }

  @Test("says in one sentence what has no movie, before it opens the source")
  func refusals() throws {
    let scratch = try Scratch()
    func refusal(_ arguments: [String], _ names: String) throws {
      let outcome = try Program.run(Self.scene + arguments, in: scratch)
      #expect(outcome.exitCode == 64, "\(arguments)")
      #expect(
        outcome.error
          == "--live-photo takes single JPEGs with the same look as their movie; leave out \(names).")
    }
    try refusal(["-o", "a.png"], "--format and names of other formats")
    try refusal(["-o", "a.dng"], "--format and names of other formats")
    try refusal(["-o", "a/", "--burst", "3"], "--burst")
    try refusal(["-o", "a/", "--bracket", "-1,0,1"], "--bracket")
    try refusal(["-o", "a/", "--deferred", "--max-bytes", "1MB"], "--deferred, --max-bytes")
    try refusal(["-o", "a/", "--auto", "exposure"], "--auto and --straighten auto")
    try refusal(["-o", "a/", "--exposure", "1", "--recipe-only"], "--recipe-only")
    let alone = try Program.run(
      ["capture", "--source", "synthetic", "-o", "a.jpg", "--apple-pair"], in: scratch)
    #expect(
      alone.exitCode == 64
        && alone.error == "--apple-pair has no effect without --live-photo; give that too.")
    #expect(try scratch.names == [])
  }
}
