import ArgumentParser
import Safelight

/// When `capture` takes photos, and of how many frames each is made.
struct ShutterOptions: ParsableArguments {
  @Option(
    name: .customLong("on"),
    help: ArgumentHelp(
      "What fires the shutter: key (space in this terminal), signal:USR1, input:/dev/input/eventN (a pedal, a remote, a volume key), http:8080 (a page with a shutter button)",
      valueName: "trigger"),
    completion: .list(["key", "signal:USR1", "signal:USR2", "input:/dev/input/event", "http:"]),
    transform: ShutterTrigger.init)
  var on: ShutterTrigger?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Wait before a photo", valueName: "time"),
    transform: LiveOptionText.seconds)
  var timer: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Take a photo again and again at this distance", valueName: "time"),
    transform: LiveOptionText.seconds)
  var interval: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stop after this many presses (without --on and --interval: 1)", valueName: "number"),
    transform: LiveOptionText.count)
  var count: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Take this many successive frames a press", valueName: "number"),
    transform: LiveOptionText.count)
  var burst: Int?

  @Option(
    help: ArgumentHelp(
      "Take successive frames as long as a key is held, of this terminal or of --on input: space, enter, a letter, a digit, volume-up, volume-down, any",
      valueName: "key"),
    completion: .list(["space", "enter", "volume-up", "volume-down", "any"]), transform: ShutterKey.init)
  var burstWhile: ShutterKey?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Keep the best of this many frames around a press (2…32)", valueName: "number"),
    transform: LiveOptionText.count)
  var bestOf: Int?

  @Option(
    help: ArgumentHelp(
      "speed: the frame nearest to the press; balanced: the best of 5 around it; quality: 8 merged into one with less noise",
      valueName: "priority"))
  var qualityPriority: PhotoQualityPrioritization?

  mutating func validate() throws {
    try checkHeldKey()
    guard interval == nil || trigger == nil else {
      throw ValidationError("--interval and --on exclude each other; give one of them.")
    }
    guard burst == nil || bestOf == nil else {
      throw ValidationError("--burst and --best-of exclude each other; give one of them.")
    }
    if let bestOf, !PhotoSettings.frameCounts.contains(bestOf) {
      let range = PhotoSettings.frameCounts
      throw ValidationError(
        "--best-of is \(bestOf), outside its range; give a value in \(range.lowerBound)…\(range.upperBound).")
    }
    if let qualityPriority {
      if burst != nil, qualityPriority != .speed {
        throw ValidationError("Each photo of a burst is of one frame; leave --quality-priority out.")
      }
      if bestOf != nil, qualityPriority != .balanced {
        throw ValidationError(
          "--best-of chooses one of the frames, as --quality-priority balanced does; leave that out.")
      }
    }
  }

  /// Rejects what contradicts `--burst-while`.
  private func checkHeldKey() throws {
    guard let burstWhile else { return }
    for (name, isGiven) in [
      ("--burst", burst != nil), ("--best-of", bestOf != nil), ("--interval", interval != nil),
      ("--timer", timer != nil),
    ] where isGiven {
      throw ValidationError("--burst-while and \(name) exclude each other; give one of them.")
    }
    guard qualityPriority ?? .speed == .speed else {
      throw ValidationError("Each photo of a burst is of one frame; leave --quality-priority out.")
    }
    switch on {
    case .key?, nil:
      guard burstWhile.isOfTerminals else {
        throw ValidationError(
          burstWhile == .character("q")
            ? "The key q ends the run; give another one, such as --burst-while space."
            : "Terminals do not tell volume keys; add --on input:/dev/input/eventN, or give another key.")
      }
    case .input?: break
    case .signal?, .http?:
      throw ValidationError(
        "--burst-while needs a key that is held; give it with --on key or --on input:/dev/input/eventN.")
    }
  }

  /// What fires the shutter; nil if photos are taken without a press.
  var trigger: ShutterTrigger? { on ?? (burstWhile == nil ? nil : .key) }

  /// Whether presses are bursts.
  var isBurst: Bool { burst != nil || burstWhile != nil }

  /// The settings of the next photo.
  var settings: PhotoSettings {
    var settings = PhotoSettings(qualityPrioritization: qualityPriority ?? .balanced)
    settings.frameCount = bestOf
    return settings
  }

  /// The number of presses; nil for as many as there are.
  var presses: Int? { count ?? (trigger == nil && interval == nil ? 1 : nil) }

  /// Whether one photo is to be taken.
  var isSingle: Bool { presses == 1 && burst ?? 1 == 1 && burstWhile == nil }
}

extension PhotoQualityPrioritization: ExpressibleByArgument {}
