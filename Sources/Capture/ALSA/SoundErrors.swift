import FrameCore
import Libc

/// Error sentences and failure reasons of sound devices.
enum SoundErrors {
  static func libraryMissing(_ reason: String) -> CaptureFailure {
    CaptureFailure(
      .unsupported,
      SafelightError(
        .missingLibrary, "Sound needs ALSA's library, which cannot be opened (\(reason))",
        remedy: "install it (Debian and Ubuntu: apt-get install libasound2)"))
  }

  /// Returns why opening a PCM failed.
  ///
  /// - Parameters:
  ///   - node: the device's node in /dev/snd; nil if it is not known, as for `default`.
  ///   - holders: who has the device open.
  static func failure(
    opening device: String, node: String?, holders: @autoclosure () -> [DeviceHolder], errno code: Int32
  ) -> CaptureFailure {
    switch code {
    case ENOENT, ENODEV, ENXIO, ENOTDIR:
      return CaptureFailure(
        .disconnected,
        SafelightError(
          .device, "There is no sound device \(device)", remedy: "connect it or name another one"))
    case EACCES, EPERM:
      return CaptureFailure(
        .permissionDenied,
        SafelightError(
          .device, "You are not allowed to open \(device)",
          remedy: node.map(DeviceErrors.permissionRemedy)
            ?? "join the group audio (sudo usermod -aG audio \"$USER\") and log in again"))
    case EBUSY, EAGAIN:
      return busy(device, node: node, holders: holders())
    case EMFILE, ENFILE:
      return inputOutput(
        "Cannot open \(device): \(errorText(code))", "raise the limit of open files (ulimit -n)")
    case ECONNREFUSED, EHOSTDOWN:
      return inputOutput(
        "Cannot open \(device): its sound server does not answer",
        "start it (systemctl --user start pipewire), or name a device such as hw:0,0")
    default:
      return inputOutput("Cannot open \(device): \(errorText(code))", "connect the device again")
    }
  }

  /// Returns why a request to an open PCM failed.
  static func failure(_ error: PCMError, _ device: String, _ direction: AudioDirection) -> CaptureFailure {
    let problem =
      error.step.map { "Cannot set \($0.subject) of \(device)" } ?? "Cannot \(direction.verb) \(device)"
    switch error.code {
    case ENODEV, ENXIO, ESHUTDOWN, EBADFD: return disconnected(device)
    case EBUSY: return busy(device, node: nil, holders: [])
    case EINVAL where error.step != nil:
      return CaptureFailure(
        .unsupported,
        SafelightError(
          .unsupported, "\(problem) together with what was set before",
          remedy: "ask for another rate or number of channels"))
    default:
      return inputOutput(
        "\(problem): \(errorText(error.code))", "connect the device again if it persists")
    }
  }

  static func noDefault(_ direction: AudioDirection) -> CaptureFailure {
    CaptureFailure(
      .disconnected,
      SafelightError(
        .device, "There is no default \(direction.noun)",
        remedy: "connect one, or start the sound server (systemctl --user start pipewire)"))
  }

  static func disconnected(_ device: String) -> CaptureFailure {
    CaptureFailure(
      .disconnected, SafelightError(.device, "\(device) was disconnected", remedy: "connect it again"))
  }

  static func stalled(_ device: String, seconds: Double) -> CaptureFailure {
    CaptureFailure(
      .stalled,
      SafelightError(
        .device, "\(device) has delivered no sound for \(plainNumber(seconds)) s",
        remedy: "connect it again, or unmute it where it has a switch"))
  }

  static func busy(_ device: String, node: String?, holders: [DeviceHolder]) -> CaptureFailure {
    let others = holders.filter { !$0.isSelf }
    let names = others.prefix(4).map(\.description).joined(separator: ", ")
    let user: String
    let remedy: String
    if !others.isEmpty {
      user = "it is in use by \(names)"
      remedy = "close that program, or use the device default, which programs share"
    } else if holders.isEmpty {
      user = "another program uses it"
      remedy = "close the program that uses it" + (node.map { " (sudo fuser \($0) names it)" } ?? "")
    } else {
      user = "this program already uses it"
      remedy = "stop what uses it"
    }
    return CaptureFailure(.busy, SafelightError(.device, "\(device) is busy: \(user)", remedy: remedy))
  }

  static func noSampleFormat(_ device: String) -> CaptureFailure {
    let known = AudioSampleFormat.allCases.map(\.rawValue).joined(separator: ", ")
    return unsupported(
      "\(device) has none of the sample formats \(known)", "name it as plughw:CARD,DEVICE, which converts")
  }

  static func refused(
    rate: Int, _ direction: AudioDirection, _ device: String, offered: [Int], _ formats: AudioDeviceFormats
  ) -> CaptureFailure {
    let known =
      offered.isEmpty
      ? "one from \(formats.lowestRate) to \(formats.highestRate) Hz" : "\(list(offered)) Hz"
    return unsupported("\(device) does not \(direction.plainVerb) at \(rate) Hz", "ask for \(known)")
  }

  static func refused(
    channels: Int, _ direction: AudioDirection, _ device: String, offered: [Int]
  ) -> CaptureFailure {
    let noun = channels == 1 ? "channel" : "channels"
    let problem = "\(device) does not \(direction.plainVerb) \(channels) \(noun)"
    guard !offered.isEmpty else { return unsupported(problem, "choose another device") }
    return unsupported(problem, "ask for \(list(offered))")
  }

  static func wrongDirection(_ device: String, _ direction: AudioDirection) -> CaptureFailure {
    let noun = direction == .capture ? "a microphone or an input" : "a loudspeaker or an output"
    return unsupported("\(device) does not \(direction.plainVerb) sound", "name \(noun)")
  }

  static func unknown(_ name: String, _ direction: AudioDirection, known: [String]) -> CaptureFailure {
    var error = NearestName.error(unknown: direction.noun, name, among: known)
    if known.isEmpty {
      error = SafelightError(.device, error.problem, remedy: "connect it; no sound device is connected now")
    }
    return CaptureFailure(.disconnected, error)
  }

  private static func unsupported(_ problem: String, _ remedy: String) -> CaptureFailure {
    CaptureFailure(.unsupported, SafelightError(.unsupported, problem, remedy: remedy))
  }

  private static func inputOutput(_ problem: String, _ remedy: String) -> CaptureFailure {
    CaptureFailure(.inputOutput, SafelightError(.device, problem, remedy: remedy))
  }

  /// Returns `1, 2 or 8`; runs of numbers as `1 to 8`.
  static func list(_ numbers: [Int]) -> String {
    if let first = numbers.first, let last = numbers.last, numbers.count > 3,
      last - first == numbers.count - 1
    {
      return "\(first) to \(last)"
    }
    guard let last = numbers.last, numbers.count > 1 else { return numbers.map { "\($0)" }.joined() }
    return numbers.dropLast().map { "\($0)" }.joined(separator: ", ") + " or \(last)"
  }

  private static func plainNumber(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
  }
}

extension AudioDirection {
  fileprivate var noun: String { self == .capture ? "microphone" : "loudspeaker" }
  /// As in “Cannot record from the device”.
  fileprivate var verb: String { self == .capture ? "record from" : "play to" }
  fileprivate var plainVerb: String { self == .capture ? "record" : "play" }
}

extension PCMError.Step {
  fileprivate var subject: String {
    switch self {
    case .access: "the access to the samples"
    case .channels: "the number of channels"
    case .rate: "the sample rate"
    case .sampleFormat: "the sample format"
    case .buffer: "the buffer"
    case .commit: "the format"
    case .clock: "the clock"
    }
  }
}
