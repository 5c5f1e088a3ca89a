import Capture
import FrameCore
import Foundation
import Testing

/// What the frames show.
extension SyntheticInputTests {
  @Test("Every encoding shows the same picture", arguments: [size, PixelSize(width: 33, height: 21)])
  func encodings(size: PixelSize) throws {
    let yuyv = try #require(try record(size: size, encoding: .yuyv422).frames.last?.bytes)
    let nv12 = try #require(try record(size: size, encoding: .nv12).frames.last?.bytes)
    let i420 = try #require(try record(size: size, encoding: .i420).frames.last?.bytes)
    let rgba = try #require(try record(size: size, encoding: .rgba8).frames.last?.bytes)
    let (width, height, pairs) = (size.width, size.height, (size.width + 1) / 2)
    func chroma(_ x: Int, _ y: Int, _ channel: Int) -> Int {
      Int(yuyv[y * pairs * 4 + x / 2 * 4 + 1 + 2 * channel])
    }
    for y in 0..<height {
      for x in 0..<width {
        let luma = Int(yuyv[y * pairs * 4 + x / 2 * 4 + x % 2 * 2])
        #expect(luma == Int(nv12[y * width + x]) && luma == Int(i420[y * width + x]))
        // ITU-R BT.601-7, limited range.
        let (y1, cb, cr) = (
          Double(luma - 16) / 219, Double(chroma(x, y, 0) - 128) / 224, Double(chroma(x, y, 1) - 128) / 224
        )
        let expected = [
          y1 + 1.402 * cr, y1 - (0.114 * 1.772 * cb + 0.299 * 1.402 * cr) / 0.587, y1 + 1.772 * cb,
        ]
        for channel in 0..<3 {
          let code = min(max(expected[channel], 0), 1) * 255
          #expect(abs(code - Double(rgba[4 * (y * width + x) + channel])) <= 1)
        }
      }
    }
    for y in 0..<(height + 1) / 2 {
      for x in 0..<pairs {
        for channel in 0..<2 {
          let mean =
            (chroma(2 * x, 2 * y, channel) + chroma(2 * x, min(2 * y + 1, height - 1), channel) + 1) / 2
          #expect(mean == Int(nv12[width * height + (y * pairs + x) * 2 + channel]))
          let plane = width * height + channel * pairs * ((height + 1) / 2)
          #expect(mean == Int(i420[plane + y * pairs + x]))
        }
      }
    }
  }

  @Test("A live frame looks like the exact scene: most of its samples lie within a few codes")
  func looksLikeTheScene() throws {
    let size = PixelSize(width: 320, height: 180)
    let motion = SyntheticMotion(sway: 0, drift: 0)
    let input = try SyntheticInput(
      size: size, encoding: .rgba8, motion: motion, paced: false, frameLimit: 1)
    let live = try #require(StreamRecord(try input.openStream(StreamRequest())).frames.first?.bytes)
    let exact = tightBytes(try input.scene(at: 0).render())
    let differences = zip(live, exact).map { abs(Int($0) - Int($1)) }
    #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 4)
    #expect(differences.count { $0 <= 8 } > differences.count * 8 / 10)
  }

  @Test(
    "The horizon lies where it is declared, at every moment of the sway",
    arguments: [(0.55, 0.0), (0.4, 1.7), (0.55, 3.4)])
  func horizon(height: Double, seconds: Double) throws {
    let size = PixelSize(width: 480, height: 270)
    let rate = seconds == 0 ? 30 : 1 / seconds
    let input = try SyntheticInput(
      size: size, framesPerSecond: rate, encoding: .nv12, motion: SyntheticMotion(meanRoll: -3, sway: 4),
      horizonHeight: height, paced: false, frameLimit: 2)
    let frames = StreamRecord(try input.openStream(StreamRequest())).frames
    let frame = try #require(seconds == 0 ? frames.first : frames.last)
    let roll = input.horizonDegrees(at: seconds)
    func luma(_ x: Int, _ y: Double) -> Double? {
      let top = Int((y - 0.5).rounded(.down))
      guard top >= 0, top + 1 < size.height else { return nil }
      let rest = y - 0.5 - Double(top)
      return Double(frame.bytes[top * 480 + x]) * (1 - rest) + Double(frame.bytes[(top + 1) * 480 + x]) * rest
    }
    // As in SyntheticSceneTests: the mean step across a line, capped so that few objects do not outvote it.
    func edge(_ degrees: Double, _ middle: Double) -> Double {
      let slope = tan(degrees * .pi / 180)
      var (sum, count) = (0.0, 0)
      for x in 0..<size.width {
        let row = middle - (Double(x) + 0.5 - 240) * slope
        guard let above = luma(x, row - 1.5), let below = luma(x, row + 1.5) else { continue }
        sum += min(abs(above - below), 25)
        count += 1
      }
      return count > 240 ? sum / Double(count) : 0
    }
    var best = (strength: 0.0, degrees: 0.0, row: 0.0)
    for degrees in stride(from: roll - 2.5, through: roll + 2.5, by: 0.1) {
      for row in stride(from: height * 270 - 6, through: height * 270 + 6, by: 0.5) {
        let strength = edge(degrees, row)
        if strength > best.strength { best = (strength, degrees, row) }
      }
    }
    #expect(abs(best.degrees - roll) <= 0.3, "\(best), declared \(roll)")
    #expect(abs(best.row - height * 270) <= 1.5, "\(best)")
  }

