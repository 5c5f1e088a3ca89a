import AnalysisKernels
import AnalysisTestSupport
import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

/// Kernels of alignment and merging against plain code, and at each instruction set, which must give the same
/// bits.
@Suite struct MergeKernelTests {
  /// The one result of every instruction set.
  private func agreed<Result: Equatable>(_ what: String, _ body: () -> Result) -> Result {
    let results = InstructionSet.allResults(body)
    for (set, result) in zip(InstructionSet.allCases, results) where result != results[0] {
      Issue.record("\(what): \(set) differs from \(InstructionSet.scalar)")
    }
    return results[0]
  }

  private func randomWindow(_ channels: Int, _ width: Int, _ height: Int, seed: UInt64) -> SampleWindow {
    var random = SeededRandom(seed: seed)
    let samples = SampleWindow()
    samples.resize(channels, width: width, height: height)
    for channel in 0..<channels {
      for y in 0..<height {
        for x in 0..<width { samples[x, y, channel] = Float.random(in: -0.1...1.1, using: &random) }
      }
    }
    return samples
  }

  private func picture(_ window: SampleWindow) -> MergeReference.Picture {
    MergeReference.Picture(width: Int(window.window.width), height: Int(window.window.height)) { x, y in
      SIMD3(Double(window[x, y, 0]), Double(window[x, y, 1]), Double(window[x, y, 2]))
    }
  }

  /// Displacements that kernels compute exactly: the vertical one is the same all along a row.
  private static let fields: [@Sendable (SIMD2<Double>) -> SIMD2<Double>] = [
    { _ in .zero },
    { _ in SIMD2(3, -2) },
    { _ in SIMD2(0.5, 0.25) },
    { _ in SIMD2(-70, 90) },
    { SIMD2(0.02 * $0.x - 0.03 * $0.y, 0.05 * $0.y - 1) },
    // Neighbours in the output are up to three pixels apart in the source.
    { SIMD2(2.1 * $0.x - 40, 1.7 * $0.y - 30) },
    { SIMD2(-0.9 * $0.x + 20, -0.8 * $0.y + 9) },
  ]

  @Test(
    "Warps are the interpolation of Keys 1981 at every pixel", arguments: fields.indices,
    [(1, 1), (16, 9), (37, 23), (70, 18)])
  func warp(index: Int, size: (width: Int, height: Int)) {
    let (width, height) = size
    let source = randomWindow(3, width, height, seed: UInt64(width))
    let plain = picture(source)
    let size = PixelSize(width: width, height: height)
    let field = Displacements(size: size, spacing: 16, Self.fields[index])
    let found = agreed("warp") { () -> [Float] in
      let scratch = MergeScratch()
      let block = MergeBlock(columns: 0..<width, rows: 0..<height)
      let pixels = block.source(field, size)
      scratch.source.resize(3, width: pixels.columns.count, height: pixels.rows.count)
      for (j, y) in pixels.rows.enumerated() {
        for (i, x) in pixels.columns.enumerated() {
          let value = plain(x, y)
          for channel in 0..<3 { scratch.source[i, j, channel] = Float(value[channel]) }
        }
      }
      scratch.warp(block, from: pixels, field, size, channels: 3)
      return (0..<height).flatMap { y in
        (0..<width).flatMap { x in
          (0..<3).map { scratch.warped[x, y, $0] } + [scratch.inside[x, y, 0]]
        }
      }
    }
    var (most, wrong) = (0.0, 0)
    for y in 0..<height {
      for x in 0..<width {
        let place = SIMD2(Double(x), Double(y)) + field(SIMD2(Double(x) + 0.5, Double(y) + 0.5))
        let last = SIMD2(Double(width), Double(height)) - 0.5
        let clipped = place.clamped(lowerBound: SIMD2(repeating: -0.5), upperBound: last)
        let expected = plain.sample(clipped.x, clipped.y)
        let own = Array(found[4 * (y * width + x)..<4 * (y * width + x) + 4])
        for channel in 0..<3 { most = max(most, abs(Double(own[channel]) - expected[channel])) }
        // In float, positions at the very edge may fall on either side of it.
        let isAtEdge = min(abs(place + 0.5).min(), abs(place - last).min()) < 1e-4
        if !isAtEdge, own[3] != (place == clipped ? 1 : 0) { wrong += 1 }
      }
    }
    #expect(most < 1e-4 && wrong == 0, "\(most), \(wrong) wrong")
  }

  @Test("Cubic polynomials are interpolated exactly")
  func cubic() {
    let plain = MergeReference.Picture(width: 30, height: 30) { x, y in
      let (u, v) = (Double(x) / 30, Double(y) / 30)
      return SIMD3(u * u * u - v, u * v * v, 1 - v * v * v)
    }
    for (x, y) in [(7.25, 9.5), (12.9, 20.1), (3, 3)] {
      let (u, v) = (x / 30, y / 30)
      let error = plain.sample(x, y) - SIMD3(u * u * u - v, u * v * v, 1 - v * v * v)
      #expect(abs(error.max()) < 1e-12 && abs(error.min()) < 1e-12)
    }
  }

