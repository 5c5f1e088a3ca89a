import Safelight

/// What pages ask for.
extension CameraDesk {
  func join(_ peer: any StudioPeer) {
    pages[peer.id] = Page(peer)
    // A camera may have been connected since.
    let (sources, post) = (parts.sources, post)
    parts.worker.run { if sources.refresh() { post { $0.tellSources() } } }
  }

  private func tellSources() {
    for page in pages.values { page.peer.send("cameras", ["cameras": parts.sources.json]) }
  }

  func leave(_ peer: Int) {
    pages[peer] = nil
    parts.viewfinder.leave(peer)
    parts.aside.endLooks(of: peer)
    updateViewers()
  }

  func receive(_ request: CameraRequest, from peer: Int, at time: Timestamp) {
    guard let page = pages[peer] else { return }
    do {
      try answer(request, of: page, at: time)
    } catch {
      page.peer.send(
        (error as? CaptureFailure)?.error ?? error, request: request.number, photo: CameraRequest.photo)
    }
  }

  private func answer(_ request: CameraRequest, of page: Page, at time: Timestamp) throws {
    switch request {
    case .open(let source, let format): try open(source, format, for: page)
    case .close: leaveCamera(page)
    case .shoot(let number, let shot, let pressedAgo):
      try shoot(shot, number, pressedAt: time.advanced(bySeconds: -pressedAgo), for: page)
    case .endBurst: endBurst()
    case .record(let number, let isOn, let hasSound): try record(isOn, hasSound, number, at: time, for: page)
    case .control(let number, let setting): try set(number, for: page) { _, _ in [setting] }
    case .point(let number, let point, let focus, let exposure):
      try set(number, for: page) { try $0.pointSettings(point, focus: focus, exposure: exposure, $1) }
    case .lock(let number, let isOn): try set(number, for: page) { try $0.lockSettings(isOn, $1) }
    case .zoom(let number, let factor): try zoom(to: factor, number, for: page)
    case .assist(let assist):
      page.assist = assist
      parts.viewfinder.setAssist(assist, of: page.peer)
      updateViewers()
    case .seek(let seconds): try playback().seek(toSeconds: seconds)
    case .pause(let isOn):
      try playback().isPaused = isOn
      tell("camera", stateFields)
    case .view(let view): parts.viewfinder.look(at: view, from: page.peer)
    case .edit(let input, let edit, _):
      try look.set(edit)
      showLook(input: (page.peer.id, input))
    case .commit(let input, let edit):
      try look.set(edit)
      showLook(input: (page.peer.id, input))
      try tellEdited(try look.commit(), from: page, input)
    case .undo: try step(isUndo: true, for: page)
    case .redo: try step(isUndo: false, for: page)
    case .looks(let size, let edit, let isLive): try makeLooks(size, edit, isLive, for: page)
    case .endLooks: parts.aside.endLooks(of: page.peer.id)
    case .auto(let number, let kind): try find(kind, number, for: page)
    }
  }

  /// - Throws: `SafelightError` if no source is open.
  func openRun() throws -> CameraRun {
    guard let run else {
      throw SafelightError(.invalidValue, "No camera is open", remedy: "open one first")
    }
    return run
  }

  private func playback() throws -> VideoPlayback {
    guard let playback = try openRun().playback else {
      throw SafelightError(
        .unsupported, "\(entry?.name ?? "The camera") is live: it neither pauses nor goes back",
        remedy: "open a clip")
    }
    return playback
  }

  private func leaveCamera(_ page: Page) {
    page.isShowing = false
    page.assist = CameraAssist()
    parts.viewfinder.leave(page.peer.id)
    parts.aside.endLooks(of: page.peer.id)
    updateViewers()
  }

  // MARK: The look

  private func step(isUndo: Bool, for page: Page) throws {
    guard let label = try look.step(isUndo: isUndo) else {
      throw SafelightError(
        .invalidValue, isUndo ? "There is nothing to be undone" : "There is nothing to be done again")
    }
    showLook()
    try tellEdited(label, from: nil, nil)
  }

