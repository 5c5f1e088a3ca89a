import FrameCore

/// Starting and stopping, on the session's queue.
extension CaptureSession {
  /// Whether frames or sound are captured, or waited for.
  var isRunning: Bool {
    [confined.loop?.hasEnded, confined.audioLoop?.hasEnded].contains(false)
  }

  func startOnQueue(waitingForSource: Bool) throws {
    removeEndedLoops()
    let configuration = confined.configuration
    guard configuration.input != nil || configuration.audioInput != nil else {
      throw SafelightError(
        .invalidValue, "The session has no input", remedy: "add one in configure { } before start()")
    }
    let video = confined.loop == nil ? configuration.input : nil
    let audio = confined.audioLoop == nil ? configuration.audioInput : nil
    guard video != nil || audio != nil else { return }
    try configuration.checkFit()
    sound.setAlone(configuration.input == nil)
    if video != nil { publisher.publish(.starting) }
    if audio != nil { sound.publish(.starting) }
    let loop = video.map { makeLoop($0, configuration, outlastsFailures: waitingForSource) }
    let audioLoop = audio.map { makeAudioLoop($0, configuration, outlastsFailures: waitingForSource) }
    do {
      try open(loop, audioLoop, waitingForSource: waitingForSource)
    } catch {
      audioLoop?.requestStop()
      loop?.stop()
      audioLoop?.stop()
      let failure = CaptureFailure(of: error)
      if loop != nil { publisher.publish(.failed(failure)) }
      if audioLoop != nil { sound.publish(.failed(failure)) }
      throw error
    }
    if let loop { begin(loop, configuration) }
    if let audioLoop { begin(audioLoop) }
  }

  private func removeEndedLoops() {
    if let loop = confined.loop, loop.hasEnded {
      loop.stop()
      confined.loop = nil
    }
    if let loop = confined.audioLoop, loop.hasEnded {
      loop.stop()
      confined.audioLoop = nil
    }
  }

  /// Opens both sources at once. What cannot be opened yet is waited for if asked: the loop publishes the
  /// failure and keeps trying.
  private func open(_ loop: CaptureLoop?, _ audioLoop: AudioLoop?, waitingForSource: Bool) throws {
    try audioLoop?.launch()
    do {
      try loop?.open()
    } catch is CaptureFailure where waitingForSource {}
    do {
      try audioLoop?.waitUntilOpened()
    } catch let failure as CaptureFailure where waitingForSource && failure.reason != .unsupported {}
  }

  private func begin(_ loop: CaptureLoop, _ configuration: SessionConfiguration) {
    feed.setSettling(configuration.settling)
    feed.open()
    confined.loop = loop
    loop.begin()
  }

  /// Announces sound to the outputs, in its format if that is known, and lets it come.
  func begin(_ loop: AudioLoop) {
    audioFeed.open(try? loop.waitUntilOpened())
    confined.audioLoop = loop
    loop.begin()
  }

  func stopOnQueue() {
    // Both threads end at the same time.
    confined.audioLoop?.requestStop()
    stopVideo()
    stopAudio()
  }

  func stopVideo() {
    guard let loop = confined.loop.take() else { return }
    loop.stop()
    feed.close()
    // A loop that ended by itself has already published the reason.
    if !publisher.state.isFinal { publisher.publish(.stopped) }
  }

  func stopAudio() {
    guard let loop = confined.audioLoop.take() else { return }
    loop.stop()
    audioFeed.close()
    if !audioState.isFinal { sound.publish(.stopped) }
  }

  func makeLoop(
    _ input: any CaptureInput, _ configuration: SessionConfiguration, outlastsFailures: Bool
  ) -> CaptureLoop {
    CaptureLoop(
      input: input, requests: configuration.requests, outlastsFailures: outlastsFailures, feed: feed,
      publisher: publisher)
  }

  func makeAudioLoop(
    _ input: any AudioInput, _ configuration: SessionConfiguration, outlastsFailures: Bool
  ) -> AudioLoop {
    var requests = [configuration.audioRequest]
    if let format = audioFeed.format {
      // Sound in the format of the present run continues it.
      let request = AudioRequest(
        sampleRate: requests[0].sampleRate ?? format.sampleRate,
        channelCount: requests[0].channelCount ?? format.channelCount)
      if request != requests[0] { requests.insert(request, at: 0) }
    }
    return AudioLoop(
      AudioLoop.Task(
        input: input, requests: requests, outlastsFailures: outlastsFailures,
        check: { try configuration.check($0) }),
      feed: audioFeed, publish: { [sound] in sound.publish($0) })
  }
}
