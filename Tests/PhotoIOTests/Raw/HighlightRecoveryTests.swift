import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

/// Highlights in which the sensor's green was full and the others were not.
@Suite("Recovered highlights of camera raws", .libRawIsInstalled)
struct HighlightRecoveryTests {
  /// A surface that reflects `color` of a light that falls off from left to right, 1 where green fills the sensor.
  private func develop(_ color: SIMD3<Double>, from brightest: Double) throws -> [SIMD3<Double>] {
    let (width, neutral) = (96, [0.5, 1, 0.625])
    func light(_ x: Int) -> Double { brightest * (1 - Double(x) / Double(width)) }
    var file = DNGFile(width: width, height: 32) { x, _, channel in
      min(light(x) * color[channel] * neutral[channel], 1)
    }
    (file.bits, file.white, file.neutral) = (14, 15_000, neutral)
    let scratch = try Scratch()
    let photo = try Photo(contentsOf: try scratch.write(file.bytes, to: "photo.dng"))
    let row = row16(photo.buffer, 16)
    return (0..<width).map { x in SIMD3((0..<3).map { Double(row[4 * x + $0]) / 65_535 / 0.25 }) }
  }

  @Test("Of a grey surface stay grey and go on getting brighter, up to where the second channel is full")
  func grey() throws {
    let row = try develop(SIMD3(1, 1, 1), from: 1.55)
    var last = 0.0
    for x in (4..<92).reversed() {
      let expected = 1.55 * (1 - Double(x) / 96)
      let found = row[x]
      // Cut at the green's white, all would be 1; left as it is, green would be a third too dark: magenta.
      #expect(abs(found.y / expected - 1) < 0.03, "\(x): \(found), expected \(expected)")
      #expect(found.max() / found.min() < 1.04, "\(x): \(found)")
      #expect(found.y > last - 0.002)
      last = found.y
    }
  }

  @Test("Of a coloured surface keep its colour", arguments: [SIMD3(1, 0.9, 0.75), SIMD3(0.8, 0.95, 1)])
  func colored(color: SIMD3<Double>) throws {
    let row = try develop(color, from: 1.5)
    let reference = row[80] / row[80].y
    for x in 4..<92 {
      let found = row[x] / row[x].y
      #expect(max((found - reference).max(), (reference - found).max()) < 0.07, "\(x): \(row[x])")
    }
  }

  @Test(
    "Become white without an edge where every channel is full",
    arguments: [SIMD3(1, 1, 1), SIMD3(1, 0.8, 0.6)])
  func blown(color: SIMD3<Double>) throws {
    let row = try develop(color, from: 6)
    // The last channel is full at 2 / 1, 1 / 0.8 or 1.6 / 0.6 of the light.
    for x in 4..<30 { #expect(row[x].max() / row[x].min() < 1.001, "\(x): \(row[x])") }
    for x in 5..<92 {
      // The matrix makes colours a little brighter than the white that they fade to.
      #expect(row[x].max() < row[x - 1].max() * 1.01, "\(x): \(row[x - 1]) to \(row[x])")
      #expect((row[x - 1] - row[x]).max() < 0.25, "\(x): \(row[x - 1]) to \(row[x])")
    }
  }

  @Test("Nothing changes where no channel is full")
  func dark() throws {
    let row = try develop(SIMD3(1, 1, 1), from: 0.9)
    for x in 4..<92 { #expect(abs(row[x].y - 0.9 * (1 - Double(x) / 96)) < 0.002) }
  }
}
