import AnalysisTestSupport
import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("Documents in pictures")
struct DocumentDetectorTests {
  private func outline(_ scene: DocumentScene, _ detector: DocumentDetector) throws -> [NormalizedPoint]? {
    try found(scene.picture, detector).first?.outline
  }

  private func found(_ picture: PixelBuffer, _ detector: DocumentDetector) throws -> [Detection] {
    let proxy = AnalysisProxy()
    try proxy.update(from: picture)
    return detector.detections(in: proxy)
  }

  private func pixels(_ outline: [NormalizedPoint], _ size: PixelSize) -> [SIMD2<Double>] {
    outline.map { SIMD2($0.x * Double(size.width), $0.y * Double(size.height)) }
  }

  @Test(
    "Pages on a table are found to a Jaccard index of 0.97, on other papers and keyboards of 0.86",
    arguments: DocumentScene.Ground.allCases)
  func accuracy(ground: DocumentScene.Ground) throws {
    let detector = DocumentDetector()
    var sum = 0.0
    let seeds = 0..<12
    for seed in seeds {
      let scene = try DocumentScene(seed: UInt64(seed), ground: ground)
      let corners = try #require(scene.corners)
      guard let outline = try outline(scene, detector) else { continue }
      sum += documentJaccard(pixels(outline, scene.size), corners, ratio: scene.ratio)
    }
    let mean = sum / Double(seeds.count)
    #expect(mean >= (ground.isCluttered ? 0.86 : 0.97), "\(ground.rawValue): \(mean)")
  }

  @Test(
    "Nothing is found where no page is", arguments: [DocumentScene.Ground.plain, .wood, .cloth, .keyboard])
  func abstains(ground: DocumentScene.Ground) throws {
    let detector = DocumentDetector()
    for seed in 100..<104 {
      let scene = try DocumentScene(seed: UInt64(seed), ground: ground, hasPage: false)
      let detections = try found(scene.picture, detector)
      #expect(detections.isEmpty, "\(ground.rawValue) \(seed): \(detections)")
    }
  }

  @Test("Clouds, sticks, discs, hills and pictures without anything are no documents")
  func otherPictures() throws {
    let detector = DocumentDetector()
    var pictures = try (1..<4).flatMap {
      [
        try Scenes.clouds(seed: $0), try Scenes.sticks(seed: $0), try Scenes.discs(seed: $0),
        try Scenes.hills(seed: $0),
      ]
    }
    pictures.append(try Pictures.gray8(640, 480) { _, _ in 128 })
    pictures.append(try Pictures.gray8(1, 1) { _, _ in 0 })
    pictures.append(try Pictures.gray8(3000, 2) { x, _ in UInt8(x & 255) })
    pictures.append(try Pictures.random(PixelSize(width: 640, height: 480), .gray8, seed: 5))
    for (index, picture) in pictures.enumerated() {
      #expect(try found(picture, detector).isEmpty, "picture \(index)")
    }
  }

  /// Light and dark rectangles on grey, anti-aliased.
  private func sheets(_ quads: [(Quad, Double)], _ size: PixelSize) throws -> PixelBuffer {
    try Pictures.gray8(size.width, size.height) { x, y in
      var sum = 0.0
      for j in 0..<4 {
        for i in 0..<4 {
          let p = SIMD2(Double(x) + (Double(i) + 0.5) / 4, Double(y) + (Double(j) + 0.5) / 4)
          sum += quads.last { $0.0.contains(p) }?.1 ?? 90
        }
      }
      return UInt8((sum / 16).rounded())
    }
  }

  @Test(
    "Corners of a drawn sheet, lighter or darker than the ground, are exact to a third of a proxy's sample")
  func exact() throws {
    let size = PixelSize(width: 640, height: 480)
    let quad = Quad(SIMD2(120.3, 70.8), SIMD2(500.6, 98.2), SIMD2(530.1, 400.4), SIMD2(90.7, 380.9))
    for level in [200.0, 20] {
      let outline = try #require(
        try found(try sheets([(quad, level)], size), DocumentDetector()).first?.outline)
      for (index, corner) in pixels(outline, size).enumerated() {
        let way = corner - quad[index]
        #expect((way * way).sum().squareRoot() < 0.33, "level \(level), corner \(index): \(corner)")
      }
    }
  }

  @Test("A sheet whose corners lie outside of the picture is found with them")
  func outside() throws {
    let size = PixelSize(width: 640, height: 480)
    let quad = Quad(SIMD2(-12, 60), SIMD2(420, -15), SIMD2(600, 330), SIMD2(150, 470))
    let outline = try #require(try found(try sheets([(quad, 210)], size), DocumentDetector()).first?.outline)
    for corner in 0..<4 {
      let near = pixels(outline, size).contains { ((($0 - quad[corner]) * ($0 - quad[corner])).sum()) < 4 }
      #expect(near, "corner \(corner): \(pixels(outline, size))")
    }
  }

  @Test("As many documents are found as are asked for, and none twice")
  func several() throws {
    let size = PixelSize(width: 640, height: 480)
    let left = Quad(SIMD2(40, 60), SIMD2(280, 70), SIMD2(270, 400), SIMD2(30, 390))
    let right = Quad(SIMD2(350, 100), SIMD2(600, 80), SIMD2(610, 420), SIMD2(340, 410))
    let picture = try sheets([(left, 200), (right, 220)], size)
    #expect(try found(picture, DocumentDetector()).count == 1)
    let both = try found(picture, DocumentDetector(maximumCount: 5))
    #expect(both.count == 2)
    let centers = both.map { $0.outline.reduce(0) { $0 + $1.x } / 4 }.sorted()
    #expect(centers.count == 2 && centers[0] < 0.45 && centers[1] > 0.55, "\(centers)")
    #expect(both.allSatisfy { $0.kind == .document && $0.confidence >= DocumentDetector.leastConfidence })
  }

  @Test("The same picture gives the same answer, whatever was searched before")
  func repeats() throws {
    let detector = DocumentDetector()
    let scene = try DocumentScene(seed: 3, ground: .wood)
    let first = try found(scene.picture, detector)
    _ = try found(try Scenes.sticks(seed: 1), detector)
    #expect(try found(scene.picture, detector) == first)
    #expect(!first.isEmpty)
  }
}
