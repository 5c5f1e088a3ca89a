import Capture
import FilterGraph
import Filters
import FrameCore
import Libc
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

@Suite("Noise reduction")
struct DenoisingTests {
  @Test(
    "on the CPU agrees with the reference, whatever the size and however it is cut into tiles",
    arguments: EqualityCases.noisyFormats)
  func equality(format: PixelFormat, alpha: AlphaMode) throws {
    for example in try EqualityCases.denoising(format, alpha) {
      #expect(example.plan.denoising != nil)
      let difference = try example.difference(of: CPURenderer(threads: 2))
      #expect(difference.value <= example.bound, "\(format): \(difference), \(example)")
    }
  }

  /// Renders floats as floats, with the noise known.
  private func smooth(_ noisy: PixelBuffer, _ noise: NoiseLevel, _ filter: NoiseReduction) throws
    -> PixelBuffer
  {
    var input = PlanInput(size: noisy.size, format: .rgbaF32)
    input.statistics.noise = noise
    let plan = try Plan(Recipe(filters: [filter]), input: input, output: PlanOutput(format: .rgbaF32))
    return try CPURenderer(threads: 2).render(noisy, through: plan)
  }

  private static let full = NoiseReduction(luminance: 100, color: 100)

  private func scene() throws -> PixelBuffer {
    try SyntheticScene(size: PixelSize(width: 256, height: 256), horizonDegrees: 3, showsPatches: true)
      .render()
  }

  @Test(
    "brings a drawn scene nearer to the clean one, and removes noise rather than picture",
    arguments: [(10.0, 38.0), (25.0, 33.0)])
  func quality(levels: Double, bar: Double) throws {
    let deviation = levels / 255
    let (clean, noisy) = try NoisySamples.adding(to: scene(), seed: 3) { _ in deviation }
    let result = try smooth(noisy, NoiseLevel(deviation: deviation), Self.full)
    let (before, after) = (NoisySamples.psnr(noisy, clean), NoisySamples.psnr(result, clean))
    #expect(after >= bar, "\(before) → \(after) dB")
    let correlation = NoisySamples.residualCorrelation(clean: clean, noisy: noisy, smooth: result)
    #expect(abs(correlation) < 0.1, "\(correlation)")
  }

  @Test("knows that noise differs with brightness: better than with the mean level everywhere")
  func stabilized() throws {
    let level = NoiseLevel(deviations: [0.005, 0.02, 0.04, 0.08, 0.12])
    let (clean, noisy) = try NoisySamples.adding(to: scene(), seed: 4) { level.deviation(at: $0) }
    let known = NoisySamples.psnr(try smooth(noisy, level, Self.full), clean)
    let mean = NoisySamples.psnr(try smooth(noisy, NoiseLevel(deviation: 0.04), Self.full), clean)
    #expect(known > mean + 0.5, "\(known) \(mean) dB")
  }

  @Test("leaves half the noise at half the strength, and luma or colour alone")
  func strength() throws {
    let grey = try PixelBuffer(size: PixelSize(width: 200, height: 120), format: .rgba8)
    for y in 0..<120 { grey.row(y, as: UInt8.self).update(repeating: 128) }
    let (clean, noisy) = try NoisySamples.adding(to: grey, seed: 5) { _ in 0.05 }
    func left(_ filter: NoiseReduction) throws -> Double {
      let result = try smooth(noisy, NoiseLevel(deviation: 0.05), filter)
      return pow(10, -NoisySamples.psnr(result, clean) / 20) / 0.05
    }
    #expect(abs(try left(NoiseReduction(luminance: 0)) - 1) < 0.02)
    // What the means of blocks keep: an eighth of the deviation, less for neighbouring ones.
    #expect(try left(Self.full) < 0.13)
    #expect(abs(try left(NoiseReduction(luminance: 50, color: 50)) - 0.5) < 0.04)
    // One of three axes, or the other two.
    #expect(abs(try left(NoiseReduction(luminance: 100)) - (2.0 / 3).squareRoot()) < 0.04)
    #expect(abs(try left(NoiseReduction(luminance: 0, color: 100)) - (1.0 / 3).squareRoot()) < 0.04)
  }

  @Test("keeps more weak texture at a higher detail")
  func detail() throws {
    let texture = try PixelBuffer(size: PixelSize(width: 128, height: 128), format: .rgba8)
    for y in 0..<128 {
      let row = texture.row(y, as: UInt8.self)
      for x in 0..<512 { row[x] = UInt8(128 + 5 * ((x / 4 / 3 + y / 3) % 2)) }
    }
    let (_, noisy) = try NoisySamples.adding(to: texture, seed: 6) { _ in 0.03 }
    func kept(_ detail: Float) throws -> Double {
      let filter = NoiseReduction(luminance: 100, luminanceDetail: detail, color: 100, colorDetail: detail)
      let result = try smooth(noisy, NoiseLevel(deviation: 0.03), filter)
      let flat = try PixelBuffer(size: texture.size, format: .rgbaF32)
      for y in 0..<128 { flat.row(y, as: Float.self).update(repeating: 130.5 / 255) }
      return -NoisySamples.psnr(result, flat)
    }
    let levels = try [0, 50, 100].map(kept)
    #expect(levels[0] < levels[1] && levels[1] < levels[2], "\(levels)")
  }

  @Test("keeps a flat picture and its ends as they are", arguments: [0, 1, 100, 254, 255] as [UInt8])
  func flat(value: UInt8) throws {
    let picture = try PixelBuffer(size: PixelSize(width: 33, height: 21), format: .rgba8)
    for y in 0..<21 { picture.row(y, as: UInt8.self).update(repeating: value) }
    let plan = try Plan(Recipe(filters: [Self.full]), input: PlanInput(picture), output: PlanOutput())
    let result = try CPURenderer(threads: 1).render(picture, through: plan)
    for y in 0..<21 {
      let row = result.row(y, as: UInt8.self)
      #expect((0..<132).allSatisfy { $0 % 4 == 3 || abs(Int(row[$0]) - Int(value)) <= 0 })
    }
  }

  @Test("keeps samples that are no picture, and their neighbours finite")
  func unusable() throws {
    let odd: [Float] = [.nan, .infinity, -.infinity, 1e30, -5]
    var (_, noisy) = try NoisySamples.adding(to: scene(), seed: 7) { _ in 0.02 }
    noisy = noisy.band(rows: 0..<64)
    for (index, value) in odd.enumerated() {
      noisy.row(10 + index, as: Float.self)[4 * (20 + 7 * index)] = value
    }
    for renderer in [CPURenderer(threads: 1) as any Renderer, ReferenceRenderer()] {
      let plan = try Plan(
        Recipe(filters: [Self.full]), input: PlanInput(size: noisy.size, format: .rgbaF32),
        output: PlanOutput(format: .rgbaF32))
      let result = try renderer.render(noisy, through: plan)
      for y in 0..<64 {
        let row = result.row(y, as: Float.self)
        for x in 0..<4 * noisy.width {
          if let index = odd.indices.first(where: { y == 10 + $0 && x == 4 * (20 + 7 * $0) }) {
            #expect(odd[index].isNaN ? row[x].isNaN : row[x] == odd[index])
          } else {
            #expect(abs(row[x]) < 3, "\(x) \(y) \(row[x])")
          }
        }
      }
    }
  }
}
