import ArgumentParser
import Safelight

/// What is to be seen in live frames, and what to do then.
struct LiveSightOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What to measure or find, separated by commas: \(LiveAnalysis.names.joined(separator: ", "))",
      valueName: "list"),
    completion: .list(LiveAnalysis.names), transform: LiveAnalysis.list)
  var analyze: [LiveAnalysis]?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A part of the picture that events name: x,y of each corner, 0 to 1; may be repeated",
      valueName: "name=x,y,x,y,x,y"), transform: LiveSightText.zone)
  var zone: [Zone] = []

  @Flag(help: "Draw what is found, and the zones, over the pictures of all targets")
  var overlay = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Do something at an event: capture, record, or a command, which gets the event as JSON; may be repeated",
      valueName: "event action"))
  var on: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Do nothing again within this time, for each --on (default: 1s)", valueName: "time"),
    transform: LiveOptionText.seconds)
  var onEvery: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Kill a command that runs longer (default: 10s)", valueName: "time"),
    transform: LiveOptionText.seconds)
  var onDeadline: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With record, begin this much before the event (default: 3s)", valueName: "time"),
    transform: MovieOptionText.duration)
  var preRoll: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With record, go on this long after the end (default: 3s)", valueName: "time"),
    transform: MovieOptionText.duration)
  var postRoll: Double?

  @Option(
    help: ArgumentHelp(
      "Publish what is found to an MQTT broker, for Home Assistant; MQTT_USERNAME and MQTT_PASSWORD say who connects",
      valueName: "host[:port][/prefix]"), transform: LiveSightText.broker)
  var mqtt: MQTTAddress?

  /// One `--on`.
  struct Rule {
    var event: EventPattern
    var action: Action
    /// As it was written.
    var text: String
  }

  enum Action: Equatable {
    case capture, record
    case command(String)
  }

  /// The measurements among what is analysed.
  var measurements: Set<LiveAnalyzer.Kind> {
    Set((analyze ?? []).compactMap { if case .measurement(let kind) = $0 { kind } else { nil } })
  }

  /// The detectors, each once, in the order in which they are listed.
  var detectors: [LiveDetectors.Entry] {
    let names = Set((analyze ?? []).compactMap { if case .detector(let name) = $0 { name } else { nil } })
    return LiveDetectors.all.filter { names.contains($0.name) }
  }

  /// - Throws: `ValidationError`.
  func rules() throws -> [Rule] {
    guard on.count.isMultiple(of: 2) else {
      throw ValidationError(
        "--on takes an event and an action, such as --on motion:start capture; "
          + "a command with arguments is one word in quotes.")
    }
    return try stride(from: 0, to: on.count, by: 2).map { index in
      let text = on[index + 1]
      let action: Action = text == "capture" ? .capture : text == "record" ? .record : .command(text)
      do {
        return Rule(event: try EventPattern(on[index]), action: action, text: text)
      } catch let error as SafelightError {
        throw ValidationError(error.description)
      }
    }
  }

  func has(_ action: Action) -> Bool { (try? rules().contains { $0.action == action }) ?? false }

  /// Rejects what has no effect, and events that are never found.
  func check(hasMovie: Bool) throws {
    do {
      try Zone.checkTogether(zone)
      let rules = try rules()
      for rule in rules { try rule.event.check(zones: zone) }
      for rule in rules { try checkIsFound(rule.event) }
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
    func refuse(_ option: String, _ need: String) -> ValidationError {
      ValidationError("\(option) has no effect without \(need); give both or neither.")
    }
    if detectors.isEmpty {
      let names = LiveDetectors.all.map(\.name).joined(separator: " or ")
      if overlay, zone.isEmpty { throw refuse("--overlay", "--analyze \(names), or --zone") }
      if !zone.isEmpty, !overlay { throw refuse("--zone", "--analyze \(names), or --overlay") }
    }
    if mqtt != nil, detectors.isEmpty, !measurements.contains(.focus) {
      throw refuse("--mqtt", "--analyze motion or focus")
    }
    if on.isEmpty, onEvery != nil { throw refuse("--on-every", "--on") }
    let hasCommand = try rules().contains { if case .command = $0.action { true } else { false } }
    if !hasCommand, onDeadline != nil { throw refuse("--on-deadline", "--on EVENT COMMAND") }
    guard has(.record) else {
      if preRoll != nil { throw refuse("--pre-roll", "--on EVENT record") }
      if postRoll != nil { throw refuse("--post-roll", "--on EVENT record") }
      return
    }
    if !hasMovie { throw refuse("--on EVENT record", "--to movie:FILE") }
  }

  private func checkIsFound(_ event: EventPattern) throws {
    let analysis: String
    if let kind = event.kind {
      guard !detectors.contains(where: { $0.kind == kind }) else { return }
      let names = LiveDetectors.all.filter { $0.kind == kind }.map(\.name)
      guard let name = names.first else {
        throw SafelightError(
          .unsupported, "Nothing finds the event \(event)",
          remedy:
            "known: \(Set(LiveDetectors.all.map(\.kind.rawValue)).sorted().joined(separator: ", ")), focus")
      }
      analysis = name
    } else {
      guard !measurements.contains(.focus) else { return }
      analysis = LiveAnalyzer.Kind.focus.rawValue
    }
    throw SafelightError(
      .invalidValue, "The event \(event) does not happen without --analyze \(analysis)",
      remedy: "give both or neither")
  }
}

enum LiveSightText {
  static func broker(_ text: String) throws -> MQTTAddress {
    do {
      return try MQTTAddress(text)
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
  }

  static func zone(_ text: String) throws -> Zone {
    do {
      return try Zone(text)
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
  }
}
