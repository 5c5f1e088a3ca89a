import ArgumentParser
import Safelight

/// What is requested of a microphone, and how loud it becomes.
struct SoundFormatOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Samples per second to request, such as 48000", valueName: "rate"),
    transform: SoundFormatOptions.rate)
  var sampleRate: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Channels to request", valueName: "number"),
    transform: SoundFormatOptions.channelCount)
  var channels: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Louder or softer (-60…60 dB)", valueName: "dB"),
    transform: SoundFormatOptions.gain)
  var gain: Double?

  /// The given options.
  var givenNames: [String] {
    [("--sample-rate", sampleRate != nil), ("--channels", channels != nil), ("--gain", gain != nil)]
      .filter(\.1).map(\.0)
  }

  private static func gain(_ text: String) throws -> Double {
    guard let gain = Double(text), (-60...60).contains(gain) else {
      throw ValidationError("decibels of -60…60 are needed.")
    }
    return gain
  }

  private static func channelCount(_ text: String) throws -> Int {
    guard let count = Int(text), (1...64).contains(count) else {
      throw ValidationError("a number of channels of 1…64 is needed.")
    }
    return count
  }

  private static func rate(_ text: String) throws -> Int {
    guard let rate = Int(text), (8000...192_000).contains(rate) else {
      throw ValidationError("samples per second of 8000…192000 are needed; write them like 48000.")
    }
    return rate
  }

  /// What is to happen on the way from the microphone.
  var connection: AudioConnection { AudioConnection(gain: gain ?? 0) }

  /// - Parameter channelCount: the channels to request if none were asked for.
  func request(otherwise channelCount: Int? = nil) -> AudioRequest {
    AudioRequest(sampleRate: sampleRate, channelCount: channels ?? channelCount)
  }
}
