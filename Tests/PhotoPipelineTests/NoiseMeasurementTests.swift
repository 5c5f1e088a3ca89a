import Capture
import FilterGraph
import FrameCore
import RendererTestSupport
import Testing

@testable import PhotoPipeline

@Suite("Measured noise")
struct NoiseMeasurementTests {
  private func scene(_ size: PixelSize = PixelSize(width: 640, height: 480)) throws -> PixelBuffer {
    try SyntheticScene(size: size, horizonDegrees: 3, showsPatches: true).render()
  }

  @Test("is that which was added to a drawn scene", arguments: [2.0, 5, 10, 25])
  func known(levels: Double) throws {
    let (_, noisy) = try NoisySamples.adding(to: scene(), seed: 11) { _ in levels / 255 }
    let level = try #require(NoiseMeasurement.level(of: noisy))
    for sample in [0.2, 0.35, 0.5, 0.65] {
      let measured = level.deviation(at: sample) * 255
      #expect(abs(measured / levels - 1) < 0.2, "\(levels) \(sample) \(measured)")
    }
    #expect((0.85...1.2).contains(level.colorRatio), "\(level.colorRatio)")
  }

  @Test("differs with brightness where the noise does")
  func brightness() throws {
    let ramp = try PixelBuffer(size: PixelSize(width: 768, height: 256), format: .rgba8)
    for y in 0..<256 {
      let row = ramp.row(y, as: UInt8.self)
      for x in 0..<4 * 768 { row[x] = UInt8(x / 4 / 3) }
    }
    let added = NoiseLevel(deviations: [0.01, 0.03, 0.05])
    let (_, noisy) = try NoisySamples.adding(to: ramp, seed: 12) { added.deviation(at: $0) }
    let level = try #require(NoiseMeasurement.level(of: noisy))
    for sample in stride(from: 0.15, through: 0.8, by: 0.05) {
      let ratio = level.deviation(at: sample) / added.deviation(at: sample)
      #expect((0.75...1.3).contains(ratio), "\(sample) \(ratio)")
    }
  }

  @Test("is next to none in a clean picture")
  func clean() throws {
    let level = try #require(NoiseMeasurement.level(of: scene()))
    #expect(level.deviation(at: 0.5) * 255 < 1.2, "\(level)")
  }

  @Test("is unknown of tiny, clipped and camera pictures")
  func unknown() throws {
    let white = try PixelBuffer(size: PixelSize(width: 200, height: 200), format: .rgba8)
    for y in 0..<200 { white.row(y, as: UInt8.self).update(repeating: 255) }
    #expect(NoiseMeasurement.level(of: white) == nil)
    #expect(NoiseMeasurement.level(of: try scene(PixelSize(width: 16, height: 16))) == nil)
    let camera = try PixelBuffer(size: PixelSize(width: 64, height: 64), format: .nv12)
    #expect(NoiseMeasurement.level(of: camera) == nil)
  }
}
