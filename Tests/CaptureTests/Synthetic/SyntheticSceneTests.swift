import FrameCore
import Foundation
import TestSupport
import Testing

@testable import Capture

@Suite struct SyntheticSceneTests {
  private static let size = PixelSize(width: 480, height: 320)

  /// The rows of a buffer without padding.
  private func bytes(_ buffer: PixelBuffer) -> [UInt8] {
    (0..<buffer.height).flatMap { Array(buffer.row($0, as: UInt8.self)) }
  }

  @Test("What live painting skips as clear is clear")
  func clearPlaces() {
    var generator = SeededRandom(seed: 0x5AFE_0011)
    for time in [0, 40, 150.0] {
      let painter = ScenePainter(
        SyntheticScene(size: Self.size, horizonDegrees: 0, horizonHeight: 0.55, seed: 3, time: time), reach: 1
      )
      var clear = 0
      for _ in 0..<60_000 {
        let s = Float.random(in: -1...1, using: &generator)
        let t = Float.random(in: -0.6...0.6, using: &generator)
        guard painter.isClear(s, t, painter.skyline(at: s)) else { continue }
        clear += 1
        let light = SIMD3<Float>(0, 4096, 0)
        if painter.foreground(over: light, s, t) != light {
          Issue.record("not clear at \(s), \(t)")
          return
        }
      }
      #expect(clear > 25_000, "\(clear)")
    }
  }

  // MARK: Horizon

  /// How strongly the picture changes across a line: the mean difference of green 1.5 pixels to either
  /// side, each column capped at 25 codes, so that a few posts or rocks do not outvote the horizon.
  private func edgeStrength(
    _ pixels: [UInt8], _ size: PixelSize, degrees: Double, rowAtMiddle: Double
  ) -> Double {
    let slope = tan(degrees * .pi / 180)
    func green(_ x: Int, _ y: Double) -> Double? {
      let top = Int((y - 0.5).rounded(.down))
      guard top >= 0, top + 1 < size.height else { return nil }
      let rest = y - 0.5 - Double(top)
      let (a, b) = (pixels[(top * size.width + x) * 4 + 1], pixels[((top + 1) * size.width + x) * 4 + 1])
      return Double(a) * (1 - rest) + Double(b) * rest
    }
    var (sum, count) = (0.0, 0)
    for x in 0..<size.width {
      let y = rowAtMiddle - (Double(x) + 0.5 - Double(size.width) / 2) * slope
      guard let above = green(x, y - 1.5), let below = green(x, y + 1.5) else { continue }
      sum += min(abs(above - below), 25)
      count += 1
    }
    return count > size.width / 2 ? sum / Double(count) : 0
  }

  @Test(
    "The strongest straight edge in the pixels is the declared horizon",
    arguments: [(0.0, 0.55), (2.4, 0.55), (-6.3, 0.5), (11.0, 0.6)])
  func horizonIsWhereDeclared(degrees: Double, height: Double) throws {
    let scene = SyntheticScene(size: Self.size, horizonDegrees: degrees, horizonHeight: height)
    let pixels = bytes(try scene.render())
    let middle = height * Double(Self.size.height)
    var best = (strength: 0.0, degrees: 0.0, row: 0.0)
    for tilt in stride(from: degrees - 2, through: degrees + 2.001, by: 0.1) {
      for row in stride(from: middle - 8, through: middle + 8.001, by: 0.5) {
        let strength = edgeStrength(pixels, Self.size, degrees: tilt, rowAtMiddle: row)
        if strength > best.strength { best = (strength, tilt, row) }
      }
    }
    #expect(abs(best.degrees - degrees) <= 0.21, "found \(best)")
    #expect(abs(best.row - middle) <= 1, "found \(best)")
    #expect(best.strength > 8, "found \(best)")
  }

  @Test("A positive roll raises the horizon to the right")
  func positiveRollRisesToTheRight() {
    let scene = SyntheticScene(
      size: PixelSize(width: 200, height: 100), horizonDegrees: 45, horizonHeight: 0.5)
    #expect(abs(scene.horizonRow(atColumn: 100) - 50) < 1e-9)
    #expect(abs(scene.horizonRow(atColumn: 130) - 20) < 1e-9)
  }

  // MARK: Light

  /// IEC 61966-2-1, in Double, apart from the scene's table.
  private func encodedSRGB(_ linear: Double) -> Double {
    linear <= 0.003_130_8 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
  }

  @Test(
    "A patch's mean is its reflectance times the light, encoded",
    arguments: [SIMD3<Float>(1, 1, 1), SIMD3<Float>(0.85, 1, 1.2), SIMD3<Float>(1.25, 0.9, 0.5)])
  func patchesAreTrue(gain: SIMD3<Float>) throws {
    let scene = SyntheticScene(
      size: PixelSize(width: 480, height: 360), horizonDegrees: 5, illuminantGain: gain, showsPatches: true)
    let buffer = try scene.render()
    #expect(scene.patches.count == 12)
    for patch in scene.patches {
      var sum = SIMD3<Double>()
      for y in patch.rows {
        let row = buffer.row(y, as: UInt8.self)
        for x in patch.columns {
          sum += SIMD3(Double(row[4 * x]), Double(row[4 * x + 1]), Double(row[4 * x + 2]))
        }
      }
      let mean = sum / Double(patch.rows.count * patch.columns.count)
      for channel in 0..<3 {
        let expected = 255 * encodedSRGB(Double(patch.reflectance[channel] * gain[channel]))
        // Triangular dither and rounding have a standard deviation of half a code; a patch has 484 pixels.
        #expect(abs(mean[channel] - expected) < 0.1, "\(patch.name), channel \(channel)")
      }
    }
  }

