import AnalysisTestSupport
import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("Exposure fusion")
struct ExposureFusionTests {
  /// The largest distance from the reference, in 16-bit codes.
  private static func distance(_ found: [UInt16], _ expected: [Double]) -> Double {
    guard found.count == expected.count else { return .infinity }
    return zip(found, expected).map { abs(Double($0) - min(max($1, 0), 1) * 65_535) }.max() ?? 0
  }

  private static let sizes: [PixelSize] = [
    (1, 1), (1, 9), (7, 1), (2, 2), (3, 2), (5, 4), (16, 16), (17, 33), (47, 20), (97, 64), (130, 71),
  ].map { PixelSize(width: $0.0, height: $0.1) }

  @Test(
    "Every instruction set blends as plain arithmetic does, and to the same bits", arguments: sizes.indices)
  func reference(index: Int) throws {
    let size = Self.sizes[index]
    let exponents: [(Double, Double, Double)] = [(1, 1, 0), (1, 1, 1), (0, 0, 0), (0.5, 2.25, 0.3)]
    let exponent = exponents[index % exponents.count]
    let pictures = try (0..<2 + index % 3).map {
      try Pictures.random(size, ($0 + index) % 2 == 0 ? .rgba8 : .rgba16, seed: UInt64(10 * index + $0))
    }
    let shifts = pictures.indices.map { $0 == 1 ? (x: 0, y: 0) : (x: $0 * 3 - 2, y: 1 - $0 * 2) }.map {
      (x: min(max($0.x, 1 - size.width), size.width - 1), y: min(max($0.y, 1 - size.height), size.height - 1))
    }
    let fusion = ExposureFusion(contrast: exponent.0, saturation: exponent.1, exposedness: exponent.2)
    for shifts in [pictures.map { _ in (x: 0, y: 0) }, shifts] {
      let results = InstructionSet.allResults {
        try? Pictures.samples16(
          fusion.fuse(pictures, shifts: shifts.map { PictureShift(x: $0.x, y: $0.y) }, threads: 1))
      }
      #expect(results.allSatisfy { $0 == results[0] })
      let found = try #require(results[0])
      let expected = FusionReference.fused(pictures, shifts: shifts, exponents: exponent)
      #expect(Self.distance(found, expected) < 2, "\(size), \(exponent), \(shifts)")
    }
  }

