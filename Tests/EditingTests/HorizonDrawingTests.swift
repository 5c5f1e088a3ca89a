import LibraryTestSupport
import Safelight
import Testing

@testable import FrameAnalysis
@testable import Editing

@Suite("Drawings of the horizon") struct HorizonDrawingTests {
  private let folder: Scratch

  init() throws { folder = try Scratch() }

  private func sample(_ width: Int, _ height: Int) throws -> PhotoSample {
    let buffer = try PixelBuffer(size: PixelSize(width: width, height: height), format: .rgba8)
    for y in 0..<height {
      for index in 0..<4 * width { buffer.row(y, as: UInt8.self)[index] = index % 4 == 3 ? 255 : 100 }
    }
    try buffer.write(to: folder("photo.png"), overwrite: true)
    return try PhotoSample(contentsOf: folder("photo.png"))
  }

  private func found(
    _ degrees: Double?, confidence: Double, _ change: (inout HorizonEvidence) -> Void = { _ in }
  )
    -> PhotoHorizon
  {
    var horizon = Horizon.none()
    horizon.degrees = degrees
    horizon.deviation = degrees.map { _ in 0.2 }
    horizon.confidence = confidence
    var evidence = HorizonEvidence()
    change(&evidence)
    return PhotoHorizon(horizon: horizon, evidence: evidence)
  }

  private func pixel(_ picture: PixelBuffer, _ x: Double, _ y: Double) -> [Int] {
    (0..<3).map { Int(picture.row(Int(y), as: UInt8.self)[4 * Int(x) + $0]) }
  }

