import MovieIO

/// What players show as chapters of a recording: moments that were marked, and the chapters of its source.
struct RecordingMarks: Sendable {
  /// In seconds of recorded time.
  private var moments: [MovieChapter] = []
  /// In seconds from the first picture until `begin`, then in seconds of recorded time.
  private var chapters: [MovieChapter] = []
  private var hasBegun = false

  init(chapters: [MovieChapter] = []) { self.chapters = chapters }

  /// Marks a moment, in seconds of recorded time.
  mutating func mark(_ seconds: Double) {
    moments.append(MovieChapter(start: seconds, title: "Mark \(moments.count + 1)"))
  }

  /// The first picture has come, at this time in seconds of recorded time.
  mutating func begin(at seconds: Double) {
    guard !hasBegun else { return }
    hasBegun = true
    for index in chapters.indices {
      chapters[index].start += seconds
      if chapters[index].title.isEmpty { chapters[index].title = "Chapter \(index + 1)" }
    }
  }

  /// Returns the chapters of a file, in seconds from its start. One that begins within a chapter of the source begins
  /// with that.
  ///
  /// - Parameter start, end: in seconds of recorded time.
  func inFile(from start: Double, to end: Double) -> [MovieChapter] {
    guard start < end else { return [] }
    // The file begins at a tick, which may lie just after the moment that was marked.
    let tick = 1 / Double(EncodedVideoFormat.timeScale)
    func isInside(_ mark: MovieChapter) -> Bool { mark.start > start - tick && mark.start < end - tick }
    var inside = (chapters + moments).filter(isInside).map {
      MovieChapter(start: max(0, $0.start - start), title: $0.title)
    }
    let current = chapters.filter { $0.start <= start - tick }.max { $0.start < $1.start }
    if let current, !chapters.contains(where: { isInside($0) && $0.start < start + tick }) {
      inside.append(MovieChapter(start: 0, title: current.title))
    }
    return inside.sorted { $0.start < $1.start }
  }
}
