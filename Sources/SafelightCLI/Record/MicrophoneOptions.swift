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

  @OptionGroup
  var format: SoundFormatOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How much later sound is than the picture in this setup, to be taken back (-1000…1000 ms)",
      valueName: "ms"),
    transform: MicrophoneOptions.delay)
  var soundDelay: Double?

  private static func delay(_ text: String) throws -> Double {
    let digits = text.hasSuffix("ms") ? text.dropLast(2) : text[...]
    guard let delay = Double(digits), (-1000...1000).contains(delay) else {
      throw ValidationError("milliseconds of -1000…1000 are needed; write them like 40 or 40ms.")
    }
    return delay / 1000
  }

  /// The given options that have no effect without a microphone.
  var idleWithoutMicrophone: [String] {
    format.givenNames + (soundDelay == nil ? [] : ["--sound-delay"])
  }

  /// The microphone; nil for none.
  ///
  /// - Parameter fallback: what is meant if no name is given.
  /// - Throws: `SafelightError` if there is no such microphone.
  func makeInput(otherwise fallback: String) throws -> (any AudioInput)? {
    do {
      return try Self.input(named: microphone ?? fallback)
    } catch {
      throw microphone == nil ? Self.withAdvice(error) : error
    }
  }

  /// An error of a microphone, with the way to do without it.
  static func withAdvice(_ error: any Error) -> any Error {
    let failure = (error as? CaptureFailure)?.error ?? error
    guard let failure = failure as? SafelightError else { return error }
    let without = "record without sound: --microphone none"
    return SafelightError(
      failure.code, failure.problem,
      remedy: failure.remedy.isEmpty ? without : failure.remedy + ", or " + without)
  }

  /// The microphone that a text names; nil for `none`.
  ///
  /// - Throws: `SafelightError` if there is no such microphone.
  static func input(named text: String) throws -> (any AudioInput)? {
    switch text {
    case "none": return nil
    case "synthetic": return try SyntheticAudio()
    case let name: return MicrophoneInput(try AudioDevice.microphone(named: name))
    }
  }
}

extension AudioDevice {
  /// - Throws: `SafelightError` if there is no such microphone.
  static func microphone(named name: String) throws -> AudioDevice {
    do {
      return try device(name, .capture)
    } catch let failure as CaptureFailure {
      // The default alone says little.
      guard discover().count <= 1 else { throw failure.error }
      throw SafelightError(
        failure.error.code, failure.error.problem,
        remedy: "connect it (“safelight audio devices” lists those that are), or give synthetic")
    }
  }
}
