import Safelight

/// One run of `live`, from opening the source to the last report.
final class LiveRun {
  private let command: LiveCommand
  private let session = CaptureSession()
  private let targets: LiveTargets
  private let pipeline: LivePipeline
  private let analyzer: LiveAnalyzer?
  private let messages = SessionMessages()
  private let reporter: LiveReporter

  /// Opens nothing yet, but refuses what cannot be.
  init(_ command: LiveCommand) throws {
    self.command = command
    let source = try LiveSource(command.source)
    let losesNothing = command.losesNothing(source)
    guard !command.unpaced || source.isFile || source == .synthetic else {
      throw SafelightError(
        .invalidValue, "--unpaced has no effect on a camera, which has a rate of its own",
        remedy: "leave it out, or use a file or --source synthetic")
    }
    let isPaced = !losesNothing && !command.unpaced
    let input = try source.makeInput(
      paced: isPaced, loops: command.loop, size: command.size, framesPerSecond: command.fps)
    let output = VideoDataOutput(
      lateFrames: !isPaced ? .keepAll(limit: 2) : .discard(keepingNewest: 1), purpose: command.purpose)
    reporter = LiveReporter(command)
    targets = try LiveTargets(command, input: input, status: reporter.line)
    let session = session
    pipeline = try LivePipeline(
      from: output, through: LiveLook(try command.makeRecipe()), to: targets.sinks,
      losesNothing: losesNothing,
      framesPerSecond: { session.format?.framesPerSecond ?? 0 },
      limit: LivePipeline.Limit(frames: command.frames, seconds: command.seconds))
    analyzer = try Self.analyzer(command, pipeline)
    let connection = command.connection
    let analysis = analyzer?.output
    let request = StreamRequest(
      size: command.size, framesPerSecond: command.fps, encoding: command.format?.captureEncoding)
    let settling: Settling = command.settle ? .automatic : .off
    try Blocking.run {
      try await session.configure {
        try $0.add(input)
        try $0.add(output, connection: connection)
        if let analysis { try $0.add(analysis, connection: connection) }
        $0.request = request
        $0.settling = settling
      }
    }
  }

  /// What measures the frames, where anything is to be measured.
  private static func analyzer(_ command: LiveCommand, _ pipeline: LivePipeline) throws -> LiveAnalyzer? {
    var kinds = Set(command.analyze ?? [])
    guard command.straighten == .automatic else { return kinds.isEmpty ? nil : try LiveAnalyzer(kinds) }
    kinds.insert(.horizon)
    return try LiveAnalyzer(kinds) { level in
      // In steps that nobody sees: each is a plan of its own.
      let step = 0.05
      let angle = min(max((level / step).rounded() * step, -45), 45)
      if abs(pipeline.look.level - angle) > step / 2 { pipeline.look.level = angle }
    }
  }

  func run(_ signals: inout Signals) throws {
    let (session, messages) = (session, messages)
    let watch = Task.detached { for await state in session.states { messages.note(state) } }
    defer { watch.cancel() }
    try pipeline.start()
    try analyzer?.start()
    do {
      try Blocking.run { try await session.start() }
      try follow(&signals)
    } catch {
      close()
      throw error
    }
    close()
    try reporter.end(pipeline.statistics, pipeline.end)
    if case .failed(let error)? = pipeline.end { throw error }
  }

  /// Reports until the run ends by itself, is asked to, or cannot go on.
  private func follow(_ signals: inout Signals) throws {
    while pipeline.end == nil {
      if signals.wait(seconds: 0.02) != nil {
        // A second one ends the program at once.
        signals.release()
        return
      }
      for key in targets.takeKeys() where !handle(key) { return }
      for message in targets.takeAnnouncements() + messages.take() { reporter.message(message) }
      if let failure = messages.failure { throw failure }
      if let problem = pipeline.lookProblem { throw problem }
      if let format = session.format { try reporter.tick(pipeline.statistics, format, analyzer?.latest) }
    }
  }

  /// Returns once pictures on their way are written, and everything is released.
  private func close() {
    let session = session
    // The source first: pictures that it still makes would only be dropped.
    _ = try? Blocking.run { await session.stop() }
    analyzer?.stop()
    targets.interrupt()
    pipeline.stop()
    targets.close()
  }

  /// - Returns: false where the key ends the run.
  private func handle(_ key: LiveKey) -> Bool {
    switch key {
    case .quit: return false
    case .toggleOriginal: pipeline.look.showsOriginal.toggle()
    case .weaker: pipeline.look.strength = max(0, pipeline.look.strength - 0.1)
    case .stronger: pipeline.look.strength = min(1, pipeline.look.strength + 0.1)
    case .saveStill: targets.saveStill()
    }
    return true
  }
}
