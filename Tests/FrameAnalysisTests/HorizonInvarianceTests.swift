import AnalysisTestSupport
import FrameCore
import TestSupport
import Testing
import Libc

@testable import FrameAnalysis

/// What is done to a picture without tilting it must not change the answer.
@Suite struct HorizonInvarianceTests {
  private func horizon(_ picture: PixelBuffer, orientation: Orientation = .up) throws -> Horizon {
    let proxy = AnalysisProxy()
    try proxy.update(from: picture, orientation: orientation)
    return HorizonDetector().detect(in: proxy)
  }

  private static let scenes: [(name: String, make: @Sendable () throws -> PixelBuffer)] = [
    ("sea", { try Scenes.sea(degrees: 6.5, seed: 2) }),
    ("facade", { try Scenes.facade(degrees: -5, seed: 2, convergence: 0.2) }),
  ]

  /// The picture with its pixels moved by `position`, from the new picture's pixel to the old one's.
  private func rearranged(_ picture: PixelBuffer, size: PixelSize, _ position: (Int, Int) -> (Int, Int))
    throws -> PixelBuffer
  {
    try Pictures.gray8(size.width, size.height) { x, y in
      let (oldX, oldY) = position(x, y)
      return picture.row(oldY, as: UInt8.self)[oldX]
    }
  }

  // MARK: Mirroring and turning

  @Test("Mirroring changes the sign and nothing else", arguments: 0..<2)
  func mirroring(scene: Int) throws {
    let picture = try Self.scenes[scene].make()
    let size = picture.size
    let mirrored = try rearranged(picture, size: size) { x, y in (size.width - 1 - x, y) }
    let (a, b) = (try horizon(picture), try horizon(mirrored))
    #expect(abs(try #require(a.degrees) + (try #require(b.degrees))) < 0.2, "\(a) \(b)")
    #expect(abs(a.confidence - b.confidence) < 0.1, "\(a) \(b)")
    #expect(a.isConfident && b.isConfident)
  }

