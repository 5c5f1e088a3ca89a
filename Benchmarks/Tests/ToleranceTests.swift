import Safelight
import Testing

@testable import RivalEvaluation

@Suite("Tolerances") struct ToleranceTests {
  /// A picture whose colours are a function of the position, both 0..<1.
  private static func picture(
    _ width: Int, _ height: Int, _ color: (_ x: Double, _ y: Double) -> SIMD3<Double>
  ) throws -> Picture {
    let buffer = try PixelBuffer(size: PixelSize(width: width, height: height), format: .rgba8)
    for y in 0..<height {
      let row = buffer.row(y, as: UInt8.self)
      for x in 0..<width {
        let value = color(Double(x) / Double(width), Double(y) / Double(height))
        for channel in 0..<3 { row[4 * x + channel] = UInt8(max(0, min(255, value[channel]))) }
      }
    }
    return Picture(buffer)
  }

  private static func scene(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let checks = (Int(x * 6) + Int(y * 4)) % 2 == 0 ? 90.0 : 30
    return SIMD3(checks + 40 * x, checks + 20, checks + 30 * y)
  }

  private static func difference(of result: Picture) throws -> Difference {
    let unedited = try picture(240, 160, scene)
    let ours = try picture(240, 160) { scene($0, $1) * 1.5 + 10 }
    return Sketch(ours).difference(to: Sketch(result), unedited: Sketch(unedited))
  }

  @Test("Tolerances let an edit pass whose values mean slightly other things")
  func similarEdit() throws {
    let result = try Self.picture(244, 162) { Self.scene($0, $1) * SIMD3(1.4, 1.45, 1.35) + 8 }
    let difference = try Self.difference(of: result)
    #expect(Tolerance.edit.holds(difference), "\(difference.text)")
  }

  @Test("Tolerances leave out a picture that was not edited")
  func unedited() throws {
    #expect(!Tolerance.edit.holds(try Self.difference(of: Self.picture(240, 160, Self.scene))))
  }

  @Test("Tolerances leave out an edit of other pixels")
  func otherSize() throws {
    let result = try Self.picture(270, 160) { Self.scene($0, $1) * 1.5 + 10 }
    #expect(!Tolerance.edit.holds(try Self.difference(of: result)))
  }

  @Test("Tolerances leave out an edit of another picture, or of a mirrored one")
  func otherPicture() throws {
    let grey = try Self.picture(240, 160) { _, _ in SIMD3(120, 120, 120) }
    let mirrored = try Self.picture(240, 160) { Self.scene(1 - 1 / 240 - $0, $1) * 1.5 + 10 }
    for result in [grey, mirrored] { #expect(!Tolerance.edit.holds(try Self.difference(of: result))) }
  }

  @Test("Tolerances of edits need more than means of pixels")
  func plainDifference() {
    #expect(!Tolerance.edit.holds(Difference(mean: 0, maximum: 0, bias: 0)))
    #expect(Tolerance.rounding.holds(Difference(mean: 0.75, maximum: 2, bias: 2)))
    #expect(!Tolerance.rounding.holds(Difference(mean: 0.5, maximum: 3, bias: 0)))
  }
}
