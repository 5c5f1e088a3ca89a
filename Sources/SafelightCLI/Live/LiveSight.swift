import FoundationEssentials
import Safelight
import Synchronization

/// Passes events from the threads that find them to the main thread.
final class LiveEventInbox: Sendable {
  private let state = Mutex((events: [LiveEvent](), lost: 0))
  /// More that wait are lost.
  private static let most = 4096

  /// Takes an event, and returns at once. Only what tells of a change in between is lost: states must not last for ever.
  func append(_ event: LiveEvent) {
    var isUpdate = false
    if case .detection(let found) = event.subject { isUpdate = found.phase == .update }
    state.withLock { state in
      if !isUpdate || state.events.count < Self.most { state.events.append(event) } else { state.lost += 1 }
    }
  }

  /// Returns the events since the last call, and how many more there were.
  func take() -> (events: [LiveEvent], lost: Int) {
    state.withLock { state in
      defer { state = ([], 0) }
      return state
    }
  }
}

/// What is seen in a live run: tells of events, and does what they set off. Used by the main thread.
final class LiveSight {
  /// What events set off, and what has come of it, for threads that end later.
  private final class Results: Sendable {
    struct State {
      var failures: [Int: Int] = [:]
      var notes: [String] = []
      var told: Set<String> = []
    }
    let state = Mutex(State())

    /// Counts a failure of a rule, and tells each sort of it once.
    func fail(_ rule: Int, _ words: String, sort: String) {
      state.withLock { state in
        state.failures[rule, default: 0] += 1
        if state.told.insert("\(rule) \(sort)").inserted { state.notes.append(words) }
      }
    }
  }

  private let rules: [LiveSightOptions.Rule]
  private let commands: [ExternalCommand?]
  private var board: TriggerBoard
  private var recording: TriggeredRecording
  private let runner: CommandRunner
  private let results = Results()
  private let reporter: LiveReporter
  let inbox = LiveEventInbox()
  private let broker: MQTTAddress?
  private var broadcast: LiveBroadcast?
  private var client: MQTTClient?
  private var hasToldLost = false

  /// Seconds that commands get at the end of a run.
  private static let patience = 2.0

  /// - Throws: `SafelightError` if a command cannot be run.
  init(_ options: LiveSightOptions, _ reporter: LiveReporter) throws {
    rules = try options.rules()
    commands = try rules.map { rule in
      if case .command(let line) = rule.action { try ExternalCommand(line) } else { nil }
    }
    board = TriggerBoard(rules.map(\.event), interval: options.onEvery ?? 1)
    recording = TriggeredRecording(postRoll: options.postRoll ?? 3)
    runner = CommandRunner(deadline: options.onDeadline ?? 10)
    self.reporter = reporter
    broker = options.mqtt
    broadcast = broker.map {
      LiveBroadcast(prefix: $0.prefix, kinds: options.detectors.map(\.kind), zones: options.zone)
    }
  }

  /// Connects to the broker, if there is one.
  func begin() throws {
    guard let broker, let broadcast else { return }
    let environment = ProcessInfo.processInfo.environment
    let client = try MQTTClient(
      broker, user: environment["MQTT_USERNAME"], password: environment["MQTT_PASSWORD"])
    self.client = client
    for message in try broadcast.announcements() { client.publish(message) }
  }

  /// Does what the events since the last call set off.
  func step(_ stills: LiveStills?, _ movies: [MovieSink]) throws {
    let (events, lost) = inbox.take()
    var wantsRecording = false
    for event in events {
      for index in board.take(event) {
        wantsRecording = wantsRecording || rules[index].action == .record
        act(index, event, stills)
      }
    }
    let isHeld = rules.indices.contains { rules[$0].action == .record && board.isHeld($0) }
    switch recording.step(hasFired: wantsRecording, isHeld: isHeld, at: .now) {
    case .begin: for movie in movies { movie.recorder.record() }
    case .end: for movie in movies { movie.recorder.end() }
    case nil: break
    }
    for event in events {
      for message in try broadcast?.messages(of: event) ?? [] { client?.publish(message) }
    }
    // Actions first: a reader of reports may be slow.
    for event in events { try reporter.tell(event) }
    if lost > 0, !hasToldLost {
      hasToldLost = true
      reporter.message("Events come faster than they can be reported, so some are left out.")
    }
  }

  private func act(_ index: Int, _ event: LiveEvent, _ stills: LiveStills?) {
    let rule = rules[index]
    switch rule.action {
    case .record: break
    case .capture:
      // The frame of the event is still at hand. Files have times of their own.
      let isRecent = abs(Timestamp.now.seconds(since: event.time)) < 2
      stills?.take(pressedAt: isRecent ? event.time : .now) { [results] result in
        // The still tells of its failure itself.
        if case .failure = result { results.state.withLock { $0.failures[index, default: 0] += 1 } }
      }
    case .command(let line):
      guard let command = commands[index],
        let input = try? LiveEventReport.complete(event, trigger: rule.event.description).jsonLine()
      else { return }
      let results = results
      let hasBegun = runner.start(command, input: input + "\n") { failure in
        guard let failure else { return }
        results.fail(index, "The command “\(line)” \(failure)", sort: failure.sort)
      }
      if !hasBegun {
        results.fail(index, "The command “\(line)” was left out, because too many run already", sort: "busy")
      }
    }
  }

  /// Returns what is to be told of commands, each sort once.
  func takeNotes() -> [String] {
    (client?.takeNotes() ?? [])
      + results.state.withLock { state in
        defer { state.notes = [] }
        return state.notes
      }
  }

  /// Waits for commands, stops those that do not end, and takes leave of the broker.
  func close() {
    runner.finish(patience: Self.patience)
    guard let client else { return }
    client.finish(patience: Self.patience)
    if client.lost > 0 {
      reporter.message("MQTT: \(client.lost) messages were lost, because too many waited")
    }
  }

  /// What came of each rule, for the report; nil if there is none.
  var actions: [LiveReport.Action]? {
    guard !rules.isEmpty else { return nil }
    let failures = results.state.withLock { $0.failures }
    return zip(rules.indices, board.counts).map { index, count in
      LiveReport.Action(
        event: rules[index].event.description, action: rules[index].text, fired: count.fired,
        suppressed: count.suppressed, failed: failures[index] ?? 0)
    }
  }
}
