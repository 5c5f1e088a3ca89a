import AnalysisTestSupport
import Libc
import LibraryTestSupport
import Safelight
import Testing

@testable import LiveVideo

@Suite("Watching for pages") struct PageWatchTests {
  private static let size = PixelSize(width: 960, height: 540)

  private func input(seconds: Double, framesPerSecond: Double = 15) throws -> SyntheticInput {
    try SyntheticInput(
      size: Self.size, framesPerSecond: framesPerSecond, showsPages: true, paced: false,
      frameLimit: Int(seconds * framesPerSecond), startTime: Timestamp(nanoseconds: 0))
  }

  /// Calls `body` with each frame, and the seconds since the start.
  private func play(_ input: SyntheticInput, _ body: (Frame, Double) throws -> Void) throws {
    let stream = try input.openStream(StreamRequest())
    defer { stream.close() }
    while true {
      switch try stream.next(until: Timestamp.now.advanced(bySeconds: 10)) {
      case .frame(let frame): try body(frame, Double(frame.time.nanoseconds) / 1e9)
      case .finished: return
      default: continue
      }
    }
  }

  /// How far the farthest corner is from its place, in diagonals; outlines may begin at any corner.
  private func error(_ outline: [NormalizedPoint], _ truth: [SIMD2<Double>]) -> Double {
    let (width, height) = (Double(Self.size.width), Double(Self.size.height))
    return (0..<4).map { turn in
      (0..<4).map { index in
        let (found, corner) = (outline[(index + turn) & 3], truth[index])
        return hypot((found.x - corner.x) * width, (found.y - corner.y) * height) / hypot(width, height)
      }.max() ?? .infinity
    }.min() ?? .infinity
  }

  @Test("Panels that come, lie still and go are each taken once, while they lie still, and straightened")
  func story() throws {
    let (input, watch, renderer) = (try input(seconds: 12), PageWatch(), CPURenderer())
    var taken: [(seconds: Double, page: DocumentScan.Page)] = []
    var states: [String] = []
    try play(input) { frame, seconds in
      let page = try watch.look(at: frame)
      let state = "\(watch.guide.state)".prefix { $0 != "(" }
      if states.last != String(state) { states.append(String(state)) }
      guard let page else { return }
      let truth = try #require(input.pageCorners(at: seconds))
      #expect(error(page.outline, truth) < 0.01)
      taken.append(
        (
          seconds,
          try DocumentScan(paper: .paper(.a4), finish: .even).scan(frame, showing: page, renderer: renderer)
        ))
    }
    // Each lies still from 1.6 to 4.2 s after it began to come; then it is held for 0.6 s.
    #expect(taken.count == 2, "\(taken.map(\.seconds)), \(states)")
    for (index, (seconds, _)) in taken.enumerated() {
      #expect((1.9...3.5).contains(seconds - 6 * Double(index)), "\(seconds)")
    }
    let story = ["searching", "found", "holdStill", "steady"]
    let told = states.filter { story.contains($0) }
    #expect(told.first == "searching" && told.count { $0 == "steady" } == 2, "\(told)")
    for mark in story { #expect(told.contains(mark), "\(told)") }
    let pictures = taken.map(\.page.picture)
    for picture in pictures {
      let ratio = Double(picture.height) / Double(picture.width)
      #expect(abs(ratio - 2.0.squareRoot()) < 0.01, "\(picture.size)")
      // Paper at the rim, where light falls off most; ink where the writing is.
      let (w, h) = (Double(picture.width), Double(picture.height))
      func level(_ x: Double, _ y: Double) -> Int {
        Int(picture.row(Int(y * h), as: UInt8.self)[4 * Int(x * w) + 1])
      }
      #expect(level(0.95, 0.95) > 240 && level(0.05, 0.05) > 240, "\(level(0.95, 0.95))")
      let writing = (0..<400).map { level(0.15 + 0.03 * Double($0 % 20), 0.56 + 0.016 * Double($0 / 20)) }
      #expect((writing.min() ?? 255) < 130 && (writing.max() ?? 0) > 240, "\(writing)")
    }
    // Another page, another drawing.
    if pictures.count == 2 { #expect(difference(pictures[0], pictures[1]) > 4) }
  }

  private func difference(_ a: PixelBuffer, _ b: PixelBuffer) -> Double {
    let (width, height) = (min(a.width, b.width), min(a.height, b.height))
    var sum = 0
    for y in 0..<height {
      let (first, second) = (a.row(y, as: UInt8.self), b.row(y, as: UInt8.self))
      for x in 0..<width { sum += abs(Int(first[4 * x + 1]) - Int(second[4 * x + 1])) }
    }
    return Double(sum) / Double(width * height)
  }

  @Test("A page that never lies still is not taken")
  func moving() throws {
    let (input, watch) = (try input(seconds: 1.6), PageWatch())
    var hasSeen = false
    try play(input) { frame, _ in
      let page = try watch.look(at: frame)
      #expect(page == nil)
      hasSeen = hasSeen || watch.guide.outline != nil
    }
    #expect(hasSeen)
  }

  @Test("A page that lies still but is blurred compared with before waits until it is sharp")
  func blurred() throws {
    let scene = try DocumentScene(seed: 5, ground: .wood)
    let sharp = try scene.rgba()
    let soft = try blurred(sharp)
    let watch = PageWatch()
    var taken: [Int] = []
    for number in 0..<24 {
      // Sharp at first, out of focus, and sharp again.
      let buffer = (2..<14).contains(number) ? soft : sharp
      let frame = Frame(buffer: buffer, time: Timestamp(nanoseconds: Int64(number) * 100_000_000))
      if try watch.look(at: frame) != nil { taken.append(number) }
    }
    #expect(taken.count == 1 && taken[0] >= 14, "\(taken)")
  }

  /// Averages 9 × 9 pixels.
  private func blurred(_ picture: PixelBuffer) throws -> PixelBuffer {
    let grey = try Pictures.gray8(picture.width, picture.height) { x, y in
      var sum = 0
      for dy in -4...4 {
        let row = picture.row(min(max(y + dy, 0), picture.height - 1), as: UInt8.self)
        for dx in -4...4 { sum += Int(row[4 * min(max(x + dx, 0), picture.width - 1)]) }
      }
      return UInt8(sum / 81)
    }
    return try Pictures.rgba8(picture.width, picture.height) { x, y in
      SIMD3(repeating: grey.row(y, as: UInt8.self)[x])
    }
  }
}
