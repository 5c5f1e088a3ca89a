import Capture
import FrameCore
import Foundation
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite struct HorizonDetectorTests {
  private func horizon(_ picture: PixelBuffer, orientation: Orientation = .up) throws -> Horizon {
    let proxy = AnalysisProxy()
    try proxy.update(from: picture, orientation: orientation)
    return HorizonDetector().detect(in: proxy)
  }

  /// The picture with its pixels moved by `position`, from the new picture's pixel to the old one's.
  private func rearranged(_ picture: PixelBuffer, size: PixelSize, _ position: (Int, Int) -> (Int, Int))
    throws
    -> PixelBuffer
  {
    try Pictures.gray8(size.width, size.height) { x, y in
      let (oldX, oldY) = position(x, y)
      return picture.row(oldY, as: UInt8.self)[oldX]
    }
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
    #expect(found.isConfident, "\(found)")
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

  // MARK: What must not matter

  @Test("Mirroring changes the sign and nothing else", arguments: [1, 2, 3])
  func mirroring(seed: Int) throws {
    for picture in [
      try Scenes.sea(degrees: 6.5, seed: seed), try Scenes.facade(degrees: 6.5, seed: seed, convergence: 0.2),
    ] {
      let size = picture.size
      let mirrored = try rearranged(picture, size: size) { x, y in (size.width - 1 - x, y) }
      let (a, b) = (try horizon(picture), try horizon(mirrored))
      #expect(abs(try #require(a.degrees) + (try #require(b.degrees))) < 0.2, "\(a) \(b)")
      #expect(a.isConfident && b.isConfident)
    }
  }

  @Test("A picture stored turned or mirrored, and tagged so, gives the same tilt")
  func orientation() throws {
    let upright = try Scenes.facade(degrees: -5, seed: 2, convergence: 0.2)
    let expected = try #require(try horizon(upright).degrees)
    let (width, height) = (upright.width, upright.height)
    for orientation in Orientation.allCases {
      // The stored picture is the displayed one, turned back: mirrored first, then turned, on the way to display.
      let storedSize = orientation.applied(to: upright.size)
      let stored = try rearranged(upright, size: storedSize) { storedX, y in
        let x = orientation.isMirrored ? storedSize.width - 1 - storedX : storedX
        return switch orientation.quarterTurns {
        case 0: (x, y)
        case 1: (width - 1 - y, x)
        case 2: (width - 1 - x, height - 1 - y)
        default: (y, height - 1 - x)
        }
      }
      let found = try horizon(stored, orientation: orientation)
      #expect(abs(try #require(found.degrees) - expected) < 1e-6, "\(orientation): \(found)")
    }
  }

  @Test("The size of a picture does not matter, from 320 to 1500 pixels", arguments: [320, 640, 1500])
  func scale(width: Int) throws {
    // A soft edge, drawn without supersampling: a debug build paints twelve megapixels here.
    let slope = tan(-4.4 * Double.pi / 180)
    let height = width * 3 / 4
    let unit = 640 / Double(width)
    let found = try horizon(
      try Pictures.gray8(width, height) { x, y in
        let below = (Double(y) - Double(height) * 0.45 + (Double(x) - Double(width) / 2) * slope) * unit
        let grain = Double((x &* 73_856_093 ^ y &* 19_349_663) & 7)
        return UInt8(145 - 25 * min(max(below, -1), 1) + grain)
      })
    #expect(abs(try #require(found.degrees) + 4.4) < 0.2, "\(found)")
    #expect(found.isConfident, "\(found)")
  }

  @Test("Exposure from -2 to +0.6 EV does not matter", arguments: [0.25, 0.5, 1, 1.5])
  func exposure(gain: Double) throws {
    let found = try horizon(try Scenes.sea(degrees: 7.7, seed: 4, gain: gain))
    #expect(abs(try #require(found.degrees) - 7.7) < 0.2, "\(found)")
    #expect(found.isConfident, "\(found)")
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
}
