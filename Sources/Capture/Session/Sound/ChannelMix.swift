import FrameCore
import Libc

/// An `AudioConnection` for sound of one format: a sum of channels for each channel of the result.
struct ChannelMix: Sendable {
  private struct Part: Sendable {
    let channel: Int
    let weight: Float
  }

  let source: AudioFormat
  /// The format of the result.
  let format: AudioFormat
  /// The factor of all channels; 0 if muted.
  let gain: Float
  /// The sum for each channel of the result; nil if they are those of the source.
  private let sums: [[Part]]?

  /// The duration of a change of gain in seconds.
  static let fade = 0.005

  /// - Throws: `SafelightError(.invalidValue)` if the source lacks a channel or the gain is out of range.
  init(_ connection: AudioConnection, of source: AudioFormat) throws {
    guard AudioConnection.gainRange.contains(connection.gain) else {
      throw SafelightError(
        .invalidValue, "The gain of a sound connection is \(connection.gain) dB",
        remedy: "give a value from -120 to 60; to hear nothing, set isMuted")
    }
    self.source = source
    gain = connection.isMuted ? 0 : Float(pow(10, connection.gain / 20))
    switch connection.channels {
    case .all:
      sums = nil
      format = source
    case .left, .right:
      let channel = try Self.side(connection.channels, of: source.layout)
      sums = [[Part(channel: channel, weight: 1)]]
      format = AudioFormat(sampleRate: source.sampleRate, layout: .mono)
    case .mono:
      sums = [Self.mono(of: source.layout)]
      format = AudioFormat(sampleRate: source.sampleRate, layout: .mono)
    case .indices(let indices):
      try Self.validate(indices, of: source)
      let isWhole = indices == Array(0..<source.channelCount)
      sums = isWhole ? nil : indices.map { [Part(channel: $0, weight: 1)] }
      let layout = isWhole ? source.layout : ChannelLayout(channelCount: indices.count)
      format = AudioFormat(sampleRate: source.sampleRate, layout: layout)
    }
  }

  private static func side(_ side: AudioConnection.Channels, of layout: ChannelLayout) throws -> Int {
    switch layout {
    case .mono: return 0
    case .stereo: return side == .left ? 0 : 1
    case .discrete(let count): return side == .left || count < 2 ? 0 : 1
    case .ambiX, .fuMa:
      throw SafelightError(
        .invalidValue, "Spatial sound has no left and right channel",
        remedy: "ask for mono, for all channels, or for a list of them")
    }
  }

  private static func mono(of layout: ChannelLayout) -> [Part] {
    switch layout {
    case .mono, .ambiX: [Part(channel: 0, weight: 1)]
    // Furse–Malham's W is 3 dB lower.
    case .fuMa: [Part(channel: 0, weight: Float(2).squareRoot())]
    case .stereo, .discrete:
      (0..<layout.channelCount).map { Part(channel: $0, weight: 1 / Float(layout.channelCount)) }
    }
  }

  private static func validate(_ indices: [Int], of source: AudioFormat) throws {
    guard let wrong = indices.isEmpty ? -1 : indices.first(where: { !(0..<source.channelCount).contains($0) })
    else { return }
    throw SafelightError(
      .invalidValue,
      indices.isEmpty
        ? "A sound connection has no channel"
        : "A sound connection asks for channel \(wrong) of a source with \(source.channelCount)",
      remedy: "ask for some of 0 to \(source.channelCount - 1)")
  }

  /// Returns the mixed sound, its gain changing from `former` to `gain` within `fade`.
  func apply(to sound: AudioBuffer, from former: Float) -> AudioBuffer {
    if sums == nil, former == 1, gain == 1 { return sound }
    let (inputs, outputs) = (source.channelCount, format.channelCount)
    let frames = sound.frameCount
    let fading = former == gain ? 0 : max(1, min(frames, Int(Self.fade * Double(source.sampleRate))))
    let samples = [Float](unsafeUninitializedCapacity: frames * outputs) { out, count in
      for frame in 0..<frames {
        let factor =
          frame < fading ? former + (gain - former) * Float(frame + 1) / Float(fading) : gain
        for channel in 0..<outputs {
          var sum: Float = 0
          if let sums {
            for part in sums[channel] { sum += part.weight * sound.samples[frame * inputs + part.channel] }
          } else {
            sum = sound.samples[frame * inputs + channel]
          }
          out[frame * outputs + channel] = sum * factor
        }
      }
      count = frames * outputs
    }
    return AudioBuffer(
      format: format, samples: samples, time: sound.time, position: sound.position, silence: sound.silence)
  }
}
