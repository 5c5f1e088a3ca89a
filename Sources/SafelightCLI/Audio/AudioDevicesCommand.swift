import ArgumentParser
import Safelight

struct AudioDevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Lists microphones and loudspeakers, what they can do and which programs use them.",
    discussion: """
      An id stays the same when a device is connected again or the computer starts
      again. Every device is opened briefly; one that a program uses is left alone.

      Examples:
        safelight audio devices
        safelight audio devices --json
      """)

  @Flag(help: "Print the list as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  func run() throws {
    let reports = AudioDevice.discover().map(AudioDeviceReport.init)
    if json { return try Output.json(reports) }
    if let sentence = Self.nothing(in: reports) { return Output.line(sentence) }
    Output.line(reports.map(\.text).joined(separator: "\n\n"))
  }

  /// Why there is nothing to list, and what to do about it; nil if there is a device.
  ///
  /// The default device is always among the reports, but leads nowhere without a card or a sound server.
  static func nothing(in reports: [AudioDeviceReport]) -> String? {
    let hasDevice = reports.contains { $0.card != nil || $0.sides.contains { $0.formats != nil } }
    guard !hasDevice else { return nil }
    let reason = reports.lazy.flatMap(\.sides).compactMap(\.problem).first
    return "No microphone or loudspeaker can be used. " + (reason.map { $0 + " " } ?? "")
      + "“safelight audio record --microphone synthetic” needs none."
  }
}

extension AudioDeviceReport {
  /// A few lines for people.
  var text: String {
    var lines = [name == pcm ? name : "\(name)  \(pcm)", "  id          \(id)"]
    for side in sides { lines += side.lines }
    return lines.joined(separator: "\n")
  }
}

extension AudioDeviceReport.Side {
  fileprivate var lines: [String] {
    let label =
      switch direction {
      case .capture: "microphone"
      case .playback: "loudspeaker"
      }
    var lines = ["  \(label.padded(to: 11, left: true)) \(formats?.text ?? "formats are not known")"]
    if !holders.isEmpty {
      lines.append("    in use by \(holders.joined(separator: ", "))" + (use.map { " at \($0.text)" } ?? ""))
    }
    // Whoever holds the device is named already.
    if let problem, holders.isEmpty { lines.append("    \(problem)") }
    return lines
  }
}

extension AudioDeviceFormats {
  /// `44100, 48000 Hz · 1, 2 channels · S32_LE, S16_LE`
  fileprivate var text: String {
    let rates =
      sampleRates.isEmpty
      ? "\(lowestRate)…\(highestRate)" : sampleRates.map { "\($0)" }.joined(separator: ", ")
    return [
      rates + " Hz", Self.list(channelCounts) + (channelCounts == [1] ? " channel" : " channels"),
      sampleFormats.map(\.rawValue).joined(separator: ", "),
    ].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// `1, 2`, and `1…32` for a long run of numbers.
  private static func list(_ numbers: [Int]) -> String {
    if let first = numbers.first, let last = numbers.last, numbers.count > 3,
      last - first == numbers.count - 1
    {
      return "\(first)…\(last)"
    }
    return numbers.map { "\($0)" }.joined(separator: ", ")
  }
}

extension AudioUse {
  /// `48000 Hz, 2 channels, S16_LE`
  fileprivate var text: String {
    "\(sampleRate) Hz, \(channelCount) \(channelCount == 1 ? "channel" : "channels"), \(sampleFormat)"
  }
}
