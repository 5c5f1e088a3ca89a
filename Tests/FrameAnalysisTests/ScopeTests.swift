import AnalysisTestSupport
import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("Scopes") struct ScopeTests {
  // MARK: Samples

  // Computed in double precision with numpy from the matrices of CSS Color 4, sections 10.3 and 10.5.
  @Test(
    "Display P3 is converted to the signal of an sRGB display, and what that cannot show is clipped",
    arguments: [
      (SIMD3<Float>(0.5, 0.25, 0.75), SIMD3<Float>(0.53783, 0.23213, 0.77706)),
      (SIMD3(0.2, 0.6, 0.4), SIMD3(0, 0.61017, 0.38143)),
      (SIMD3(0.8, 0.5, 0.1), SIMD3(0.84969, 0.48188, 0)),
      (SIMD3(1, 1, 1), SIMD3(1, 1, 1)), (SIMD3(0, 0, 0), SIMD3(0, 0, 0)),
    ])
  func displayP3(color: SIMD3<Float>, expected: SIMD3<Float>) throws {
    let picture = try floats(2, 3, tags: .displayP3) { _, _ in color }
    let samples = try SignalSamples(picture)
    #expect(samples.size == PixelSize(width: 2, height: 3))
    for index in 0..<6 {
      #expect(abs(samples.red[index] - expected.x) < 5e-4)
      #expect(abs(samples.green[index] - expected.y) < 5e-4)
      #expect(abs(samples.blue[index] - expected.z) < 5e-4)
    }
  }

  // IEC 61966-2-1: code 128 of 255 stands for 0.21586 of white, code 10 for 0.0030353.
  @Test("Linear light gets the encoding of sRGB", arguments: [(0.21586, 128), (0.0030353, 10), (1, 255)])
  func linearLight(light: Double, code: Int) throws {
    let tags = ColorTags(primaries: .bt709, transfer: .linear)
    let samples = try SignalSamples(floats(1, 1, tags: tags) { _, _ in Float(light) * .one })
    #expect(abs(Double(samples.green[0]) - Double(code) / 255) < 3e-4)
  }

  @Test("Samples of sRGB are taken as they are, with BT.709's luma; not-a-number is black")
  func plainSamples() throws {
    let samples = try SignalSamples(
      Pictures.rgba8(5, 4) { x, y in SIMD3(UInt8(10 * x), UInt8(50 * y), 255) })
    for y in 0..<4 {
      for x in 0..<5 {
        let index = 5 * y + x
        #expect(abs(samples.red[index] - Float(10 * x) / 255) < 1e-6)
        #expect(abs(samples.green[index] - Float(50 * y) / 255) < 1e-6)
        let luma = 0.2126 * Double(10 * x) / 255 + 0.7152 * Double(50 * y) / 255 + 0.0722
        #expect(abs(Double(samples.luma[index]) - luma) < 1e-6)
      }
    }
    let bad = try SignalSamples(
      floats(3, 1, tags: .sRGB) { x, _ in [.nan, .infinity, -.infinity][x] * .one })
    #expect(bad.red == [0, 1, 0] && bad.luma[0] == 0)
  }

  @Test("Samples lie as the picture is displayed", arguments: Orientation.allCases)
  func orientation(orientation: Orientation) throws {
    let picture = try Pictures.gray8(7, 4) { x, y in UInt8(30 * y + 4 * x) }
    let samples = try SignalSamples(picture, orientation: orientation)
    // The proxy turns pictures by arithmetic of its own.
    let proxy = AnalysisProxy()
    try proxy.update(from: picture, orientation: orientation)
    #expect(samples.size == proxy.size)
    for (ours, theirs) in zip(samples.luma, proxy.lumaCopy) { #expect(abs(ours - theirs) < 1e-5) }
  }

  @Test("A large picture is sampled, not averaged")
  func sampled() throws {
    let picture = try Pictures.gray8(4000, 3) { x, y in (x + y) % 2 == 0 ? 0 : 255 }
    let samples = try SignalSamples(picture)
    #expect(samples.size.width == SignalSamples.longEdge)
    #expect(samples.luma.allSatisfy { $0 < 1e-6 || $0 > 1 - 1e-6 })
  }

  // MARK: Waveform

  @Test(
    "Waveforms count what a plain loop counts",
    arguments: [(97, 31, 40), (64, 5, 64), (3, 50, 10), (1, 1, 9)])
  func waveform(width: Int, height: Int, columns: Int) throws {
    var random = SeededRandom(seed: 4)
    let codes = (0..<width * height).map { _ in UInt8.random(in: 0...255, using: &random) }
    let waveform = Waveform(
      codes.map { Float($0) / 255 }, size: PixelSize(width: width, height: height), columns: columns)
    #expect(waveform.columns == min(columns, width))
    for column in 0..<waveform.columns {
      // The part of the width that is this column's.
      let part = (0..<width).filter { $0 * waveform.columns / width == column }
      #expect(waveform.columnCounts[column] == UInt32(part.count * height))
      for level in 0..<256 {
        let expected = part.reduce(0) { sum, x in
          sum + (0..<height).count { codes[$0 * width + x] == UInt8(level) }
        }
        #expect(waveform.counts[level * waveform.columns + column] == UInt32(expected))
      }
    }
    for level in 0..<256 {
      #expect(waveform.histogram[level] == UInt32(codes.count { $0 == UInt8(level) }))
    }
  }

  @Test("Samples beyond full scale and not-a-number lie at the ends")
  func waveformExtremes() {
    let samples: [Float] = [.nan, -.infinity, -1, 0, 1, 2, .infinity]
    let waveform = Waveform(samples, size: PixelSize(width: 7, height: 1), columns: 1)
    #expect(waveform.histogram[0] == 4 && waveform.histogram[255] == 3)
  }

  @Test("Samples that are not those of the size stop the program, with the numbers", arguments: [5, 7])
  func waveformOfOtherSize(count: Int) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [count] in
      _ = Waveform([Float](repeating: 0, count: count), size: PixelSize(width: 3, height: 2), columns: 2)
    }
    // Optimized code stops without a word.
    #if DEBUG
      let said = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(said.contains("\(count) samples are not those of 3×2"), "\(said)")
    #else
      _ = result
    #endif
  }

  // MARK: Vectorscope

  // 8-bit codes of the 75 % bars in SMPTE RP 219, limited range: C = (code − 128) / 224.
  @Test(
    "Targets lie where SMPTE RP 219 has the 75 % bars",
    arguments: [
      ("Yl", 44.0, 136.0), ("Cy", 147, 44), ("G", 63, 52), ("Mg", 193, 204), ("R", 109, 212), ("B", 212, 120),
    ])
  func targets(name: String, cb: Double, cr: Double) throws {
    let target = try #require(Vectorscope.targets.first { $0.name == name })
    #expect(abs(128 + 224 * target.place.cb - cb) <= 0.5)
    #expect(abs(128 + 224 * target.place.cr - cr) <= 0.5)
  }

  @Test("The 75 % bars fall into their boxes, and the 100 % bars beyond them")
  func bars() throws {
    #expect(Vectorscope.targets.map(\.name) == ["R", "Mg", "B", "Cy", "G", "Yl"])
    for (level, isInside) in [(UInt8(191), true), (255, false)] {
      let colors = [
        SIMD3(level, 0, 0), SIMD3(level, 0, level), SIMD3(0, 0, level), SIMD3(0, level, level),
        SIMD3(0, level, 0), SIMD3(level, level, 0),
      ]
      let scope = try Vectorscope(SignalSamples(Pictures.rgba8(60, 4) { x, _ in colors[x / 10] }))
      let lit = scope.counts.indices.filter { scope.counts[$0] > 0 }
      #expect(lit.count == 6 && scope.count == 240)
      for target in Vectorscope.targets {
        let inside = lit.filter { target.contains(place(ofBin: $0)) }
        #expect(inside.count == (isInside ? 1 : 0), "\(target.name) at \(level)")
        if let bin = inside.first { #expect(scope.counts[bin] == 40) }
      }
    }
  }

  // Computed in double precision with numpy from the formulas of BT.709.
  @Test(
    "Colour differences are BT.709's",
    arguments: [
      (SIMD3<UInt8>(200, 100, 50), -0.142969, 0.205068), (SIMD3(17, 203, 91), -0.136038, -0.344569),
      (SIMD3(3, 0, 250), 0.488848, -0.039066), (SIMD3(77, 77, 77), 0, 0), (SIMD3(255, 255, 255), 0, 0),
    ])
  func differences(color: SIMD3<UInt8>, cb: Double, cr: Double) throws {
    let scope = try Vectorscope(SignalSamples(Pictures.rgba8(3, 3) { _, _ in color }))
    let bin = try #require(scope.counts.firstIndex { $0 > 0 })
    #expect(scope.counts[bin] == 9)
    #expect(abs(place(ofBin: bin).cb - cb) <= 0.5 / 256 + 1e-6)
    #expect(abs(place(ofBin: bin).cr - cr) <= 0.5 / 256 + 1e-6)
  }

  @Test("A random picture is counted whole, as a plain loop counts it")
  func randomVectors() throws {
    var random = SeededRandom(seed: 9)
    let colors = (0..<600).map { _ in
      SIMD3<UInt8>.random(in: 0...255, using: &random)
    }
    let scope = try Vectorscope(SignalSamples(Pictures.rgba8(30, 20) { x, y in colors[30 * y + x] }))
    var expected = [Int: UInt32]()
    for color in colors {
      let (red, green, blue) = (Double(color.x) / 255, Double(color.y) / 255, Double(color.z) / 255)
      let luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      let column = Int((256 * (blue - luma) / 1.8556).rounded()) + 128
      let row = Int((256 * (red - luma) / 1.5748).rounded()) + 128
      expected[257 * row + column, default: 0] += 1
    }
    // Float rounds a few colours that lie on the border of two bins to the other one.
    let moved = expected.filter { scope.counts[$0.key] != $0.value }.count
    #expect(moved <= 2)
    #expect(scope.counts.reduce(0, +) == 600)
  }

  // MARK: Support

  private func place(ofBin bin: Int) -> Vectorscope.Place {
    Vectorscope.Place(
      cb: (Double(bin % Vectorscope.bins) - 128) / 256, cr: (Double(bin / Vectorscope.bins) - 128) / 256)
  }

  private func floats(
    _ width: Int, _ height: Int, tags: ColorTags, _ color: (Int, Int) -> SIMD3<Float>
  ) throws -> PixelBuffer {
    let buffer = try PixelBuffer(
      size: PixelSize(width: width, height: height), format: .rgbaF32, tags: tags)
    for y in 0..<height {
      let row = buffer.row(y, as: Float.self)
      for x in 0..<width {
        for channel in 0..<3 { row[4 * x + channel] = color(x, y)[channel] }
        row[4 * x + 3] = 1
      }
    }
    return buffer
  }
}
