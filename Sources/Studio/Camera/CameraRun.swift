import Safelight

/// A source that is open: its session, what its frames go to, and what can be asked of it.
final class CameraRun: Sendable {
  let entry: CameraSources.Entry
  let session: CaptureSession
  let input: any CaptureInput
  /// Late frames are discarded and counted.
  let output: VideoDataOutput
  let photos: CameraPhotos
  let formats: [CameraFormat]
  /// The index of the format in use; nil if the source has no choice.
  let format: Int?

  /// Configures a session. Blocks while the source is looked at; `start` opens it.
  ///
  /// - Parameter format: an index of `formats`; nil takes the usual one.
  /// - Throws: `SafelightError` or `CaptureFailure` if there is no such source or no such format.
  init(
    _ entry: CameraSources.Entry, from sources: CameraSources, format: Int?, folder: String,
    saved: @escaping @Sendable (DeliveredPhoto, CameraPhotos.Order, _ number: Int?) -> Void
  ) throws {
    self.entry = entry
    let first = try sources.input(entry, StreamRequest())
    formats = try CameraFormat.all(of: first)
    if let format, !formats.indices.contains(format) {
      throw SafelightError(
        .invalidValue, "\(entry.name) has no format \(format)",
        remedy: "choose one of the \(formats.count) listed")
    }
    let chosen = format ?? CameraFormat.usual(in: formats)
    self.format = chosen
    let request = chosen.map { [formats] in formats[$0].request } ?? StreamRequest()
    let input = first is SyntheticInput ? try sources.input(entry, request) : first
    // What the person in front of the camera sees is mirrored; photos are not, so that text can be read.
    let output = VideoDataOutput(purpose: .preview)
    let photos = try CameraPhotos(to: folder, of: input, saved: saved)
    let session = CaptureSession()
    (self.input, self.output, self.photos, self.session) = (input, output, photos, session)
    let settling: Settling = input is DeviceInput ? .automatic : .off
    try Blocking { begun in
      try await session.configure {
        begun()
        try $0.add(input)
        try $0.add(output)
        try $0.add(photos.output, connection: Connection(mirroring: .off))
        $0.request = request
        $0.settling = settling
      }
    }.wait()
  }

  /// Opens the source. Blocks; one that is busy or unplugged is waited for by the session itself.
  ///
  /// - Parameter changed: receives the session's states, on any thread.
  /// - Throws: `CaptureFailure` if it cannot be opened.
  func start(_ changed: @escaping @Sendable (CaptureState) -> Void) throws {
    let states = session.states
    _ = try Blocking { _ in
      for await state in states {
        changed(state)
        if state.isFinal { return }
      }
    }
    let session = session
    try Blocking { begun in
      await session.reach(begun)
      try await session.start(waitingForSource: true)
    }.wait()
  }

  /// Ends the session, once its photos are written. Blocks.
  func stop() {
    photos.finish()
    session.stopAndWait()
  }

  var device: CaptureDevice? { (input as? DeviceInput)?.device }
  var playback: VideoPlayback? { (input as? VideoFileInput)?.playback }
  var isMirrored: Bool { Connection().isMirrored(facing: input.facing, purpose: .preview) }

  // MARK: Controls

  /// What the camera has of each setting; empty for sources that are none. Blocks for some milliseconds.
  func capabilities() throws -> [CameraCapability] { try device?.capabilities() ?? [] }

  /// Changes settings of the camera: all or none. Blocks for some milliseconds.
  ///
  /// - Throws: `SafelightError` or `CaptureFailure` if it has them not, or refuses them.
  func apply(_ settings: [CameraSetting]) throws {
    guard let device else {
      throw SafelightError(
        .unsupported, "\(entry.name) has no controls", remedy: "choose a camera, or change the look")
    }
    _ = try device.configure { try $0.apply(settings) }
  }

  /// The settings that keep exposure and focus as they are, or let them go again: those that the camera has.
  func lockSettings(_ isOn: Bool, _ capabilities: [CameraCapability]) throws -> [CameraSetting] {
    func has(_ key: CameraSetting.Key, _ word: String) -> Bool {
      capabilities.contains {
        $0.key == key && $0.isSupported && ($0.range ?? "").components(of: ", ").contains(word)
      }
    }
    var settings: [CameraSetting] = []
    if has(.focus, isOn ? "locked" : "auto") { settings.append(.focus(isOn ? .locked : .automatic)) }
    if has(.exposure, isOn ? "locked" : "auto") { settings.append(.exposure(isOn ? .locked : .automatic)) }
    guard !settings.isEmpty else {
      throw SafelightError(
        .unsupported, "\(entry.name) locks neither focus nor exposure",
        remedy: "set them by hand, if it has them")
    }
    return settings
  }

  /// The settings that look at a point of the frame: those that the camera has.
  func pointSettings(
    _ point: PointOfInterestSetting, focus: Bool, exposure: Bool, _ capabilities: [CameraCapability]
  ) throws -> [CameraSetting] {
    func has(_ key: CameraSetting.Key) -> Bool { capabilities.contains { $0.key == key && $0.isSupported } }
    var settings: [CameraSetting] = []
    if focus, has(.focusPoint) { settings.append(.focusPoint(point)) }
    if exposure, has(.exposurePoint) { settings.append(.exposurePoint(point)) }
    guard !settings.isEmpty else {
      let reason = capabilities.lazy.compactMap { $0.key == .exposurePoint ? $0.unsupported : nil }.first
      throw SafelightError(
        .unsupported, "\(entry.name) cannot be pointed at a place" + (reason.map { ": \($0)" } ?? ""),
        remedy: "change the exposure of the look")
    }
    return settings
  }

  /// What works with this source.
  func modes(_ capabilities: [CameraCapability]) -> [String] {
    let exposes = capabilities.contains {
      [.exposure, .exposureBias].contains($0.key) && $0.isSupported
    }
    return ["photo", "video", "burst"] + (exposes ? ["bracket"] : []) + ["timer"]
  }

  // MARK: Sound

  /// The name of the microphone that movies are recorded with; nil if there is none.
  static func microphoneName(for kind: CameraSources.Kind) -> String? {
    switch kind {
    case .scene: return "Synthetic sound"
    case .clip: return nil
    case .camera:
      let devices = AudioDevice.discover().filter { $0.directions.contains(.capture) }
      // The default alone leads nowhere on a machine without a card.
      return devices.count > 1 ? devices.first { $0.card != nil }?.name : nil
    }
  }

  /// - Throws: `CaptureFailure` if there is no microphone.
  func microphone() throws -> any AudioInput {
    switch entry.kind {
    case .scene: try SyntheticAudio()
    case .camera: MicrophoneInput(try AudioDevice.device("default", .capture))
    case .clip:
      throw SafelightError(
        .unsupported, "A clip is recorded without sound", remedy: "leave the sound out")
    }
  }
}

extension String {
  /// The pieces between separators.
  fileprivate func components(of separator: String) -> [String] {
    var (pieces, rest) = ([String](), self[...])
    while let place = rest.firstRange(of: separator) {
      pieces.append(String(rest[..<place.lowerBound]))
      rest = rest[place.upperBound...]
    }
    return pieces + [String(rest)]
  }
}