  /// - Parameter input: of the page that made it; to all other pages it is news.
  private func tellEdited(_ label: String, from page: Page?, _ input: Int?) throws {
    let command = look.edit.flags.flatMap { flags in
      entry.map {
        (["safelight", "live", "--source", $0.source] + flags).map(ShellText.quoted).joined(separator: " ")
      }
    }
    let fields: [String: JSONValue] = [
      "photo": .string(CameraRequest.photo), "edit": try look.edit.json,
      "undo": .number(look.steps.undo), "redo": .number(look.steps.redo), "label": .string(label),
      "command": command.map { .string($0) } ?? .null, "saved": .string(UTCTime.now),
    ]
    for viewer in viewers {
      let own = viewer === page ? input : nil
      viewer.peer.send(
        "edited", fields.merging(["input": own.map { .number($0) } ?? .null]) { first, _ in first })
    }
  }

  private func makeLooks(_ size: Int, _ edit: StudioEdit, _ isLive: Bool, for page: Page) throws {
    let presets = try [nil] + PresetLibrary.descriptions().map(\.preset) + (PresetFolder.standard?.ids ?? [])
    let recipes = try presets.map { preset in
      var edit = edit
      edit.look = preset.map { StudioEdit.Look(preset: $0, strength: 100) }
      return (preset: preset, recipe: try look.recipe(of: edit))
    }
    looksVersion += 1
    parts.aside.make(
      CameraAside.Looks(peer: page.peer, size: size, recipes: recipes, isLive: isLive, version: looksVersion))
  }

  /// Finds values in the next frame.
  private func find(_ question: StudioFinding.Question, _ number: Int, for page: Page) throws {
    let (peer, recipe, name) = (page.peer, look.recipe, try openRun().entry.name)
    parts.aside.look { frame in
      do {
        let finding = try StudioFinding(question, in: PhotoSample(frame, named: name), joining: recipe)
        peer.send("auto", finding.message(number, photo: CameraRequest.photo))
      } catch {
        peer.send(error, request: number, photo: CameraRequest.photo)
      }
    }
  }

  // MARK: Controls

  /// Changes settings of the camera, and tells all pages what it has then.
  private func set(
    _ number: Int, for page: Page,
    _ settings: @escaping @Sendable (CameraRun, [CameraCapability]) throws -> [CameraSetting]
  ) throws {
    let (run, generation, post, peer) = (try openRun(), generation, post, page.peer)
    parts.worker.run {
      do {
        try run.apply(try settings(run, run.capabilities()))
        let capabilities = try run.capabilities()
        post { $0.set(capabilities, generation) }
      } catch {
        peer.send((error as? CaptureFailure)?.error ?? error, request: number, photo: CameraRequest.photo)
      }
    }
  }

  private func set(_ capabilities: [CameraCapability], _ generation: Int) {
    guard generation == self.generation else { return }
    self.capabilities = capabilities
    tell("camera", stateFields)
  }

  /// Zooms with the lens as far as it reaches, and cuts away for the rest.
  private func zoom(to factor: Double, _ number: Int, for page: Page) throws {
    let optical = min(factor, opticalZoom)
    if opticalZoom > 1 { try set(number, for: page) { _, _ in [.zoom(.factor(optical))] } }
    look.setZoom(factor / optical)
    showLook()
  }

  /// How far the lens reaches; 1 if it does not zoom by factors.
  private var opticalZoom: Double {
    let range = capabilities.first { $0.key == .zoom && $0.isSupported }?.range ?? ""
    guard range.hasPrefix("1x…"), let end = range.dropFirst(3).firstIndex(of: "x") else { return 1 }
    return max(1, Double(range.dropFirst(3)[..<end]) ?? 1)
  }
}

extension CameraRequest {
  /// The number by which its answer is known; nil if it has none.
  fileprivate var number: Int? {
    switch self {
    case .shoot(let number, _, _), .record(let number, _, _), .control(let number, _),
      .point(let number, _, _, _), .lock(let number, _), .zoom(let number, _), .auto(let number, _):
      number
    case .open, .close, .endBurst, .assist, .seek, .pause, .view, .edit, .commit, .undo, .redo, .looks,
      .endLooks:
      nil
    }
  }
}
