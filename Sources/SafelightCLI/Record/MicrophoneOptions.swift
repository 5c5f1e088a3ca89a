import ArgumentParser
import Safelight

/// Which microphone is recorded, and how.
struct MicrophoneOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "default, none, synthetic, or a name or id from “safelight audio devices”",
      valueName: "name"),
    completion: .list(["default", "none", "synthetic"]))
  var microphone: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Louder or softer (-60…60 dB)", valueName: "dB"),
    transform: MicrophoneOptions.gain)
  var gain: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Samples per second to request, such as 48000", valueName: "rate"),
    transform: MicrophoneOptions.rate)
  var sampleRate: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Channels to request", valueName: "number"),
    transform: LiveOptionText.count)
  var channels: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How much later sound is than the picture in this setup, to be taken back (-1000…1000 ms)",
      valueName: "ms"),
    transform: MicrophoneOptions.delay)
  var soundDelay: Double?

  static func gain(_ text: String) throws -> Double {
    guard let gain = Double(text), (-60...60).contains(gain) else {
      throw ValidationError("decibels of -60…60 are needed.")
    }
    return gain
  }

  static func rate(_ text: String) throws -> Int {
    guard let rate = Int(text), (8000...192_000).contains(rate) else {
      throw ValidationError("samples per second of 8000…192000 are needed; write them like 48000.")
    }
    return rate
  }

  static func delay(_ text: String) throws -> Double {
    guard let delay = Double(text), (-1000...1000).contains(delay) else {
      throw ValidationError("milliseconds of -1000…1000 are needed.")
    }
    return delay / 1000
  }

  /// What is to happen on the way to the movie.
  var connection: AudioConnection { AudioConnection(gain: gain ?? 0) }

  var request: AudioRequest { AudioRequest(sampleRate: sampleRate, channelCount: channels) }

  /// The microphone; nil for none.
  ///
  /// - Parameter fallback: what is meant if no name is given.
  /// - Throws: `SafelightError` if there is no such microphone.
  func makeInput(otherwise fallback: String) throws -> (any AudioInput)? {
    try Self.input(named: microphone ?? fallback)
  }

  /// The microphone that a text names; nil for `none`.
  ///
  /// - Throws: `SafelightError` if there is no such microphone.
  static func input(named text: String) throws -> (any AudioInput)? {
    switch text {
    case "none": return nil
    case "synthetic": return try SyntheticAudio()
    case let name: return MicrophoneInput(try AudioDevice.device(name, .capture))
    }
  }
}