  @Test("Patches have the codes of their reflectance in the declared light", arguments: [0, 10])
  func patches(second: Int) throws {
    let motion = SyntheticMotion(meanGain: SIMD3(0.9, 1, 1.2), drift: 0.15)
    let input = try SyntheticInput(
      size: PixelSize(width: 480, height: 270), framesPerSecond: 1, encoding: .rgba8, motion: motion,
      showsPatches: true, paced: false, frameLimit: second + 1)
    let frame = try #require(StreamRecord(try input.openStream(StreamRequest())).frames.last)
    let gain = input.illuminantGain(at: Double(second))
    let patches = input.scene(at: Double(second)).patches
    #expect(patches.count == 12)
    for patch in patches {
      let (x, y) = (patch.columns.lowerBound + patch.columns.count / 2, patch.rows.lowerBound + 2)
      for channel in 0..<3 {
        let linear = Double(patch.reflectance[channel] * gain[channel])
        // IEC 61966-2-1
        let code = 255 * (linear <= 0.003_130_8 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055)
        // Three roundings of 8-bit YCbCr lie between.
        #expect(
          abs(code - Double(frame.bytes[4 * (y * 480 + x) + channel])) <= 2.5, "\(patch.name) \(channel)")
      }
    }
  }

  @Test("The light changes the scene as it changes light: each channel by its gain, to within a code or two")
  func light() throws {
    func rgba(_ gain: SIMD3<Float>) throws -> [UInt8] {
      let motion = SyntheticMotion(sway: 0, meanGain: gain, drift: 0)
      return try #require(try record(encoding: .rgba8, motion: motion, frames: 1).frames.first).bytes
    }
    let white = try rgba(SIMD3(1, 1, 1))
    let gain = SIMD3<Float>(0.8, 0.95, 1.15)
    let tinted = try rgba(gain)
    var (worst, sum, count) = (0.0, 0.0, 0)
    for index in white.indices where index % 4 < 3 {
      // Where white clips, or the darkest codes begin, nothing can be told.
      guard (30...230).contains(white[index]) else { continue }
      let code = Double(white[index]) / 255
      let linear = pow((code + 0.055) / 1.055, 2.4) * Double(gain[index % 4])
      let difference = abs(255 * (1.055 * pow(linear, 1 / 2.4) - 0.055) - Double(tinted[index]))
      worst = max(worst, difference)
      (sum, count) = (sum + difference, count + 1)
    }
    #expect(count > white.count / 2)
    #expect(sum / Double(count) < 1 && worst < 5, "mean \(sum / Double(count)), worst \(worst)")
  }

  @Test("The same frame has the same bytes in every run, whatever came before it")
  func isDeterministic() throws {
    let all = try record(frames: 45).frames
    let again = try record(frames: 45).frames
    let sameAgain = zip(all, again).allSatisfy { $0.bytes == $1.bytes }
    #expect(sameAgain)
    // With frames 5…41 lost, those after them are painted without those before.
    let gapped = try record(frames: 45, faults: SyntheticFaults(gaps: [5: 37])).frames
    #expect(gapped.map(\.sequence) == Array(0..<5) + Array(42..<45))
    let sameAfterGap = gapped.allSatisfy { $0.bytes == all[Int($0.sequence)].bytes }
    #expect(sameAfterGap)
    let otherSeed = try record(seed: 2, frames: 1).frames.first?.bytes != all[0].bytes
    #expect(otherSeed)
  }

  @Test("The picture moves from frame to frame, and without sway and drift the land stands")
  func moves() throws {
    let size = PixelSize(width: 192, height: 108)
    let frames = try record(size: size, encoding: .nv12, motion: .still(), frames: 40).frames
    let (first, last) = (frames[0].bytes, frames[39].bytes)
    func moved(_ rows: Range<Int>, _ columns: Range<Int>) -> Int {
      rows.reduce(0) { sum, y in
        sum + columns.count { abs(Int(first[y * 192 + $0]) - Int(last[y * 192 + $0])) > 2 }
      }
    }
    // The sea left of the pier, and the pier's deck.
    #expect(moved(80..<108, 0..<40) > 200)
    #expect(moved(100..<106, 92..<108) == 0)
  }
}
