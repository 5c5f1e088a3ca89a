import ColorScience
import FrameCore
import Libc
import TestSupport
import Testing

@testable import FilterGraph

/// Masks as programs: values against formulas, places under turns and crops.
@Suite("Masks as programs")
struct MaskProgramTests {
  static let size = PixelSize(width: 300, height: 200)

  static func program(_ mask: Mask) throws -> MaskProgram {
    try MaskCanvas(size: size, toPicture: .identity).program(mask)
  }

  static func value(_ mask: Mask, _ x: Double, _ y: Double, of color: SIMD3<Double> = .zero) throws -> Double
  {
    try program(mask).value(at: (x, y), of: color)
  }

  @Test("A linear gradient is an S-curve from one place to the other, across the line between them")
  func linear() throws {
    // From x = 75 to x = 225 pixels.
    let mask = Mask.linear(from: MaskPoint(0.25, 0.5), to: MaskPoint(0.75, 0.5))
    for x in stride(from: 0.5, to: 300, by: 7) {
      let w = min(max((x - 75) / 150, 0), 1)
      #expect(abs(try Self.value(mask, x, 3) - w * w * (3 - 2 * w)) < 1e-12)
      #expect(try Self.value(mask, x, 3) == Self.value(mask, x, 190))
    }
    // Perpendicular in pixels, not in parts of width and height.
    let oblique = Mask.linear(from: MaskPoint(0, 0), to: MaskPoint(1, 1))
    let along = SIMD2(-200.0, 300) / 10
    #expect(
      abs(try Self.value(oblique, 150, 100) - Self.value(oblique, 150 + along.x, 100 + along.y)) < 1e-12)
  }

  @Test("A radial gradient is 1 in the centre, half in the middle of its feather, 0 from its radius on")
  func radial() throws {
    // Radii of 60 and 30 pixels, the long one turned clockwise by 90°: downwards.
    let mask = Mask.radial(
      center: MaskPoint(0.5, 0.5), radiusX: 0.2, radiusY: 0.1, angle: 90, feather: 0.4)
    #expect(try Self.value(mask, 150, 100) == 1)
    #expect(try Self.value(mask, 150, 100 + 0.6 * 60) == 1)
    #expect(abs(try Self.value(mask, 150, 100 + 0.8 * 60) - 0.5) < 1e-9)
    #expect(try Self.value(mask, 150, 160.001) == 0)
    #expect(abs(try Self.value(mask, 150 + 0.8 * 30, 100) - 0.5) < 1e-9)
    // 30° clockwise from the x axis is down to the right.
    let turned = Mask.radial(
      center: MaskPoint(0.5, 0.5), radiusX: 0.2, radiusY: 0.01, angle: 30, feather: 0.1)
    #expect(try Self.value(turned, 150 + 40 * cos(.pi / 6), 100 + 20) == 1)
    #expect(try Self.value(turned, 150 + 40 * cos(.pi / 6), 100 - 20) == 0)
  }

  @Test("An ellipse covers π a b, by the mean over all pixels")
  func ellipseArea() throws {
    let mask = Mask.radial(center: MaskPoint(0.5, 0.5), radiusX: 0.2, radiusY: 0.1, angle: 33, feather: 0)
    let program = try Self.program(mask)
    var area = 0.0
    for y in 0..<200 {
      for x in 0..<300 { area += program.value(at: (Double(x) + 0.5, Double(y) + 0.5), of: .zero) }
    }
    // The edge is inside the radius, a pixel wide at the narrow sides: half of it is covered.
    #expect(abs(area / (.pi * 60 * 30 * (59.0 / 60) * (59.0 / 60)) - 1) < 0.003)
  }

  @Test("Ranges of lightness and colour are those of OKLab")
  func ranges() throws {
    func grey(_ lightness: Double) -> SIMD3<Double> {
      PlanBuilder.workingSpace.toXYZ.inverse * OKLab.toXYZ(SIMD3(lightness, 0, 0))
    }
    let mask = Mask.luminance(from: 0.4, to: 0.6, softness: 0.2)
    for (lightness, value) in [(0.1, 0.0), (0.2, 0), (0.3, 0.5), (0.4, 1), (0.6, 1), (0.75, 0.25), (0.9, 0)] {
      #expect(abs(try Self.value(mask, 0, 0, of: grey(lightness)) - value) < 1e-9, "\(lightness)")
    }
    #expect(try Self.value(.luminance(from: 0.5, to: 1), 0, 0, of: SIMD3(repeating: 9)) == 1)
    #expect(try Self.value(.luminance(from: 0, to: 0.5), 0, 0, of: SIMD3(repeating: -1)) == 1)
    #expect(try Self.value(mask, 0, 0, of: SIMD3(.nan, 0, 0)) == 0)

    let orange = MaskColor(red: 224, green: 128, blue: 32)
    let light = Curve.decode([.sRGB]).evaluate(SIMD3(224, 128, 32) / 255)
    let lab = OKLab.fromXYZ(ColorSpace.sRGB.toXYZ * light)
    func color(distance: Double, lightness: Double) -> SIMD3<Double> {
      PlanBuilder.workingSpace.toXYZ.inverse
        * OKLab.toXYZ(SIMD3(lightness, lab.y + 0.6 * distance, lab.z - 0.8 * distance))
    }
    let near = Mask.color(orange, range: 0.04, softness: 0.02)
    for (distance, value) in [(0.0, 1.0), (0.039, 1), (0.05, 0.5), (0.0601, 0)] {
      for lightness in [0.3, 0.7] {
        let found = try Self.value(near, 0, 0, of: color(distance: distance, lightness: lightness))
        #expect(abs(found - value) < 1e-6, "\(distance)")
      }
    }
  }

  @Test("Trees combine as probabilities of independent events do")
  func trees() throws {
    func half(_ x: Double) -> Mask { .linear(from: MaskPoint(x - 0.5, 0), to: MaskPoint(x + 0.5, 0)) }
    // Both are at half where the picture's middle is, by symmetry.
    let (a, b) = (half(0.5), half(0.5))
    #expect(abs(try Self.value(.add([a, b]), 150, 0) - 0.75) < 1e-12)
    #expect(abs(try Self.value(.intersect([a, b, a]), 150, 0) - 0.125) < 1e-12)
    #expect(abs(try Self.value(.subtract(a, [b, a]), 150, 0) - 0.125) < 1e-12)
    #expect(abs(try Self.value(.invert(.add([a, b])), 150, 0) - 0.25) < 1e-12)
  }

  @Test("Deep trees are refused by name, and long lists are not deep")
  func depth() throws {
    let leaf = Mask.luminance(from: 0, to: 0.5)
    #expect(try Self.program(.add(Array(repeating: leaf, count: 200))).depth == 2)
    func nested(_ count: Int) -> Mask {
      (0..<count).reduce(leaf) { mask, _ in .add([leaf, mask]) }
    }
    #expect(try Self.program(nested(15)).depth == MaskProgram.deepest)
    #expect(throws: SafelightError.self) { try Self.program(nested(16)) }
    #expect(throws: SafelightError.self) { try Self.program(nested(30)) }
    #expect(throws: SafelightError.self) { try Self.program(.add(Array(repeating: leaf, count: 300))) }
  }

  @Test("Bounds hold for every pixel", arguments: 0..<60)
  func bounds(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let size = PixelSize(width: 24, height: 16)
    let program = try MaskCanvas(size: size, toPicture: .identity).program(
      .random(using: &random, depth: 3))
    let bounds = program.bounds(in: size)
    for y in 0..<16 {
      for x in 0..<24 {
        let value = program.value(
          at: (Double(x) + 0.5, Double(y) + 0.5), of: SIMD3(Double(x) / 24, Double(y) / 16, 0.5))
        #expect(value >= bounds.lowerBound - 1e-9 && value <= bounds.upperBound + 1e-9)
      }
    }
  }
}
