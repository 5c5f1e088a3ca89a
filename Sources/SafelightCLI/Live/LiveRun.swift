import ArgumentParser
import Safelight
import Libc
import Serving

/// One run of `live`, from opening the source to the last report.
final class LiveRun {
  private let command: LiveCommand
  private let session = CaptureSession()
  let targets: LiveTargets
  let pipeline: LivePipeline
  private let renderer: any Renderer
  private let analyzer: LiveAnalyzer?
  private let sight: LiveSight
  /// Nil without a key or a page that takes them.
  let stills: LiveStills?
  private let messages = SessionMessages()
  /// Whether pictures arrive and leave in real time, so that nothing waits long for a reader.
  private let isLive: Bool
  private let input: any CaptureInput
  let reporter: LiveReporter
  private let hasMicrophone: Bool
  private var movieWatch: MovieWatch?
  /// The notes on a video that were printed; a looping one may have more at its end.
  private var toldNotes: Set<String> = []
  /// When the steps of the start were done, for `profile --startup`.
  private(set) var startup: StartupTimes

  /// Takes the ports and the terminal that the targets need; `run` opens the source.
  init(_ command: LiveCommand, startup: StartupTimes) throws {
    self.command = command
    self.startup = startup
    let source = try LiveSource(command.input.source)
    try Self.check(command, source)
    let losesNothing = command.losesNothing(source)
    let isPaced = !losesNothing && !command.unpaced
    let recipe = try command.makeRecipe()
    self.startup.mark(\.look)
    let input = try command.second.paired(
      with: source.makeInput(
        paced: isPaced, loops: command.loop, size: command.input.size, framesPerSecond: command.input.fps),
      through: recipe, command)
    (isLive, self.input) = (isPaced, input)
    let output = VideoDataOutput(
      lateFrames: !isPaced ? .keepAll(limit: 2) : .discard(keepingNewest: command.hasMovie ? 2 : 1),
      purpose: command.purpose)
    renderer = try command.backend.request.makeRenderer()
    reporter = LiveReporter(command, renderer)
    try Self.checkSound(command, source, isPaced: isPaced)
    try Self.checkActions(command, isPaced: isPaced)
    sight = try LiveSight(command.sight, reporter)
    let keepsSound = command.keepsSound(of: source)
    let audioInput = try isPaced ? command.microphone.makeInput(otherwise: "none") : nil
    hasMicrophone = audioInput != nil
    targets = try LiveTargets(command, status: reporter.line) { path in
      let names = try MovieNames(
        path, fields: MovieNames.Fields(of: source, input, preset: command.edit.name))
      return try MovieSink(
        command.movieSettings, to: names, losesNothing: losesNothing,
        of: source.videoPath, keepsSound: keepsSound, hasSound: audioInput != nil,
        soundDelay: command.microphone.soundDelay ?? 0)
    }
    if !command.sight.has(.record) { for movie in targets.movies { movie.recorder.record() } }
    let overlay = command.sight.overlay ? LiveOverlay(zones: command.sight.zone) : nil
    let session = session
    // Of two cameras, each has its own look before they meet.
    let look = input is CameraPairInput ? Recipe() : recipe
    pipeline = try LivePipeline(
      from: output, through: LiveLook(look, followsHorizon: command.straighten == .automatic),
      to: targets.sinks, losesNothing: losesNothing, isLive: isPaced,
      level: Self.level(command, losesNothing: losesNothing), format: { session.format },
      // A video is read at its own rate: a requested rate is that of the output.
      constantRate: source.isVideo ? command.input.fps : nil,
      limit: command.limit(source),
      interpolation: command.sampling.interpolation, renderer: renderer, overlay: overlay)
    analyzer = try Self.analyzer(command, pipeline, sight, losesNothing: losesNothing)
    if let analyzer { overlay?.follow(analyzer) }
    stills = try LiveStills.asked(of: command, input, pipeline, reporter.line)
    // The analysis must see what is shown, mirrored in the same way.
    var connection = command.connection
    let isMirrored = connection.isMirrored(facing: input.facing, purpose: command.purpose)
    connection.mirroring = isMirrored ? .on : .off
    let (joined, analyses, photos) = (connection, analyzer?.outputs ?? [], stills?.output)
    let (sounds, audioConnection) = (targets.movies.map(\.sound), command.microphone.format.connection)
    let audioRequest = command.microphone.format.request()
    // What is mirrored for the person in front of the camera is not in a photo: text must be readable.
    var upright = command.connection
    if upright.mirroring == .automatic { upright.mirroring = .off }
    let photoConnection = upright
    let request = command.input.request()
    self.startup.mark(\.prepared)
    let settling: Settling = command.settle ? .automatic : .off
    try Blocking { begun in
      try await session.configure {
        begun()
        try $0.add(input)
        try $0.add(output, connection: joined)
        for analysis in analyses { try $0.add(analysis, connection: joined) }
        if let photos { try $0.add(photos, connection: photoConnection) }
        if let audioInput {
          try $0.add(audioInput)
          for sound in sounds { try $0.add(sound, audioConnection: audioConnection) }
        }
        $0.request = request
        $0.audioRequest = audioRequest
        $0.settling = settling
      }
    }.wait()
  }

