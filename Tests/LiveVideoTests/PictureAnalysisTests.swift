import LibraryTestSupport
import Safelight
import Synchronization
import Testing

/// Something that may not leave its thread.
private final class Counter {
  var frames = 0
}

@Suite("Analyses of live frames with state")
struct PictureAnalysisTests {
  @Test("Analyses share state that is made on the analyzer's thread, and one small picture of each frame")
  func shared() async throws {
    let thread = Mutex("")
    let output = VideoDataOutput()
    let pictures = Mutex<Set<ObjectIdentifier>>([])
    let analyzer = try FrameAnalyzer(
      output: output, budget: 100,
      makeState: {
        let name = (try? FileContents.read("/proc/thread-self/comm")) ?? []
        thread.withLock { $0 = String(decoding: name, as: UTF8.self) }
        return Counter()
      },
      analyses: [
        PictureAnalysis("count") { counter, picture in
          counter.frames += 1
          pictures.withLock { _ = $0.insert(ObjectIdentifier(picture)) }
          return counter.frames
        },
        PictureAnalysis("width") { counter, picture, frame in
          pictures.withLock { _ = $0.insert(ObjectIdentifier(picture)) }
          #expect(counter.frames > 0 && frame.buffer.width == 640)
          return picture.sourceSize.width
        },
      ])
    let session = CaptureSession()
    try await session.configure {
      try $0.add(SyntheticInput(size: PixelSize(width: 640, height: 360)))
      try $0.add(output)
    }
    try analyzer.start()
    try await session.start()
    var seen: [Int] = []
    for await report in analyzer.results {
      #expect(report.values["width"] == 640, "\(report.failures)")
      seen.append(report.values["count"] ?? 0)
      if seen.count == 3 { break }
    }
    await session.stop()
    analyzer.stop()
    #expect(seen == seen.sorted() && Set(seen).count == 3 && (seen.first ?? 0) > 0)
    #expect(pictures.withLock { $0.count } == 1)
    #expect(thread.withLock { $0 } == "analyzer\n")
  }

  @Test("Two analyses of one name are refused")
  func names() {
    #expect {
      try FrameAnalyzer(
        budget: 1, makeState: {},
        analyses: [PictureAnalysis("a") { _, _ in 1 }, PictureAnalysis("a") { _, _ in 2 }])
    } throws: {
      "\($0)" == "Two analyses are called a; give each a name of its own."
    }
  }
}
