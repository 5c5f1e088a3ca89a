import ArgumentParser
import Libc
import Safelight

/// One run of `record`, from opening the source to the last file.
final class RecordRun {
  private let command: RecordCommand
  private let session = CaptureSession()
  private let input: any CaptureInput
  private let audioInput: (any AudioInput)?
  private let narration: SoundSession?
  private let renderer: any Renderer
  private let pipeline: LivePipeline
  private let sink: MovieSink
  private let names: MovieNames
  private let stills: LiveStills?
  private let messages = SessionMessages()
  private let reporter: RecordReporter
  private let isLive: Bool
  private var movieWatch: MovieWatch?
  /// What photos have to say, from their threads.
  private let said = EventQueue<String>()

  /// The time for the first frame in seconds.
  private static let patience = 10.0

  init(_ command: RecordCommand) throws {
    self.command = command
    reporter = RecordReporter(isJSON: command.json)
    let source = try LiveSource(command.input.source)
    isLive = !source.isFile
    input = try Self.makeInput(command, source)
    names = try MovieNames(
      command.output, isSegmented: command.segment != nil,
      fields: MovieNames.Fields(of: source, input, preset: command.edit.name))
    let settings = command.settings
    try Self.check(command, source)
    audioInput = try isLive ? command.microphone.makeInput(otherwise: Self.usualMicrophone(source)) : nil
    let voice = try command.voice.makeInput()
    sink = try MovieSink(
      settings, to: names, losesNothing: !isLive,
      of: source.videoPath, keepsSound: command.microphone.microphone != "none", hasSound: audioInput != nil,
      hasVoiceOver: voice != nil, soundDelay: command.microphone.soundDelay ?? 0)
    narration = try command.voice.makeSession(voice, to: sink)
    renderer = try command.backend.request.makeRenderer()
    let output = VideoDataOutput(lateFrames: isLive ? .discard(keepingNewest: 2) : .keepAll(limit: 2))
    let session = session
    pipeline = try LivePipeline(
      from: output, through: LiveLook(try command.makeRecipe()), to: [sink], losesNothing: !isLive,
      isLive: isLive, format: { session.format }, interpolation: command.sampling.interpolation,
      renderer: renderer)
    stills = try isLive ? Self.makeStills(command, input, pipeline, said) : nil
    try configure(output)
  }

  /// The source; the simulated camera flashes with the beeps of the simulated microphone.
  private static func makeInput(_ command: RecordCommand, _ source: LiveSource) throws -> any CaptureInput {
    guard source.isSynthetic, command.microphone.microphone == "synthetic" else {
      return try source.makeInput(
        paced: !source.isFile, size: command.input.size, framesPerSecond: command.input.fps)
    }
    return try SyntheticInput(
      size: command.input.size ?? PixelSize(width: 1280, height: 720),
      framesPerSecond: command.input.fps ?? 30,
      showsFlash: true)
  }

  private func configure(_ output: VideoDataOutput) throws {
    let (session, input, audioInput, sound) = (session, input, audioInput, sink.sound)
    let connection = Connection(rotation: command.rotate.connectionRotation, mirroring: .off)
    let audioConnection = command.microphone.format.connection
    let photos = stills?.output
    let request = command.input.request()
    let audioRequest = command.microphone.format.request()
    try Blocking { begun in
      try await session.configure {
        begun()
        try $0.add(input)
        try $0.add(output, connection: connection)
        if let audioInput {
          try $0.add(audioInput)
          try $0.add(sound, audioConnection: audioConnection)
        }
        if let photos { try $0.add(photos, connection: connection) }
        $0.request = request
        $0.audioRequest = audioRequest
      }
    }.wait()
  }

  /// The microphone if none is named: a scene is silent unless one is asked for.
  private static func usualMicrophone(_ source: LiveSource) -> String {
    source.isSynthetic ? "none" : "default"
  }

  /// Rejects options that have no effect on this source.
  private static func check(_ command: RecordCommand, _ source: LiveSource) throws {
    let microphone = command.microphone.microphone ?? usualMicrophone(source)
    if command.voice.voiceOver != nil, source.isFile || microphone == "none" {
      throw ValidationError(
        "A voice-over is laid over the sound of a microphone, and this recording has none",
        remedy: "name the microphone of the sound with --microphone")
    }
    let isSilent = microphone == "none" || source.isFile && !source.isVideo
    if isSilent,
      let idle = (command.microphone.idleWithoutMicrophone + command.movie.givenForSound).first
    {
      throw ValidationError(
        "\(idle) has no effect on a movie without sound",
        remedy: source.isFile ? "leave it out" : "leave it out, or name a microphone with --microphone")
    }
    guard source.isFile else { return }
    if let idle = command.idleOnVideos.first, source.isVideo {
      throw ValidationError(
        "\(idle) has no effect on a video file, which is recorded as it is",
        remedy: "leave it out")
    }
    if command.standby {
      throw ValidationError(
        "--standby has no effect on files",
        remedy: "leave it out, or record from a camera")
    }
    if let name = command.microphone.microphone, name != "none" {
      throw ValidationError(
        "--microphone \(name) has no effect on files, which have sound of their own",
        remedy: "leave it out, or give --microphone none for a movie without sound")
    }
  }

  private static func makeStills(
    _ command: RecordCommand, _ input: any CaptureInput, _ pipeline: LivePipeline, _ said: EventQueue<String>
  ) throws -> LiveStills? {
    guard isatty(0) == 1, !command.json else { return nil }
    return try LiveStills(
      PhotoExport(), of: input,
      recipe: {
        var look = pipeline.look
        look.showsOriginal = false
        return look.effectiveRecipe
      }, report: { said.append($0) })
  }

