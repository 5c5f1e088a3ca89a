import BenchmarkSupport
import Glibc
import Safelight

extension Evaluation {
  /// An edge from 20 to 80 % of full scale in sRGB, slanted by about 5° and blurred by σ pixels.
  private func slantedEdge(_ sigma: Double) throws -> LightPicture {
    try LightPicture(PixelSize(width: 400, height: 400), space: .sRGB) { x, y in
      let distance =
        (Double(x) - 200 - (Double(y) - 200) * Self.slope) / (1 + Self.slope * Self.slope).squareRoot()
      return SIMD3(repeating: Float(0.5 + 0.3 * erf(distance / (sigma * 2.0.squareRoot()))))
    }
  }

  private static let slope = 0.0875
  /// Samples of the edge's profile for a pixel.
  private static let parts = 4

  /// The profile across an edge, from 50 pixels before it to 50 behind: ISO 12233's method.
  private func profile(_ picture: LightPicture) -> [Double] {
    var sums = [Double](repeating: 0, count: 100 * Self.parts)
    var counts = sums
    for y in 20..<picture.size.height - 20 {
      for x in 20..<picture.size.width - 20 {
        let distance = Double(x) - 200 - (Double(y) - 200) * Self.slope
        let bin = Int(((distance + 50) * Double(Self.parts)).rounded(.down))
        guard sums.indices.contains(bin) else { continue }
        sums[bin] += Double(picture.pixel(x, y).y)
        counts[bin] += 1
      }
    }
    return zip(sums, counts).map { $0 / max($1, 1) }
  }

  /// The frequency in cycles a pixel at which half of the contrast is left.
  private func halfContrast(_ profile: [Double]) -> Double {
    let lines = zip(profile.dropFirst(), profile).map { $0 - $1 }
    func contrast(_ frequency: Double) -> Double {
      var (re, im, sum) = (0.0, 0.0, 0.0)
      for (index, value) in lines.enumerated() {
        let angle = 2 * .pi * frequency * Double(index) / Double(Self.parts)
        (re, im, sum) = (re + value * cos(angle), im + value * sin(angle), sum + value)
      }
      return (re * re + im * im).squareRoot() / abs(sum)
    }
    var frequency = 0.0
    while frequency < 1, contrast(frequency) > 0.5 { frequency += 0.001 }
    return frequency
  }

  func reportSharpness() throws {
    report.heading("Sharpening")
    report.say(
      "A slanted edge, blurred by 0.7 pixels: the frequency of half the contrast in cycles a pixel (MTF50, ISO 12233), and how "
        + "far the result goes beyond the edge's ends, in percent of its height (bar: 5 at an amount of 40).")
    let edge = try slantedEdge(0.7)
    report.table(
      ["amount", "MTF50", "beyond"],
      try [0, 25, 40, 80, 150].map { amount in
        let profile = profile(try edge.edited([Sharpen(Float(amount))]))
        let beyond = max((profile.max() ?? 0) - 0.8, 0.2 - (profile.min() ?? 0)) / 0.6
        return ["\(amount)", fixed(halfContrast(profile), 3), fixed(max(0, 100 * beyond), 2)]
      })
  }

  func reportGrain() throws {
    report.heading("Grain")
    report.say(
      "1000 times the standard deviation of density for pixels with the area of an opening of 48 µm, of grain 25 with a "
        + "roughness of 0, beside published granularities of a negative film (bar: 5 %).")
    let size = PixelSize(width: 847, height: 565)
    report.table(
      ["density", "measured", "published"],
      try [(0.3, 7.9), (1.0, 11.6), (1.8, 9.3)].map { density, published in
        let light = Float(pow(10, -density) - 0.0005)
        let flat = try LightPicture(size) { _, _ in SIMD3(repeating: light) }
        let grainy = try flat.edited([Grain(25, size: 25, roughness: 0)])
        var (sum, squares) = (0.0, 0.0)
        for y in 0..<size.height {
          for x in 0..<size.width {
            let change = log10(Double(grainy.pixel(x, y).y) / Double(light))
            (sum, squares) = (sum + change, squares + change * change)
          }
        }
        let count = Double(size.pixelCount)
        let deviation = (squares / count - sum * sum / count / count).squareRoot()
        return [fixed(density, 1), fixed(1000 * deviation, 2), fixed(published, 1)]
      })
  }

  func reportBands() throws {
    report.heading("Bands")
    report.say(
      "A ramp of 16 bits over 4096 pixels, edited into 8 bits: the longest run of equal samples in its dithered rows, over the "
        + "width that a step has in the same edit (bar: 2).")
    let size = PixelSize(width: 4096, height: 32)
    let ramp = try PixelBuffer(size: size, format: .rgba16)
    for y in 0..<size.height {
      let row = ramp.row(y, as: UInt16.self)
      for x in 0..<size.width {
        for channel in 0..<3 { row[4 * x + channel] = UInt16(6553 + 12 * x) }
        row[4 * x + 3] = 65_535
      }
    }
    let cases: [(String, [any Filter])] = [
      ("shadows +100", [Tone(shadows: 100)]), ("highlights −100", [Tone(highlights: -100)]),
      ("clarity +100", [Clarity(100)]), ("vignette −100", [Vignette(amount: -100)]),
      ("sharpen 150", [Sharpen(150)]),
    ]
    report.table(
      ["filter", "longest run", "widest step", "ratio"],
      try cases.map { name, filters in
        let renderer = CPURenderer(threads: 2)
        func render(_ format: PixelFormat) throws -> PixelBuffer {
          let plan = try renderer.plan(
            Recipe(filters: filters), input: PlanInput(size: size, format: .rgba16),
            output: PlanOutput(format: format))
          return try renderer.render(ramp, through: plan)
        }
        let (dithered, deep) = (try render(.rgba8), try render(.rgba16))
        let row = dithered.row(16, as: UInt8.self)
        var (longest, run) = (1, 1)
        for x in 1..<size.width {
          run = row[4 * x] == row[4 * x - 4] ? run + 1 : 1
          longest = max(longest, run)
        }
        // The most pixels over which the deep result stays within one step of 8 bits.
        let exact = deep.row(16, as: UInt16.self)
        var (widest, start) = (1, 0)
        for x in 0..<size.width {
          while abs(Int(exact[4 * x]) - Int(exact[4 * start])) > 257 { start += 1 }
          widest = max(widest, x - start + 1)
        }
        return [name, "\(longest)", "\(widest)", fixed(Double(longest) / Double(widest), 2)]
      })
  }
}
