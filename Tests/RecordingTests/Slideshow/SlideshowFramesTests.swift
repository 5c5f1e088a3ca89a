import FrameCore
import Testing

@testable import Recording

@Suite("Frames of a slideshow")
struct SlideshowFramesTests {
  private func frames(
    _ cuts: [Double], end: Double, framesPerSecond: Double = 30, fade: Double = 0
  ) throws -> [SlideshowFrames.Frame] {
    let voice = VoiceFacts(name: "take.wav", duration: end)
    let timing = try SlideshowTiming(pictures: cuts.count + 1, cuts: .times(cuts), voice: voice)
    return try SlideshowFrames(timing, framesPerSecond: framesPerSecond, fade: fade).frames
  }

  @Test("a still has one at its cut, which is a key, and one a second")
  func holds() throws {
    let frames = try frames([2.5], end: 4)
    #expect(frames.map(\.tick) == [0, 90_000, 180_000, 225_000, 315_000])
    #expect(frames.map(\.picture) == [0, 0, 0, 1, 1])
    #expect(frames.map(\.isKey) == [true, false, false, true, false])
    #expect(frames.allSatisfy { $0.blend == 0 })
  }

  @Test(
    "they follow each other without gaps up to the end, at most a second apart",
    arguments: [(1.0, 0.0), (23.976, 0), (25, 0.3), (29.97, 1), (240, 0.05)])
  func gapless(framesPerSecond: Double, fade: Double) throws {
    let frames = try frames([2.345, 7, 13.21], end: 20.0001, framesPerSecond: framesPerSecond, fade: fade)
    #expect(frames.first?.tick == 0)
    for (frame, next) in zip(frames, frames.dropFirst()) { #expect(frame.tick + frame.duration == next.tick) }
    #expect(frames.allSatisfy { $0.duration > 0 && $0.duration <= 90_000 })
    #expect((frames.last.map { $0.tick + $0.duration }) == 1_800_009)
    #expect(Set(frames.map(\.picture)) == [0, 1, 2, 3])
  }

  @Test("a fade has its middle at the cut, as many frames as the rate says, and steps that grow")
  func fades() throws {
    let fading = try frames([2], end: 4, fade: 0.5).filter { $0.blend > 0 }
    #expect(fading.count == 15 && fading.allSatisfy { $0.picture == 0 && $0.duration == 3000 })
    // The cut is the frame 60, and seven of the fifteen come before it.
    #expect(fading.first?.tick == 53 * 3000 && fading.last?.tick == 67 * 3000)
    #expect(fading.map(\.blend) == (1...15).map { 16 * $0 })
    #expect(try frames([2], end: 4, fade: 0.5).first { $0.picture == 1 }?.tick == 68 * 3000)
  }

  @Test("a cut is at most half a frame from its mark")
  func grid() throws {
    let marks = [1.017, 3.999, 6.5001]
    let starts = try frames(marks, end: 9).filter(\.isKey).dropFirst().map { Double($0.tick) / 90_000 }
    #expect(starts.count == 3)
    for (start, mark) in zip(starts, marks) { #expect(abs(start - mark) <= 1.0 / 60 + 1e-6) }
  }

  @Test("pictures without a frame of their own, and rates and fades that nobody can show, are refused")
  func refused() throws {
    #expect(throws: SafelightError.self) { try frames([2, 2.01], end: 4) }
    #expect(throws: SafelightError.self) { try frames([2, 2.4], end: 4, fade: 0.5) }
    #expect(throws: SafelightError.self) { try frames([0.2], end: 4, fade: 0.5) }
    #expect(throws: SafelightError.self) { try frames([2], end: 4, framesPerSecond: 0.5) }
    #expect(throws: SafelightError.self) { try frames([2], end: 4, fade: .nan) }
    #expect(throws: Never.self) { try frames([2, 2.6], end: 4, fade: 0.5) }
  }
}
