import FrameCore
import LibraryTestSupport
import MovieIO
import Testing

@testable import Recording

@Suite("Names of movies")
struct MovieNamesTests {
  private func place(_ names: MovieNames, in scratch: Scratch) throws -> String {
    try names.place(size: PixelSize(width: 640, height: 360)) { path in
      guard (try? scratch.read(relative(path, scratch))) == nil else {
        throw SafelightError(.exists, "taken", remedy: "")
      }
      try scratch.write([1], to: relative(path, scratch))
    }.path
  }

  private func relative(_ path: String, _ scratch: Scratch) -> String {
    String(path.dropFirst(scratch.path.count + 1))
  }

  /// The names of the next files, below the folder.
  private func names(
    _ destination: String, _ count: Int, isSegmented: Bool = false, fields: MovieNames.Fields = .init(),
    in scratch: Scratch
  ) throws -> [String] {
    let names = try MovieNames(scratch(destination), isSegmented: isSegmented, fields: fields)
    return try (0..<count).map { _ in try relative(place(names, in: scratch), scratch) }
  }

  @Test("go on after the highest number that is there, so that the files of a run stay together")
  func numbers() throws {
    let scratch = try Scratch()
    #expect(try names("a.mp4", 2, isSegmented: true, in: scratch) == ["a-001.mp4", "a-002.mp4"])
    try scratch.write([1], to: "a-007.mp4")
    try scratch.write([1], to: "a-090.mkv")
    try scratch.write([1], to: "a-x9.mp4")
    #expect(try names("a.mp4", 2, isSegmented: true, in: scratch) == ["a-008.mp4", "a-009.mp4"])
    #expect(try names("b/{index:02}.mkv", 2, in: scratch) == ["b/01.mkv", "b/02.mkv"])
    #expect(try names("b/{index:02}.mkv", 2, in: scratch) == ["b/03.mkv", "b/04.mkv"])
    #expect(try names("c/{index}/part.mp4", 2, in: scratch) == ["c/1/part.mp4", "c/2/part.mp4"])
    #expect(try names("c/{index}/part.mp4", 1, in: scratch) == ["c/3/part.mp4"])
  }

  @Test("skip a number that another program takes in between")
  func race() throws {
    let scratch = try Scratch()
    let names = try MovieNames(scratch("a{index}.mp4"))
    #expect(try relative(place(names, in: scratch), scratch) == "a1.mp4")
    try scratch.write([1], to: "a2.mp4")
    #expect(try relative(place(names, in: scratch), scratch) == "a3.mp4")
  }

  @Test("hold the source, the look, the camera and the size where a template asks for them")
  func fields() throws {
    let scratch = try Scratch()
    var fields = MovieNames.Fields()
    fields.preset = "noir"
    fields.camera = "Cam/era"
    let all = "{preset}-{camera}-{width}x{height}.mp4"
    #expect(
      try names(all, 2, fields: fields, in: scratch) == [
        "noir-Cam-era-640x360.mp4", "noir-Cam-era-640x360-2.mp4",
      ])
    fields.stem = "clip"
    #expect(try names("{stem}.mkv", 1, fields: fields, in: scratch) == ["clip.mkv"])
  }

  @Test("are of the movie alone, which replaces nothing")
  func existing() throws {
    let scratch = try Scratch()
    try scratch.write([1], to: "a.mp4")
    #expect { try MovieNames(scratch("a.mp4")) } throws: { ($0 as? SafelightError)?.code == .exists }
    #expect { try MovieNames(scratch("a.avi")) } throws: { ($0 as? SafelightError)?.code == .unsupported }
  }
}

@Suite("Chapters of a recording")
struct RecordingMarksTests {
  @Test("are those of its source and the moments that were marked")
  func inFile() {
    var marks = RecordingMarks(chapters: [
      MovieChapter(start: 0, title: "Opening"), MovieChapter(start: 4, title: ""),
    ])
    marks.begin(at: 10)
    // Only the first picture counts.
    marks.begin(at: 11)
    marks.mark(12)
    marks.mark(15)
    #expect(
      marks.inFile(from: 10, to: 20) == [
        MovieChapter(start: 0, title: "Opening"), MovieChapter(start: 2, title: "Mark 1"),
        MovieChapter(start: 4, title: "Chapter 2"), MovieChapter(start: 5, title: "Mark 2"),
      ])
  }

  @Test("go on in a segment that begins within one, but moments do not")
  func segments() {
    var marks = RecordingMarks(chapters: [
      MovieChapter(start: 0, title: "Opening"), MovieChapter(start: 4, title: "End"),
    ])
    marks.begin(at: 0)
    marks.mark(1)
    #expect(marks.inFile(from: 2, to: 4) == [MovieChapter(start: 0, title: "Opening")])
    #expect(marks.inFile(from: 4, to: 6) == [MovieChapter(start: 0, title: "End")])
    #expect(marks.inFile(from: 3, to: 5).map(\.start) == [0, 1])
    #expect(marks.inFile(from: 6, to: 8) == [MovieChapter(start: 0, title: "End")])
    #expect(RecordingMarks().inFile(from: 0, to: 1).isEmpty)
  }
}