  @Test("A picture stored turned or mirrored, and tagged so, gives the same tilt", arguments: 0..<2)
  func orientation(scene: Int) throws {
    let upright = try Self.scenes[scene].make()
    let expected = try horizon(upright)
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
      #expect(abs(try #require(found.degrees) - (try #require(expected.degrees))) < 1e-6, "\(orientation)")
      #expect(abs(found.confidence - expected.confidence) < 1e-6, "\(orientation)")
    }
  }

  // MARK: Size

  /// Sky above a sea whose edge falls by one row every 13 columns. Each row is the row above, moved by 13
  /// columns: large pictures are copied together from one long row.
  private func seaEdge(width: Int) throws -> PixelBuffer {
    let height = width * 3 / 4
    let picture = try PixelBuffer(size: PixelSize(width: width, height: height), format: .gray8)
    let unit = Double(width) / 640
    let line = (0..<(width + 13 * height)).map { index -> UInt8 in
      // How far the edge lies above this sample, in 640ths of the width.
      let below = (Double(13 * height - index + width / 2) / 13 - 0.45 * Double(height)) / unit
      // Soft, as a lens draws it: no stairs of pixels.
      let edge = 40 * min(max(below / 3, -1), 1)
      return UInt8(150 - edge)
    }
    line.withUnsafeBufferPointer { line in
      for y in 0..<height {
        guard let from = line.baseAddress, let row = picture.row(y, as: UInt8.self).baseAddress else {
          return
        }
        memcpy(row, from + 13 * (height - y), width)
      }
    }
    return picture
  }

  @Test(
    "The size of a picture does not matter, from 320 to 4000 pixels",
    arguments: [320, 480, 640, 1000, 1920, 4000])
  func scale(width: Int) throws {
    let found = try horizon(try seaEdge(width: width))
    // One row in 13 columns, down to the right or up: what the formula above draws is known.
    let degrees = atan(1.0 / 13) * 180 / .pi
    #expect(abs(abs(try #require(found.degrees)) - degrees) < 0.2, "\(found)")
    #expect(found.isConfident, "\(found)")
  }

  @Test("A wall with windows has the same tilt at all sizes")
  func wallScale() throws {
    let small = try Scenes.facade(degrees: -5, seed: 2, convergence: 0.2)
    let expected = try horizon(small)
    for factor in [2, 4, 8] {
      // Each pixel becomes a square: rows are made once and copied.
      let size = PixelSize(width: small.width * factor, height: small.height * factor)
      let picture = try PixelBuffer(size: size, format: .gray8)
      for y in 0..<small.height {
        let from = small.row(y, as: UInt8.self)
        let first = picture.row(y * factor, as: UInt8.self)
        for x in 0..<small.width { memset(first.baseAddress! + x * factor, Int32(from[x]), factor) }
        for copy in 1..<factor {
          memcpy(picture.row(y * factor + copy, as: UInt8.self).baseAddress!, first.baseAddress!, size.width)
        }
      }
      let found = try horizon(picture)
      #expect(
        abs(try #require(found.degrees) - (try #require(expected.degrees))) < 0.2, "\(factor): \(found)")
      #expect(found.isConfident, "\(factor): \(found)")
    }
  }

  // MARK: Tone

  @Test("Exposure from -2 to +2 EV does not matter, clipped as it may be", arguments: [-2.0, -1, 0, 1, 2])
  func exposure(stops: Double) throws {
    for (name, make) in Self.scenes {
      let picture = try make()
      // In linear light of a display gamma of 2.2, clipped at white.
      let table = (0..<256).map { level in
        UInt8(255 * min(pow(pow(Double(level) / 255, 2.2) * exp2(stops), 1 / 2.2), 1) + 0.5)
      }
      let exposed = try Pictures.gray8(picture.width, picture.height) { x, y in
        table[Int(picture.row(y, as: UInt8.self)[x])]
      }
      let (a, b) = (try horizon(picture), try horizon(exposed))
      #expect(abs(try #require(a.degrees) - (try #require(b.degrees))) < 0.2, "\(name): \(a) \(b)")
      #expect(b.isConfident, "\(name): \(b)")
    }
  }

  @Test("JPEG's losses at quality 30 do not matter", arguments: 0..<2)
  func compression(scene: Int) throws {
    let picture = try Self.scenes[scene].make()
    let (a, b) = (try horizon(picture), try horizon(try JPEGLosses.applied(to: picture, quality: 30)))
    #expect(abs(try #require(a.degrees) - (try #require(b.degrees))) < 0.2, "\(a) \(b)")
    #expect(b.isConfident, "\(b)")
  }

  @Test("JPEG's blocks at quality 30 are no level lines", arguments: [30, 40])
  func blocks(quality: Int) throws {
    for picture in [try Scenes.clouds(seed: 3), try Scenes.discs(seed: 3)] {
      let found = try horizon(try JPEGLosses.applied(to: picture, quality: quality))
      #expect(!found.isConfident, "\(found)")
    }
  }

  // MARK: Frames

  @Test(
    "A plain frame around a picture is no evidence: letterboxes, bars at the sides, borders of prints",
    arguments: [(0, 40, UInt8(0)), (60, 0, 16), (24, 24, 255), (3, 5, 128)])
  func frames(left: Int, top: Int, level: UInt8) throws {
    for degrees in [-8.0, 5.5] {
      let picture = try Scenes.facade(degrees: degrees, seed: 2, convergence: 0.2)
      let (width, height) = (picture.width, picture.height)
      let framed = try Pictures.gray8(width + 2 * left, height + 2 * top) { x, y in
        let (u, v) = (x - left, y - top)
        return (0..<width).contains(u) && (0..<height).contains(v) ? picture.row(v, as: UInt8.self)[u] : level
      }
      let (bare, found) = (try horizon(picture), try horizon(framed))
      // A row or column at the edge of the picture goes with the frame.
      #expect(abs(try #require(found.degrees) - (try #require(bare.degrees))) < 0.15, "\(bare) \(found)")
      #expect(found.isConfident == bare.isConfident)
    }
  }

  @Test("Evidence within a frame lies where it is seen in the whole picture")
  func frameEvidence() throws {
    let picture = try Pictures.gray8(400, 300) { x, y in
      (40..<360).contains(x) && (40..<260).contains(y) ? (y < 150 ? 190 : 80) : 0
    }
    let proxy = AnalysisProxy()
    try proxy.update(from: picture)
    let detector = HorizonDetector()
    _ = detector.detect(in: proxy)
    let line = try #require(detector.evidence().lines.first)
    #expect(abs(line.from.y * 400 - 150) < 1.5 && abs(line.to.y * 400 - 150) < 1.5)
    #expect(min(line.from.x, line.to.x) * 400 > 38 && max(line.from.x, line.to.x) * 400 < 362)
  }

  @Test("A white sky is no frame, nor is a plain picture")
  func noFrames() throws {
    let sky = try Scenes.picture(degrees: 6) { _, y in y < -20 ? 255 : 90 + 20 * sin(y / 9) }
    #expect(abs(try #require(horizon(sky).degrees) - 6) < 0.3)
    #expect(try horizon(Pictures.gray8(300, 200) { _, _ in 128 }).degrees == nil)
  }
}
