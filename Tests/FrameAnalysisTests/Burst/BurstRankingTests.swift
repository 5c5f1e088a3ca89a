import AnalysisTestSupport
import FrameCore
import Foundation
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("Best of a burst")
struct BurstRankingTests {
  private static let scene = DrawnScene(288, 192, discs: 200, stops: 4)
  private static let sharp = scene.blurred(1.2)
  private static let alongThirty = sharp.moved(15, degrees: 30)

  /// Frames a thirtieth of a second apart, the first at the press.
  private func frames(_ pictures: [PixelBuffer], orientation: Orientation = .up) -> [Frame] {
    pictures.enumerated().map { index, picture in
      Frame(
        buffer: picture, time: Timestamp(nanoseconds: Int64(index) * 33_333_333), sequence: UInt64(index),
        orientation: orientation)
    }
  }

  private func ranking(
    _ pictures: [PixelBuffer], pressedAt frame: Int = 0, subject: SubjectArea? = nil
  ) throws -> [BurstRanking.Frame] {
    let pressedAt = Timestamp(nanoseconds: Int64(frame) * 33_333_333)
    return try BurstRanking(frames(pictures), pressedAt: pressedAt, subject: subject).frames
  }

  @Test("More blur ranks lower, of lenses as of motion in any direction, whatever the noise")
  func blur() throws {
    let scene = Self.sharp
    for noise in [0, 0.01] {
      let defocused = try [4, 0.5, 8, 2, 16].map {
        try scene.blurred($0).photo(stops: -0.5, noise: noise, seed: UInt64($0 * 2))
      }
      #expect(try ranking(defocused).map(\.index) == [1, 3, 0, 2, 4], "noise \(noise)")
      for degrees in noise == 0 ? [0.0, 30, 90] : [135] {
        let moved = try [9.0, 1, 25, 4].map {
          try scene.moved($0, degrees: degrees).photo(stops: -0.5, noise: noise, seed: UInt64($0))
        }
        let order = try ranking(moved)
        #expect(order.map(\.index) == [1, 3, 0, 2], "noise \(noise), \(degrees)°")
        #expect(order[0].motionAngle == nil && order[0].reason == "sharpest")
        for frame in order[2...] {
          let angle = try #require(
            frame.motionAngle, "noise \(noise), \(degrees)°, \(order.map(\.sharpness))")
          let apart = abs((angle - degrees + 270).truncatingRemainder(dividingBy: 180) - 90)
          #expect(apart < 12, "\(angle)°, not \(degrees)°")
          #expect(frame.reason.hasPrefix("blurred by motion along"))
        }
      }
    }
  }

  @Test("Out of focus is no motion")
  func defocus() throws {
    let pictures = try [0.5, 5].map { try Self.sharp.blurred($0).photo() }
    let order = try ranking(pictures)
    #expect(order[1].motionAngle == nil)
    #expect(order[1].reason == "less sharp: \(Int((order[1].sharpness * 100).rounded())) % of the sharpest")
  }

  @Test("Of random amounts of blur, less never scores lower")
  func monotonic() throws {
    var random = SeededRandom(seed: 11)
    for round in 0..<4 {
      let scene = DrawnScene(192, 128, discs: 120, seed: UInt64(round + 20)).blurred(1)
      let degrees = Double.random(in: 0..<180, using: &random)
      let amounts = (0..<6).map { _ in Double.random(in: 1...16, using: &random) }
      let pictures = try amounts.map {
        try round % 2 == 0 ? scene.moved($0, degrees: degrees).photo() : scene.blurred($0).photo()
      }
      let scores = try ranking(pictures).sorted { $0.index < $1.index }.map(\.score)
      let bySharpness = amounts.indices.sorted { amounts[$0] < amounts[$1] }
      for (better, worse) in zip(bySharpness, bySharpness.dropFirst()) {
        #expect(scores[better] >= scores[worse], "round \(round): \(amounts[better]), \(amounts[worse])")
      }
    }
  }

  @Test(
    "A sharp frame a little off in exposure beats a blurred one; among equally sharp ones exposure decides")
  func exposure() throws {
    let scene = Self.sharp
    let blurred = scene.moved(9, degrees: 0)
    // A stop darker, and brighter by half a stop, which clips a little.
    let order = try ranking([
      blurred.photo(stops: -0.5), scene.photo(stops: -1.5), blurred.photo(stops: -0.5), scene.photo(stops: 0),
    ])
    #expect(Set(order.prefix(2).map(\.index)) == [1, 3])

    let clipped = try ranking([scene.photo(stops: 2), scene.photo(stops: -0.5), scene.photo(stops: -4)])
    #expect(clipped[0].index == 1 && clipped[0].exposure == 1)
    let bright = try #require(clipped.first { $0.index == 0 })
    let dark = try #require(clipped.first { $0.index == 2 })
    #expect(bright.highlights > 0.2 && bright.exposure < 0.6)
    #expect(bright.reason == "highlights clipped: \(Int((bright.highlights * 100).rounded())) %")
    #expect(dark.relativeExposure < -3 && dark.reason.hasPrefix("too dark: "))
    // What is clipped in all frames alike, such as a lamp, is nobody's fault.
    let lamp = try ranking([scene.photo(stops: 2), scene.moved(5, degrees: 90).photo(stops: 2)])
    #expect(lamp.map(\.index) == [0, 1] && lamp[0].exposure == 1)
  }

  @Test("Exposure alone makes no frame sharper")
  func gain() throws {
    let order = try ranking([-2.0, -1.5, -1, -0.5].map { try Self.sharp.photo(stops: $0) })
    #expect(order.allSatisfy { $0.sharpness > 0.85 }, "\(order.map(\.sharpness))")
  }

  @Test("Of equally good frames, the nearest to the press comes first")
  func ties() throws {
    let pictures = try (0..<5).map { try Self.sharp.photo(noise: 0.004, seed: UInt64($0)) }
    for press in 0..<5 {
      let order = try ranking(pictures, pressedAt: press)
      #expect(order.map { abs($0.index - press) } == (0..<5).map { abs($0 - press) }.sorted())
      #expect(order[0].secondsFromPress == 0)
      #expect(order[0].reason == "as good as the best, and nearest to the press")
      #expect(order[4].reason == "as good as the best, and further from the press")
    }
    // A press between two frames; a blurred one is nearer than all and still last.
    let mixed = try [pictures[0], Self.sharp.moved(12, degrees: 10).photo(), pictures[2]]
    let order = try BurstRanking(frames(mixed), pressedAt: Timestamp(nanoseconds: 40_000_000)).frames
    #expect(order.map(\.index) == [2, 0, 1])
  }

  @Test("The subject decides: the one given, or the one in the middle")
  func subject() throws {
    let (sharp, soft) = (Self.sharp, Self.sharp.blurred(8))
    let isLeft: (Int, Int) -> Bool = { x, _ in x < 96 }
    let isMiddle: (Int, Int) -> Bool = { x, y in (96..<192).contains(x) && (48..<144).contains(y) }
    let pictures = try [soft.with(sharp, where: isLeft), soft.with(sharp, where: isMiddle)].map {
      try $0.photo()
    }
    #expect(try ranking(pictures).map(\.index) == [1, 0])
    let left = SubjectArea(x: 0, y: 0, width: 0.3, height: 1)
    #expect(try ranking(pictures, subject: left).map(\.index) == [0, 1])
    #expect(
      try ranking(pictures, subject: SubjectArea(x: 0.4, y: 0.3, width: 0.2, height: 0.4)).map(\.index) == [
        1, 0,
      ])
  }

  @Test("Areas and angles are those of the frame as displayed", arguments: Orientation.allCases)
  func orientation(orientation: Orientation) throws {
    // The displayed place of a stored pixel, told by drawing: a mark in one corner of the stored picture.
    let size = PixelSize(width: 40, height: 20)
    let displayed = orientation.applied(to: size)
    let area = SubjectArea(x: 0, y: 0, width: 0.25, height: 0.5)
    let (columns, rows) = area.pixels(of: size, orientation: orientation)
    // Orientation's definition: mirrored left–right, then turned clockwise by quarter turns.
    func place(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
      var (x, y) = (orientation.isMirrored ? size.width - 1 - x : x, y)
      var height = size.height
      var width = size.width
      for _ in 0..<orientation.quarterTurns { (x, y, width, height) = (height - 1 - y, x, height, width) }
      return (x, y)
    }
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (column, row) = place(x, y)
        let isInside = 4 * column < displayed.width && 2 * row < displayed.height
        #expect((columns.contains(x) && rows.contains(y)) == isInside)
      }
    }
    // Motion along 30° as stored.
    let pictures = try [Self.sharp, Self.alongThirty].map { try $0.photo() }
    let burst = try BurstRanking(
      frames(pictures, orientation: orientation), pressedAt: Timestamp(nanoseconds: 0))
    let (from, to) = (place(0, 0), place(1000, -577))
    let expected = atan2(Double(from.y - to.y), Double(to.x - from.x)) * 180 / .pi
    let angle = try #require(burst.frames.last?.motionAngle)
    let apart = abs((angle - expected + 450).truncatingRemainder(dividingBy: 180) - 90)
    #expect(apart < 12, "\(angle)°, not \(expected)°")
  }

  @Test(
    "Cameras' formats rank as RGB does", arguments: [PixelFormat.yuyv422, .uyvy422, .nv12, .i420, .gray8])
  func formats(format: PixelFormat) throws {
    let pictures = try [6.0, 1, 12].map { blur -> PixelBuffer in
      let photo = try Self.sharp.blurred(blur).photo(stops: -0.5)
      let tags = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .full)
      let (step, offset) = format == .yuyv422 ? (2, 0) : format == .uyvy422 ? (2, 1) : (1, 0)
      return try Pictures.tight(format, photo.size, tags: format == .gray8 ? .sRGB : tags) { plane, x, y in
        plane == 0 && x % step == offset ? photo.row(y, as: UInt8.self)[4 * (x / step)] : 128
      }
    }
    for subject in [nil, SubjectArea(x: 0.21, y: 0.1, width: 0.5, height: 0.7)] {
      #expect(try ranking(pictures, subject: subject).map(\.index) == [1, 0, 2])
    }
  }

  @Test("Frames without edges, tiny ones and single ones are ranked by what is left")
  func extremes() throws {
    for (width, height) in [(1, 1), (3, 2), (17, 40), (200, 100)] {
      let flat = try [UInt8(0), 128, 128, 255].map { level in
        try Pictures.rgba8(width, height) { _, _ in SIMD3(repeating: level) }
      }
      let order = try ranking(flat, pressedAt: 2)
      #expect(order.prefix(2).map(\.index) == [2, 1])
      #expect(order.allSatisfy { $0.sharpness == 1 && $0.score.isFinite })
    }
    #expect(try ranking([Self.sharp.photo()]).map(\.reason) == ["the only frame"])
    // Edges in one direction only.
    let stripes = try [1, 3].map { (width: Int) -> PixelBuffer in
      try Pictures.rgba8(160, 120) { (x: Int, _: Int) -> SIMD3<UInt8> in
        let bright: Int = (x..<x + width).count { $0 / 8 % 2 == 1 }
        return SIMD3(repeating: UInt8(30 + 180 * bright / width))
      }
    }
    #expect(try ranking(stripes).map(\.index) == [0, 1])
  }

  @Test("What cannot be ranked is refused")
  func errors() throws {
    let (small, large) = (try Self.sharp.photo(), try Self.sharp.photo(margin: 8))
    let pressedAt = Timestamp(nanoseconds: 0)
    #expect(throws: SafelightError.self) { try BurstRanking([], pressedAt: pressedAt) }
    #expect(throws: SafelightError.self) { try ranking([small, large]) }
    let turned = Frame(buffer: small, orientation: .right)
    #expect(throws: SafelightError.self) {
      try BurstRanking([Frame(buffer: small), turned], pressedAt: pressedAt)
    }
    for area in [
      SubjectArea(x: -0.1, y: 0, width: 0.5, height: 0.5), SubjectArea(x: 0.6, y: 0, width: 0.5, height: 0.5),
      SubjectArea(x: 0, y: 0, width: 0, height: 1), SubjectArea(x: .nan, y: 0, width: 1, height: 1),
    ] {
      #expect(throws: SafelightError.self) { try ranking([small], subject: area) }
    }
  }

  @Test("A ranking survives JSON")
  func json() throws {
    let pictures = try [Self.sharp, Self.sharp.moved(12, degrees: 60)].map { try $0.photo() }
    let burst = try BurstRanking(frames(pictures), pressedAt: Timestamp(nanoseconds: 5))
    #expect(try JSONDecoder().decode(BurstRanking.self, from: JSONEncoder().encode(burst)) == burst)
  }
}