  @Test("Sums of tiles are those of plain arithmetic", arguments: [(16, 16), (15, 40), (50, 37)])
  func tileSums(width: Int, height: Int) {
    let reference = randomWindow(1, width + 2, height + 2, seed: 1)
    let warped = randomWindow(1, width, height, seed: 2)
    let inside = randomWindow(1, width, height, seed: 3)
    for y in 0..<height { for x in 0..<width { inside[x, y, 0] = inside[x, y, 0] > 0.2 ? 1 : 0 } }
    let columns = width / 16
    let count = columns * (height / 16)
    let found = agreed("tiles") { () -> [[Float]] in
      var (a, b, c) = (reference.window, warped.window, inside.window)
      var tiles = [sla_tile_sums](repeating: sla_tile_sums(), count: count + 1)
      sla_sum_tiles(&a, &b, &c, 0.3, &tiles)
      return tiles.map { [$0.xx, $0.xy, $0.yy, $0.x, $0.y, $0.weights, $0.squares] }
    }
    #expect(found[count] == Array(repeating: 0, count: 7))
    for tile in 0..<count {
      var sums = [Double](repeating: 0, count: 7)
      for y in tile / columns * 16..<tile / columns * 16 + 16 {
        for x in tile % columns * 16..<tile % columns * 16 + 16 {
          func at(_ i: Int, _ j: Int) -> Double { Double(reference[x + 1 + i, y + 1 + j, 0]) }
          let (gx, gy) = ((at(1, 0) - at(-1, 0)) / 2, (at(0, 1) - at(0, -1)) / 2)
          let e = at(0, 0) - Double(warped[x, y, 0])
          let w = Double(inside[x, y, 0]) / (1 + (e / 0.3) * (e / 0.3))
          let terms = [gx * gx, gx * gy, gy * gy, gx * e, gy * e, 1, e * e]
          for index in 0..<7 { sums[index] += w * terms[index] }
        }
      }
      for (value, expected) in zip(found[tile], sums) { #expect(abs(Double(value) - expected) < 1e-4) }
    }
  }

  @Test("Sums of differences are those of plain arithmetic", arguments: [(16, 16), (49, 35)])
  func differences(width: Int, height: Int) {
    let reference = randomWindow(3, width + 4, height + 4, seed: 4)
    let frame = randomWindow(3, width + 4, height + 4, seed: 5)
    let inside = randomWindow(1, width + 4, height + 4, seed: 6)
    for y in 0..<height + 4 { for x in 0..<width + 4 { inside[x, y, 0] = inside[x, y, 0] > 0.5 ? 1 : 0 } }
    let columns = width / 16
    let count = columns * (height / 16)
    let found = agreed("differences") { () -> [[Float]] in
      var (a, b, c) = (reference.window, frame.window, inside.window)
      var tiles = [sla_difference_sums](repeating: sla_difference_sums(), count: count)
      var scratch = [Float](repeating: 0, count: sla_merge_scratch(Int32(width), Int32(height)))
      sla_sum_differences(&a, &b, &c, &tiles, &scratch)
      return tiles.map { [$0.level.1, $0.square.1, $0.mean_square.1, $0.reference_square.1, $0.inside] }
    }
    for tile in 0..<count {
      let (left, top) = (tile % columns * 16 + 2, tile / columns * 16 + 2)
      func e(_ x: Int, _ y: Int) -> Double { Double(frame[x, y, 1]) - Double(reference[x, y, 1]) }
      var sums = [Double](repeating: 0, count: 5)
      var squares = 0.0
      for y in top..<top + 16 {
        for x in left..<left + 16 {
          var mean = 0.0
          for j in -2...2 { for i in -2...2 { mean += e(x + i, y + j) / 25 } }
          let level = Double(reference[x, y, 1])
          sums[0] += level
          sums[1] += e(x, y) * e(x, y)
          sums[2] += mean * mean
          squares += level * level
          sums[4] += Double(inside[x, y, 0])
        }
      }
      sums[3] = squares - sums[0] * sums[0] / 256
      for (value, expected) in zip(found[tile], sums) { #expect(abs(Double(value) - expected) < 1e-3) }
    }
  }

  @Test("A copied window continues the plane with its nearest samples")
  func copies() {
    let plane = (0..<12).map { Float($0) }
    for (x, y) in [(0, 0), (-2, -1), (3, 2), (-9, 5), (9, -9)] {
      let window = SampleWindow()
      window.resize(1, width: 6, height: 5)
      var copied = window.window
      sla_copy_window(plane, 4, 3, Int32(x), Int32(y), &copied)
      for j in 0..<5 {
        for i in 0..<6 {
          let (column, row) = (min(max(x + i, 0), 3), min(max(y + j, 0), 2))
          #expect(window[i, j, 0] == plane[row * 4 + column])
        }
      }
    }
  }
}

extension SampleWindow {
  fileprivate subscript(x: Int, y: Int, channel: Int) -> Float {
    get { window.samples[channel * window.plane + y * window.row + x] }
    set { window.samples[channel * window.plane + y * window.row + x] = newValue }
  }
}

private func abs(_ vector: SIMD2<Double>) -> SIMD2<Double> {
  vector.replacing(with: -vector, where: vector .< 0)
}
