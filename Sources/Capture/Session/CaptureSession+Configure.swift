import FrameCore

/// Applying configurations, on the session's queue.
extension CaptureSession {
  func apply(_ edit: (inout SessionConfiguration) throws -> Void) throws {
    let former = confined.configuration
    var configuration = former
    try edit(&configuration)
    let formerOutputs = former.joined.map(\.output)
    let outputs = configuration.joined.map(\.output)
    if isRunning, configuration.input != nil || configuration.audioInput != nil {
      try configuration.checkFit(except: formerOutputs)
    }
    var attached: [any SessionOutput] = []
    do {
      for output in outputs where !formerOutputs.contains(where: { $0 === output }) {
        try output.attach(to: key)
        attached.append(output)
      }
      let change = try prepareSound(from: former, to: configuration)
      do {
        try switchStream(from: former, to: configuration)
      } catch {
        undo(change, former)
        throw error
      }
      commit(change, configuration)
    } catch {
      for output in attached { output.detach(from: key) }
      throw error
    }
    confined.configuration = configuration
    for output in formerOutputs where !outputs.contains(where: { $0 === output }) {
      output.detach(from: key)
    }
  }

  // MARK: Pictures

  /// Switches a running session to the input and outputs in `configuration`.
  private func switchStream(
    from former: SessionConfiguration, to configuration: SessionConfiguration
  ) throws {
    guard isRunning, !configuration.usesSameStream(as: former) else {
      feed.setSettling(configuration.settling)
      feed.setRoutes(configuration.routes)
      return
    }
    guard let input = configuration.input else {
      stopVideo()
      feed.setRoutes(configuration.routes)
      return
    }
    let loop = makeLoop(input, configuration, outlastsFailures: false)
    if let running = confined.loop, !running.hasEnded {
      if input.id == former.input?.id {
        try replaceSameDevice(running, former, by: loop)
      } else {
        try replace(running, former, by: loop, input, configuration)
      }
    } else if input === former.input {
      // It ended by itself; another start() begins it again.
      feed.setSettling(configuration.settling)
      feed.setRoutes(configuration.routes)
      return
    } else {
      try openFirst(loop)
    }
    feed.setSettling(configuration.settling)
    feed.setRoutes(configuration.routes)
    feed.open()
    confined.loop?.begin()
  }

  /// Opens a source of pictures beside sound that is running.
  private func openFirst(_ loop: CaptureLoop) throws {
    do {
      try loop.open()
    } catch {
      loop.stop()
      throw error
    }
    confined.loop?.stop()
    confined.loop = loop
  }

  /// Opens the new source while the former one still streams. A busy source may be busy with this session's
  /// own stream (two names of one device, or a bus that carries one camera): then the former one is closed
  /// first.
  private func replace(
    _ running: CaptureLoop, _ former: SessionConfiguration, by loop: CaptureLoop, _ input: any CaptureInput,
    _ configuration: SessionConfiguration
  ) throws {
    do {
      try loop.open()
    } catch let failure as CaptureFailure where failure.reason == .busy {
      loop.stop()
      let second = makeLoop(input, configuration, outlastsFailures: false)
      try replaceSameDevice(running, former, by: second)
      return
    } catch {
      loop.stop()
      throw error
    }
    running.stop()
    confined.loop = loop
  }

  /// Closes the former stream, opens the new one, and opens the former one again if that fails.
  private func replaceSameDevice(
    _ running: CaptureLoop, _ former: SessionConfiguration, by loop: CaptureLoop
  ) throws {
    running.stop()
    do {
      try loop.open()
      confined.loop = loop
    } catch {
      loop.stop()
      guard let input = former.input else { throw error }
      let again = makeLoop(input, former, outlastsFailures: true)
      // If even that fails, the session is interrupted and the loop keeps trying.
      do {
        try again.open()
      } catch is CaptureFailure {}
      confined.loop = again
      feed.open()
      again.begin()
      throw error
    }
  }

  // MARK: Sound

  /// A change of the source of sound that was prepared and can still be taken back.
  private enum SoundChange {
    case none
    case removed
    /// The new loop has opened its source; `isClosed` tells whether the former one had to be closed for that.
    case opened(AudioLoop, isClosed: Bool)
  }

  /// Opens the new source of sound of a running session, without delivering any.
  private func prepareSound(
    from former: SessionConfiguration, to configuration: SessionConfiguration
  ) throws -> SoundChange {
    let running = confined.audioLoop.flatMap { $0.hasEnded ? nil : $0 }
    if configuration.usesSameSound(as: former) || !isRunning {
      if let format = audioFeed.format { try configuration.check(format) }
      return .none
    }
    guard let input = configuration.audioInput else { return .removed }
    // It ended by itself; another start() begins it again.
    if running == nil, input === former.audioInput { return .none }
    if running == nil || input.id != former.audioInput?.id {
      let loop = makeAudioLoop(input, configuration, outlastsFailures: false)
      do {
        try open(loop)
        return .opened(loop, isClosed: false)
      } catch let failure as CaptureFailure where failure.reason == .busy && running != nil {
        // It may be busy with this session's own stream.
      }
    }
    running?.stop()
    let loop = makeAudioLoop(input, configuration, outlastsFailures: false)
    do {
      try open(loop)
      return .opened(loop, isClosed: true)
    } catch {
      reopenSound(former)
      throw error
    }
  }

  private func open(_ loop: AudioLoop) throws {
    do {
      try loop.launch()
      try loop.waitUntilOpened()
    } catch {
      loop.stop()
      throw error
    }
  }

  /// Opens the former source again, or waits for it.
  private func reopenSound(_ former: SessionConfiguration) {
    guard let input = former.audioInput else { return }
    let again = makeAudioLoop(input, former, outlastsFailures: true)
    confined.audioLoop = nil
    do {
      try again.launch()
    } catch {
      // Without a thread, sound has failed; pictures may go on.
      audioFeed.close()
      return sound.publish(.failed(CaptureFailure(of: error)))
    }
    _ = try? again.waitUntilOpened()
    begin(again)
  }

  private func undo(_ change: SoundChange, _ former: SessionConfiguration) {
    guard case .opened(let loop, let isClosed) = change else { return }
    loop.stop()
    if isClosed { reopenSound(former) }
  }

  private func commit(_ change: SoundChange, _ configuration: SessionConfiguration) {
    // Before a session without pictures loses its sound, whose end is then the session's.
    if case .removed = change { stopAudio() }
    sound.setAlone(configuration.input == nil && configuration.audioInput != nil)
    switch change {
    case .none, .removed: audioFeed.setRoutes(configuration.audioRoutes)
    case .opened(let loop, _):
      confined.audioLoop?.stop()
      audioFeed.setRoutes(configuration.audioRoutes)
      begin(loop)
    }
  }
}