  @Test("The result is OpenCV's")
  func openCV() throws {
    let pictures = try (0..<3).map { index in
      try Pictures.rgba8(13, 9) { x, y in
        func level(_ channel: Int) -> UInt8 {
          let code = Int(KernelReference.scatter((y * 13 + x) * 3 + channel) & 127) + 10
          return UInt8(min(255, (code << index) >> 1))
        }
        return SIMD3(level(0), level(1), level(2))
      }
    }
    // cv2.createMergeMertens(1, 1, exposure).process of the same pictures, OpenCV 5.0.0.
    let expected: [(exposure: Double, pixels: [(x: Int, y: Int, rgb: SIMD3<Double>)])] = [
      (
        0,
        [
          (0, 0, [0.064167, 0.499409, 0.071905]),
          (6, 4, [0.192977, 0.853894, 0.165608]),
          (12, 8, [0.460118, 0.440119, 0.862333]),
          (3, 7, [0.141299, 0.569178, 0.358534]),
          (11, 1, [0.133554, 0.167598, 0.622845]),
        ]
      ),
      (
        1,
        [
          (0, 0, [-0.028198, 0.449405, -0.009083]),
          (6, 4, [0.202486, 0.763931, 0.177088]),
          (12, 8, [0.418134, 0.405964, 0.7488]),
          (3, 7, [0.047555, 0.521113, 0.253919]),
          (11, 1, [0.062607, 0.106238, 0.586888]),
        ]
      ),
    ]
    for (exposure, pixels) in expected {
      let fused = try ExposureFusion(exposedness: exposure).fuse(pictures)
      for (x, y, rgb) in pixels {
        let row = fused.row(y, as: UInt16.self)
        for channel in 0..<3 {
          let found = Double(row[4 * x + channel]) / 65_535
          #expect(
            abs(found - min(max(rgb[channel], 0), 1)) < 2e-5,
            "\(exposure), (\(x), \(y)): \(found), not \(rgb[channel])")
        }
        #expect(row[4 * x + 3] == 65_535)
      }
    }
  }

  @Test("Pictures that are equal are not changed, black and white not either")
  func equal() throws {
    let size = PixelSize(width: 75, height: 41)
    let random = try Pictures.random(size, .rgba16, seed: 3)
    let plain = try [UInt8(0), 90, 255].map { level in
      try Pictures.rgba8(33, 18) { _, _ in SIMD3(repeating: level) }
    }
    for picture in [random] + plain {
      for fusion in [ExposureFusion(), .balanced] {
        let fused = Pictures.samples16(try fusion.fuse([picture, picture, picture]))
        let expected =
          picture.format == .rgba16
          ? Pictures.samples16(picture)
          : (0..<fused.count).map { _ in UInt16(picture.row(0, as: UInt8.self)[0]) * 257 }
        #expect(zip(fused, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
      }
    }
  }

  @Test("The number of threads does not matter")
  func threads() throws {
    let size = PixelSize(width: 300, height: 390)
    let pictures = try (0..<3).map { try Pictures.random(size, .rgba8, seed: UInt64($0)) }
    let shifts = [PictureShift(x: 5, y: -3), PictureShift(x: 0, y: 0), PictureShift(x: -70, y: 20)]
    let one = Pictures.samples16(try ExposureFusion().fuse(pictures, shifts: shifts, threads: 1))
    for threads in [2, 3, 8] {
      #expect(
        Pictures.samples16(try ExposureFusion().fuse(pictures, shifts: shifts, threads: threads)) == one)
    }
  }

  @Test("A pixel that only one picture has is that picture's where nothing coarser differs")
  func uncovered() throws {
    // Half of the second picture is out of sight, and what is left of it agrees with the first.
    let whole = try Pictures.rgba8(64, 48) { _, _ in SIMD3(40, 120, 200) }
    let shifted = try Pictures.rgba8(64, 48) { _, _ in SIMD3(40, 120, 200) }
    let fused = try ExposureFusion().fuse(
      [whole, shifted], shifts: [PictureShift(x: 0, y: 0), PictureShift(x: 32, y: 30)])
    #expect(
      Pictures.samples16(fused).enumerated().allSatisfy { index, code in
        abs(Int(code) - [40, 120, 200][index % 3] * 257) <= 1
      })
    // A picture that is black counts for nothing where it has no pixels: the whole left half is the other's.
    let black = try Pictures.rgba8(64, 1) { _, _ in .zero }
    let row = try Pictures.rgba8(64, 1) { x, _ in SIMD3(UInt8(100 + x), 50, UInt8(200 - x)) }
    let half = try ExposureFusion().fuse(
      [row, black], shifts: [PictureShift(x: 0, y: 0), PictureShift(x: -32, y: 0)])
    for x in 0..<32 { #expect(half.row(0, as: UInt16.self)[4 * x] == UInt16(100 + x) * 257) }
  }

  @Test("What cannot be fused is refused in a sentence that says what to do")
  func errors() throws {
    let good = try Pictures.rgba8(8, 8) { _, _ in .zero }
    func expectError(
      _ part: String, _ pictures: [PixelBuffer], _ shifts: [(Int, Int)] = [],
      _ fusion: ExposureFusion = ExposureFusion()
    ) {
      #expect {
        try fusion.fuse(pictures, shifts: shifts.map { PictureShift(x: $0.0, y: $0.1) })
      } throws: { error in
        let error = error as? SafelightError
        return error?.problem.contains(part) == true && error?.remedy.isEmpty == false
      }
    }
    expectError("1 pictures", [good])
    expectError("10 pictures", Array(repeating: good, count: 10))
    expectError("8×7", [good, try Pictures.rgba8(8, 7) { _, _ in .zero }])
    expectError("gray8", [good, try Pictures.gray8(8, 8) { _, _ in 0 }])
    expectError("colour space", [good, try Pictures.rgba8(8, 8, tags: .displayP3) { _, _ in .zero }])
    expectError("transparent", [good.retagged(.sRGB, alpha: .straight), good])
    let linear = try Pictures.rgba8(8, 8, tags: .linearRec2020) { _, _ in .zero }
    expectError("linear light", [linear, linear])
    for exponent in [-0.1, 10.5, .nan, .infinity] {
      expectError("contrast", [good, good], [], ExposureFusion(contrast: exponent))
    }
    expectError("2 shifts", [good, good, good], [(0, 0), (1, 1)])
    expectError("shifted", [good, good], [(1, 0), (1, 1)])
    for shift in [(8, 0), (0, -8), (Int.min, 0)] {
      expectError("out of sight", [good, good], [(0, 0), shift])
    }
  }
}
