import AnalysisTestSupport
import FrameCore
import Testing

@testable import FrameAnalysis

@Suite("Motion in front of a camera that stands still") struct MotionDetectorTests {
  /// A square that moves to the right by 8 pixels a frame from frame 20 on.
  private static var moving: MotionScene.Square {
    MotionScene.Square { number in number < 20 ? nil : (40 + 8 * (number - 20), 150) }
  }

  @Test("What moves is found with its outline in every frame, and nothing where nothing moves")
  func moves() throws {
    var scene = MotionScene()
    scene.squares = [Self.moving]
    let found = try scene.detections(60)
    for (number, detections) in found.enumerated() {
      guard number >= 20 else {
        #expect(detections.isEmpty, "frame \(number): \(detections)")
        continue
      }
      #expect(detections.count == 1, "frame \(number): \(detections)")
      guard let detection = detections.first else { continue }
      let x = Double(40 + 8 * (number - 20))
      let truth = OutlineBounds([
        NormalizedPoint(x / 640, 150.0 / 360), NormalizedPoint((x + 60) / 640, 210.0 / 360),
      ])
      #expect(detection.bounds.overlap(truth) > 0.6, "frame \(number): \(detection.bounds)")
      #expect(detection.kind == .motion && (0.5...1).contains(detection.confidence))
    }
  }

  @Test("Outlines are convex, clockwise as displayed, and begin nearest to the top left")
  func outline() throws {
    var scene = MotionScene()
    scene.squares = [Self.moving]
    let outline = try #require(try scene.detections(40).last?.first?.outline)
    #expect((3...12).contains(outline.count))
    let sums = outline.map { $0.x + $0.y }
    #expect(sums.first == sums.min())
    for index in outline.indices {
      let (a, b) = (outline[index], outline[(index + 1) % outline.count])
      let c = outline[(index + 2) % outline.count]
      #expect((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) >= 0)
    }
  }

  @Test("Two that are apart are two; an area below the least is none")
  func several() throws {
    var scene = MotionScene()
    scene.squares = [
      Self.moving,
      MotionScene.Square(edge: 24) { $0 < 20 ? nil : (500 - 6 * ($0 - 20), 40) },
    ]
    #expect(try scene.detections(40).last?.count == 2)
    // A square of 24 pixels is 0.25 % of the picture.
    let found = try scene.detections(40, by: MotionDetector(leastArea: 0.006)).last
    #expect(found?.count == 1 && found?.first.map { $0.bounds.top > 0.3 } == true)
    #expect(throws: SafelightError.self) { try MotionDetector(leastArea: 2) }
    #expect(throws: SafelightError.self) { try MotionDetector(leastArea: .nan) }
  }

  @Test("A step of the exposure moves nothing, and what moves is found before, during and after it")
  func exposure() throws {
    for factor in [0.6, 1.35] {
      var scene = MotionScene()
      scene.gain = { $0 < 30 ? 1 : factor }
      #expect(try scene.detections(60).allSatisfy { $0.isEmpty }, "×\(factor)")
      scene.squares = [Self.moving]
      let found = try scene.detections(60)
      #expect(found[22...].allSatisfy { $0.count == 1 }, "×\(factor): \(found.map(\.count))")
    }
  }

  @Test("A change of the tone curve, as cameras make it, moves nothing", arguments: [0.5, 0.75])
  func tone(_ gamma: Double) throws {
    var scene = MotionScene()
    scene.gamma = { $0 < 30 ? 1 : gamma }
    let found = try scene.detections(60)
    #expect(found.allSatisfy { $0.isEmpty }, "\(found.map(\.count))")
  }

  @Test("A lamp that flickers over the whole picture moves nothing, and what moves under it is found")
  func flicker() throws {
    var scene = MotionScene()
    scene.gain = { [1, 1.1, 0.92, 1.06, 0.9][$0 % 5] }
    #expect(try scene.detections(60).allSatisfy { $0.isEmpty })
    scene.squares = [Self.moving]
    let found = try scene.detections(60)
    #expect(found[22...].count { $0.count == 1 } >= 36, "\(found.map(\.count))")
  }

  @Test("Slowly fading light moves nothing")
  func dusk() throws {
    var scene = MotionScene()
    scene.gain = { 1 - 0.005 * Double($0) }
    #expect(try scene.detections(100).allSatisfy { $0.isEmpty })
  }

  @Test("Noise moves nothing, however strong", arguments: [0.0, 6, 15])
  func noise(_ deviation: Double) throws {
    var scene = MotionScene()
    scene.noise = deviation
    #expect(try scene.detections(50).allSatisfy { $0.isEmpty })
  }

  @Test("What stops no longer moves within two seconds, and nor does its place when it has gone")
  func stops() throws {
    var scene = MotionScene()
    // Comes, stands for 8 s, and goes at once.
    scene.squares = [
      MotionScene.Square { $0 < 20 || $0 >= 120 ? nil : (40 + 8 * (min($0, 40) - 20), 150) }
    ]
    let found = try scene.detections(150)
    #expect(found[22...40].allSatisfy { $0.count == 1 })
    #expect(found[55..<120].allSatisfy { $0.isEmpty }, "\(found.map(\.count))")
    // It takes a moment until the former look is one without it.
    #expect(found[130...].allSatisfy { $0.isEmpty }, "\(found.map(\.count))")
  }

  @Test("What sways where it is becomes background; something else before it is found")
  func waves() throws {
    var scene = MotionScene()
    scene.waves = { x, y, number in
      y < 240 ? 0 : 0.06 * ([0, 1, 0, -1][(number + x / 16 + y / 16) % 4])
    }
    scene.squares = [MotionScene.Square { $0 < 80 ? nil : (40 + 8 * ($0 - 80), 260) }]
    let found = try scene.detections(120)
    #expect(found[40..<80].allSatisfy { $0.isEmpty }, "\(found.map(\.count))")
    #expect(found[82...].count { $0.count == 1 } >= 36, "\(found.map(\.count))")
  }

  @Test("While the camera itself moves nothing is found, and soon after it everything again")
  func pan() throws {
    var scene = MotionScene()
    scene.pan = { 17 * min(max($0 - 20, 0), 10) }
    scene.squares = [MotionScene.Square { $0 < 50 ? nil : (40 + 8 * ($0 - 50), 150) }]
    let found = try scene.detections(80)
    #expect(found[..<50].allSatisfy { $0.isEmpty }, "\(found.map(\.count))")
    #expect(found[52...].allSatisfy { $0.count == 1 }, "\(found.map(\.count))")
  }

  @Test("A picture that is too small, that changes its size, or whose time jumps is searched without harm")
  func odd() throws {
    var detector = MotionDetector()
    let proxy = AnalysisProxy()
    for (number, edge) in [1, 7, 8, 64, 1000, 8, 1].enumerated() {
      for step in [0, 1, 2, 100, 1] {
        let buffer = try PixelBuffer(size: PixelSize(width: edge, height: edge), format: .gray8)
        let time = Timestamp(nanoseconds: Int64(10 * number + step) * 1_000_000_000)
        let frame = Frame(buffer: buffer, time: time, sequence: 0)
        try proxy.update(from: frame)
        #expect(try detector.detections(in: proxy, of: frame).isEmpty)
      }
    }
  }
}
