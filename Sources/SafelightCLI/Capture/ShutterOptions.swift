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
    parsing: .unconditional,
    help: ArgumentHelp(
      "Take a photo with each of these exposures, in EV from the present one: -2,0,2", valueName: "EV,EV…"),
    transform: ShutterOptions.bracket)
  var bracket: ExposureBracket?

  @Flag(help: "Align the exposures of --bracket and fuse them into one photo")
  var fuse = false

  @Option(
    help: ArgumentHelp(
      "speed: the frame nearest to the press; balanced: the best of 5 around it; quality: 8 merged into one with less noise",
      valueName: "priority"))
  var qualityPriority: PhotoQualityPrioritization?

  @Flag(help: "Write a photo of one frame at once, and finish it in pauses and at the end")
  var deferred = false

  @Flag(
    name: .customLong("no-finish"),
    help: "With --deferred, leave all photos to “safelight finish” and end at once")
  var leavesUnfinished = false

  mutating func validate() throws {
    guard deferred || !leavesUnfinished else {
      throw ValidationError("--no-finish has no effect without --deferred; give both, or none.")
    }
    let frames = [
      ("--burst", burst != nil), ("--burst-while", burstWhile != nil), ("--bracket", bracket != nil),
      ("--quality-priority speed", qualityPriority == .speed),
    ]
    if deferred, let flag = frames.first(where: \.1)?.0 {
      throw ValidationError(
        "Photos of one frame, as with \(flag), are finished at once; leave out --deferred or \(flag).")
    }
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
    if bracket != nil {
      let others = [
        ("--burst", burst != nil), ("--best-of", bestOf != nil),
        ("--quality-priority", qualityPriority != nil), ("--burst-while", burstWhile != nil),
      ]
      if let other = others.first(where: \.1)?.0 {
        throw ValidationError("Each exposure of a bracket is one frame; leave \(other) or --bracket out.")
      }
    } else if fuse {
      throw ValidationError("--fuse fuses the exposures of a bracket; add one, such as --bracket -2,0,2.")
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

  private static func bracket(_ text: String) throws -> ExposureBracket {
    do {
      return try ExposureBracket(parsing: text)
    } catch let error as SafelightError {
      throw ValidationError(error.description)
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
    let usual: PhotoQualityPrioritization = deferred && bestOf == nil ? .quality : .balanced
    var settings = PhotoSettings(qualityPrioritization: qualityPriority ?? usual, isDeferred: deferred)
    settings.frameCount = bestOf
    return settings
  }

  /// The number of presses; nil for as many as there are.
  var presses: Int? { count ?? (trigger == nil && interval == nil ? 1 : nil) }

  /// Whether one photo is to be taken.
  var isSingle: Bool {
    presses == 1 && burst ?? 1 == 1 && burstWhile == nil && (bracket == nil || fuse)
  }
}

extension PhotoQualityPrioritization: ExpressibleByArgument {}
