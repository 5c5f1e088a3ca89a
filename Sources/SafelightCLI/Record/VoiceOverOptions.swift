import ArgumentParser
import Safelight

/// A second microphone that is laid over the sound of a recording.
struct VoiceOverOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A second microphone to lay over the sound; the key v turns it off and on", valueName: "name"),
    completion: .list(["default", "synthetic"]))
  var voiceOver: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How much softer the sound is under the voice (0…60 dB, default 12)", valueName: "dB"),
    transform: VoiceOverOptions.decibels)
  var duck: Double?

  private static func decibels(_ text: String) throws -> Double {
    guard let duck = Double(text), (0...60).contains(duck) else {
      throw ValidationError("decibels of 0…60 are needed.")
    }
    return duck
  }

  mutating func validate() throws {
    if duck != nil, voiceOver == nil {
      throw ValidationError("--duck has no effect without --voice-over; name the second microphone.")
    }
  }

  /// - Throws: `SafelightError` if there is no such microphone.
  func makeInput() throws -> (any AudioInput)? { try voiceOver.flatMap(MicrophoneOptions.input) }

  /// Makes the session that brings the voice to a movie; nil without one.
  func makeSession(_ input: (any AudioInput)?, to sink: MovieSink) throws -> SoundSession? {
    guard let input, let voice = sink.voiceOver else { return nil }
    if let duck { voice.duck = duck }
    return try SoundSession(
      input, to: voice, request: AudioRequest(), connection: AudioConnection(channels: .mono))
  }
}