  @Test("Where there is no light, the picture is black, to within the dither")
  func noLightIsBlack() throws {
    let buffer = try SyntheticScene(size: PixelSize(width: 96, height: 64), illuminantGain: SIMD3(0, 0, 0))
      .render()
    for y in 0..<buffer.height {
      let row = buffer.row(y, as: UInt8.self)
      #expect((0..<buffer.width).allSatisfy { max(row[4 * $0], row[4 * $0 + 1], row[4 * $0 + 2]) <= 1 })
    }
  }

  @Test("The chart lies within the picture at every size that has one")
  func chartFits() {
    for width in stride(from: 1, to: 200, by: 3) {
      for height in stride(from: 1, to: 200, by: 3) {
        let size = PixelSize(width: width, height: height)
        for patch in SyntheticScene(size: size, showsPatches: true).patches {
          #expect(patch.columns.lowerBound > 0 && patch.columns.upperBound < width, "\(size)")
          #expect(patch.rows.lowerBound > 0 && patch.rows.upperBound < height, "\(size)")
          #expect(!patch.columns.isEmpty && !patch.rows.isEmpty, "\(size)")
        }
      }
    }
  }

  @Test("The sky has no bands: neighbours differ often, since dither hides where one code ends")
  func skyHasNoBands() throws {
    let size = PixelSize(width: 1200, height: 40)
    let buffer = try SyntheticScene(size: size, horizonHeight: 1).render()
    for y in 0..<12 {
      let row = buffer.row(y, as: UInt8.self)
      let changes = (1..<size.width).count { row[4 * $0 + 1] != row[4 * $0 - 3] }
      // Without dither a row crosses some 30 codes, and changes as often; with it, about every other pixel does.
      #expect(changes > size.width / 3, "row \(y)")
    }
  }

  // MARK: Bytes

  @Test("The same scene gives the same bytes, another seed gives others")
  func isDeterministic() throws {
    var scene = SyntheticScene.demonstration(size: Self.size, time: 3)
    let first = bytes(try scene.render())
    #expect(first == bytes(try scene.render()))
    scene.seed += 1
    #expect(first != bytes(try scene.render()))
  }

  @Test("Time moves the sea, and leaves the mountains")
  func timeMoves() throws {
    var scene = SyntheticScene(size: Self.size)
    let before = try scene.render()
    scene.time = 0.5
    let after = try scene.render()
    func moved(_ rows: Range<Int>, _ columns: Range<Int>) -> Int {
      rows.reduce(0) { sum, y in
        let (a, b) = (before.row(y, as: UInt8.self), after.row(y, as: UInt8.self))
        return sum + columns.count { abs(Int(a[4 * $0]) - Int(b[4 * $0])) > 4 }
      }
    }
    // Rows below the horizon at 176, left of the pier.
    #expect(moved(220..<320, 0..<150) > 1500)
    // The nearest range at the far left, just above the horizon.
    #expect(moved(170..<174, 0..<20) == 0)
  }

  @Test(
    "Any size is painted to its last pixel, opaque",
    arguments: [(1, 1), (7, 3), (3, 501), (1001, 2), (161, 107)])
  func oddSizes(width: Int, height: Int) throws {
    for degrees in [-45.0, 0, 45] {
      let scene = SyntheticScene(
        size: PixelSize(width: width, height: height), horizonDegrees: degrees, time: -1e6, showsPatches: true
      )
      let buffer = try PixelBuffer(size: scene.size, format: .rgba8)
      for y in 0..<height { buffer.row(y, as: UInt8.self).update(repeating: 0) }
      try scene.render(into: buffer)
      for y in 0..<height {
        let row = buffer.row(y, as: UInt8.self)
        #expect((0..<width).allSatisfy { row[4 * $0 + 3] == 255 && row[4 * $0 + 2] > 0 })
      }
    }
  }

  // MARK: Errors

  @Test("A value out of range is refused with the range")
  func refusesBadValues() throws {
    func message(_ change: (inout SyntheticScene) -> Void) -> String? {
      var scene = SyntheticScene(size: PixelSize(width: 8, height: 8))
      change(&scene)
      do { _ = try scene.render() } catch { return "\(error)" }
      return nil
    }
    #expect(
      message { $0.horizonDegrees = 60 }
        == "The scene's horizonDegrees is 60.0; give a value from -45.0 to 45.0.")
    #expect(
      message { $0.horizonHeight = -0.5 }
        == "The scene's horizonHeight is -0.5; give a value from 0.0 to 1.0.")
    #expect(
      message { $0.illuminantGain.y = .nan }
        == "The scene's illuminantGain (green) is nan; give a value from 0.0 to 16.0.")
    #expect(
      message { $0.time = .infinity }
        == "The scene's time is inf; give a value from -1000000.0 to 1000000.0.")
    #expect(message { $0.size.width = 0 } == "The picture is empty (0×8).")
    let small = try PixelBuffer(size: PixelSize(width: 4, height: 4), format: .gray8)
    #expect(throws: SafelightError.self) {
      try SyntheticScene(size: PixelSize(width: 8, height: 8)).render(into: small)
    }
  }
}
