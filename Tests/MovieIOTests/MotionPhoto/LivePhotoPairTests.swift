import FrameCore
import TestSupport
import Testing

@testable import MovieIO

@Suite("Live Photo pairs")
struct LivePhotoPairTests {
  @Test("An identifier is a random UUID of version 4 in capitals")
  func identifier() {
    let identifiers = (0..<50).map { _ in LivePhotoPair.makeIdentifier() }
    #expect(Set(identifiers).count == 50)
    for identifier in identifiers {
      #expect(
        identifier.wholeMatch(of: /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/)
          != nil)
    }
  }

  @Test(
    "exiftool finds one identifier in picture and movie, and the picture's moment; what the EXIF said stays",
    .installed(.exiftool), arguments: ["none", "directory", "no directory"])
  func pair(exif: String) throws {
    let scratch = try Scratch()
    let identifier = LivePhotoPair.makeIdentifier()
    var jpeg = try MotionPhotoTests.picture("good-cmyk-profile.jpg")
    if exif != "none" {
      jpeg = try JPEGHead(jpeg).replacing(
        JPEGHead.exifSignature, by: Self.exif(hasDirectory: exif == "directory"), name: "EXIF")
    }
    let tagged = try LivePhotoPair.tagged(jpeg: jpeg, identifier: identifier)
    let picture = try scratch.write(tagged, to: "IMG.jpg")
    let options = testOptions {
      $0.contentIdentifier = identifier
      $0.stillImageTime = 135_000
    }
    let movie = try MemoryStorage.movie(
      [try TestStream("h264"), try TestStream("aac")], .mov, options: options)
    let path = try scratch.write(movie.storage.bytes, to: "IMG.mov")
    // Older versions call it MediaGroupUUID.
    #expect(
      try ExternalProgram.exiftool.transcript([
        "-s3", "-Apple:ContentIdentifier", "-Apple:MediaGroupUUID", picture,
      ])
        == identifier + "\n")
    #expect(
      try ExternalProgram.exiftool.transcript(["-s3", "-Keys:ContentIdentifier", path]) == identifier + "\n")
    #expect(try ExternalProgram.exiftool.transcript(["-ee", "-s3", "-StillImageTime", path]) == "-1\n")
    #expect(try ExternalProgram.exiftool.transcript(["-warning", "-error", "-s3", picture]).isEmpty)
    // The timed track has one sample at the moment, and describes the pictures' track.
    let track = try #require(ParsedMovie(movie.storage.bytes).tracks.last)
    #expect(track.handler == "meta" && track.entry == "mebx")
    #expect(track.samples.map(\.presentation) == [135_000])
    #expect(track.samples.first?.bytes == [0, 0, 0, 9, 0, 0, 0, 1, 0xFF])

    let original = try scratch.write(jpeg, to: "before.jpg")
    func tags(_ path: String) throws -> [String] {
      try ExternalProgram.exiftool.transcript([
        "-a", "-G1", "-s", "-EXIF:all", "-JFIF:all", "-ICC_Profile:all", path,
      ])
      .split(separator: "\n").map(String.init)
    }
    let (before, after) = (try tags(original), try tags(picture))
    #expect(Set(after).isSuperset(of: before))
    #expect(before.contains { $0.contains("Rotate 90 CW") } == (exif != "none"))
    #expect(before.contains { $0.hasSuffix(": 400") } == (exif == "directory"))
  }

  /// Little-endian EXIF data of an orientation and, if there is a directory for it, a sensitivity.
  private static func exif(hasDirectory: Bool) -> [UInt8] {
    var block = Array("II".utf8) + [42, 0, 8, 0, 0, 0, hasDirectory ? 2 : 1, 0]
    block += [0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]
    if hasDirectory { block += [0x69, 0x87, 4, 0, 1, 0, 0, 0, 38, 0, 0, 0] }
    block += [0, 0, 0, 0]
    if hasDirectory { block += [1, 0, 0x27, 0x88, 3, 0, 1, 0, 0, 0, 0x90, 0x01, 0, 0, 0, 0, 0, 0] }
    return block
  }

  @Test("A picture with a maker note keeps it and is refused; damaged EXIF data too")
  func refusals() throws {
    let tagged = try LivePhotoPair.tagged(
      jpeg: try MotionPhotoTests.picture("good-gray.jpg"), identifier: "X")
    #expect(
      message { _ = try LivePhotoPair.tagged(jpeg: tagged, identifier: "Y") }?.contains(
        "a maker note already") == true)
    let broken = try JPEGHead(tagged).replacing(
      JPEGHead.exifSignature, by: [0x4D, 0x4D, 0, 42, 0, 0, 9, 9], name: "EXIF")
    #expect(
      message { _ = try LivePhotoPair.tagged(jpeg: broken, identifier: "Y") }?.contains("damaged") == true)
    #expect(message { _ = try LivePhotoPair.tagged(jpeg: tagged, identifier: "") } != nil)
    #expect(
      message {
        _ = try MP4Writer.movie(
          container: .mp4, tracks: [], options: testOptions { $0.contentIdentifier = "A" })
      }
        == "Only a .mov file can belong to a Live Photo; name the movie .mov.")
  }
}
