import AnalysisKernels
import AnalysisTestSupport
import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("Alignment of brackets")
struct BracketAlignmentTests {
  /// Wider and higher than what a picture shows of it.
  private static let scene = DrawnScene(420, 330, discs: 260, stops: 8, seed: 4)

  private func picture(
    _ stops: Double, x: Int = 0, y: Int = 0, format: PixelFormat = .rgba8
  ) throws -> PixelBuffer {
    try Self.scene.photo(
      stops: stops, margin: 50, shift: (x, y), noise: 0.005, format: format, seed: UInt64(stops + 99))
  }

  /// What one pixel of the reference is in the other pictures.
  private static func expected(_ places: [(x: Int, y: Int)], reference: Int) -> [PictureShift] {
    places.map { PictureShift(x: places[reference].x - $0.x, y: places[reference].y - $0.y) }
  }

  @Test(
    "Shifts of up to the largest are found to the pixel, at any exposure",
    arguments: [([-2, 0, 2], 1), ([2, -2, 0], 2), ([-4, 0, 4], 1), ([-4, -2, 0, 2, 4], 2), ([0, 3], 0)])
  func shifts(stops: [Double], reference: Int) throws {
    let places: [(x: Int, y: Int)] = [(3, -17), (-5, 4), (22, 31), (-28, 1), (0, -9)]
    let used = Array(places.prefix(stops.count))
    for format in [PixelFormat.rgba8, .rgba16] {
      let pictures = try zip(stops, used).map {
        try picture($0, x: $1.x, y: $1.y, format: format)
      }
      let expected = Self.expected(used, reference: reference)
      for threads in [1, 3] {
        let found = try BracketAlignment().shifts(of: pictures, threads: threads)
        #expect(found == expected, "\(found.map { [$0.x, $0.y] }), not \(expected.map { [$0.x, $0.y] })")
      }
    }
  }

  @Test("The rest of a bracket is aligned, and told apart from a picture that shows something else")
  func strangers() throws {
    let plain = try Pictures.rgba8(320, 230) { _, _ in SIMD3(repeating: 110) }
    let other = try Pictures.rgba8(320, 230) { x, y in
      SIMD3(repeating: UInt8(KernelReference.scatter(y * 320 + x) & 255))
    }
    let pictures = try [picture(-1, x: 7, y: 2), picture(0)]
    #expect(try BracketAlignment().shifts(of: [plain, plain]).map(\.isFound) == [true, false])
    let shifts = try BracketAlignment().shifts(of: pictures + [other])
    // The stranger is the brightest, so the one at 0 EV stays in place.
    #expect(
      shifts == [
        PictureShift(x: -7, y: -2), PictureShift(x: 0, y: 0), PictureShift(x: 0, y: 0, isFound: false),
      ])
  }

  @Test(
    "Pictures that are all the same, of any size, are not shifted",
    arguments: [(1, 1), (9, 200), (64, 17), (300, 8)])
  func noShift(width: Int, height: Int) throws {
    let picture = try Pictures.rgba8(width, height) { x, y in
      SIMD3(repeating: UInt8(KernelReference.scatter(y * width + x) & 255))
    }
    let shifts = try BracketAlignment().shifts(of: [picture, picture])
    #expect(shifts.allSatisfy { $0.x == 0 && $0.y == 0 })
  }

  @Test("Bits of samples are those of plain comparisons", arguments: [1, 63, 64, 65, 200])
  func bits(width: Int) {
    var random = SeededRandom(seed: UInt64(width))
    let luma = (0..<width).map { _ in UInt8.random(in: 90...110, using: &random) }
    let words = (width + 63) / 64
    let results = InstructionSet.allResults {
      var bits = [UInt64](repeating: .max, count: 2 * words)
      bits.withUnsafeMutableBufferPointer { bits in
        sla_threshold_bits(luma, Int32(width), 100, 4, bits.baseAddress, bits.baseAddress.map { $0 + words })
      }
      return bits
    }
    var expected = [UInt64](repeating: 0, count: 2 * words)
    for (x, sample) in luma.enumerated() {
      if sample > 100 { expected[x / 64] |= 1 << (x % 64) }
      if abs(Int(sample) - 100) > 4 { expected[words + x / 64] |= 1 << (x % 64) }
    }
    #expect(results.allSatisfy { $0 == expected })
  }

  @Test("The difference of shifted bitmaps is counted sample by sample")
  func difference() {
    let size = PixelSize(width: 150, height: 40)
    func level(_ seed: UInt64) -> HistogramPyramid.Level {
      var random = SeededRandom(seed: seed)
      return HistogramPyramid.Level(
        size: size, luma: (0..<size.pixelCount).map { _ in .random(in: 80...120, using: &random) })
    }
    let (a, b) = (level(1), level(2))
    let (first, second) = (
      ThresholdBitmap(a, threshold: 99, tolerance: 3), ThresholdBitmap(b, threshold: 101, tolerance: 3)
    )
    for (dx, dy) in [
      (0, 0), (1, -1), (-1, 2), (63, 0), (-64, 5), (70, -9), (-99, 1), (140, 0), (150, 0), (0, -40),
    ] {
      var (compared, differing) = (0, 0)
      for y in 0..<size.height where (0..<size.height).contains(y + dy) {
        for x in 0..<size.width where (0..<size.width).contains(x + dx) {
          let one = Int(a.luma[y * size.width + x]) - 99
          let other = Int(b.luma[(y + dy) * size.width + x + dx]) - 101
          guard abs(one) > 3, abs(other) > 3 else { continue }
          compared += 1
          if (one > 0) != (other > 0) { differing += 1 }
        }
      }
      let expected = compared * 20 >= size.pixelCount ? Double(differing) / Double(compared) : nil
      #expect(first.difference(from: second, x: dx, y: dy) == expected, "\(dx), \(dy)")
    }
  }

  @Test("A largest shift that is out of range is refused")
  func range() throws {
    let picture = try picture(0)
    for shift in [0, -1, 1024] {
      #expect(throws: SafelightError.self) {
        try BracketAlignment(maximumShift: shift).shifts(of: [picture, picture])
      }
    }
  }
}