  /// Analyses the frames, if that was asked for.
  private static func analyzer(
    _ command: LiveCommand, _ pipeline: LivePipeline, _ sight: LiveSight, losesNothing: Bool
  ) throws -> LiveAnalyzer? {
    var kinds = command.sight.measurements
    let detectors = try command.sight.detectors.map { try $0.make() }
    let follows = command.straighten == .automatic && !losesNothing
    if follows { kinds.insert(.horizon) }
    guard !kinds.isEmpty || !detectors.isEmpty else { return nil }
    return try LiveAnalyzer(
      kinds, detectors: detectors, zones: command.sight.zone,
      occurred: { [inbox = sight.inbox] in inbox.append($0) }
    ) { level in
      guard follows else { return }
      let angle = HorizonLevel.stepped(level)
      if abs(pipeline.look.level - angle) > HorizonLevel.step / 2 { pipeline.updateLook { $0.level = angle } }
    }
  }

  /// Levels every frame before it is rendered, if frames wait: files are then level from the first frame on, and
  /// the same in every run.
  private static func level(_ command: LiveCommand, losesNothing: Bool) -> (
    @Sendable (Frame) throws -> Double?
  )? {
    guard command.straighten == .automatic, losesNothing else { return nil }
    let meter = HorizonLevel()
    return { try meter.level(of: $0) }
  }

  func run(_ signals: Signals) throws {
    let session = session
    // Ends with the session.
    try messages.follow(session.states)
    movieWatch = try MovieWatch(
      targets.movies, session, hasSound: hasMicrophone, framesPerSecond: command.input.fps, isLive: isLive)
    if let output = stills?.output { targets.acceptPresses { output.readiness } }
    try sight.begin()
    try pipeline.start { signals.wake() }
    try analyzer?.start()
    var problem: (any Error)?
    do {
      let opening = try Blocking(whenDone: { signals.wake() }) { begun in
        await session.reach(begun)
        try await session.start()
      }
      var isStopped = false
      while try !isStopped && !opening.isDone() { isStopped = signals.wait(seconds: 0.02) != nil }
      startup.mark(\.opened)
      if !isStopped { try follow(signals) }
    } catch {
      problem = error
    }
    startup.mark(\.ended)
    // A signal from here on ends the program at once: closing may wait for a reader or a device.
    signals.release()
    close()
    startup.mark(\.closed)
    try report(problem ?? pipelineFailure ?? sourceFailure)
    let failures = stills?.failures.read { $0 } ?? []
    guard let last = failures.last else { return }
    Output.note("Error: \(failures.count == 1 ? "A photo" : "\(failures.count) photos") failed; \(last)")
    throw ExitCode.failure
  }

  /// Prints the last report.
  ///
  /// - Throws: the error that the run failed with.
  private func report(_ failure: (any Error)?) throws {
    let statistics = pipeline.statistics
    // What was written before a failure is kept and reported. If nothing was written, the failure says enough.
    if let failure, !statistics.sinks.contains(where: { $0.written > 0 }) { throw failure }
    // Notes that arose while the run ended.
    for note in takeNotes() { reporter.message(note) }
    guard let failure else { return try reporter.end(statistics, pipeline.end, analyzer, sight.actions) }
    // The failure matters more than a report that cannot be printed.
    try? reporter.end(statistics, .failed(failure), analyzer, sight.actions)
    throw failure
  }

