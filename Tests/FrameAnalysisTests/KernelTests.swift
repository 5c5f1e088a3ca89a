import AnalysisTestSupport
import AnalysisKernels
import ColorScience
import Foundation
import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

/// Every kernel against plain code, and at each instruction set, which must give the same bits.
@Suite struct AnalysisKernelTests {
  private func randomSamples(_ count: Int, seed: UInt64) -> [Float] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { index in
      index % 11 == 0 ? [0, 1, 0.5][index % 3] : Float.random(in: 0...1, using: &random)
    }
  }

  /// The one result of every instruction set.
  private func agreed<Result: Equatable>(_ what: String, _ body: () -> Result) -> Result {
    let results = InstructionSet.allResults(body)
    for (set, result) in zip(InstructionSet.allCases, results) where result != results[0] {
      Issue.record("\(what): \(set) differs from \(InstructionSet.scalar)")
    }
    return results[0]
  }

  // MARK: Area averages

  /// Sizes whose quotients are 1, powers of 2 and 3, other whole numbers, and fractions.
  private static let shrinkings: [(from: PixelSize, to: PixelSize)] = [
    (1, 1, 1, 1), (3, 40, 1, 10), (33, 5, 33, 5), (96, 12, 48, 4), (105, 9, 35, 9), (198, 6, 33, 2),
    (175, 10, 35, 2), (37, 11, 36, 10), (100, 7, 43, 3), (129, 30, 40, 7), (85, 9, 20, 4),
    (107, 9, 20, 4), (127, 9, 20, 4), (147, 9, 20, 4), (251, 20, 16, 3), (1283, 4, 2, 1),
  ].map { (PixelSize(width: $0.0, height: $0.1), PixelSize(width: $0.2, height: $0.3)) }

  private struct Source: Sendable {
    let name: String
    let kind: sla_luma_source
    let pixelBytes: Int
  }
  private static let sources = [
    Source(name: "plane", kind: SLA_LUMA_PLANE, pixelBytes: 1),
    Source(name: "even bytes", kind: SLA_LUMA_EVEN_BYTES, pixelBytes: 2),
    Source(name: "odd bytes", kind: SLA_LUMA_ODD_BYTES, pixelBytes: 2),
    Source(name: "rgba8", kind: SLA_LUMA_RGBA8, pixelBytes: 4),
    Source(name: "rgba16", kind: SLA_LUMA_RGBA16, pixelBytes: 8),
    Source(name: "rgbaF32", kind: SLA_LUMA_RGBAF32, pixelBytes: 16),
  ]

  /// Random bytes as a source has them, and the luma they mean.
  private func picture(_ source: Source, _ size: PixelSize) -> (bytes: [UInt8], luma: [[Double]]) {
    var random = SeededRandom(seed: UInt64(size.width * 31 + size.height))
    var bytes: [UInt8] = []
    var luma: [[Double]] = []
    func weigh(_ c: [Double]) -> Double { 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] }
    for _ in 0..<size.height {
      var row: [Double] = []
      for _ in 0..<size.width {
        let code = (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
        switch source.kind {
        case SLA_LUMA_PLANE:
          bytes.append(code[0])
          row.append(Double(code[0]) / 255)
        case SLA_LUMA_EVEN_BYTES:
          bytes += code[0..<2]
          row.append(Double(code[0]) / 255)
        case SLA_LUMA_ODD_BYTES:
          bytes += code[0..<2]
          row.append(Double(code[1]) / 255)
        case SLA_LUMA_RGBA8:
          bytes += code
          row.append(weigh(code.map { Double($0) / 255 }))
        case SLA_LUMA_RGBA16:
          let wide = code.map { UInt16($0) &* 257 &+ UInt16($0 % 7) }
          wide.forEach { value in withUnsafeBytes(of: value) { bytes += $0 } }
          row.append(weigh(wide.map { Double($0) / 65_535 }))
        default:
          let odd: [Float] = [.nan, .infinity, -.infinity, -2, 3]
          let real = code.map { $0 < 10 ? odd[Int($0) % 5] : Float($0) / 200 }
          real.forEach { value in withUnsafeBytes(of: value) { bytes += $0 } }
          row.append(weigh(real.map { $0 > 0 ? Double(min($0, 1)) : 0 }))
        }
      }
      luma.append(row)
    }
    return (bytes, luma)
  }

  @Test("Area averages are the exact means of areas", arguments: sources.indices)
  func areaAverages(index: Int) {
    let source = Self.sources[index]
    for (from, to) in Self.shrinkings {
      let (bytes, luma) = picture(source, from)
      let expected = KernelReference.areaMeans(luma, columns: to.width, rows: to.height)
      let what = "\(source.name), \(from) to \(to)"
      let found = agreed(what) {
        var out = [Float](repeating: -1, count: to.pixelCount)
        var samples = [Float](repeating: .nan, count: 5 * from.width)
        var columns = [Int32](repeating: .max, count: from.width)
        samples.withUnsafeMutableBufferPointer { samples in
          columns.withUnsafeMutableBufferPointer { columns in
            out.withUnsafeMutableBufferPointer { out in
              bytes.withUnsafeBytes { bytes in
                var picture = sla_luma_picture(
                  base: bytes.baseAddress, row_bytes: source.pixelBytes * from.width,
                  width: Int32(from.width), height: Int32(from.height), source: source.kind)
                var plane = sla_oriented_plane(
                  base: out.baseAddress, column_step: 1, row_step: to.width, width: Int32(to.width),
                  height: Int32(to.height))
                var scratch = sla_area_scratch(samples: samples.baseAddress, columns: columns.baseAddress)
                sla_area_average(&picture, &plane, 0.125, 1.1, &scratch)
              }
            }
          }
        }
        return out
      }
      for (value, mean) in zip(found, expected.joined()) {
        let clipped = min(max((mean - 0.125) * 1.1, 0), 1)
        guard abs(Double(value) - clipped) < 2e-6 else {
          Issue.record("\(what): \(value), not \(clipped)")
          break
        }
      }
    }
  }

  @Test(
    "Halving and square roots are those of plain arithmetic", arguments: [(1, 1), (2, 2), (37, 9), (140, 5)])
  func halving(width: Int, height: Int) {
    let samples = randomSamples(width * height, seed: 3)
    let (columns, rows) = (width / 2, height / 2)
    let halved = agreed("halve \(width)×\(height)") {
      var out = [Float](repeating: -1, count: columns * rows + 1)
      sla_halve(samples, Int32(width), Int32(height), &out)
      return out
    }
    #expect(halved.last == -1)
    for y in 0..<rows {
      for x in 0..<columns {
        let at = 2 * y * width + 2 * x
        let mean = (samples[at] + samples[at + 1] + samples[at + width] + samples[at + width + 1]) / 4
        #expect(abs(halved[y * columns + x] - mean) < 1e-6)
      }
    }
    let roots = agreed("square root") {
      var out = samples
      sla_square_root(&out, out.count)
      return out
    }
    #expect(zip(roots, samples).allSatisfy { $0 == $1.squareRoot() })
  }

  // MARK: Colours

  @Test(
    "One pixel of each cell is taken, and its colour is the matrix's",
    arguments: [
      (1, 1, 1, 1), (7, 3, 7, 3), (320, 2, 320, 2), (1000, 30, 320, 10), (641, 90, 97, 33),
      // More than 512 cells along an axis, up to the most there are.
      (513, 3, 513, 3), (1536, 4, 1536, 2), (65_535, 2, 1536, 1), (65_535, 1, 65_535, 1),
      (2, 65_535, 1, 40_000),
      (3, 4608, 3, 1536),
    ])
  func colors(width: Int, height: Int, columns: Int, rows: Int) throws {
    // The pixel's own place is its colour, so that it tells where it was taken.
    let picture = try PixelBuffer(size: PixelSize(width: width, height: height), format: .rgba16)
    for y in 0..<height {
      let row = picture.row(y, as: UInt16.self)
      for x in 0..<width {
        (row[4 * x], row[4 * x + 1], row[4 * x + 2]) = (UInt16(x), UInt16(y), UInt16((x * 7 + y) % 65_536))
      }
    }
    let count = columns * rows
    let planes = agreed("colours of \(width)×\(height)") {
      var planes = [Float](repeating: -1, count: 3 * count + 1)
      var source = sla_color_picture(samplesOf: picture)
      sla_sample_colors(&source, Int32(columns), Int32(rows), &planes)
      return planes
    }
    #expect(planes.last == -1)
    // Where in its cell: 15 bits, or 8 where there are more than 512 cells.
    func position(_ cell: Int, _ part: UInt32, _ cells: Int, _ extent: Int) -> Double {
      let part = cells <= 512 ? Double(part) / 32_768 : Double(part >> 7) / 256
      return (Double(cell) + part) * Double(extent) / Double(cells)
    }
    // To rounding, which may fall to either side where a position is whole.
    func isThere(_ pixel: Int, _ position: Double, _ cells: Int, _ extent: Int) -> Bool {
      if extent % cells == 0 { return pixel == Int(position) }
      return abs(Double(pixel) + 0.5 - position) < (cells <= 512 ? 0.501 : 0.5 + 1.0 / 128)
    }
    var wrong = 0
    for row in 0..<rows {
      for column in 0..<columns {
        let index = row * columns + column
        let hash = KernelReference.scatter(index)
        let x = Int((planes[index] * 65_535).rounded())
        let y = Int((planes[count + index] * 65_535).rounded())
        let (across, down) = (
          position(column, hash & 0x7fff, columns, width), position(row, hash >> 17, rows, height)
        )
        if !isThere(x, across, columns, width) || !isThere(y, down, rows, height)
          || Int((planes[2 * count + index] * 65_535).rounded()) != (x * 7 + y) % 65_536
        {
          wrong += 1
        }
      }
    }
    #expect(wrong == 0)
  }

  @Test("Lightness is OKLab's L as ColorScience computes it", arguments: [1, 15, 16, 17, 500])
  func lightness(count: Int) throws {
    // Code values of 8 bits, which fall on entries of the table.
    let planes = randomSamples(3 * count, seed: 5).map { ($0 * 255).rounded() / 255 }
    let table = try LightnessTable(.sRGB)
    let found = agreed("lightness of \(count)") {
      var out = [Float](repeating: -1, count: count + 1)
      table.lightness(of: planes, count: count, into: &out)
      return out
    }
    #expect(found.last == -1)
    for index in 0..<count {
      let rgb = SIMD3(
        Double(planes[index]), Double(planes[count + index]), Double(planes[2 * count + index]))
      let expected = OKLab.fromXYZ(ColorSpace.sRGB.toXYZ * ColorSpace.sRGB.decode(rgb)).x
      #expect(abs(Double(found[index]) - expected) < 1e-6)
    }
  }

  @Test("Cube roots are good to float over twelve decades, and 0 of what is not above 0")
  func cubeRoots() {
    // With these matrices lightness is the cube root of red.
    var cones: [Float] = [0, -0.0, -1, 1e-30, 1e-12, 1e-7, 0.5, 1]
    for step in 0..<4000 { cones.append(powf(10, -12 * Float(step) / 4000)) }
    let found = agreed("cube roots") {
      var out = [Float](repeating: -1, count: cones.count)
      for (index, cone) in cones.enumerated() {
        let planes: [Float] = [0, 0, 0]
        let table = [Float](repeating: cone, count: 6)
        sla_oklab_lightness(planes, 1, table, 2, [1, 0, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0], &out[index])
      }
      return out
    }
    for (cone, root) in zip(cones, found) {
      let expected = cone > 0 ? cbrt(Double(cone)) : 0
      #expect(abs(Double(root) - expected) <= 5e-7 * expected, "\(cone): \(root), not \(expected)")
    }
  }

  // MARK: Counting

  @Test("Histograms and clipping count every sample once", arguments: [0, 1, 63, 64, 65, 1000])
  func counting(count: Int) {
    let planes = randomSamples(3 * count, seed: 9)
    let bins = agreed("histogram of \(count)") {
      var bins = [UInt32](repeating: 7, count: 256)
      sla_histogram(planes, 3 * count, &bins)
      return bins
    }
    var expected = [UInt32](repeating: 7, count: 256)
    for sample in planes { expected[Int(sample * 255 + 0.5)] += 1 }
    #expect(bins == expected)

    let clipped = agreed("clipping of \(count)") {
      let counts = sla_count_clipped(planes, count)
      return [counts.highlights, counts.shadows]
    }
    let codes = (0..<count).map { i in (0..<3).map { Int((planes[$0 * count + i] * 255).rounded()) } }
    #expect(clipped[0] == UInt32(codes.filter { $0.contains(255) }.count))
    #expect(clipped[1] == UInt32(codes.filter { $0.allSatisfy { $0 == 0 } }.count))
  }

  // MARK: Gradients

  @Test(
    "Gradients and noise are those of plain arithmetic",
    arguments: [(2, 2), (3, 3), (17, 19), (18, 18), (33, 34), (66, 40), (20, 3)])
  func gradients(width: Int, height: Int) {
    let samples = randomSamples(width * height, seed: 13)
    let plane = KernelReference.Plane(width: width, height: height, samples: samples)
    let found = agreed("gradients of \(width)×\(height)") {
      var blocks = [Float](repeating: 0, count: max(width * height / 4, 1))
      return [
        sla_sobel_energy(samples, Int32(width), Int32(height)),
        Double(sla_noise_deviation(samples, Int32(width), Int32(height), &blocks)),
      ]
    }
    let expected = [KernelReference.sobelEnergy(plane), KernelReference.noiseDeviation(plane)]
    for (value, reference) in zip(found, expected) {
      #expect(abs(value - reference) <= 2e-6 * reference, "\(value), not \(reference)")
    }
  }
}