  @Test("Evidence lies where it is in the photo, each role in its colour, and the level rises to the right")
  func places() throws {
    let found = found(10, confidence: 0.9) { evidence in
      evidence.lines = [
        .init(from: [0.25, 0.1], to: [0.25, 0.5], role: .upright),
        .init(from: [0.3, 0.15], to: [0.45, 0.15], role: .level),
      ]
      evidence.boundary = .init(from: [0, 0.55], to: [1, 0.55], role: .level)
    }
    let picture = try HorizonDrawing(sample(1600, 1000), found).render()
    #expect(picture.size == PixelSize(width: 1600, height: 1000))
    let upright = pixel(picture, 400, 300)
    #expect(upright[0] > 200 && upright[2] < 90, "orange: \(upright)")
    let level = pixel(picture, 600, 240)
    #expect(level[2] > 200 && level[0] < 110, "blue: \(level)")
    let boundary = pixel(picture, 1000, 880)
    #expect(boundary[0] > 200 && boundary[1] < 130 && boundary[2] > 150, "pink: \(boundary)")
    // tan 10° = 0.17633: 600 pixels to the right of the middle the level is 105.8 higher.
    #expect(pixel(picture, 800 + 600, 500 - 105.8) == [255, 255, 255])
    #expect(pixel(picture, 800 - 600, 500 + 105.8) == [255, 255, 255])
    #expect(pixel(picture, 800 + 600, 500 + 105.8) == [100, 100, 100])
    // A dark edge beside the light line.
    #expect(
      (pixel(picture, 400, 300 + 20)[0] > 200)
        && (395...399).contains { pixel(picture, Double($0), 320)[0] < 80 })
  }

  @Test("A level that is not sure is dashed, and none is not drawn")
  func dashes() throws {
    let sample = try sample(1600, 1000)
    func lit(_ found: PhotoHorizon) throws -> Int {
      let picture = try HorizonDrawing(sample, found).render()
      return (0..<1600).count { pixel(picture, Double($0), 500)[0] > 240 }
    }
    #expect(try lit(found(0, confidence: 0.9)) == 1600)
    let dashed = try lit(found(0, confidence: 0.2))
    #expect(dashed > 600 && dashed < 1000)
    #expect(try lit(found(nil, confidence: 0)) == 0)
  }

  @Test("A vanishing point beside the photo gets a margin, one far away does not")
  func margins() throws {
    let sample = try sample(1600, 1000)
    func size(_ position: SIMD2<Double>) throws -> PixelSize {
      let point = HorizonEvidence.VanishingPoint(role: .level, direction: 0, position: position, strength: 1)
      return try HorizonDrawing(sample, found(0, confidence: 0.9) { $0.vanishingPoints = [point] }).render()
        .size
    }
    #expect(try size([0.5, 0.3]) == PixelSize(width: 1600, height: 1000))
    let beside = try size([1.1, 0.3])
    #expect(beside.width > 1760 && beside.width < 1820 && beside.height == 1000)
    let above = try size([0.5, -0.2])
    #expect(above.height > 1320 && above.height < 1380 && above.width == 1600)
    #expect(try size([7, 0.3]) == PixelSize(width: 1600, height: 1000))
    #expect(try size([.infinity, .nan]) == PixelSize(width: 1600, height: 1000))
  }

  @Test(
    "Large photos are shrunk to 1600 pixels, small ones enlarged at most four times",
    arguments: [
      (2000, 1000, 1600, 800), (1300, 1300, 1300, 1300), (600, 300, 1200, 600), (20, 10, 80, 40),
      (1, 1, 4, 4),
      // Read at a third of its size: analyses need no more.
      (3, 4000, 1, 1334),
    ])
  func sizes(width: Int, height: Int, drawnWidth: Int, drawnHeight: Int) throws {
    let sample = try sample(width, height)
    let picture = try HorizonDrawing(sample, PhotoHorizon(sample)).render()
    // The caption of the smallest stands on a strip below.
    let strip = PixelSize(
      width: max(picture.width - drawnWidth, 0), height: picture.height - drawnHeight)
    if min(drawnWidth, drawnHeight) >= 120 {
      #expect(strip == PixelSize(width: 0, height: 0))
    } else {
      #expect(picture.width >= drawnWidth && (20...120).contains(strip.height) && picture.width < 1700)
    }
  }

  @Test(
    "Photos too small for a caption have it on a strip below, with a legend",
    arguments: [(400, 20, 1200, 60), (4, 300, 16, 1200), (30, 30, 120, 120), (1, 1, 4, 4)])
  func strips(width: Int, height: Int, drawnWidth: Int, drawnHeight: Int) throws {
    let found = found(4, confidence: 0.9) { evidence in
      evidence.lines = [
        .init(from: [0, 0], to: [0, 0.01], role: .upright),
        .init(from: [0, 0], to: [0.01, 0], role: .level),
      ]
      evidence.boundary = .init(from: [0, 0], to: [0.01, 0], role: .level)
    }
    let picture = try HorizonDrawing(sample(width, height), found).render()
    #expect(picture.width >= drawnWidth && picture.height > drawnHeight)
    // Ink of the caption, and the legend's four colours, all below the photo.
    func holds(_ rows: Range<Int>, _ isInk: ([Int]) -> Bool) -> Bool {
      rows.contains { y in
        (0..<picture.width).contains { isInk(pixel(picture, Double($0), Double(y))) }
      }
    }
    let (photo, strip) = (0..<drawnHeight, drawnHeight..<picture.height)
    #expect(holds(strip) { $0.allSatisfy { $0 > 240 } }, "white")
    #expect(holds(strip) { $0[0] > 200 && $0[1] > 120 && $0[2] < 90 }, "orange")
    #expect(holds(strip) { $0[0] < 110 && $0[1] > 150 && $0[2] > 200 }, "blue")
    #expect(holds(strip) { $0[0] > 200 && $0[1] < 130 && $0[2] > 150 }, "pink")
    // Nothing is cut off at the edges of the canvas.
    for y in strip {
      #expect(pixel(picture, Double(picture.width - 1), Double(y)).max() ?? 255 < 40)
    }
    #expect(holds(photo) { $0 == [100, 100, 100] } || width < 5)
  }

  @Test("The caption says the angle, the confidence, and whether that is enough")
  func captions() {
    #expect(HorizonDrawing.caption(found(-2.34, confidence: 0.912).horizon) == "-2.3° · 0.91")
    #expect(HorizonDrawing.caption(found(4.16, confidence: 0.31).horizon) == "4.2° · 0.31 · not sure")
    #expect(HorizonDrawing.caption(.none()) == "No horizon found")
  }
}
