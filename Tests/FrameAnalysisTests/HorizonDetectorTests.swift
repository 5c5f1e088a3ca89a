import AnalysisTestSupport
import AllocationCounter
import Capture
import FrameCore
import Foundation
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite struct HorizonDetectorTests {
  private func horizon(_ picture: PixelBuffer, gravity: Double? = nil) throws -> Horizon {
    let proxy = AnalysisProxy()
    try proxy.update(from: picture)
    return HorizonDetector().detect(in: proxy, gravity: gravity)
  }

  // MARK: Known tilts

  @Test(
    "The tilt of the synthetic coast is found to half a degree, with the sign that levels it",
    arguments: [(-20.0, UInt32(1)), (-11, 2), (-3.3, 3), (0, 4), (2.4, 5), (8, 6), (14.5, 7), (20, 8)])
  func knownScenes(degrees: Double, seed: UInt32) throws {
    let scene = SyntheticScene(
      size: PixelSize(width: 640, height: 400), horizonDegrees: degrees, seed: seed)
    let found = try horizon(try scene.render())
    #expect(abs(try #require(found.degrees) - degrees) < 0.5, "\(found)")
    // A tilt that few pictures have takes more evidence: the angle is told, but not acted on.
    #expect(found.isConfident || abs(degrees) > 15, "\(found)")
  }

  @Test(
    "A sea's edge alone is enough, and is found to a fifth of a degree",
    arguments: [(-18.0, 1), (-7.3, 2), (0, 3), (3.1, 4), (12.4, 5)])
  func sea(degrees: Double, seed: Int) throws {
    let found = try horizon(try Scenes.sea(degrees: degrees, seed: seed))
    #expect(abs(try #require(found.degrees) - degrees) < 0.2, "\(found)")
    #expect(found.isConfident, "\(found)")
    #expect(found.evidence.kinds.contains(.boundary), "\(found)")
  }

  @Test("One long line is enough where nothing contradicts it", arguments: [-14.0, -2, 5.5, 15])
  func singleLine(degrees: Double) throws {
    let found = try horizon(try Scenes.picture(degrees: degrees) { _, y in y < 30 ? 130 : 110 })
    #expect(abs(try #require(found.degrees) - degrees) < 0.1, "\(found)")
    #expect(found.isConfident, "\(found)")
  }

  @Test(
    "A wall with windows is levelled, seen straight on and at a slant",
    arguments: [-30.0, -9, 0, 4.2, 17], [0, 0.25])
  func facade(degrees: Double, convergence: Double) throws {
    let found = try horizon(try Scenes.facade(degrees: degrees, seed: 3, convergence: convergence))
    #expect(abs(try #require(found.degrees) - degrees) < 0.5, "\(found)")
    #expect(found.isConfident, "\(found)")
    #expect(found.evidence.kinds.contains(.verticals), "\(found)")
  }

  // MARK: Abstention

  @Test("Discs, sticks, clouds, hills and slanting stairs get no confident horizon", arguments: 1...4)
  func abstention(seed: Int) throws {
    let pictures = [
      ("discs", try Scenes.discs(seed: seed)), ("sticks", try Scenes.sticks(seed: seed)),
      ("clouds", try Scenes.clouds(seed: seed)), ("hills", try Scenes.hills(seed: seed)),
      ("stairs", try Scenes.stairs(degrees: [24, -28, 33, -38][seed - 1], seed: seed)),
    ]
    for (name, picture) in pictures {
      let found = try horizon(picture)
      #expect(!found.isConfident, "\(name): \(found)")
    }
  }

  @Test("A picture without lines has no horizon, whatever its size and level")
  func nothing() throws {
    for (width, height) in [(1, 1), (2, 2), (3, 3), (3, 4000), (4000, 3), (640, 480), (97, 31)] {
      for level: UInt8 in [0, 128, 255] {
        let found = try horizon(try Pictures.gray8(width, height) { _, _ in level })
        #expect(found.degrees == nil && found.confidence == 0, "\(width)×\(height): \(found)")
      }
    }
  }

  @Test("Noise is no horizon", arguments: 1...5)
  func noise(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let found = try horizon(
      try Pictures.gray8(640, 480) { _, _ in UInt8.random(in: 0...255, using: &random) })
    #expect(!found.isConfident, "\(found)")
  }

  @Test("Floats that are not numbers are no horizon")
  func notNumbers() throws {
    let picture = try PixelBuffer(size: PixelSize(width: 300, height: 200), format: .rgbaF32)
    for y in 0..<200 {
      let row = picture.row(y, as: Float.self)
      for index in row.indices { row[index] = y % 2 == 0 ? .nan : .infinity }
    }
    #expect(!(try horizon(picture).isConfident))
  }

  @Test("Pictures whose floats are not numbers, or far too large, crash nothing", arguments: [1, 7, 640])
  func extremes(width: Int) throws {
    let picture = try PixelBuffer(size: PixelSize(width: width, height: 480), format: .rgbaF32)
    let values: [Float] = [.nan, -.infinity, .infinity, 1e30, -1e30, 0, .leastNonzeroMagnitude]
    var random = SeededRandom(seed: 8)
    for y in 0..<480 {
      let row = picture.row(y, as: Float.self)
      for index in row.indices { row[index] = values.randomElement(using: &random) ?? 0 }
    }
    #expect(!(try horizon(picture).isConfident))
  }

  // MARK: Gravity

  @Test("Where the picture tells nothing, the camera's own level decides", arguments: [-31.0, 0, 3.2])
  func gravityAlone(degrees: Double) throws {
    for picture in [try Pictures.gray8(320, 240) { _, _ in 90 }, try Scenes.clouds(seed: 2)] {
      let found = try horizon(picture, gravity: degrees)
      #expect(abs(try #require(found.degrees) - degrees) < 0.3, "\(found)")
      #expect(found.isConfident && found.confidence < 0.9, "\(found)")
      #expect(found.evidence.kinds.contains(.gravity), "\(found)")
    }
  }

  @Test("Where the picture agrees with the camera's own level, it refines it", arguments: [-1.2, 0.8, 1.5])
  func gravityRefined(aside: Double) throws {
    let picture = try Scenes.sea(degrees: 6.5, seed: 3)
    let found = try horizon(picture, gravity: 6.5 + aside)
    #expect(abs(try #require(found.degrees) - 6.5) < 0.3, "\(found)")
    #expect(found.confidence >= (try horizon(picture)).confidence, "\(found)")
    #expect(found.evidence.kinds == [.gravity, .boundary] || found.evidence.kinds.count > 2, "\(found)")
  }

  @Test("Where the picture contradicts the camera's own level, confidence falls", arguments: [-14.0, -6, 16])
  func gravityContradicted(gravity: Double) throws {
    let picture = try Scenes.facade(degrees: 4.2, seed: 3, convergence: 0.25)
    let (alone, both) = (try horizon(picture), try horizon(picture, gravity: gravity))
    #expect(both.confidence < alone.confidence - 1e-4, "\(alone) \(both)")
  }

  @Test(
    "A level that is no number, or of a camera on its side, is not heeded", arguments: [.nan, .infinity, 90])
  func gravityRefused(gravity: Double) throws {
    let picture = try Scenes.sea(degrees: 6.5, seed: 3)
    #expect(try horizon(picture, gravity: gravity) == (try horizon(picture)))
    let nothing = try horizon(try Pictures.gray8(64, 64) { _, _ in 5 }, gravity: gravity)
    #expect(nothing.degrees == nil && nothing.confidence == 0)
  }

  // MARK: Evidence

  @Test("The evidence names the lines, vanishing points and the boundary that agree, and only those")
  func evidence() throws {
    let proxy = AnalysisProxy()
    let detector = HorizonDetector()
    try proxy.update(from: try Scenes.facade(degrees: 10, seed: 3, convergence: 0.25))
    let found = detector.detect(in: proxy)
    let told = detector.evidence()
    #expect(told.lines.count == found.evidence.segmentCount)
    #expect(Set(told.lines.map(\.role)).isSuperset(of: [.upright, .level]))
    for line in told.lines where line.role == .upright {
      let way = line.to - line.from
      // Positive tilts rise to the right: uprights lean to the left at the top.
      let lean = atan2(-way.x, way.y) * 180 / .pi
      let aside = abs(remainder(lean - -10, 180))
      #expect(aside < 3, "\(line)")
    }
    for line in told.lines {
      for point in [line.from, line.to] {
        #expect(point.x >= -0.01 && point.x <= 1.01 && point.y >= -0.01 && point.y <= 0.76, "\(line)")
      }
    }
    let upright = try #require(told.vanishingPoints.first { $0.role == .upright })
    #expect(abs(abs(upright.direction) - 100) < 2 || abs(abs(upright.direction) - 80) < 2, "\(upright)")

    try proxy.update(from: try Scenes.sea(degrees: -8, seed: 1))
    _ = detector.detect(in: proxy)
    let boundary = try #require(detector.evidence().boundary)
    let way = boundary.to - boundary.from
    #expect(abs(atan2(-way.y, way.x) * 180 / .pi - -8) < 0.3, "\(boundary)")

    try proxy.update(from: try Pictures.gray8(40, 30) { _, _ in 7 })
    _ = detector.detect(in: proxy)
    #expect(detector.evidence() == HorizonEvidence())
  }

  @Test("The same picture gives the same answer, whatever the detector saw before")
  func deterministic() throws {
    let proxy = AnalysisProxy()
    let detector = HorizonDetector()
    let picture = try Scenes.facade(degrees: 3, seed: 1)
    try proxy.update(from: picture)
    let first = detector.detect(in: proxy)
    try proxy.update(from: try Scenes.sticks(seed: 2))
    _ = detector.detect(in: proxy)
    try proxy.update(from: picture)
    #expect(detector.detect(in: proxy) == first)
    #expect(try horizon(picture) == first)
  }

  @Test(
    "After the first frames the detector asks for no memory",
    .enabled(if: !_isDebugAssertConfiguration(), "Generics ask for memory where code is not optimised."))
  func allocations() throws {
    let proxy = AnalysisProxy()
    let detector = HorizonDetector()
    let pictures = [try Scenes.facade(degrees: 3, seed: 1), try Scenes.sea(degrees: 3, seed: 1)]
    func run(_ picture: PixelBuffer) throws -> Int {
      try proxy.update(from: picture)
      allocation_counter_count_this_thread(1)
      defer { allocation_counter_count_this_thread(0) }
      let before = allocation_counter_total()
      _ = detector.detect(in: proxy)
      return allocation_counter_total() - before
    }
    for picture in pictures + pictures { _ = try run(picture) }
    for picture in pictures { #expect(try run(picture) == 0) }
  }
}
