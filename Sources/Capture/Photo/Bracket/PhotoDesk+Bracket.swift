import FrameCore

/// What the photos of a bracket have in common.
final class BracketOrder<Photo: Sendable>: Sendable {
  let bracket: PhotoBracket<Photo>
  let run: BracketRun
  let settings: PhotoSettings
  let pressedAt: Timestamp
  let onEvent: (@Sendable (PhotoEvent<Photo>) -> Void)?
  /// The photo that is fused of all exposures, if there is one, and its exposures so far.
  private let fused = Monitor<(capture: PhotoCapture<Photo>?, parts: [CapturedPhoto])>((nil, []))

  init(
    _ bracket: PhotoBracket<Photo>, _ run: BracketRun, _ settings: PhotoSettings, pressedAt: Timestamp,
    onEvent: (@Sendable (PhotoEvent<Photo>) -> Void)?
  ) {
    (self.bracket, self.run, self.settings) = (bracket, run, settings)
    (self.pressedAt, self.onEvent) = (pressedAt, onEvent)
  }

  var capture: PhotoCapture<Photo>? { fused.read { $0.capture } }
  func begin(_ capture: PhotoCapture<Photo>) { fused.update { $0.capture = capture } }
  func add(_ part: CapturedPhoto) { fused.update { $0.parts.append(part) } }

  /// All exposures as one photo; its reference is the one nearest to 0 EV.
  func assembled(_ settings: ResolvedPhotoSettings) -> CapturedPhoto? {
    let parts = fused.update { fused in
      defer { fused.parts = [] }
      return fused.parts
    }
    let exposures = parts.flatMap(\.exposures)
    let nearest = exposures.indices.min { abs(exposures[$0].stops) < abs(exposures[$1].stops) }
    guard let nearest, parts.count == exposures.count else { return nil }
    return CapturedPhoto(
      settings: settings, frames: parts.map(\.referenceFrame), reference: nearest,
      offset: parts[nearest].offset, exposures: exposures)
  }
}

extension PhotoDesk {
  func beginBracket() { change { $0.machine.bracketBegan() } }

  func endBracket() { change { $0.machine.bracketEnded() } }

  /// Takes the frame of `time` for an exposure that shows in it.
  func take(_ exposure: BracketedExposure, _ index: Int, at time: Timestamp, of order: BracketOrder<Photo>) {
    do {
      guard !state.read({ $0.isDone || $0.isStopping }) else {
        throw SafelightError(
          .device, "The capture ended before the bracket was complete", remedy: "take it again")
      }
      let settings = order.settings.again()
      if let fused = order.capture {
        beginPart(exposure, index, settings, fused.settings, order, at: time)
      } else {
        try beginPhoto(exposure, index, settings, order, at: time)
      }
    } catch {
      order.run.refused(index, Self.error(error))
    }
  }

  private func beginPhoto(
    _ exposure: BracketedExposure, _ index: Int, _ settings: PhotoSettings, _ order: BracketOrder<Photo>,
    at time: Timestamp
  ) throws {
    let resolved = try change { state in
      try state.machine.resolve(
        settings, pressedAt: order.pressedAt, burst: BurstPosition(id: order.bracket.id, index: index),
        zeroShutterLag: .doesNotApply(.bracket), now: .now)
    }
    // The bracket has its photos, which must not have the bracket.
    let capture = PhotoCapture<Photo>(resolved) {
      [weak bracket = order.bracket, run = order.run, onEvent = order.onEvent] event in
      if case .didCapture = event { bracket?.append(exposure) }
      onEvent?(event)
      switch event {
      case .didCapture: run.captured(index)
      // Ignored if the frame was captured: then only its processing failed.
      case .failed(let error): run.refused(index, Self.error(error))
      default: break
      }
    }
    order.bracket.append(capture)
    begin(
      Order(capture: capture, settings: settings, burst: nil, onEvent: nil, exposures: [exposure]),
      after: time.advanced(by: -1))
  }

  /// Begins one exposure of a fused photo. Its events are nobody's.
  private func beginPart(
    _ exposure: BracketedExposure, _ index: Int, _ settings: PhotoSettings, _ fused: ResolvedPhotoSettings,
    _ order: BracketOrder<Photo>, at time: Timestamp
  ) {
    let resolved = ResolvedPhotoSettings(
      id: settings.id, number: fused.number, pressedAt: fused.pressedAt, qualityPrioritization: .speed,
      frameCount: 1, zeroShutterLag: fused.zeroShutterLag, isDeferred: false, burst: nil)
    let part = PhotoCapture<Photo>(resolved) { event in
      if case .failed(let error) = event { order.run.refused(index, Self.error(error)) }
    }
    begin(
      Order(
        capture: part, settings: settings, burst: nil, onEvent: nil, exposures: [exposure],
        collect: { captured in
          order.add(captured)
          order.bracket.append(exposure)
          order.run.captured(index)
        }),
      after: time.advanced(by: -1))
  }

  /// Begins a photo that is fused of `count` exposures.
  func beginFused(_ order: BracketOrder<Photo>, count: Int) throws {
    let resolved = try change { state in
      let one = try state.machine.resolve(
        order.settings, pressedAt: order.pressedAt, zeroShutterLag: .doesNotApply(.bracket), now: .now)
      return ResolvedPhotoSettings(
        id: one.id, number: one.number, pressedAt: one.pressedAt, qualityPrioritization: .speed,
        frameCount: count, zeroShutterLag: one.zeroShutterLag, isDeferred: one.isDeferred, burst: nil)
    }
    let capture = PhotoCapture<Photo>(resolved, onEvent: order.onEvent)
    state.update {
      $0.orders[resolved.id] = Order(
        capture: capture, settings: order.settings, burst: nil, onEvent: order.onEvent)
    }
    order.begin(capture)
    order.bracket.append(capture)
    capture.emit(.willBegin(resolved))
    capture.emit(.willCapture(resolved))
  }

  /// Passes the exposures of a fused photo on, or ends it.
  func endFused(_ order: BracketOrder<Photo>, _ failure: SafelightError?) {
    guard let capture = order.capture else { return }
    let captured = failure == nil ? order.assembled(capture.settings) : nil
    if let captured {
      capture.emit(.didCapture(PhotoMoment(captured)))
      let isAccepted = change { state in
        guard !state.isDone else { return false }
        state.machine.assembled()
        state.work.append(captured)
        return true
      }
      if isAccepted { return }
    }
    state.update { $0.orders[capture.settings.id] = nil }
    capture.end(
      .failure(
        failure
          ?? SafelightError(
            .device, "The capture ended before the bracket was fused", remedy: "take it again")))
  }

  private static func error(_ error: any Error) -> SafelightError {
    error as? SafelightError ?? SafelightError(.device, "The photo failed: \(error)")
  }
}
