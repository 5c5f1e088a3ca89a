import Capture
import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite struct HorizonDetectorTests {
  private func horizon(_ picture: PixelBuffer, orientation: Orientation = .up) throws -> Horizon {
    let proxy = AnalysisProxy()
    try proxy.update(from: picture, orientation: orientation)
    return HorizonDetector().detect(in: proxy)
  }

  @Test(
    "The tilt of a known scene is found to half a degree, with the sign that levels it",
    arguments: [(-20.0, UInt32(1)), (-11, 2), (-3.3, 3), (0, 4), (2.4, 5), (8, 6), (14.5, 7), (20, 8)])
  func knownScenes(degrees: Double, seed: UInt32) throws {
    let scene = SyntheticScene(
      size: PixelSize(width: 640, height: 400), horizonDegrees: degrees, seed: seed)
    let found = try horizon(try scene.render())
    #expect(abs(try #require(found.degrees) - degrees) < 0.5, "\(found)")
    #expect(found.isConfident, "\(found)")
  }

  // MARK: Nothing to see

  @Test("A picture without lines has no horizon, whatever its size and level")
  func nothing() throws {
    for (width, height) in [(1, 1), (2, 2), (3, 3), (3, 4000), (4000, 3), (640, 480)] {
      for level: UInt8 in [0, 128, 255] {
        let found = try horizon(try Pictures.gray8(width, height) { _, _ in level })
        #expect(found.degrees == nil && found.confidence == 0, "\(width)×\(height): \(found)")
      }
    }
  }

  @Test("Noise is no horizon", arguments: 1...5)
  func noise(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let found = try horizon(
      try Pictures.gray8(640, 480) { _, _ in UInt8.random(in: 0...255, using: &random) })
    #expect(!found.isConfident, "\(found)")
  }
}
