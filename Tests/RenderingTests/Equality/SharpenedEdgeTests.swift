import FilterGraph
import Filters
import FrameCore
import RendererTestSupport
import TestSupport
import Testing
import Libc

@testable import Rendering

/// What sharpening does to a slanted edge, measured as lenses are: ISO 12233, "Photography: electronic still picture
/// imaging, resolution and spatial frequency responses".
@Suite("Sharpened edges")
struct SharpenedEdgeTests {
  /// An edge 5° off the vertical, between two greys, as blurred as a lens leaves it.
  private struct Edge {
    static let size = PixelSize(width: 160, height: 160)
    let dark, bright: Double

    private static func distance(_ x: Int, _ y: Int) -> Double {
      let angle = 5 * Double.pi / 180
      return (Double(x) - 79.5) * cos(angle) + (Double(y) - 79.5) * sin(angle)
    }

    func picture(blur: Double) throws -> PixelBuffer {
      let buffer = try PixelBuffer(size: Self.size, format: .rgba16)
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          let part = 0.5 * (1 + erf(Self.distance(x, y) / (blur * 2.0.squareRoot())))
          for channel in 0..<4 {
            RandomPicture.set(channel == 3 ? 1 : dark + (bright - dark) * part, buffer, x, y, channel)
          }
        }
      }
      return buffer
    }

    /// The edge spread function in quarters of pixels, from -16 to 16 pixels: 0 is dark, 1 bright.
    func profile(_ picture: PixelBuffer) -> [Double] {
      var (sums, counts) = ([Double](repeating: 0, count: 128), [Double](repeating: 0, count: 128))
      for y in 16..<144 {
        for x in 0..<Self.size.width {
          let bin = Int(((Self.distance(x, y) + 16) * 4).rounded(.down))
          guard (0..<128).contains(bin) else { continue }
          sums[bin] += (RandomPicture.get(picture, x, y, 1) / 65_535 - dark) / (bright - dark)
          counts[bin] += 1
        }
      }
      return zip(sums, counts).map { $0 / $1 }
    }
  }

  /// The frequency at which half of the contrast is left, in cycles per pixel.
  private func mtf50(_ profile: [Double]) -> Double {
    let line = zip(profile, profile.dropFirst()).map { $1 - $0 }
    func contrast(_ frequency: Double) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for (index, value) in line.enumerated() {
        let phase = 2 * Double.pi * frequency * Double(index) / 4
        real += value * cos(phase)
        imaginary += value * sin(phase)
      }
      return hypot(real, imaginary)
    }
    var frequency = 0.005
    while frequency < 1, contrast(frequency) > 0.5 * contrast(0) { frequency += 0.0025 }
    return frequency
  }

  private func profile(_ sharpen: Sharpen?, _ edge: Edge, blur: Double) throws -> [Double] {
    let source = try edge.picture(blur: blur)
    let renderer = CPURenderer(threads: 1)
    let plan = try renderer.plan(
      Recipe(filters: sharpen.map { [$0] } ?? []), input: PlanInput(source),
      output: PlanOutput(format: .rgba16))
    return edge.profile(try renderer.render(source, through: plan))
  }

  @Test("overshoot by at most 5 % of the edge at Lightroom's defaults", arguments: [0.4, 0.7, 1, 1.5])
  func overshoot(blur: Double) throws {
    for edge in [Edge(dark: 0.3, bright: 0.7), Edge(dark: 0.1, bright: 0.8), Edge(dark: 0.4, bright: 0.6)] {
      for sharpen in [Sharpen(40), Sharpen(0, output: .screen)] {
        let profile = try profile(sharpen, edge, blur: blur)
        let (top, bottom) = (profile.max() ?? 0, profile.min() ?? 0)
        #expect(top <= 1.05 && bottom >= -0.05, "\(edge), blur \(blur), \(sharpen): \(bottom)…\(top)")
        // Dark halos are narrower than bright ones.
        #expect(-bottom <= 0.65 * (top - 1) + 0.002, "\(edge), blur \(blur), \(sharpen): \(bottom)…\(top)")
      }
    }
  }

  @Test("rise faster: the frequency of half the contrast goes up with the amount", arguments: [0.7, 1, 1.5])
  func mtf(blur: Double) throws {
    let edge = Edge(dark: 0.4, bright: 0.6)
    let plain = mtf50(try profile(nil, edge, blur: blur))
    // A Gaussian keeps half of the contrast at √(ln 2 / 2) / (π·σ); pixels and bins take a little more.
    #expect(abs(plain * blur - 0.187) < 0.02, "\(plain)")
    let sharpened = try [40, 80, 150].map {
      mtf50(try profile(Sharpen(Float($0), radius: Float(blur)), edge, blur: blur))
    }
    let all = [plain] + sharpened
    #expect(zip(all, all.dropFirst()).allSatisfy { $1 > $0 }, "\(all)")
    #expect(sharpened[0] > 1.1 * plain && sharpened[2] > 1.35 * plain, "\(all)")
  }

  @Test("are sharpened where masking spares flat noise")
  func masking() throws {
    let edge = Edge(dark: 0.35, bright: 0.65)
    let free = try profile(Sharpen(80), edge, blur: 1)
    let masked = try profile(Sharpen(80, masking: 50), edge, blur: 1)
    let plain = try profile(nil, edge, blur: 1)
    func gain(_ values: [Double]) -> Double { zip(values, plain).map { abs($0 - $1) }.max() ?? 0 }
    #expect(gain(masked) > 0.8 * gain(free))

    // Noise of 1 % of full scale.
    var random = SeededRandom(seed: 7)
    let noise = try PixelBuffer(size: PixelSize(width: 100, height: 100), format: .rgba16)
    for y in 0..<100 {
      for x in 0..<100 {
        let value = 0.5 + Double.random(in: -0.0173...0.0173, using: &random)
        for channel in 0..<4 { RandomPicture.set(channel == 3 ? 1 : value, noise, x, y, channel) }
      }
    }
    func deviation(_ sharpen: Sharpen) throws -> Double {
      let renderer = CPURenderer(threads: 1)
      let plan = try renderer.plan(
        Recipe(filters: [sharpen]), input: PlanInput(noise), output: PlanOutput(format: .rgba16))
      let made = try renderer.render(noise, through: plan)
      var sum = 0.0
      for y in 0..<100 {
        for x in 0..<100 { sum += pow(RandomPicture.get(made, x, y, 1) / 65_535 - 0.5, 2) }
      }
      return (sum / 1e4).squareRoot()
    }
    let (loud, quiet) = (try deviation(Sharpen(80)), try deviation(Sharpen(80, masking: 60)))
    #expect(loud > 0.0145 && quiet < 0.0102, "\(loud), \(quiet)")
  }
}
