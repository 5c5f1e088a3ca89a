import ArgumentParser
import Safelight

/// Which microphone a command of `audio` listens to, and how.
struct SoundSourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "default, a microphone's name or id from “safelight audio devices”, or synthetic, a beep a second",
      valueName: "name"),
    completion: .list(["default", "synthetic"]))
  var microphone = "default"

  @OptionGroup
  var format: SoundFormatOptions

  mutating func validate() throws {
    guard microphone != "none" else {
      throw ValidationError("Without a microphone there is no sound; leave --microphone none out.")
    }
  }

  /// Whether the sound is simulated, so that no loudspeaker can disturb it.
  var isSynthetic: Bool { microphone == "synthetic" }

  /// The format to request: four channels where ambisonics are to become of them.
  func request(isSpatial: Bool) -> AudioRequest {
    format.request(otherwise: isSpatial ? 4 : nil)
  }

  /// The source of the sound.
  ///
  /// - Parameters:
  ///   - arrangement: what its four channels are; nil if they are not to become ambisonics.
  ///   - period: the seconds between two deliveries.
  /// - Throws: `SafelightError` if there is no such microphone, or if it is known to lack four channels.
  func makeInput(for arrangement: SpatialArrangement? = nil, period: Double = 0.01) throws -> any AudioInput {
    if isSynthetic {
      guard let arrangement else { return try SyntheticAudio() }
      return try SyntheticAudio(format: AudioFormat(sampleRate: 48_000, layout: arrangement.layout))
    }
    let device = try AudioDevice.microphone(named: microphone)
    // A device that cannot be opened now says why when the stream is opened.
    if arrangement != nil, let offered = try? device.formats(.capture).channelCounts, !offered.contains(4),
      let most = offered.max()
    {
      try SpatialArrangement.check(channelCount: most)
    }
    return MicrophoneInput(device, period: period)
  }
}
