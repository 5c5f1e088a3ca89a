import Foundation
import FrameCore
import TestSupport
import Testing

@testable import MovieIO

@Suite("Motion photos")
struct MotionPhotoTests {
  static func picture(_ name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fuzz/jpeg")
    return try Array(Data(contentsOf: folder.appending(path: name).standardizedFileURL))
  }

  private static func movie() throws -> [UInt8] {
    try MemoryStorage.movie([try TestStream("h264"), try TestStream("aac")]).storage.bytes
  }

  private static let pictures = [
    "good-exif.jpg", "good-gray.jpg", "good-progressive.jpg", "good-restart-markers.jpg",
  ]

  @Test("The movie is last, the picture's own data stay, and the movie is found again", arguments: pictures)
  func assembly(name: String) throws {
    let (jpeg, movie) = (try Self.picture(name), try Self.movie())
    let photo = try MotionPhoto.append(movie: movie, to: jpeg, presentation: 1_500_000)
    let range = try #require(try MotionPhoto.movie(in: photo))
    #expect(Array(photo[range]) == movie)
    #expect(range.upperBound == photo.count)
    // From the first segment that is not EXIF or JFIF on, nothing has changed.
    let head = try JPEGHead(photo)
    let added = try #require(head.segments.first { photo[$0.payload].starts(with: JPEGHead.xmpSignature) })
    #expect(
      Array(photo[..<added.range.lowerBound] + photo[added.range.upperBound..<range.lowerBound]) == jpeg)
    #expect(try MotionPhoto.movie(in: jpeg) == nil)
    #expect(
      message { _ = try MotionPhoto.append(movie: movie, to: photo, presentation: nil) }
        == "The picture already has a movie; take the picture without its movie.")
  }

  @Test(
    "exiftool reads the directory, the length and the moment, and finds the movie", .installed(.exiftool))
  func exiftool() throws {
    let movie = try Self.movie()
    let scratch = try Scratch()
    for name in Self.pictures {
      let photo = try MotionPhoto.append(movie: movie, to: try Self.picture(name), presentation: 1_500_000)
      let path = try scratch.write(photo, to: MotionPhoto.fileName(name))
      let lines = try ExternalProgram.exiftool.transcript(["-s", "-struct", "-XMP:all", path])
        .split(separator: "\n").map {
          $0.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        }
      let tags = Dictionary(lines.map { ($0[0], $0[1]) }) { first, _ in first }
      #expect(tags["MotionPhoto"] == "1")
      #expect(tags["MotionPhotoVersion"] == "1")
      #expect(tags["MotionPhotoPresentationTimestampUs"] == "1500000")
      let items = [
        "{Item={Length=0,Mime=image/jpeg,Padding=0,Semantic=Primary}}",
        "{Item={Length=\(movie.count),Mime=video/mp4,Padding=0,Semantic=MotionPhoto}}",
      ]
      #expect(tags["Directory"] == "[\(items.joined(separator: ","))]")
      #expect(try ExternalProgram.exiftool.transcript(["-warning", "-error", "-s3", path]).isEmpty)
    }
  }

  @Test(
    "What the XMP says besides stays, and the movie joins a directory that is there", .installed(.exiftool))
  func merging() throws {
    let scratch = try Scratch()
    let old =
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
      + "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
      + "<rdf:Description rdf:about=\"\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmp:Rating=\"4\" "
      + "xmlns:GC=\"http://ns.google.com/photos/1.0/container/\" "
      + "xmlns:GI=\"http://ns.google.com/photos/1.0/container/item/\"><GC:Directory><rdf:Seq>"
      + "<rdf:li rdf:parseType=\"Resource\">"
      + "<GC:Item GI:Mime=\"image/jpeg\" GI:Semantic=\"Primary\"/></rdf:li>"
      + "<rdf:li rdf:parseType=\"Resource\"><GC:Item GI:Mime=\"image/jpeg\" GI:Semantic=\"GainMap\" "
      + "GI:Length=\"700\"/></rdf:li></rdf:Seq></GC:Directory></rdf:Description></rdf:RDF></x:xmpmeta>"
    let jpeg = try JPEGHead(try Self.picture("good-gray.jpg"))
      .replacing(JPEGHead.xmpSignature, by: Array(old.utf8), name: "XMP")
    let movie = try Self.movie()
    let photo = try MotionPhoto.append(movie: movie, to: jpeg, presentation: nil)
    #expect(try MotionPhoto.movie(in: photo)?.count == movie.count)
    let path = try scratch.write(photo, to: "merged.MP.jpg")
    let text = try ExternalProgram.exiftool.transcript([
      "-s3", "-struct", "-Rating", "-MotionPhotoPresentationTimestampUs", "-XMP:Directory", path,
    ])
    let items = [
      "{Item={Mime=image/jpeg,Semantic=Primary}}", "{Item={Length=700,Mime=image/jpeg,Semantic=GainMap}}",
      "{Item={Length=\(movie.count),Mime=video/mp4,Padding=0,Semantic=MotionPhoto}}",
    ]
    #expect(text == "4\n-1\n[\(items.joined(separator: ","))]\n")
    #expect(try ExternalProgram.exiftool.transcript(["-warning", "-error", "-s3", path]).isEmpty)
  }

  @Test("Names are those that galleries expect")
  func names() {
    #expect(MotionPhoto.fileName("IMG_1.jpg") == "IMG_1.MP.jpg")
    #expect(MotionPhoto.fileName("a.MP.jpg") == "a.MP.jpg")
    #expect(MotionPhoto.fileName("photo") == "photo.MP")
  }

  @Test("What is not a picture or not a movie is refused, and long XMP too")
  func refusals() throws {
    let (jpeg, movie) = (try Self.picture("good-gray.jpg"), try Self.movie())
    #expect(
      message { _ = try MotionPhoto.append(movie: movie, to: movie, presentation: nil) }
        == "The picture is not a JPEG, or it is damaged.")
    #expect(
      message { _ = try MotionPhoto.append(movie: jpeg, to: jpeg, presentation: nil) }
        == "The movie of a motion photo must be an .mp4 file.")
    let long =
      "<rdf:RDF><rdf:Description>" + String(repeating: "x", count: 65_000) + "</rdf:Description></rdf:RDF>"
    let full = try JPEGHead(jpeg).replacing(JPEGHead.xmpSignature, by: Array(long.utf8), name: "XMP")
    #expect(
      message { _ = try MotionPhoto.append(movie: movie, to: full, presentation: nil) }?.contains("XMP")
        == true)
  }

  @Test("Damaged pictures are refused or read, never a crash")
  func fuzz() throws {
    var random = SeededRandom(seed: 3)
    let movie = try Self.movie()
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Fuzz/motion-photo"
    )
    .standardizedFileURL
    let seeds = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(seeds.count >= 4)
    var (read, refused) = (0, 0)
    for name in seeds {
      let seed = try Array(Data(contentsOf: folder.appending(path: name)))
      #expect((message { _ = try MotionPhoto.movie(in: seed) } == nil) == name.hasPrefix("good-"), "\(name)")
      for round in 0..<400 {
        var bytes = seed
        for _ in 0..<min(round, round % 3) where bytes.count > 16 {
          let place = Int.random(in: 0..<min(bytes.count, 1500) - 1, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
          case 1:
            bytes.removeSubrange(place..<min(place + Int.random(in: 1..<40, using: &random), bytes.count))
          default: bytes = Array(bytes.prefix(place))
          }
        }
        do {
          if let range = try MotionPhoto.movie(in: bytes) { #expect(range.upperBound == bytes.count) }
          _ = try? LivePhotoPair.tagged(jpeg: bytes, identifier: "A")
          let photo = try MotionPhoto.append(movie: movie, to: bytes, presentation: 0)
          #expect(photo.count > bytes.count)
          read += 1
        } catch is SafelightError { refused += 1 }
      }
    }
    #expect(read > 50 && refused > 50)
  }
}
