import Capture
import FrameCore
import Foundation
import TestSupport
import Testing

@Suite("The synthetic input")
struct SyntheticInputTests {
  static let size = PixelSize(width: 96, height: 54)

  func record(
    size: PixelSize = size, rate: Double = 30, encoding: PixelFormat = .yuyv422,
    motion: SyntheticMotion = SyntheticMotion(), horizonHeight: Double = 0.55, patches: Bool = false,
    seed: UInt32 = 1, frames: Int = 3, faults: SyntheticFaults = SyntheticFaults(),
    request: StreamRequest = StreamRequest()
  ) throws -> StreamRecord {
    let input = try SyntheticInput(
      size: size, framesPerSecond: rate, encoding: encoding, motion: motion, horizonHeight: horizonHeight,
      seed: seed, showsPatches: patches, paced: false, frameLimit: frames, faults: faults)
    return StreamRecord(try input.openStream(request))
  }

  @Test("A request decides size, rate and encoding")
  func request() throws {
    let input = try SyntheticInput(paced: false, frameLimit: 1)
    let stream = try input.openStream(
      StreamRequest(size: PixelSize(width: 64, height: 48), framesPerSecond: 12, encoding: .raw(.nv12)))
    #expect(
      stream.format
        == StreamFormat(
          size: PixelSize(width: 64, height: 48), encoding: .raw(.nv12), pixelFormat: .nv12,
          tags: ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited),
          framesPerSecond: 12))
    #expect(StreamRecord(stream).frames.first?.size == PixelSize(width: 64, height: 48))
  }

  @Test("What cannot be painted is refused in a sentence")
  func refusals() throws {
    let input = try SyntheticInput()
    func refusal(_ request: StreamRequest) -> String? { message { _ = try input.openStream(request) } }
    #expect(
      refusal(StreamRequest(size: PixelSize(width: 8, height: 8)))
        == "The synthetic scene cannot be painted at 8×8; ask for edges of 16 to 4096 pixels.")
    #expect(
      refusal(StreamRequest(encoding: .mjpeg))
        == "The synthetic scene does not come as MJPEG; ask for one of yuyv422, nv12, i420, rgba8.")
    #expect(
      refusal(StreamRequest(framesPerSecond: 0))
        == "The synthetic scene cannot be painted 0.0 times a second; ask for a rate from 0.001 to 1000.")
    #expect(
      message { _ = try SyntheticInput(motion: SyntheticMotion(meanRoll: 14, sway: 2)) }
        == "The synthetic scene's largest roll is 16.0; give a value from 0.0 to 15.0.")
    #expect(
      message { _ = try SyntheticInput(motion: SyntheticMotion(meanGain: SIMD3(.nan, 1, 1))) }
        == "The synthetic scene's gain (red) is nan; give a value from 0.65 to 1.6.")
  }

  @Test(
    "The smallest and the widest pictures are painted to their last sample",
    arguments: [(16, 16), (17, 31), (400, 16), (16, 400)])
  func extremes(width: Int, height: Int) throws {
    for degrees in [-15.0, 0, 15] {
      for horizon in [0.0, 1.0] {
        let record = try record(
          size: PixelSize(width: width, height: height), encoding: .rgba8,
          motion: SyntheticMotion(meanRoll: degrees, sway: 0), horizonHeight: horizon, frames: 2)
        let bytes = try #require(record.frames.last?.bytes)
        #expect(
          stride(from: 0, to: bytes.count, by: 4).allSatisfy { bytes[$0 + 3] == 255 && bytes[$0 + 2] > 0 })
      }
    }
  }
}
