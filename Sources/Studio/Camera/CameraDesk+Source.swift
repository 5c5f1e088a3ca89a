import Safelight

/// Opening and closing sources.
extension CameraDesk {
  /// Shows a source to a page.
  func open(_ source: String, _ format: Int?, for page: Page) throws {
    let entry = try parts.sources.entry(source)
    page.isShowing = true
    updateViewers()
    let isShown = self.entry == entry && (format == nil || format == run?.format) && phase != .failed
    guard !isShown || phase == .closed else {
      page.peer.send("camera", stateFields)
      if let fields = photoFields { page.peer.send("photo", fields) }
      return
    }
    open(entry, format)
  }

  private func open(_ entry: CameraSources.Entry, _ format: Int?) {
    endRun()
    (self.entry, wantedFormat, phase, problem, size) = (entry, format, .opening, nil, nil)
    let (generation, parts, post, pressure) = (generation, parts, post, pressure)
    parts.worker.run {
      do {
        let run = try CameraRun(entry, from: parts.sources, format: format, folder: parts.folder) {
          photo, order, number in
          Self.saved(photo, order, number, parts)
        }
        post { $0.made(run, generation) }
        try run.start { state in post { $0.changed(to: state, generation) } }
        post { $0.opened(run, generation) }
        let capabilities = Result { try run.capabilities() }
        let microphone = CameraRun.microphoneName(for: entry.kind)
        post { $0.described(try? capabilities.get(), microphone, generation) }
        // Without a thread for it, pressure is not known.
        try? pressure.start()
      } catch {
        post { $0.failed(error, generation) }
      }
    }
    tell("camera", stateFields)
  }

  /// The source is there and will be opened.
  private func made(_ run: CameraRun, _ generation: Int) {
    guard generation == self.generation else {
      parts.worker.run { run.stop() }
      return
    }
    self.run = run
    parts.viewfinder.follow(run.output, run.playback)
    showLook()
    startReports()
    updateViewers()
  }

  private func opened(_ run: CameraRun, _ generation: Int) {
    guard generation == self.generation else { return }
    if let format = run.session.format, size == nil { size = format.size }
    // What waits for its source has told so.
    if phase == .opening, run.session.format != nil { phase = .running }
    tellState()
  }

  private func described(_ capabilities: [CameraCapability]?, _ microphone: String?, _ generation: Int) {
    guard generation == self.generation else { return }
    (self.capabilities, self.microphone) = (capabilities ?? [], microphone)
    tell("camera", stateFields)
  }

  private func changed(to state: CaptureState, _ generation: Int) {
    guard generation == self.generation else { return }
    switch state {
    case .idle, .starting: return
    case .running: (phase, problem) = (.running, nil)
    case .interrupted(let failure): (phase, problem) = (.interrupted, failure.error)
    case .failed(let failure): (phase, problem) = (.failed, failure.error)
    case .stopped:
      (phase, problem) = (
        .failed, SafelightError(.device, "\(entry?.name ?? "The source") has ended", remedy: "open it again")
      )
    }
    tellState()
  }

  private func failed(_ error: any Error, _ generation: Int) {
    guard generation == self.generation else { return }
    endRun()
    phase = .failed
    problem =
      (error as? CaptureFailure)?.error ?? (error as? SafelightError)
      ?? SafelightError(.device, "\(entry?.name ?? "The camera") cannot be opened: \(error)")
    tell("camera", stateFields)
    updateViewers()
  }

  /// A frame of another size has come.
  func sized(_ upright: PixelSize) {
    guard run != nil, size != upright else { return }
    size = upright
    if phase == .opening { phase = .running }
    tellState()
  }

  // MARK: Closing

  /// No page shows the camera any more.
  func close() {
    endRun()
    phase = .closed
    problem = nil
    stopReports()
    tell("camera", stateFields)
  }

  /// Ends what runs: the movie first, then the session, once its photos are written.
  func endRun() {
    generation += 1
    for each in series { each.series.stop() }
    stopReports()
    let (ended, movie) = (run, movie)
    parts.viewfinder.follow(nil)
    parts.aside.findLevel(false)
    if let movie { endMovie(movie, at: .now) }
    (run, capabilities, microphone, level) = (nil, [], nil, CameraLevel())
    guard let ended else { return }
    parts.worker.run { [pressure] in
      ended.stop()
      pressure.stop()
    }
  }

  // MARK: Messages

  func tellState() {
    tell("camera", stateFields)
    if let fields = photoFields { tell("photo", fields) }
  }

  /// The camera, as pages are told of it.
  var stateFields: [String: JSONValue] {
    var fields: [String: JSONValue] = [
      "state": .string(phaseName), "source": entry.map { .string($0.source) } ?? .null,
      "name": .string(entry?.name ?? ""), "kind": entry.map { .string($0.kind.rawValue) } ?? .null,
      "zoom": .number(look.zoom),
    ]
    if let problem {
      fields["reason"] = .string(problem.problem)
      fields["remedy"] = .string(problem.remedy)
    }
    guard let run else { return fields }
    let stream = run.session.format
    fields["width"] = .number(size?.width ?? 0)
    fields["height"] = .number(size?.height ?? 0)
    fields["framesPerSecond"] = .number(PlainNumber.rounded(stream?.framesPerSecond ?? 0, 2))
    fields["format"] = run.format.map { .number($0) } ?? .null
    fields["formats"] = .array(run.formats.map(\.json))
    fields["controls"] = .array(
      capabilities.map {
        .object([
          "key": .string($0.key.rawValue), "supported": .bool($0.isSupported),
          "range": $0.range.map { .string($0) } ?? .null, "value": $0.value.map { .string($0) } ?? .null,
          "why": $0.unsupported.map { .string($0) } ?? .null,
        ])
      })
    fields["modes"] = .array(run.modes(capabilities).map { .string($0) })
    fields["microphone"] = microphone.map { .string($0) } ?? .null
    fields["isFront"] = .bool(run.input.facing == .front)
    fields["isMirrored"] = .bool(run.isMirrored)
    fields["duration"] = run.playback?.duration.map { .number(PlainNumber.rounded($0, 3)) } ?? .null
    fields["seekable"] = .bool(run.playback?.duration != nil)
    fields["paused"] = .bool(run.playback?.isPaused ?? false)
    fields["recording"] = .bool(movie != nil)
    return fields
  }

  private var phaseName: String {
    switch phase {
    case .closed: "closed"
    case .opening: "opening"
    case .running: "running"
    case .interrupted: "interrupted"
    case .failed: "failed"
    }
  }

  /// The camera as a photo; nil before its size is known.
  var photoFields: [String: JSONValue]? {
    guard let entry, let size else { return nil }
    return [
      "photo": .string(CameraRequest.photo), "name": .string(entry.name), "width": .number(size.width),
      "height": .number(size.height), "edit": (try? look.edit.json) ?? .null,
      "undo": .number(look.steps.undo), "redo": .number(look.steps.redo), "facts": .array([]),
    ]
  }
}
