import AnalysisKernels
import AnalysisTestSupport
import FrameCore
import Libc
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("Pages evened out")
struct PageEveningTests {
  private static let (width, height) = (600, 848)

  /// A page of text under uneven, tinted light with a soft shadow; `mark` colours what is on it.
  private func page(
    text: DocumentPage.Content = .text, light: @escaping (Double, Double) -> Double,
    mark: @escaping (Int, Int) -> SIMD3<Double>? = { _, _ in nil }
  ) throws -> PixelBuffer {
    let page = DocumentPage(content: text, paper: 1, seed: 4)
    var random = SeededRandom(seed: 9)
    return try Pictures.rgba8(Self.width, Self.height) { x, y in
      let (u, v) = ((Double(x) + 0.5) / Double(Self.width), (Double(y) + 0.5) / Double(Self.height))
      let color = mark(x, y) ?? SIMD3(repeating: Double(page(u, v)))
      let lit = color * light(u, v) * SIMD3(235, 225, 200)
      let noise = Double.random(in: -3...3, using: &random)
      func byte(_ value: Double) -> UInt8 { UInt8(min(max((value + noise).rounded(), 0), 255)) }
      return SIMD3(byte(lit.x), byte(lit.y), byte(lit.z))
    }
  }

  private func soft(_ u: Double, _ v: Double) -> Double {
    (1 - 0.35 * u) * (1 - 0.4 * ramp(v - u * 0.5, from: 0.3, to: 0.55))
  }

  private func pixel(_ picture: PixelBuffer, _ x: Int, _ y: Int) -> SIMD3<Int> {
    let row = picture.row(y, as: UInt8.self)
    return SIMD3(Int(row[4 * x]), Int(row[4 * x + 1]), Int(row[4 * x + 2]))
  }

  @Test("Paper turns white under uneven light and a soft shadow, its tint goes, and ink stays dark")
  func evens() throws {
    let source = try page(light: soft)
    let even = try PageEvening.evened(source)
    let printed = DocumentPage(content: .text, paper: 1, seed: 4)
    var (paper, white, ink, dark) = (0, 0, 0, 0)
    for y in stride(from: 0, to: Self.height, by: 3) {
      for x in stride(from: 0, to: Self.width, by: 3) {
        let level = printed(
          (Double(x) + 0.5) / Double(Self.width), (Double(y) + 0.5) / Double(Self.height))
        let color = pixel(even, x, y)
        if level > 0.999 {
          paper += 1
          if color.min() >= 245 { white += 1 }
        } else if level < 0.3 {
          ink += 1
          if color.max() <= 110 { dark += 1 }
        }
      }
    }
    #expect(paper > 10_000 && Double(white) > 0.985 * Double(paper), "\(white) of \(paper)")
    #expect(ink > 1000 && Double(dark) > 0.97 * Double(ink), "\(dark) of \(ink)")
  }

  @Test("Colours keep their relation to the paper, and pictures do not wash out")
  func colors() throws {
    // A stamp in red, and a picture in grey that covers a third of the page.
    let source = try page(text: .blank, light: soft) { x, y in
      if (400..<520).contains(x), (100..<160).contains(y) { return SIMD3(0.8, 0.2, 0.25) }
      if (80..<520).contains(x), (350..<700).contains(y) {
        return SIMD3(repeating: 0.35 + 0.25 * sin(Double(x) / 9) * sin(Double(y) / 11))
      }
      return nil
    }
    let even = try PageEvening.evened(source)
    for (x, y) in [(410, 110), (460, 130), (510, 150)] {
      let color = SIMD3<Double>(pixel(even, x, y)) / 255
      for (channel, expected) in [0.8, 0.2, 0.25].enumerated() {
        // White begins at 0.96 of the paper.
        #expect(abs(color[channel] - expected / 0.96) < 0.05, "\(x), \(y): \(color)")
      }
    }
    var (sum, count) = (0, 0)
    for y in stride(from: 360, to: 690, by: 2) {
      for x in stride(from: 90, to: 510, by: 2) {
        (sum, count) = (sum + pixel(even, x, y).y, count + 1)
      }
    }
    let mean = Double(sum) / Double(count) / 255
    #expect(abs(mean - 0.35 / 0.96) < 0.05, "\(mean)")
  }

