import FrameCore

/// What happens to sound between an input and one output.
public struct AudioConnection: Sendable, Hashable {
  /// The channels that an output gets.
  public enum Channels: Sendable, Hashable {
    /// All, in their order.
    case all
    /// The left one of stereo, the first one of channels without a direction, or the only one.
    case left
    /// The right one of stereo, the second one of channels without a direction, or the only one.
    case right
    /// One channel: the mean of all, which cannot clip; of ambisonics W, which hears every direction alike.
    case mono
    /// Those with these indices from 0, in this order.
    case indices([Int])
  }

  /// Decibels, `gainRange`. A change takes 5 ms, so that it does not click.
  public var gain: Double
  /// Whether the output gets silence instead.
  public var isMuted: Bool
  public var channels: Channels

  /// Accepted gains in decibels.
  public static let gainRange = -120.0...60.0

  public init(gain: Double = 0, isMuted: Bool = false, channels: Channels = .all) {
    self.gain = gain
    self.isMuted = isMuted
    self.channels = channels
  }

  /// Returns the format that an output gets of sound in the format `source`.
  ///
  /// - Throws: `SafelightError(.invalidValue)` if the source lacks a channel or the gain is out of range.
  public func format(of source: AudioFormat) throws -> AudioFormat {
    try ChannelMix(self, of: source).format
  }
}
