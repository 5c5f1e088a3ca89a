import FrameCore

/// Which channels of a sound go into which of another one.
public struct ChannelMatrix: Sendable, Hashable {
  public let input: ChannelLayout
  public let output: ChannelLayout
  /// For each output channel, the weight of every input channel.
  public let weights: [[Float]]

  private init(_ input: ChannelLayout, _ output: ChannelLayout, _ weights: [[Float]]) {
    (self.input, self.output, self.weights) = (input, output, weights)
  }

  /// Takes channels in a given order: one becomes mono, two stereo, more have no direction.
  ///
  /// - Parameter channels: indices from 0; one may be there several times.
  /// - Throws: `SafelightError(.invalidValue)` if there are none, or one does not exist.
  public init(selecting channels: [Int], of input: ChannelLayout) throws {
    guard !channels.isEmpty else {
      throw SafelightError(.invalidValue, "No channel of the sound is chosen", remedy: "choose at least one")
    }
    for channel in channels where !(0..<input.channelCount).contains(channel) {
      throw SafelightError(
        .invalidValue, "The sound has no channel \(channel + 1), only \(input.channelCount)",
        remedy: "choose 1…\(input.channelCount)")
    }
    self.init(
      input, ChannelLayout(channelCount: channels.count),
      channels.map { chosen in (0..<input.channelCount).map { $0 == chosen ? 1 : 0 } })
  }

  /// The conversion of one layout into another.
  ///
  /// Mono comes out of both loudspeakers unchanged; of several channels, mono is the mean, of ambisonics W.
  /// Stereo of ambisonics is a pair of cardioids that look left and right.
  ///
  /// - Throws: `SafelightError(.unsupported)` where directions would have to be made up.
  public init(from input: ChannelLayout, to output: ChannelLayout) throws {
    guard input != output else {
      let count = input.channelCount
      self.init(input, output, (0..<count).map { row in (0..<count).map { $0 == row ? 1 : 0 } })
      return
    }
    // FuMa's W is 3 dB lower, and its channels are W, X, Y, Z.
    let root = Float(2).squareRoot()
    let weights: [[Float]]? =
      switch (input, output) {
      case (.mono, .stereo): [[1], [1]]
      case (.ambiX, .mono): [[1, 0, 0, 0]]
      case (.fuMa, .mono): [[root, 0, 0, 0]]
      case (.stereo, .mono), (.discrete, .mono):
        [[Float](repeating: 1 / Float(input.channelCount), count: input.channelCount)]
      case (.ambiX, .stereo): [[0.5, 0.5, 0, 0], [0.5, -0.5, 0, 0]]
      case (.fuMa, .stereo): [[0.5 * root, 0, 0.5, 0], [0.5 * root, 0, -0.5, 0]]
      case (.ambiX, .fuMa): [[1 / root, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]]
      case (.fuMa, .ambiX): [[root, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 1, 0, 0]]
      // A voice without a direction.
      case (.mono, .ambiX): [[1], [0], [0], [0]]
      case (.mono, .fuMa): [[1 / root], [0], [0], [0]]
      case (.mono, .mono), (.stereo, .stereo), (.ambiX, .ambiX), (.fuMa, .fuMa): nil
      case (.stereo, .ambiX), (.stereo, .fuMa), (_, .discrete), (.discrete, _): nil
      }
    guard let weights else {
      throw SafelightError(
        .unsupported,
        "Sound with the channels \(input) cannot be turned into sound with the channels \(output)",
        remedy: "choose channels of it")
    }
    self.init(input, output, weights)
  }

  /// Returns interleaved samples of the output's layout.
  ///
  /// - Precondition: whole samples of the input's layout.
  public func apply(to samples: [Float]) -> [Float] {
    let (inputs, outputs) = (input.channelCount, output.channelCount)
    precondition(samples.count.isMultiple(of: inputs))
    if inputs == outputs, weights.indices.allSatisfy({ isUnit(weights[$0], $0) }) { return samples }
    let flat = weights.flatMap(\.self)
    let count = samples.count / inputs
    return [Float](unsafeUninitializedCapacity: count * outputs) { result, initialized in
      samples.withUnsafeBufferPointer { samples in
        flat.withUnsafeBufferPointer { flat in
          for index in 0..<count {
            for row in 0..<outputs {
              var sum: Float = 0
              for column in 0..<inputs {
                sum += flat[row * inputs + column] * samples[index * inputs + column]
              }
              result.initializeElement(at: index * outputs + row, to: sum)
            }
          }
        }
      }
      initialized = count * outputs
    }
  }

  private func isUnit(_ row: [Float], _ place: Int) -> Bool {
    row.indices.allSatisfy { row[$0] == ($0 == place ? 1 : 0) }
  }
}