  @Test("A page that is all picture keeps its relations, and tiny pages and alpha survive")
  func unusual() throws {
    let photo = try Pictures.random(PixelSize(width: 300, height: 200), .rgba8, seed: 3)
    let even = try PageEvening.evened(photo)
    #expect(even.size == photo.size)
    for y in 0..<photo.height {
      for x in 0..<photo.width {
        #expect(even.row(y, as: UInt8.self)[4 * x + 3] == photo.row(y, as: UInt8.self)[4 * x + 3])
      }
    }
    for (width, height) in [(1, 1), (2, 1), (1, 500), (65, 3)] {
      let tiny = try Pictures.rgba8(width, height) { _, _ in SIMD3(180, 170, 150) }
      #expect(pixel(try PageEvening.evened(tiny), width - 1, height - 1) == SIMD3(255, 255, 255))
      #expect(pixel(try PageEvening.blackAndWhite(tiny), 0, 0) == SIMD3(255, 255, 255))
    }
    let black = try Pictures.rgba8(50, 50) { _, _ in .zero }
    #expect(pixel(try PageEvening.evened(black), 20, 20) == .zero)
    #expect(throws: SafelightError.self) {
      try PageEvening.evened(try Pictures.gray8(20, 20) { _, _ in 0 })
    }
  }

  @Test("One thread and several give the same bytes")
  func threads() throws {
    let source = try page(light: soft)
    for make in [PageEvening.evened, PageEvening.blackAndWhite] {
      let (one, several) = (try make(source, 1), try make(source, 3))
      for y in 0..<source.height {
        #expect(one.row(y, as: UInt8.self).elementsEqual(several.row(y, as: UInt8.self)))
      }
    }
  }

  @Test("Black and white is Sauvola's threshold of the evened page")
  func sauvola() throws {
    let source = try page(light: soft)
    let even = try PageEvening.evened(source)
    let result = try PageEvening.blackAndWhite(source)
    let radius = Self.height / 80
    var luma = [[Double]](repeating: [], count: Self.height)
    for y in 0..<Self.height {
      var row = [UInt8](repeating: 0, count: Self.width)
      sla_luma8(even.planes[0].row(y), 8, 0, Int32(Self.width), &row)
      luma[y] = row.map(Double.init)
    }
    for (x, y) in (0..<400).map({ (($0 * 97) % Self.width, ($0 * 61) % Self.height) }) + [
      (0, 0), (599, 847),
    ] {
      var values: [Double] = []
      for row in max(y - radius, 0)...min(y + radius, Self.height - 1) {
        values += luma[row][max(x - radius, 0)...min(x + radius, Self.width - 1)]
      }
      let mean = values.reduce(0, +) / Double(values.count)
      let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
      let threshold = max(mean * (1 + 0.2 * (variance.squareRoot() / 128 - 1)), 0.45 * 255)
      guard abs(luma[y][x] - threshold) > 1e-3 else { continue }
      #expect(
        pixel(result, x, y) == SIMD3(repeating: luma[y][x] > threshold ? 255 : 0), "\(x), \(y)")
    }
  }

  @Test("The kernel multiplies and rounds as defined, for every length")
  func kernel() {
    var random = SeededRandom(seed: 8)
    for count in [1, 7, 16, 33, 200] {
      let samples = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let first = (0..<count).map { _ in Float.random(in: 0.5...3, using: &random) }
      let second = (0..<count).map { _ in Float.random(in: 0.5...3, using: &random) }
      var out = [UInt8](repeating: 0, count: count)
      sla_multiply_between(samples, first, second, 0.3, count, &out)
      let expected = (0..<count).map { index in
        let gain = first[index] + (second[index] - first[index]) * Float(0.3)
        return UInt8(min(Float(samples[index]) * gain, 255).rounded(.toNearestOrEven))
      }
      #expect(out == expected)
    }
  }
}
