import FilterGraph
import FrameCore
import PhotoIO
import TestSupport
import Testing

@testable import Editing

@Suite("Lenses that files describe", .serialized)
struct EmbeddedLensTests {
  private static func header(crop: [Int]?) throws -> PhotoHeader {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    func double(_ value: Double) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (56 - 8 * UInt64($0))) }
    }
    let warp = number(1) + [1.01, -0.05, 0.02, 0.004, 0, 0, 0.51, 0.47].flatMap(double)
    let light = [0.6, -0.2, 0.15, 0, 0.02, 0.51, 0.47].flatMap(double)
    var file = DNGFile(width: 400, height: 300) { _, _, _ in 0.3 }
    (file.neutral, file.defaultCrop) = ([1, 1, 1], crop)
    file.opcodeList = (
      51_022,
      number(2) + number(1) + [1, 3, 0, 0] + number(0) + number(warp.count) + warp
        + number(3) + [1, 3, 0, 0] + number(0) + number(light.count) + light
    )
    let scratch = try Scratch()
    return try PhotoHeader.read(scratch.write(file.bytes, to: "photo.dng"))
  }

  /// The formulas of DNG 1.7.1.0, chapter 7, in pixels of what the sensor exposes.
  @Test(
    "The profile moves places and lights them as the file's numbers do", .libRawIsInstalled,
    arguments: [nil, [8, 12, 384, 272]] as [[Int]?])
  func profile(crop: [Int]?) throws {
    let header = try Self.header(crop: crop)
    let lens = try #require(header.embeddedLens)
    let profile = lens.profile(of: header.size)
    let center = SIMD2(0.51 * 400, 0.47 * 300)
    let furthest = (SIMD2(0.51 * 400, 0.53 * 300) * SIMD2(0.51 * 400, 0.53 * 300)).sum().squareRoot()
    let half =
      Double(header.size.width * header.size.width + header.size.height * header.size.height).squareRoot() / 2
    let middle = SIMD2(Double(header.size.width) / 2, Double(header.size.height) / 2)
    let origin = SIMD2(Double(crop?[0] ?? 0), Double(crop?[1] ?? 0))
    for place in [SIMD2(20.0, 30), SIMD2(200.0, 150), SIMD2(390.0, 280), SIMD2(60.0, 280)] {
      let away = place - center
      let x = (away * away).sum().squareRoot() / furthest
      let square = x * x
      let factor = 1.01 + square * (-0.05 + square * (0.02 + square * 0.004))
      let gain = 1 + square * (0.6 + square * (-0.2 + square * (0.15 + square * square * 0.02)))
      // The same in halves of the diagonal about the profile's centre.
      let own = (place - origin - middle) / half - profile.center
      #expect((own * half - away).max() < 1e-9 && (away - own * half).max() < 1e-9)
      let r = (own * own).sum().squareRoot()
      let k = profile.distortion
      let found = k[0] + r * (k[1] + r * (k[2] + r * (k[3] + r * k[4])))
      #expect(abs(found - factor) * x * furthest < 0.02, "\(place): \(found) for \(factor)")
      #expect(abs(profile.gain(at: r) / gain - 1) < 0.005, "\(place): \(profile.gain(at: r)) for \(gain)")
    }
  }

  @Test("Camera raws are corrected by it before any database is asked", .libRawIsInstalled)
  func found() throws {
    let header = try Self.header(crop: nil)
    let lens = try #require(try PhotoLens(PhotoLensFacts(header), nil))
    #expect(lens.filter != nil)
    #expect(lens.match?.reason == "as the file says")
    #expect(lens.summary.hasSuffix("(as the file says): distortion and vignetting"))
    #expect(try PhotoLens(PhotoLensFacts(header), .off).map(\.summary) == nil)
  }
}
