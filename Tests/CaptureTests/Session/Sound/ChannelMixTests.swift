import FrameCore
import Testing

@testable import Capture

@Suite struct ChannelMixTests {
  private func format(_ layout: ChannelLayout) -> AudioFormat {
    AudioFormat(sampleRate: 48_000, layout: layout)
  }

  /// One sample per channel, mixed.
  private func mix(_ samples: [Float], _ layout: ChannelLayout, _ connection: AudioConnection) throws
    -> [Float]
  {
    let mix = try ChannelMix(connection, of: format(layout))
    let buffer = AudioBuffer(format: format(layout), samples: samples, time: Timestamp(nanoseconds: 0))
    return mix.apply(to: buffer, from: mix.gain).samples
  }

  @Test("Channels are chosen, averaged and reordered as they are asked for")
  func channels() throws {
    let four: [Float] = [0.5, 0.25, -0.5, 1]
    #expect(try mix([0.5, 0.25], .stereo, AudioConnection()) == [0.5, 0.25])
    #expect(try mix([0.5, 0.25], .stereo, AudioConnection(channels: .left)) == [0.5])
    #expect(try mix([0.5, 0.25], .stereo, AudioConnection(channels: .right)) == [0.25])
    #expect(try mix([0.5, 0.25], .stereo, AudioConnection(channels: .mono)) == [0.375])
    #expect(try mix([0.5], .mono, AudioConnection(channels: .right)) == [0.5])
    #expect(try mix(four, .discrete(4), AudioConnection(channels: .mono)) == [0.3125])
    #expect(try mix(four, .discrete(4), AudioConnection(channels: .indices([3, 0]))) == [1, 0.5])
    #expect(try mix(four, .ambiX, AudioConnection(channels: .mono)) == [0.5])
    // Furse–Malham's W is 1/√2.
    #expect(abs(try mix(four, .fuMa, AudioConnection(channels: .mono))[0] - 0.707_106_8) < 1e-6)
  }

  @Test("The format is told beforehand")
  func formats() throws {
    func layout(_ source: ChannelLayout, _ channels: AudioConnection.Channels) throws -> ChannelLayout {
      try AudioConnection(channels: channels).format(of: format(source)).layout
    }
    #expect(try layout(.ambiX, .all) == .ambiX)
    #expect(try layout(.ambiX, .indices([0, 1, 2, 3])) == .ambiX)
    #expect(try layout(.ambiX, .indices([0, 1, 2])) == .discrete(3))
    #expect(try layout(.stereo, .indices([1, 0])) == .stereo)
    #expect(try layout(.stereo, .left) == .mono)
  }

  @Test("What a source lacks is refused in a sentence")
  func refusals() {
    func refusal(_ connection: AudioConnection, _ layout: ChannelLayout) -> String? {
      do {
        _ = try connection.format(of: format(layout))
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(
      refusal(AudioConnection(channels: .indices([0, 4])), .ambiX)
        == "A sound connection asks for channel 4 of a source with 4; ask for some of 0 to 3.")
    #expect(
      refusal(AudioConnection(channels: .indices([])), .stereo)
        == "A sound connection has no channel; ask for some of 0 to 1.")
    #expect(
      refusal(AudioConnection(channels: .left), .fuMa)
        == "Spatial sound has no left and right channel; ask for mono, for all channels, or for a list of them."
    )
    #expect(
      refusal(AudioConnection(gain: .nan), .mono)?.hasPrefix("The gain of a sound connection is nan") == true)
  }

  @Test("20 dB are a factor of ten; muted is silent")
  func gain() throws {
    #expect(abs(try mix([0.02], .mono, AudioConnection(gain: 20))[0] - 0.2) < 1e-7)
    #expect(abs(try mix([0.2], .mono, AudioConnection(gain: -6.020_6))[0] - 0.1) < 1e-6)
    #expect(try mix([0.2, 0.3], .stereo, AudioConnection(isMuted: true)) == [0, 0])
  }

  @Test("A change of gain never steps by more than a 240th of it")
  func fade() throws {
    let mix = try ChannelMix(AudioConnection(gain: 20), of: format(.mono))
    let ones = AudioBuffer(
      format: format(.mono), samples: Array(repeating: 1, count: 480), time: Timestamp(nanoseconds: 0))
    let result = mix.apply(to: ones, from: 0).samples
    #expect(zip(result, result.dropFirst()).allSatisfy { $1 >= $0 && $1 - $0 < 10.001 / 240 })
    #expect(result[0] > 0 && abs(result[239] - 10) < 1e-5 && result[240...].allSatisfy { $0 == result[479] })
  }
}
