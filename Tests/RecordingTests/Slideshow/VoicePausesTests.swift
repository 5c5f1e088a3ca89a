import FrameCore
import Libc
import TestSupport
import Testing

@testable import Recording

@Suite("Pauses of a voice")
struct VoicePausesTests {
  private static let rate = 8000

  /// Bursts of a tone with noise of a room under all of it.
  ///
  /// - Parameters:
  ///   - speech: in seconds.
  ///   - noise: the largest value of the noise.
  private func find(
    _ speech: [ClosedRange<Double>], end: Double, tone: Float = 0.3, noise: Float, channels: Int = 1
  ) -> [ClosedRange<Double>] {
    var random = SeededRandom(seed: 3)
    var samples: [Float] = []
    for index in 0..<Int(end * Double(Self.rate)) {
      let time = Double(index) / Double(Self.rate)
      let voice = speech.contains { $0.contains(time) } ? tone * Float(sin(2 * .pi * 220 * time)) : 0
      for _ in 0..<channels { samples.append(voice + Float.random(in: -1...1, using: &random) * noise) }
    }
    let layout = ChannelLayout(channelCount: channels)
    var pauses = VoicePauses(AudioFormat(sampleRate: Self.rate, layout: layout))
    // In pieces that are no whole blocks.
    for first in stride(from: 0, to: samples.count, by: 333 * channels) {
      pauses.add(Array(samples[first..<min(first + 333 * channels, samples.count)]))
    }
    return pauses.find()
  }

  @Test(
    "are found to a block of 20 ms, whatever the noise, the gain and the channels",
    arguments: [(Float(0), Float(0.3), 1), (0.001, 0.3, 1), (0.01, 0.3, 2), (0.0001, 0.003, 4)])
  func found(noise: Float, tone: Float, channels: Int) throws {
    let pauses = find([0.5...2, 2.6...4, 5...6.5], end: 7, tone: tone, noise: noise, channels: channels)
    try #require(pauses.count == 2)
    for (pause, expected) in zip(pauses, [2.0...2.6, 4.0...5.0]) {
      #expect(abs(pause.lowerBound - expected.lowerBound) <= 0.021)
      #expect(abs(pause.upperBound - expected.upperBound) <= 0.021)
    }
  }

  @Test("are none between words, nor the silence at the start and the end")
  func short() {
    #expect(find([0.5...2, 2.12...4], end: 5, noise: 0.001).isEmpty)
  }

  @Test("stay whole around a click")
  func click() {
    let pauses = find([0...2, 2.5...2.52, 3...5], end: 5, noise: 0.001)
    #expect(pauses.count == 1)
  }

  @Test("are none in noise, in a tone and in nothing")
  func none() {
    #expect(find([], end: 3, noise: 0.1).isEmpty)
    #expect(find([0...3], end: 3, noise: 0).isEmpty)
    #expect(find([], end: 0, noise: 0).isEmpty)
  }
}