  var statistics: LiveStatistics { pipeline.statistics }

  /// The error of rendering or of a sink.
  private var pipelineFailure: (any Error)? {
    if case .failed(let error)? = pipeline.end { error } else { nil }
  }

  /// Why the source gave up for good, if it has, whether or not it was asked to stop in the meantime.
  private var sourceFailure: (any Error)? {
    // All requested frames have arrived. How far files are read ahead is chance.
    if case .limitReached? = pipeline.end { return nil }
    if let failure = messages.failure { return failure }
    if case .failed(let failure) = session.state { return failure }
    return nil
  }

  /// Returns the notes of the video, sinks, pipeline and renderer, each once.
  private func takeNotes() -> [String] {
    let video = (input as? VideoFileInput)?.notes ?? []
    return video.filter { toldNotes.insert($0).inserted } + targets.takeAnnouncements()
      + targets.takeMovieNotes() + pipeline.takeNotes() + renderer.takeBackendNotes()
      + (movieWatch?.takeNotes() ?? []).map(\.text) + (analyzer?.takeNotes() ?? []) + sight.takeNotes()
  }

  /// The time for the first frame in seconds, however short the run is.
  private static let patience = 5.0

  /// Reports until the run ends by itself, is asked to end, or cannot continue. If the source fails, the run
  /// ends by itself once the earlier frames are through.
  private func follow(_ signals: Signals) throws {
    let began = Timestamp.now
    var closing: Timestamp?
    while pipeline.end == nil {
      if signals.wait(seconds: 0.02) != nil { return }
      for key in targets.takeKeys() where !handle(key) { return }
      for press in targets.takePresses() { take(press) }
      try sight.step(stills, targets.movies)
      for message in takeNotes() + messages.take().map(\.text) { reporter.message(message) }
      if let problem = pipeline.lookProblem { throw problem }
      if isLive, pipeline.isClosing {
        // A reader that has stopped reading must not hold up the end of a live run.
        let start = closing ?? Timestamp.now
        closing = start
        if Timestamp.now.seconds(since: start) > 2 { return }
      }
      if let limit = command.seconds, pipeline.statistics.rendered == 0,
        Timestamp.now.seconds(since: began) > max(limit, Self.patience)
      {
        throw SafelightError(
          .device, "No frame came within \(PlainNumber.fixed(max(limit, Self.patience), 0)) s",
          remedy: "check that the source sends pictures")
      }
      if let format = session.format {
        try reporter.tick(pipeline.statistics, format, analyzer, pipeline.look)
      }
    }
    if case .sourceFinished? = pipeline.end, pipeline.statistics.rendered == 0, sourceFailure == nil {
      let note = (input as? ImageSequenceInput)?.notes.first ?? (input as? VideoFileInput)?.notes.first
      throw SafelightError(
        .corruptData,
        "No picture could be read from \(command.input.source)" + (note.map { ": \($0)" } ?? ""),
        remedy: "check that another program opens it")
    }
  }

  /// Returns once pending pictures are written and everything is released.
  private func close() {
    movieWatch?.end()
    // What is there ends with the run; photos can still be taken of that. If it cannot be reported, nor can the end.
    analyzer?.stop()
    try? sight.step(stills, targets.movies)
    for press in targets.takePresses() { take(press) }
    stills?.finish()
    targets.shutter?.end()
    // The source first: any pictures it still makes would only be dropped.
    session.stopAndWait()
    pipeline.requestStop()
    // Sinks get time to finish their current picture; after that, only a reader that does not read is left.
    let end = Timestamp.now.advanced(bySeconds: 0.5)
    while pipeline.end == nil, Timestamp.now < end { usleep(2000) }
    if pipeline.end == nil { targets.interrupt() }
    pipeline.stop()
    renderer.endTrials()
    targets.close()
    sight.close()
  }
}
