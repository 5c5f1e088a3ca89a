/// What the channels of a sound mean, in their order.
public enum ChannelLayout: Sendable, Hashable, Codable {
  case mono
  /// Left, right.
  case stereo
  /// Ambisonics of first order as AmbiX: W, Y, Z, X (ACN order), normalised as SN3D.
  ///
  /// Source: C. Nachbar et al., AmbiX, a suggested ambisonics format, 2011.
  case ambiX
  /// Ambisonics of first order as Furse–Malham: W, X, Y, Z, with W 3 dB lower.
  case fuMa
  /// Channels without a stated direction, such as the capsules of an array.
  case discrete(Int)

  public var channelCount: Int {
    switch self {
    case .mono: 1
    case .stereo: 2
    case .ambiX, .fuMa: 4
    case .discrete(let count): count
    }
  }

  /// The usual layout of a number of channels: mono, stereo, or channels without a direction.
  public init(channelCount: Int) {
    switch channelCount {
    case 1: self = .mono
    case 2: self = .stereo
    default: self = .discrete(channelCount)
    }
  }
}

/// The rate and the channels of a sound. Samples in memory are always 32-bit float, interleaved; 1.0 is full scale.
public struct AudioFormat: Sendable, Hashable, Codable {
  /// Samples per second and channel.
  public var sampleRate: Int
  public var layout: ChannelLayout

  public init(sampleRate: Int, layout: ChannelLayout) {
    self.sampleRate = sampleRate
    self.layout = layout
  }

  public var channelCount: Int { layout.channelCount }
}