  func run(_ signals: Signals, _ toggles: RecordToggles) throws {
    try names.makeFolder()
    try names.checkRoom(sink.recorder.settings.limits.freeBytes)
    // Before the recording: without its voice there is none.
    if let narration, try narration.open(signals) == nil { return narration.close() }
    try messages.follow(session.states)
    let keys = try CommandKeys<RecordKey>(isWanted: !command.json && isLive)
    defer { keys.close() }
    movieWatch = try MovieWatch(
      [sink], session, hasSound: audioInput != nil, framesPerSecond: command.input.fps, isLive: isLive)
    if !command.standby { sink.recorder.record() }
    var problem: (any Error)?
    do {
      try pipeline.start { signals.wake() }
      let session = session
      let opening = try Blocking(whenDone: { signals.wake() }) { begun in
        await session.reach(begun)
        try await session.start()
      }
      var isStopped = false
      while try !isStopped && !opening.isDone() { isStopped = signals.wait(seconds: 0.02) != nil }
      if !isStopped { try follow(signals, keys, toggles) }
    } catch {
      problem = hasNoSound ? MicrophoneOptions.withAdvice(error) : error
    }
    // The last seconds belong to the file, whatever comes.
    let moment: Timestamp? = isLive ? .now : nil
    signals.release()
    close(at: moment)
    for event in sink.recorder.takeEvents() { try reporter.tell(event, sink.recorder.status) }
    try tellNotes()
    try reporter.end(sink.recorder.status)
    if let failure = problem ?? sink.recorder.failure ?? pipelineFailure ?? sourceFailure { throw failure }
    guard sink.recorder.status.written > 0 || command.standby else {
      throw SafelightError(
        .corruptData, "No picture came from \(input.name), so nothing was recorded",
        remedy: "check that the source sends pictures")
    }
    if let failures = stills?.failures.read({ $0 }), !failures.isEmpty { throw ExitCode.failure }
  }

  /// Whether it is the microphone that has failed.
  private var hasNoSound: Bool { if case .failed = session.audioState { true } else { false } }

  private func follow(_ signals: Signals, _ keys: CommandKeys<RecordKey>, _ toggles: RecordToggles) throws {
    let began = Timestamp.now
    if command.standby { try reporter.ready() }
    while pipeline.end == nil {
      if signals.wait(seconds: 0.02) != nil { return }
      for key in keys.take() where !handle(key) { return }
      for _ in 0..<toggles.take() { toggle() }
      let status = sink.recorder.status
      for event in sink.recorder.takeEvents() {
        try reporter.tell(event, status)
        // A single recording that has reached its end is all there was to do.
        if case .ended = event, !command.standby { return }
      }
      try tellNotes()
      if sink.recorder.failure != nil { return }
      if let problem = pipeline.lookProblem { throw problem }
      if isLive, pipeline.statistics.rendered == 0, Timestamp.now.seconds(since: began) > Self.patience,
        messages.failure == nil, !isInterrupted
      {
        throw SafelightError(
          .device, "No frame came from \(input.name) within \(PlainNumber.fixed(Self.patience, 0)) s",
          remedy: "check that the source sends pictures")
      }
      try reporter.tick(status, pressure: movieWatch?.pressure)
    }
  }

  private var isInterrupted: Bool { if case .interrupted = session.state { true } else { false } }

  private func tellNotes() throws {
    let notes = pipeline.takeNotes() + renderer.takeBackendNotes() + sink.takeNotes() + said.take()
    let voice = (narration?.takeMessages() ?? []).map { "Voice-over: \($0)" }
    for note in (notes + voice).map({ SessionNote(.note, $0) }) + messages.take() { try reporter.tell(note) }
    for note in movieWatch?.takeNotes() ?? [] { try reporter.tell(note) }
  }

  private func toggle() {
    switch sink.recorder.status.phase {
    case .standby: sink.recorder.record()
    case .recording, .paused: sink.recorder.end()
    case .ended: break
    }
  }

  /// - Returns: false if the key ends the run.
  private func handle(_ key: RecordKey) -> Bool {
    let recorder = sink.recorder
    switch key {
    case .quit: return false
    case .toggle: toggle()
    case .pause: recorder.status.phase == .paused ? recorder.resume() : recorder.pause()
    case .mark: recorder.mark()
    case .still: stills?.take()
    case .voice:
      guard let voice = sink.voiceOver else {
        reporter.message("There is no voice-over; name its microphone with --voice-over.")
        break
      }
      voice.isOn.toggle()
      reporter.message(voice.isOn ? "Voice-over on" : "Voice-over off")
    case .original: reporter.message(pipeline.toggleOriginal())
    case .weaker: reporter.message(pipeline.changeStrength(by: -0.1))
    case .stronger: reporter.message(pipeline.changeStrength(by: 0.1))
    }
    return true
  }

  private func close(at moment: Timestamp?) {
    movieWatch?.end()
    stills?.finish()
    sink.end(at: moment)
    // Sound is still needed up to the end of the recording, so the sessions end after it.
    pipeline.stop()
    narration?.close()
    session.stopAndWait()
    renderer.endTrials()
  }

  private var pipelineFailure: (any Error)? {
    if case .failed(let error)? = pipeline.end { error } else { nil }
  }

  private var sourceFailure: (any Error)? {
    if let failure = messages.failure { return failure }
    if case .failed(let failure) = session.state { return failure }
    return nil
  }
}
