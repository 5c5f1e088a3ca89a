import LibraryTestSupport
import Safelight
import Testing

@Suite("Levels of frames that wait") struct HorizonLevelTests {
  private func frames(_ degrees: [Double]) throws -> [Frame] {
    try degrees.enumerated().map { index, degrees in
      let scene = SyntheticScene(
        size: PixelSize(width: 480, height: 320), horizonDegrees: degrees, horizonHeight: 0.5, seed: 4)
      return Frame(
        buffer: try scene.render(), time: Timestamp(nanoseconds: 0).advanced(bySeconds: Double(index) / 30),
        sequence: UInt64(index))
    }
  }

  @Test("The first frame is levelled already, and the same frames give the same levels")
  func levels() throws {
    let frames = try frames([6, 6, 6, 6.2])
    let (first, second) = (HorizonLevel(), HorizonLevel())
    let levels = try frames.map { try first.level(of: $0) }
    #expect(abs(try #require(levels[0]) - 6) < 0.5)
    #expect(try frames.map { try second.level(of: $0) } == levels)
    for level in levels.compactMap({ $0 }) {
      #expect(abs(level / HorizonLevel.step - (level / HorizonLevel.step).rounded()) < 1e-9)
    }
  }

  @Test("Frames without a horizon have no level")
  func none() throws {
    let plain = try PixelBuffer(size: PixelSize(width: 320, height: 200), format: .gray8)
    for y in 0..<plain.height { plain.row(y, as: UInt8.self).update(repeating: 128) }
    let frame = Frame(buffer: plain, time: Timestamp(nanoseconds: 0), sequence: 0)
    #expect(try HorizonLevel().level(of: frame) == nil)
  }
}
